"""The seam between what is judged and who judges: a case is one question with two replies, yes and no."""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Literal, Protocol

from heliograph.types import EvidenceId, Modality

Task = Literal["relevancy", "correct_use", "completeness", "support", "correctness"]
"""Whether evidence helps to answer (OMG-QA, Figure 6), an answer uses what it cites rightly (Figure 7), all that it
says is cited (Figure 8), evidence says a claim (ALCE: Gao et al. 2023, section 3), and an answer states an accepted
one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of evidence as a judge sees it; `place` are its page's title and the sections down to it."""

    id: EvidenceId
    modality: Modality
    place: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """What a judge is shown. Relevancy: question and one piece of evidence; correct use: question, answer with its
    markers and what they cite, in their order; completeness: question and answer; support: a claim as `answer`, and
    evidence; correctness: question and answer. `accepted` are answers known to be right, empty where nobody may be
    told."""

    task: Task
    question: str
    answer: str = ""
    evidence: tuple[Shown, ...] = ()
    accepted: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The sha256 of all that is shown: equal cases are judged once, whatever run they come from."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Word:
    """A judge's reply; `confidence` is its probability of that reply, None where the judge tells none."""

    yes: bool
    confidence: float | None = None


class Judge(Protocol):
    """A model, a rule or a person that decides cases."""

    name: str

    def prompt(self, task: Task) -> str:
        """Return the sha256 of what the judge is told to do, so that other prompts give other words; "" for people."""

    async def judge(self, case: Case) -> Word:
        """Decide a case.

        Raises:
            ModelError: the judge cannot be asked, or does not answer yes or no.
        """
