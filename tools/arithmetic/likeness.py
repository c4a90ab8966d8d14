"""How the words of a question fit the words of a table: columns by their names, rows by their cells."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from heliograph.text.numbers import NUMBER_WORDS, ORDINALS
from heliograph.text.units import header_words
from heliograph.text.words import akin, stem
from heliograph.types import Condition
from tools.arithmetic.request import Request, Token
from tools.arithmetic.sheet import Sheet, Term

STRANGE, SAME = 0.25, 0.65
"""Cosines of the vectors of words that have nothing in common, and of words that mean the same."""
NEARLY, APART = 0.6, 0.2
"""How near a word is to the cell that it picks at least, and how much nearer than to any other."""
MOST_LABELS = 40
"""Rows of a table whose names are compared by meaning."""
PART = 4
"""Letters from which a word may be a part of a compound: `net` is none of `internet`."""
_FIGURES = {stem(word): str(number) for word, number in (*NUMBER_WORDS.items(), *ORDINALS.items())}


@dataclass(frozen=True)
class Meanings:
    """Vectors of words of a question and of names in tables, by which two words may mean much the same.

    Without vectors nothing is near anything, and `around` is empty; that has the stems that stand on a table's page
    outside the table, by page.
    """

    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    around: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def near(self, left: str, right: str) -> float:
        """Return how near two texts are, from 0 for strangers to 1 for the same."""
        one, two = self.vectors.get(left), self.vectors.get(right)
        if one is None or two is None:
            return 0.0
        return min(1.0, max(0.0, (float(one @ two) - STRANGE) / (SAME - STRANGE)))


@dataclass(frozen=True, slots=True)
class Pick:
    """Rows whose cells of one column hold the same words of a question.

    `tokens` are these, `whole` the share of the cell that they say.
    """

    column: int
    rows: frozenset[int]
    tokens: frozenset[int]
    whole: float


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows that words of a question pick, the tokens that say so, and how well these fit."""

    rows: tuple[int, ...]
    tokens: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()
    named: frozenset[int] | None = None
    where: tuple[Condition, ...] = ()
    quality: float = 1.0

    @property
    def bound(self) -> bool:
        """Whether anything is selected."""
        return bool(self.columns)


@dataclass(frozen=True, slots=True)
class Target:
    """A column that is asked for or ordered by, how surely, and the tokens that say so."""

    index: int
    strength: float
    tokens: frozenset[int] = frozenset()
    likely: tuple[tuple[int, float], ...] = ()
    """Tokens that say it in other words, and how nearly."""


@lru_cache(maxsize=65_536)
def alike(left: str, right: str) -> bool:
    """Say whether two stems are one word: equal, akin, a figure in words, or one a part of a compound of the other."""
    if left == right or _FIGURES.get(left) == right:
        return True
    if left.isdigit() or right.isdigit():
        return left.rstrip("stndrh") == right.rstrip("stndrh") and left[:1].isdigit()
    if akin(left, right):
        return True
    short, long = sorted((left, right), key=len)
    return len(short) >= PART and len(long) - len(short) >= PART and (long.startswith(short) or long.endswith(short))


def header_tokens(request: Request, sheet: Sheet, index: int) -> frozenset[int]:
    """Return the tokens that a column is named by."""
    named = [term for term in sheet.headers[index] if not term.light]
    return frozenset(
        place
        for place, token in enumerate(request.tokens)
        if token.weight and any(alike(token.stem, term.stem) for term in named)
    )


