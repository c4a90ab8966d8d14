"""What conversations are made of."""

from dataclasses import dataclass
from typing import Literal

from heliograph.types import EvidenceId

Ending = Literal["open", "failed", "stopped"]
"""How a question ended; one that is `open` is being answered, or what became of it could not be kept."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its answer; `cited` has the evidence in the order of its markers, from [1].

    `typed` is the question as it was typed, `asked` as it stands alone, `run` the run that answered it.
    """

    number: int
    typed: str
    asked: str
    run: str
    answer: str
    abstained: bool
    cited: tuple[EvidenceId, ...] = ()


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question without an answer, under a name of whoever keeps it; so many turns stood before it.

    `typed` is the question as it was typed; `asked` is it as it stands alone and `run` what researched it, "" until
    they are known. `message` and `code` say why it failed.
    """

    name: str
    typed: str
    behind: int = 0
    asked: str = ""
    run: str = ""
    ending: Ending = "open"
    message: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation without its turns; `started` is seconds since the epoch.

    `questions` counts its turns and its questions that have no answer.
    """

    id: str
    started: float
    title: str
    questions: int
