"""Candidate passages of mentions: those of that name, and those whose titles the mention and its table make up."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from indexers.linking.context import Context, Placed
from indexers.linking.ragged import Ints
from indexers.linking.titles import NAME_KINDS, TitleIndex
from indexers.linking.words import JOINERS

SEARCHED = len(NAME_KINDS)
"""The source after the kinds of names: found by words of the title."""

NAMED = 16
"""Passages of one name that are weighed."""
FOUND = 14
"""Passages found by words that are weighed."""
ABOUT = 0.5
"""What a lead counts in the search that says all of the table's title; a title that the context makes up counts 1."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Mentions, by their place in a list, with passages they may name; `source` is how the passage was found."""

    mention: Ints
    passage: Ints
    source: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.mention)

    @staticmethod
    def of(found: Sequence[tuple[int, int, int]]) -> "Pairs":
        """Pack triples of mention, passage and source, which come in the order of mentions."""
        columns = np.array(found, dtype=np.int64).reshape(-1, 3)
        return Pairs(columns[:, 0], columns[:, 1], columns[:, 2].astype(np.int8))

    def part(self, start: int, stop: int) -> "Pairs":
        """Return the pairs from one place to another."""
        return Pairs(self.mention[start:stop], self.passage[start:stop], self.source[start:stop])


class TitleSearch:
    """Search titles by the words of a mention, those first that the words around it make up best.

    Args:
        index: the titles. A search keeps three numbers a passage of its own, so it serves one table at a time.
    """

    def __init__(self, index: TitleIndex) -> None:
        self._index = index
        self._said, self._around, self._about = (np.zeros(len(index.ids), dtype=np.float32) for _ in range(3))
        self._joiners = frozenset(index.words.known(sorted(JOINERS)))

    def pairs(self, placed: Sequence[Placed], context: Context) -> Pairs:
        """Return the candidates of mentions, which come in the order of their rows."""
        found: list[tuple[int, int, int]] = []
        table = context.table()
        self._hear(table)
        self._learn_title(context.title)
        row, words = -1, set[int]()
        for number, each in enumerate(placed):
            if each.row != row:
                self._add(words, -1.0)
                row, words = each.row, set(context.rows[each.row]) - table
                self._add(words, 1.0)
            found += [(number, passage, source) for passage, source in self._candidates(each)]
        return Pairs.of(found)

    def _candidates(self, placed: Placed) -> Iterator[tuple[int, int]]:
        named = self._index.called(placed.mention.key)
        if len(named) > NAMED:
            passages = [passage for passage, _ in named]
            around = self._around[passages] + self._about[passages]
            named = tuple(named[place] for place in np.argsort(-around, kind="stable")[:NAMED].tolist())
        yield from named
        if placed.mention.searchable():
            known = {passage for passage, _ in named}
            yield from ((passage, SEARCHED) for passage in self._search(placed, FOUND) if passage not in known)

    def _search(self, placed: Placed, most: int) -> list[int]:
        words = {word: sure for word, sure in placed.spoken.words.items() if word not in self._joiners}
        if not words:
            return []
        postings = [self._index.of_titles.row(word) for word in words]
        for posting, (word, sure) in zip(postings, words.items(), strict=True):
            self._said[posting] += sure * self._index.words.weights[word]
        found = np.concatenate(postings)
        said, mass = self._said[found], self._index.masses[found]
        self._said[found] = 0.0
        made_up = np.minimum(np.maximum(self._around[found], said), mass) / mass
        worth = said / placed.spoken.mass + made_up + self._about[found]
        return list(dict.fromkeys(found[_best(worth, most * len(postings))].tolist()))[:most]

    def _hear(self, words: Iterable[int]) -> None:
        self._around[:] = 0.0
        self._add(words, 1.0)

    def _add(self, words: Iterable[int], sign: float) -> None:
        for word in words:
            if word not in self._joiners:
                self._around[self._index.of_titles.row(word)] += sign * self._index.words.weights[word]

    def _learn_title(self, words: Iterable[int]) -> None:
        """Score all passages by the words of the table's title that their leads say."""
        weights = self._index.words.lead_weights
        self._about[:] = 0.0
        said = [word for word in words if word not in self._joiners]
        mass = sum(float(weights[word]) for word in said)
        for word in said:
            self._about[self._index.of_leads.row(word)] += ABOUT * weights[word] / mass


def _best(worth: npt.NDArray[np.floating], most: int) -> Ints:
    places = np.argpartition(-worth, most)[:most] if len(worth) > most else np.arange(len(worth))
    return np.asarray(places[np.argsort(-worth[places], kind="stable")])