def picks(request: Request, sheet: Sheet, index: int, free: frozenset[int]) -> tuple[Pick, ...]:
    """Return the rows that a question names by the cells of one column, most words first.

    Of a name that holds another, the longer counts: `wheat, wholemeal` and not every `wheat`.
    """
    column = sheet.columns[index]
    found: dict[frozenset[int], list[int]] = {}
    numeric = column.kind in ("number", "duration", "date")
    cells = sheet.cells[index]
    for place in range(len(sheet.rows)):
        tokens = _said(request.tokens, cells[place], free, numeric, sheet.headers[index])
        if tokens:
            found.setdefault(tokens, []).append(place)
    most = [tokens for tokens in found if not any(tokens < other for other in found)]
    before = {term.stem for term in sheet.headers[index] if term.light}
    made = []
    for tokens in most:
        rows = frozenset(sheet.rows[place] for place in found[tokens])
        if len(rows) == len(sheet.rows) and len(rows) > 1:
            continue
        whole = max(_share(request.tokens, tokens, cells[place]) for place in found[tokens])
        led = frozenset(
            first - step
            for step in (1, 2)
            if (first := min(tokens)) >= step and request.tokens[first - step].stem in before
        )
        made.append(Pick(index, rows, tokens | led, whole))
    return tuple(sorted(made, key=lambda pick: (-len(pick.tokens), min(pick.tokens))))


def _said(
    tokens: Sequence[Token], cell: tuple[Term, ...], free: frozenset[int], numeric: bool, header: tuple[Term, ...]
) -> frozenset[int]:
    """Return the free tokens that a cell says; of a figure only the whole figure."""
    if numeric:
        whole = [term.stem for term in cell]
        figures = (place for place in free if tokens[place].text[:1].isdigit() or _numbers(tokens, place, header))
        return frozenset(
            place for place in figures if whole and len(whole) <= 2 and alike(tokens[place].stem, whole[0])
        )
    return frozenset(
        place
        for place in free
        if tokens[place].weight and any(not term.light and alike(tokens[place].stem, term.stem) for term in cell)
    )


def _numbers(tokens: Sequence[Token], place: int, header: tuple[Term, ...]) -> bool:
    """Say whether a number in words numbers what a column holds: `day five`, `the third day`."""
    beside = [tokens[other].stem for other in (place - 1, place + 1) if 0 <= other < len(tokens)]
    return tokens[place].stem in _FIGURES and any(alike(word, term.stem) for word in beside for term in header)


def _share(tokens: Sequence[Token], said: frozenset[int], cell: tuple[Term, ...]) -> float:
    known = [term for term in cell if not term.light] or list(cell)
    held = sum(any(alike(tokens[place].stem, term.stem) for place in said) for term in known)
    return held / len(known)


def near_picks(
    request: Request, sheet: Sheet, index: int, free: frozenset[int], meanings: Meanings
) -> Iterator[tuple[Pick, float]]:
    """Yield the row whose cell means most nearly what one word, or two in a row, says, and how nearly."""
    for group in phrases_of(request, free):
        said = " ".join(request.tokens[place].text for place in group)
        scores = sorted(((meanings.near(said, sheet.cell(row, index)), row) for row in sheet.rows), reverse=True)
        if scores and scores[0][0] >= NEARLY and (len(scores) == 1 or scores[0][0] - scores[1][0] >= APART):
            yield Pick(index, frozenset((scores[0][1],)), frozenset(group), 1.0), scores[0][0]


def phrases_of(request: Request, free: frozenset[int]) -> Iterator[tuple[int, ...]]:
    """Yield the words of content among the free tokens, alone and with the next."""
    for place in sorted(free):
        if request.tokens[place].weight >= 1 and not request.tokens[place].text[:1].isdigit():
            yield (place,)
            if place + 1 in free and request.tokens[place + 1].weight > 0:
                yield (place, place + 1)


def wordings(request: Request, sheets: Sequence[Sheet]) -> tuple[str, ...]:
    """Return the texts whose vectors `Meanings` needs."""
    free = frozenset(range(len(request.tokens)))
    said = (" ".join(request.tokens[place].text for place in group) for group in phrases_of(request, free))
    names = (header_words(name) for sheet in sheets for name in sheet.table.header)
    labels = (
        sheet.cell(row, sheet.label)
        for sheet in sheets
        if sheet.named and len(sheet.rows) <= MOST_LABELS
        for row in sheet.rows
    )
    return tuple(dict.fromkeys(text for text in (*said, *names, *labels) if text))
