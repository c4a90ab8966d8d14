"""The words of a collection: a number for each, how rare it is, and what can be told from its letters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indexers.linking.ragged import Flags, Floats, Ints, Ragged
from indexers.linking.words import is_year

RAREST = 0.5
"""The frequency that a word of no title is weighed with."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Arrays that run over word numbers.

    `weights` and `lead_weights` are inverse document frequencies in titles and in leads, `unknown` that of a word in no
    title. `codes` are random numbers whose sum stands for a set of words. `initials` is a bit for the first letter of
    each word, and `letters` the same for words of one letter.
    """

    numbers: dict[str, int]
    weights: Floats
    lead_weights: Floats
    unknown: float
    in_titles: Flags
    codes: Ints
    years: Flags
    initials: Ints
    letters: Ints

    @staticmethod
    def of(numbers: dict[str, int], titles: Ragged, leads: Ragged) -> "Vocabulary":
        """Weigh words by the passages whose title or lead holds them."""
        size, passages = len(numbers), len(titles)
        frequency = np.bincount(titles.values, minlength=size)
        in_leads = np.bincount(leads.values, minlength=size)
        initials = np.fromiter(map(initial, numbers), dtype=np.int64, count=size)
        single = np.fromiter((len(word) == 1 for word in numbers), dtype=np.bool_, count=size)
        return Vocabulary(
            numbers=numbers,
            weights=np.log1p(passages / np.maximum(frequency, RAREST)).astype(np.float32),
            lead_weights=np.log1p(passages / np.maximum(in_leads, RAREST)).astype(np.float32),
            unknown=float(np.log1p(max(passages, 1) / RAREST)),
            in_titles=frequency > 0,
            codes=np.random.default_rng(0).integers(-(2**62), 2**62, size),
            years=np.fromiter(map(is_year, numbers), dtype=np.bool_, count=size),
            initials=initials,
            letters=np.where(single, initials, 0),
        )

    def known(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of the words that are known, each once."""
        return list({self.numbers[word]: None for word in words if word in self.numbers})


def initial(word: str) -> int:
    """Return a bit for the first letter of a word; 0 where it is none of a to z."""
    place = ord(word[0]) - ord("a")
    return 1 << place if 0 <= place < 26 else 0
