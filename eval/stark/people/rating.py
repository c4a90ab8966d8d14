"""A person rates queries on five points, one query after another; each rating is kept at once (STaRK, section 2.5)."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from eval.drawing import Draw
from eval.lines import read_placed_lines
from eval.omgqa.judging.growing import GrowingLines, open_growing
from eval.stark.queries import StarkQuery
from heliograph.errors import UsageError

ASPECTS: Mapping[str, str] = {
    "naturalness": "it resembles what people say",
    "diversity": "structure and complexity are others than those of the other queries; in a set, they vary",
    "practicality": "somebody would ask it in a real situation",
}
"""What is rated, with what a high figure says of a query (STaRK, section 2.5)."""
SCALE = "1 not at all, 2 rather not, 3 neither, 4 rather, 5 entirely"
LOWEST, HIGHEST = 1, 5
ELSEWHERE = "name another file with --out"
BEGINNING = b'{"case": "'
DIGITS = 16
KEYS = "three figures of 1 to 5, such as 4 3 5   s skip   u undo   q quit"
PASSED = "That was the last one.\nu undo   q quit"
_FIGURES = re.compile(rf"([{LOWEST}-{HIGHEST}])[\s,;]*([{LOWEST}-{HIGHEST}])[\s,;]*([{LOWEST}-{HIGHEST}])")

Ask = Callable[[str], str]
"""Shows a text and returns the line that is written after it; "q" where there is nobody left to write one."""


@dataclass(frozen=True, slots=True)
class RatedCase:
    """What is rated: a query or a whole set, by the sha256 of its text; the key of a query begins with q, else with s.

    A key is never all figures, which a spreadsheet would round.
    """

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Rating:
    """What one person says of a case, each from 1 to 5, in the order of ASPECTS."""

    case: str
    rater: str
    naturalness: int
    diversity: int
    practicality: int

    @property
    def values(self) -> tuple[int, int, int]:
        """Return the figures in the order of ASPECTS."""
        return self.naturalness, self.diversity, self.practicality


def query_cases(queries: Sequence[StarkQuery], first: int | None = None) -> tuple[RatedCase, ...]:
    """Return queries as cases, those of one text once, in the order of the sha256 of their ids: the same for everybody.

    Args:
        queries: all that may be rated.
        first: keep so many.
    """
    drawn = Draw(first=first).of(queries, lambda each: each.id)
    return tuple({each.text: RatedCase(_key("q", each.text), each.text) for each in drawn}.values())


def set_case(queries: Sequence[StarkQuery], first: int | None = None) -> tuple[RatedCase, ...]:
    """Return queries as one case that is rated as a whole, as each participant of the paper rated a sample."""
    cases = query_cases(queries, first)
    text = "\n".join(f"{number}. {case.text}" for number, case in enumerate(cases, start=1))
    return (RatedCase(_key("s", text), text),)


def read_ratings(path: Path) -> tuple[Rating, ...]:
    """Read a file of ratings.

    Raises:
        UsageError: it cannot be read, a line is no rating, or somebody rated a case twice.
    """
    found = dict[tuple[str, str], Rating]()
    for place, line in read_placed_lines(path, _RatingLine):
        if (line.case, line.rater) in found:
            raise UsageError(f"{place}: {line.rater} has rated this case above; take one of the two lines out")
        found[line.case, line.rater] = Rating(**line.model_dump())
    return tuple(found.values())


def rating_line(rating: Rating) -> str:
    """Return a rating as one line of JSON."""
    return json.dumps(asdict(rating), ensure_ascii=False) + "\n"


def named_rater(rater: str) -> str:
    """Return the name of a person.

    Raises:
        UsageError: it is none.
    """
    name = rater.strip()
    if not name or not name.isprintable():
        raise UsageError(f"{rater!r} is no name; say who rates with --rater")
    return name


def open_ratings(path: Path, stack: ExitStack) -> tuple[GrowingLines, tuple[Rating, ...]]:
    """Open a file of ratings for this process alone, and return those that it has.

    Raises:
        UsageError: the file has something else.
        StoreLocked: another process writes it.
        StoreFull | StoreError: it cannot be written.
    """
    lines = open_growing(path, BEGINNING, stack, ELSEWHERE)
    return lines, read_ratings(path)


def unrated(cases: Iterable[RatedCase], ratings: Iterable[Rating], rater: str) -> tuple[RatedCase, ...]:
    """Return the cases that a person has not rated."""
    done = {each.case for each in ratings if each.rater == rater}
    return tuple(each for each in cases if each.key not in done)


def new_ratings(found: Collection[Rating], ratings: Iterable[Rating]) -> tuple[Rating, ...]:
    """Return those of some ratings that a file does not have.

    Raises:
        UsageError: the file has another one by the same person.
    """
    known = {(each.case, each.rater): each for each in ratings}
    for each in found:
        before = known.get((each.case, each.rater), each)
        if before != each:
            raise UsageError(
                f"{each.rater} has rated {each.case} {_spoken(before)} before, and {_spoken(each)} here; "
                "clear its row in the form, or name another rater"
            )
    return tuple(each for each in found if (each.case, each.rater) not in known)


@dataclass(slots=True)
class RatingSession:
    """One person's way through cases; ratings can be taken back, to where this session began."""

    lines: GrowingLines
    cases: Sequence[RatedCase]
    rater: str
    _ways: list[int | None] = field(default_factory=list)

    @property
    def rated(self) -> int:
        """How many cases were rated in this session."""
        return sum(start is not None for start in self._ways)

    def run(self, ask: Ask) -> None:
        """Ask until somebody quits; behind the last case too, so that its rating can be taken back.

        Raises:
            StoreFull | StoreError: a rating cannot be written; those before it are there.
        """
        hint = ""
        while self.cases and (said := ask(hint + self.text()).strip().casefold()) != "q":
            hint = "" if self.answer(said) else f"{said[:40]!r} is no rating\n"

    def text(self) -> str:
        """Return what is shown before a line is written."""
        place = len(self._ways)
        if place == len(self.cases):
            return PASSED
        asked = "\n".join(f"  {name}: {meaning}" for name, meaning in ASPECTS.items())
        return f"{place + 1} of {len(self.cases)}\n\n{self.cases[place].text}\n\n{asked}\n  ({SCALE})\n{KEYS}"

    def answer(self, said: str) -> bool:
        """Do what a line says, and tell whether it says anything."""
        place = len(self._ways)
        if said == "u":
            if self._ways and (start := self._ways.pop()) is not None:
                self.lines.cut(start)
        elif place == len(self.cases):
            return False
        elif said == "s":
            self._ways.append(None)
        elif figures := _FIGURES.fullmatch(said):
            values = [int(each) for each in figures.groups()]
            line = rating_line(Rating(self.cases[place].key, self.rater, *values))
            self._ways.append(self.lines.append(line))
        else:
            return False
        return True


class _RatingLine(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    case: Annotated[str, Field(pattern="^[qs][0-9a-f]+$")]
    rater: Annotated[str, Field(min_length=1)]
    naturalness: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]
    diversity: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]
    practicality: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]


def _key(kind: str, text: str) -> str:
    return kind + hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:DIGITS]


def _spoken(rating: Rating) -> str:
    return " ".join(map(str, rating.values))
