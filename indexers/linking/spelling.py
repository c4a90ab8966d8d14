"""Near spellings of a word among the words of titles."""

from collections.abc import Iterable
from functools import cached_property, lru_cache

import numpy as np

from indexers.linking.ragged import Floats, Ragged

SHORTEST = 5
"""Letters below which another spelling is another word."""
LONG = 8
"""Letters from which two may differ, not one."""
NEAREST = 3
LIKENESS = 0.5
"""Least share of trigrams in common (Dice)."""
COMPARED = 20
"""Words of most trigrams in common that are compared letter by letter."""


class Spelling:
    """Find the words that are spelt almost like one; the index is made when the first is asked for.

    Args:
        words: all that can be found, with their numbers.
    """

    def __init__(self, words: Iterable[tuple[str, int]]) -> None:
        self._words = [(word, number) for word, number in words if _comparable(word)]
        self._asked: dict[str, tuple[int, ...]] = {}

    def near(self, word: str) -> tuple[int, ...]:
        """Return the numbers of up to NEAREST words within a letter, or two of a long word, the nearest first."""
        if not _comparable(word) or not self._words:
            return ()
        if word not in self._asked:
            self._asked[word] = self._near(word)
        return self._asked[word]

    def _near(self, word: str) -> tuple[int, ...]:
        grams, postings, sizes = self._index
        asked = trigrams(word)
        known = [postings.row(grams[gram]) for gram in asked if gram in grams]
        if not known:
            return ()
        likeness = 2 * np.bincount(np.concatenate(known), minlength=len(sizes)) / (sizes + len(asked))
        most = 1 if len(word) < LONG else 2
        like = np.flatnonzero(likeness >= LIKENESS)
        close = [
            (distance, -likeness[place], self._words[place][1])
            for place in like[np.argsort(-likeness[like], kind="stable")[:COMPARED]].tolist()
            if (distance := edits(word, self._words[place][0], most)) <= most
        ]
        return tuple(number for _, _, number in sorted(close)[:NEAREST])

    @cached_property
    def _index(self) -> tuple[dict[str, int], Ragged, Floats]:
        grams: dict[str, int] = {}
        lists = [[grams.setdefault(gram, len(grams)) for gram in trigrams(word)] for word, _ in self._words]
        return grams, Ragged.of(lists).inverted(len(grams)), np.array([len(each) for each in lists], dtype=np.float32)


def _comparable(word: str) -> bool:
    return len(word) >= SHORTEST and word.isalpha()


def trigrams(word: str) -> tuple[str, ...]:
    """Return the distinct runs of three letters of a word, its ends marked."""
    marked = f"^{word}$"
    return tuple({marked[place : place + 3]: None for place in range(len(marked) - 2)})


@lru_cache(maxsize=10_000)
def edits(one: str, other: str, most: int) -> int:
    """Count the letters to insert, delete, replace or swap with the next, up to `most` + 1."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        older, before, row = before, row, [i]
        for j, facing in enumerate(other, start=1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != facing))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == facing:
                least = min(least, older[j - 2] + 1)
            row.append(least)
    return min(row[-1], most + 1)
