"""Entity linking of table cells (HELIOS, section 4.1: early fusion), without any link that a page carries.

Every mention of every cell gets candidate passages, by name and by the words of titles. A log-linear model says for
each mention how likely each candidate is, and that it names none. It is asked twice: the second time it also knows what
the other cells of the column most likely name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from heliograph.types import EvidenceId, TableEvidence
from indexers.linking.candidates import Pairs, TitleSearch
from indexers.linking.columns import compare_columns
from indexers.linking.context import Placed, context_of, placed_mentions
from indexers.linking.features import Compared, compare
from indexers.linking.mentions import Recogniser
from indexers.linking.ragged import Flags, Floats
from indexers.linking.titles import ALIAS, BASE, INITIALS, TitleIndex
from indexers.linking.weights import MODEL, Model

How = Literal["given", "exact", "alias", "fuzzy", "context", "column"]
"""By a link of the page; by the title, with or without its disambiguator; by a name in the lead, or first letters; by
words of the title, one respelt; by words of the title and the table; whichever way, for the column's other cells."""

THRESHOLD = 0.05
"""Least chance of a link that is kept: low, for what is not linked cannot be retrieved, and ranking comes later."""
MOST = 5
"""Links that are kept of one cell."""


@dataclass(frozen=True, slots=True)
class CellLink:
    """A passage that a mention in a cell may name; rows and columns count from 0, the score is a chance."""

    row: int
    column: int
    mention: str
    passage: EvidenceId
    score: float
    how: How


@dataclass(frozen=True, slots=True)
class Weighed:
    """The pairs of a table with what was compared, and the chance of each, by itself and in its column."""

    placed: tuple[Placed, ...]
    pairs: Pairs
    compared: Compared
    column: Floats
    alone: Floats
    chances: Floats


class Linker:
    """Link the cells of tables to the passages of an index.

    Args:
        index: of all passages that may be linked.
        threshold: least chance of a link that is kept; below it a cell links nothing.
        most: links that are kept of one cell.
        recognise: finds names in the running text of cells, besides the rules.
        model: the weights; bench/linking_fit.py fits others.
    """

    def __init__(
        self,
        index: TitleIndex,
        *,
        threshold: float = THRESHOLD,
        most: int = MOST,
        recognise: Recogniser | None = None,
        model: Model = MODEL,
    ) -> None:
        self._index = index
        self._threshold = threshold
        self._most = most
        self._recognise = recognise
        self._model = model
        self._search = TitleSearch(index)

    def link_table(self, table: TableEvidence, about: str = "") -> tuple[CellLink, ...]:
        """Return the links of all cells, cell by cell, the likeliest first.

        Args:
            table: its links are not looked at.
            about: what the table's page begins with, where it is at hand: two sentences are plenty.
        """
        return self.kept(self.weigh(table, about))

    def kept(self, weighed: Weighed) -> tuple[CellLink, ...]:
        """Return the links whose chance is high enough, cell by cell, the likeliest first."""
        best: dict[tuple[int, int], dict[int, tuple[float, int]]] = {}
        likely = np.flatnonzero(weighed.chances >= self._threshold)
        for pair in likely[np.argsort(-weighed.chances[likely], kind="stable")].tolist():
            placed = weighed.placed[weighed.pairs.mention[pair]]
            cell = best.setdefault((placed.row, placed.column), {})
            if len(cell) < self._most:
                cell.setdefault(int(weighed.pairs.passage[pair]), (float(weighed.chances[pair]), pair))
        return tuple(self._links(weighed, best))

    def weigh(self, table: TableEvidence, about: str = "") -> Weighed:
        """Return every candidate of every mention with its chance."""
        placed = placed_mentions(table, self._index, self._recognise)
        context = context_of(table, about, self._index)
        pairs = self._search.pairs(placed, context)
        compared = compare(pairs, placed, context, self._index)
        alone = self._model.by_itself(compared.features, pairs)
        column = compare_columns(pairs, placed, compared, alone, self._index)
        chances = self._model.in_column(compared.features, column, pairs)
        return Weighed(placed, pairs, compared, column, alone, chances)

    def _links(self, weighed: Weighed, best: dict[tuple[int, int], dict[int, tuple[float, int]]]) -> Iterator[CellLink]:
        changed = _changed(weighed)
        for (row, column), passages in sorted(best.items()):
            for passage, (chance, pair) in passages.items():
                placed = weighed.placed[weighed.pairs.mention[pair]]
                how = "column" if changed[pair] else _how(int(weighed.pairs.source[pair]), placed)
                yield CellLink(row, column, placed.mention.text, self._index.ids[passage], chance, how)


def _changed(weighed: Weighed) -> Flags:
    """Tell the pairs that are their mention's likeliest only since the column is known."""
    mentions = weighed.pairs.mention
    alone, chances = (np.zeros(len(weighed.placed), dtype=np.float32) for _ in range(2))
    np.maximum.at(alone, mentions, weighed.alone)
    np.maximum.at(chances, mentions, weighed.chances)
    return np.asarray((weighed.chances == chances[mentions]) & (weighed.alone < alone[mentions]))


def _how(source: int, placed: Placed) -> How:
    if source <= BASE:
        return "exact"
    if source in (ALIAS, INITIALS):
        return "alias"
    return "fuzzy" if placed.spoken.respelt else "context"
