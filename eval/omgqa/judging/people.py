"""A person decides cases: blind to other words, key by key, each kept at once, resumed at will."""

from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from eval.drawing import digest_of
from eval.omgqa.dataset import judgement_line, read_judgements
from eval.omgqa.judging.answers import Find
from eval.omgqa.judging.cases import Case, Shown, Word
from eval.omgqa.judging.growing import GrowingLines
from eval.omgqa.judging.laid_out import case_text
from eval.omgqa.judging.pool_file import open_pool
from eval.omgqa.judging.words import Asked, Said, WordLog, word_line
from eval.omgqa.records import Judgement, OmgQuestion, Pair
from heliograph.errors import UsageError

PASSED = "That was the last one.\nu undo   q quit\n"

Ask = Callable[[str], str]
"""Shows a text and returns the key that was pressed after it; "q" where there is nobody left to press one."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """A case before a person; `line` is what is written when they say yes (True) or no."""

    case: Case
    line: Callable[[bool], str]


@dataclass(slots=True)
class Labelling:
    """One person's way through cases: what was done can be undone, back to where this session began."""

    lines: GrowingLines
    cases: Sequence[Undecided]
    _ways: list[int | None] = field(default_factory=list)

    @property
    def place(self) -> int:
        """How many cases were passed, and so the number of the case at hand, from 0."""
        return len(self._ways)

    @property
    def labelled(self) -> int:
        """How many words were written and not undone."""
        return sum(start is not None for start in self._ways)

    def run(self, ask: Ask) -> None:
        """Ask for keys until somebody quits; behind the last case too, so that its word can be undone.

        Raises:
            StoreFull | StoreError: a word cannot be written; those before it are there.
        """
        while self.cases and (key := ask(self.text()).casefold()) != "q":
            self.press(key)

    def text(self) -> str:
        """Return what is shown before a key is pressed."""
        if self.place == len(self.cases):
            return PASSED
        return case_text(self.cases[self.place].case, self.place + 1, len(self.cases))

    def press(self, key: str) -> None:
        """Do what a key says; keys without a meaning do nothing."""
        match key:
            case "y" | "n" if self.place < len(self.cases):
                self._ways.append(self.lines.append(self.cases[self.place].line(key == "y")))
            case "s" if self.place < len(self.cases):
                self._ways.append(None)
            case "u" if self._ways:
                start = self._ways.pop()
                if start is not None:
                    self.lines.cut(start)


def relevancy_labelling(
    pool: Path,
    judge: str,
    questions: Iterable[OmgQuestion],
    found: Set[Pair],
    find: Find,
    stack: ExitStack,
    first: int | None = None,
) -> Labelling:
    """Open a pool for one person: of the pairs that systems found, those that anybody judged and this person has not.

    Labels may come with the data for evidence that no system found; nobody is asked about that.

    Questions come by the sha256 of their ids, and so does the evidence of each, so that neither ranks nor labels show
    through, and `first` questions are drawn by chance, the same ones for everybody. Answers that are known to be right
    are not shown.

    Raises:
        UsageError: the pool cannot be read, or nobody judged what was found, or a piece is not at hand.
        StoreLocked: another process writes the folder.
        StoreFull | StoreError: the pool cannot be written.
    """
    if not pool.exists():
        raise UsageError(f"there is no pool {pool}; judge what was found first: heliograph eval omgqa judge")
    lines = open_pool(pool, stack)
    known = {question.id: question for question in questions}
    judgements = read_judgements(pool, known)
    done = {each.pair for each in judgements if each.judge == judge}
    pooled = {each.pair for each in judgements} & found
    if not pooled:
        raise UsageError(f"{pool} has no word on what the systems found; heliograph eval omgqa judge comes first")
    drawn = set(sorted({pair.question for pair in pooled}, key=digest_of)[:first])
    todo = sorted((pair for pair in pooled - done if pair.question in drawn), key=_place)
    return Labelling(lines, [_pair(known[pair.question], find(pair.unit), judge) for pair in todo])


def case_labelling(log: WordLog, judge: str, cases: Iterable[Case], first: int | None = None) -> Labelling:
    """Open cases for one person: those that this person has not decided, equal ones once.

    They come by the sha256 of what is shown, so that `first` of them are drawn by chance, the same ones for everybody.
    """
    drawn = sorted({case.digest: case for case in cases}.items())[:first]
    todo = ((Asked(digest, judge, ""), case) for digest, case in drawn)
    return Labelling(log.lines, [_case(asked, case) for asked, case in todo if asked not in log.said])


def _place(pair: Pair) -> tuple[str, str]:
    """Order pairs by chance that anybody finds again, those of a question together."""
    return digest_of(pair.question), digest_of(f"{pair.question}\n{pair.unit}")


def _pair(question: OmgQuestion, piece: Shown, judge: str) -> Undecided:
    return Undecided(
        Case("relevancy", question.question, evidence=(piece,)),
        lambda yes: judgement_line(Judgement(question.id, piece.id, yes, judge)),
    )


def _case(asked: Asked, case: Case) -> Undecided:
    return Undecided(case, lambda yes: word_line(asked, Said(case.task, Word(yes))))
