"""A language model as judge (OMG-QA, section 4.1 and Figures 6 to 8): one question at a time, yes or no."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from agent.language.framing import MARGIN, PLACE_CHARACTERS, SEPARATOR, question_part
from eval.omgqa.judging.cases import Case, Shown, Task, Word
from heliograph.errors import ContextOverflow, ModelError
from heliograph.protocols import LLM
from heliograph.types import Prompt
from heliograph.unsaid import unsaid
from indexers.pace import Say
from prompts import render_prompt
from prompts.harmless import clipped, harmless

CHOICES = ("yes", "no")
SHORTEST = 64
"""Tokens of its line below which a piece of evidence is not worth showing."""

_MARKER = re.compile(r"\[(\d{1,4})\]")
_NAMED = 60
"""Characters of the question by which a case is named."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """What a judge is told of a task before it is shown a case, and what behind it."""

    before: str
    behind: str = ""

    @property
    def digest(self) -> str:
        """The sha256 of all that is told."""
        return sha256("\n".join(filter(None, (self.before, self.behind))).encode()).hexdigest()


Instruct = Callable[[Task], Instructions]


def _shipped(task: Task) -> Instructions:
    match task:
        case "relevancy":
            return Instructions(render_prompt("assess_relevancy"))
        case "correct_use":
            return Instructions(render_prompt("assess_correct_use"))
        case "completeness":
            return Instructions(render_prompt("assess_completeness"))
        case "correctness":
            return Instructions(render_prompt("assess_correctness"))
        case "support":
            return Instructions(render_prompt("assess_support"), render_prompt("is_it_supported"))


class LanguageJudge:
    """Ask a model about each case by itself: its word is the likelier of yes and no, its confidence how likely.

    Questions, answers and evidence are shown as data (agent/language/framing.py). Evidence that is longer than the
    model's context is cut, the longest pieces first; prompt and `told` say so. An answer is never cut.
    """

    def __init__(self, llm: LLM, name: str, told: Say = unsaid, instruct: Instruct = _shipped) -> None:
        self.name = name
        self._llm = llm
        self._told = told
        self._instruct = instruct

    def prompt(self, task: Task) -> str:
        """Return the sha256 of the instructions of a task."""
        return self._instruct(task).digest

    async def judge(self, case: Case) -> Word:
        """Decide a case.

        Raises:
            ModelError: of the kind that the model met, with the case named: it cannot be asked, writes neither word,
                or has no room for the case.
        """
        try:
            yes, _ = await self._llm.choose(self._asked(case), CHOICES)
        except ModelError as err:
            raise type(err)(f"{self.name} gave no word on {named(case)}: {err}; words that it gave are kept") from err
        return Word(yes >= 0.5, max(yes, 1 - yes))

    def _asked(self, case: Case) -> Prompt:
        name, told = f"assess_{case.task}", self._instruct(case.task)
        parts = (*_told_of(case), *((told.behind,) if told.behind else ()))
        if not case.evidence:
            return Prompt(name, told.before, parts)
        room = self._llm.room - MARGIN - sum(map(self._llm.count, (told.before, *parts, _framed((), len(CHOICES)))))
        lines, cut = self._lines(case, room)
        if cut:
            self._told(f"{named(case)}: {cut} of {len(lines)} pieces of evidence are cut to the context of {self.name}")
        return Prompt(name, told.before, (parts[0], _framed(lines, cut), *parts[1:]))

    def _lines(self, case: Case, room: int) -> tuple[list[str], int]:
        whole = [_line(number, piece) for number, piece in enumerate(case.evidence, start=1)]
        costs = [self._llm.count(line) + 1 for line in whole]
        most = _share(costs, room)
        if most < min(SHORTEST, max(costs)):
            raise ContextOverflow(
                "there is no room for its evidence; set a larger context_tokens, or a model with more"
            )
        lines = [line if cost <= most else self._shortened(line, most) for line, cost in zip(whole, costs, strict=True)]
        return lines, sum(cost > most for cost in costs)

    def _shortened(self, line: str, most: int) -> str:
        """Return the longest beginning of a line, whole words or sentences, that takes so many tokens."""
        fits, over = 2, len(line)
        while over - fits > 1:
            middle = (fits + over) // 2
            taken = self._llm.count(clipped(line, middle)) + 1
            fits, over = (middle, over) if taken <= most else (fits, middle)
        return clipped(line, fits)


def named(case: Case) -> str:
    """Name a case for people: its task, its question and the beginning of its digest."""
    return f"the {case.task.replace('_', ' ')} of “{clipped(harmless(case.question), _NAMED)}” ({case.digest[:12]})"


def _told_of(case: Case) -> tuple[str, ...]:
    """Return what stands beside the evidence: the question first, as it changes least."""
    question = question_part(case.question)
    match case.task:
        case "relevancy":
            return question, *_known_answers(case)
        case "correctness":
            answer = render_prompt("assessed_answer", answer=harmless(case.answer))
            return question, *_known_answers(case), answer
        case "correct_use" | "completeness":
            return question, render_prompt("assessed_answer", answer=with_markers(case.answer, len(case.evidence)))
        case "support":
            return question, render_prompt("the_claim", claim=harmless(case.answer))


def _known_answers(case: Case) -> tuple[str, ...]:
    known = " / ".join(map(harmless, case.accepted))
    return (render_prompt("known_answers", answers=known),) if known else ()


def with_markers(answer: str, pieces: int) -> str:
    """Return an answer made harmless except for its markers; where evidence is shown, only what leads to it is one."""
    said: list[str] = []
    for place, part in enumerate(_MARKER.split(answer)):
        marks = place % 2 and (not pieces or 1 <= int(part) <= pieces)
        said.append(f"[{part}]" if marks else f"({part})" if place % 2 else _spaced(part))
    return "".join(said).strip()


def _spaced(part: str) -> str:
    """Make a part harmless, keeping whether blanks stand around it."""
    before, behind = part[:1].isspace(), part[-1:].isspace()
    return f"{' ' * before}{harmless(part)}{' ' * behind}" if part.strip() else " " * bool(part)


def _line(number: int, piece: Shown) -> str:
    place = clipped(" > ".join(map(harmless, piece.place)), PLACE_CHARACTERS)
    return f"[{number}] ({piece.modality}) {place}{SEPARATOR}{harmless(piece.text)}"


def _framed(lines: Sequence[str], cut: int) -> str:
    rest = f"{cut} of the pieces are cut short; … marks where." if cut else "Nothing was left out."
    return render_prompt("framed_evidence", pieces="\n".join(lines), rest=rest)


def _share(costs: Sequence[int], room: int) -> int:
    """Return how much each may take at most so that all together fit: the short ones leave theirs to the long ones."""
    left = room
    for place, cost in enumerate(sorted(costs)):
        share = left // (len(costs) - place)
        if cost > share:
            return share
        left -= cost
    return max(costs)
