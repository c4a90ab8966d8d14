"""What one table explains of a question, and how certain that makes a reading.

A reading is as certain as it is explained: CLEAR * explained / (explained + UNKNOWN * unexplained). Names and figures
weigh more than other words, and a number of items that agrees with the rows left weighs as a name does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from heliograph.text.words import stem
from tools.arithmetic.columns import Column
from tools.arithmetic.lexicon import among
from tools.arithmetic.question import Reading
from tools.arithmetic.superlatives import COLUMNS, Idea
from tools.arithmetic.view import View

CLEAR = 0.95
UNKNOWN = 2.8
"""How much more an unexplained word takes from the confidence than an explained one adds."""
NAME, FATAL, FORGIVEN = 2.0, 12.0, 0.4
"""What a name weighs, what nothing may leave unexplained, and a word of a clause whose number of items agrees."""
DASHES = frozenset("-–—−")
"""Cells that say that there is nothing, where others may say that nothing is known."""
IDLE = 0.5
"""What a word weighs that names a column which is not used."""
NOUNS: dict[str, frozenset[Idea]] = {
    stem(noun): frozenset(idea for idea, names in COLUMNS.items() if noun in names and idea != "date")
    for listed in COLUMNS.values()
    for noun in listed
}
"""Nouns of measure, and what else measures the same: `height` may be an altitude."""


@dataclass(slots=True)
class Fit:
    """What the phrases of a question came to in one table, so far.

    `hits` are words with the columns whose names hold them and their weight; `picked` the rows that cells leave, by
    column, and `cells` the words that picked them (`united`: joined ones add up; `shared`: a row holds more besides);
    `listed` the rows that names stand for, and whether the headings say them too; `used` the columns of conditions.
    `spared` are denials of what the caption leaves out anyway; `items`: a word says what the rows are; `stuff`: what
    is `measured` in a unit is called by an unknown word. `scope` is how surely this table is meant (`Computed`).
    """

    asked: Reading
    view: View
    rows: tuple[int, ...]
    explained: float = 1.0
    unexplained: float = 0.0
    factor: float = CLEAR
    scope: float = 1.0
    hits: list[tuple[str, frozenset[int], float]] = field(default_factory=list)
    unknown: list[tuple[float, bool]] = field(default_factory=list)
    ideas: set[Idea] = field(default_factory=set)
    dimensions: set[str] = field(default_factory=set)
    picked: dict[int, tuple[frozenset[int], ...]] = field(default_factory=dict)
    excluded: dict[int, int] = field(default_factory=dict)
    spared: set[int] = field(default_factory=set)
    listed: list[tuple[frozenset[int], bool]] = field(default_factory=list)
    cells: set[str] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    shared: bool = False
    strange: set[str] = field(default_factory=set)
    united: bool = False
    items: bool = False
    titled: bool = False
    stuff: bool = False
    measured: bool = False

    def naming(self, column: Column) -> int:
        """Return how well the words name a column; a word that the table is about anyway says less."""
        told = sum(1 if self.about(word) else 3 for word, held, _ in self.hits if column.index in held)
        return told + (3 if column.measure.dimension in self.dimensions else 0)

    def best(self, columns: list[Column]) -> tuple[Column, ...]:
        """Return the columns that the words name best; none where they name none."""
        most = max((self.naming(column) for column in columns), default=0)
        named = [column for column in columns if most and self.naming(column) == most]
        return closest(named, self.view) if most >= 3 else tuple(named)

    def about(self, word: str) -> bool:
        """Say whether a word stands in the headings of the table."""
        return among(word, self.view.subject)

    def confidence(self, columns: set[int]) -> float:
        """Return how certain a reading is that uses these columns; a word for any other column is not explained."""
        explained, unexplained = self.explained, self.unexplained
        for word, held, weight in self.hits:
            if held & (columns | self.used) or self.about(word):
                explained += weight
            elif not any(self._happened(index) for index in held):
                unexplained += weight * IDLE
        return self.factor * explained / (explained + UNKNOWN * unexplained)

    def _happened(self, index: int) -> bool:
        """Say whether a column holds a date for every row left: that all of them were launched tells nothing."""
        column = self.view.columns[index]
        return column.kind == "date" and not set(self.rows) & {*column.missing, *column.unreadable}

    def doubt(self, weight: float = FATAL) -> None:
        """Leave something unexplained."""
        self.unexplained += weight


def closest(columns: Sequence[Column], view: View) -> tuple[Column, ...]:
    """Return, of columns that words name equally well, those whose names say nothing else."""
    shortest = min((len(view.headers[column.index]) for column in columns), default=0)
    short = tuple(column for column in columns if len(view.headers[column.index]) == shortest)
    return short if shortest == 1 else tuple(columns)
