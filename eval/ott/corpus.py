"""The corpus of OTT-QA by position: rows and passages are numbers, their texts those that the baselines search.

A row's number counts over all tables in the order of the file; a passage's is its place among the sorted ids.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from eval.ott.texts import Texts

Numbers = NDArray[np.int32]
NO_PASSAGE = -1
"""The passage of an edge whose row links nothing."""


@dataclass(frozen=True, slots=True)
class OttTable:
    """A table of the corpus; its rows are as wide as its header, and `intro` is what its page begins with."""

    id: str
    url: str
    title: str
    section_title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    intro: str = ""


@dataclass(frozen=True, slots=True)
class CellLink:
    """A link of one cell, by the row's number in the corpus and the passage's id."""

    row: int
    column: int
    passage_id: str


@dataclass(frozen=True, slots=True, eq=False)
class Passages:
    """The passages of a corpus, in the order of their ids."""

    ids: tuple[str, ...]
    titles: tuple[str, ...]
    texts: Texts

    def position(self, passage_id: str) -> int | None:
        """Return the number of a passage, None where the corpus lacks it."""
        at = bisect_left(self.ids, passage_id)
        return at if at < len(self.ids) and self.ids[at] == passage_id else None


@dataclass(frozen=True, slots=True, eq=False)
class OttCorpus:
    """Tables, passages and the links between them.

    - links: one (row, column, passage) for every link of a cell, int32, in the order of rows, then of the file
    - edges: one (row, passage) for every row and distinct passage that it links, int32, in the same order;
      (row, NO_PASSAGE) for a row that links nothing
    - starts: the number of each table's first row, and behind the last the number of rows
    - numbers: the place of each table among the tables, by its id
    """

    tables: tuple[OttTable, ...]
    passages: Passages
    links: Numbers
    edges: Numbers
    starts: tuple[int, ...]
    numbers: Mapping[str, int]

    @property
    def rows(self) -> int:
        """The number of rows of all tables."""
        return self.starts[-1]

    def rows_of(self, table_id: str) -> range:
        """Return the numbers of a table's rows; none where the corpus lacks the table."""
        number = self.numbers.get(table_id)
        return range(0) if number is None else range(self.starts[number], self.starts[number + 1])

    def table_of(self, row: int) -> OttTable:
        """Return the table that a row stands in."""
        return self.tables[bisect_right(self.starts, row) - 1]

    def cells(self, row: int) -> tuple[str, ...]:
        """Return the texts of a row's cells."""
        number = bisect_right(self.starts, row) - 1
        return self.tables[number].rows[row - self.starts[number]]

    def row_text(self, row: int) -> str:
        """Return a row as the baselines search it: title, section title, and every "header is cell"."""
        table = self.table_of(row)
        named = (f"{name} is {cell}" for name, cell in zip(table.header, self.cells(row), strict=True))
        return f"{table.title} {table.section_title} {' ; '.join(named)}"

    def passage_text(self, passage: int) -> str:
        """Return a passage as the baselines search it: its title and its text."""
        return f"{self.passages.titles[passage]} {self.passages.texts[passage]}"

    def links_of(self, row: int) -> list[tuple[int, int]]:
        """Return the (column, passage) links of a row."""
        return [(column, passage) for _, column, passage in _between(self.links, row, row + 1)]

    def edges_of(self, rows: range) -> list[tuple[int, int]]:
        """Return the edges of rows that follow one another."""
        return [(row, passage) for row, passage in _between(self.edges, rows.start, rows.stop)]


def passages_of(edges: Numbers, row: int) -> tuple[int, ...]:
    """Return the passages of a row, in the order of some edges that are sorted by row."""
    return tuple(passage for _, passage in _between(edges, row, row + 1) if passage != NO_PASSAGE)


def make_corpus(tables: Sequence[OttTable], passages: Passages, links: Sequence[CellLink]) -> OttCorpus:
    """Number tables and links; links come in the order of rows, and each names a passage that is there."""
    starts = tuple(accumulate((len(table.rows) for table in tables), initial=0))
    positions = {passage_id: number for number, passage_id in enumerate(passages.ids)}
    flat = (number for link in links for number in (link.row, link.column, positions[link.passage_id]))
    linked = np.fromiter(flat, np.int32, 3 * len(links)).reshape(-1, 3)
    numbers = {table.id: number for number, table in enumerate(tables)}
    return OttCorpus(tuple(tables), passages, linked, edges_between(starts[-1], linked[:, [0, 2]]), starts, numbers)


def edges_between(rows: int, pairs: Numbers) -> Numbers:
    """Return the edges that (row, passage) pairs make: each once, by row, and one alone for a row without any."""
    _, first = np.unique(pairs, axis=0, return_index=True)
    lone = np.setdiff1d(np.arange(rows, dtype=np.int32), pairs[:, 0])
    edges = np.concatenate([pairs[np.sort(first)], np.stack([lone, np.full_like(lone, NO_PASSAGE)], axis=1)])
    return edges[np.argsort(edges[:, 0], kind="stable")]


def _between(numbers: Numbers, first: int, end: int) -> list[list[int]]:
    low, high = np.searchsorted(numbers[:, 0], np.array([first, end], np.int32))
    between: list[list[int]] = numbers[low:high].tolist()
    return between
