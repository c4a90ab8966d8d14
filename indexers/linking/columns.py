"""How well a candidate agrees with what the other cells of its column most likely name."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from indexers.linking.candidates import Pairs
from indexers.linking.context import Placed
from indexers.linking.features import TINY, Compared
from indexers.linking.ragged import Floats, Ints, Ragged, looked_up, sums
from indexers.linking.titles import TitleIndex

COLUMN_FEATURES = ("kind_agrees", "words_agree", "template", "row_template", "linked", "reused", "alone")


def compare_columns(
    pairs: Pairs, placed: Sequence[Placed], compared: Compared, chances: Floats, index: TitleIndex
) -> Floats:
    """Return a row of COLUMN_FEATURES for each pair, given how likely each is by itself.

    A title without the words of its mention is a template: cells of a column that link to `2003 Paris Open` and
    `2004 Paris Open` share one. In the second kind, words of the row are left out too.
    """
    column = _Column(pairs, placed, chances)
    kinds = index.kinds.take(pairs.passage)
    plain, in_row = (_codes(words, index.words.codes) for words in (compared.open, compared.open_in_row))
    values = (
        column.words_agree(kinds, index.words.lead_weights),
        column.words_agree(compared.open, index.words.weights),
        column.agree(plain),
        column.agree(in_row) * (plain != in_row),
        column.linked(),
        column.agree(pairs.passage),
        1.0 / (column.others + 1.0),
    )
    return np.stack([each.astype(np.float32) for each in values], axis=1)


class _Column:
    """The units of all columns, each with its likeliest pair, its top, and how sure that is.

    No unit speaks for itself: a candidate agrees with what *other* cells of its column name, and the less of them there
    are the less it can.
    """

    def __init__(self, pairs: Pairs, placed: Sequence[Placed], chances: Floats) -> None:
        self._units = np.array([each.unit for each in placed], dtype=np.int64)[pairs.mention]
        self._columns = np.array([each.column for each in placed], dtype=np.int64)[pairs.mention]
        self._whole = np.array([each.mention.kind == "whole" for each in placed], dtype=np.bool_)[pairs.mention]
        order = np.lexsort((-chances, self._units))
        first = np.diff(self._units[order], prepend=-1) != 0
        self._tops = order[first]
        self._sure = chances[self._tops]
        places = np.cumsum(first) - 1
        self._top_of = np.zeros(len(pairs), dtype=np.int64)
        self._top_of[order] = places
        self.others = np.maximum(self._per_column(self._tops)[self._columns] - self._sure[self._top_of], 0.0)

    def _per_column(self, tops: Ints) -> Floats:
        width = int(self._columns.max(initial=-1)) + 1
        return sums(self._sure[self._top_of[tops]], self._columns[tops], width)

    def words_agree(self, lists: Ragged, weights: Floats) -> Floats:
        """Return the mean share, by weight, of other units whose top holds the words of each pair's list."""
        words, owners = lists.values.astype(np.int64), lists.owners()
        size = int(words.max(initial=0)) + 1
        held = lists.take(self._tops)
        tops, sure = self._tops[held.owners()], self._sure[held.owners()]
        agreed = looked_up(
            *_summed(self._columns[tops] * size + held.values, sure), self._columns[owners] * size + words
        )
        agreed -= looked_up(*_summed(self._units[tops] * size + held.values, sure), self._units[owners] * size + words)
        said = sums(weights[words] * np.maximum(agreed, 0.0), owners, len(lists))
        return self._share(said / np.maximum(sums(weights[words], owners, len(lists)), TINY))

    def agree(self, codes: Ints) -> Floats:
        """Return the share of other units whose top has the same code."""
        _, codes = np.unique(codes, return_inverse=True)
        size = int(codes.max(initial=0)) + 1
        held = _summed(self._columns[self._tops] * size + codes[self._tops], self._sure)
        agreed = looked_up(*held, self._columns * size + codes)
        own = codes[self._tops][self._top_of] == codes
        return self._share(np.maximum(agreed - own * self._sure[self._top_of], 0.0))

    def linked(self) -> Floats:
        """Return the mean chance of the column's other cells, as wholes, to link something."""
        tops = self._tops[self._whole[self._tops]]
        counts = np.bincount(self._columns[tops], minlength=int(self._columns.max(initial=-1)) + 1)
        total = self._per_column(tops)[self._columns] - self._whole * self._sure[self._top_of]
        counted = counts[self._columns] - self._whole + 1.0
        return np.asarray(np.maximum(total, 0.0) / counted, dtype=np.float32)

    def _share(self, agreed: npt.NDArray[np.floating]) -> Floats:
        return np.asarray(agreed / (self.others + 1.0), dtype=np.float32)


def _codes(lists: Ragged, codes: Ints) -> Ints:
    """Return a number for each list that is the same for the same words in any order."""
    total = np.zeros(len(lists.values) + 1, dtype=np.int64)
    np.cumsum(codes[lists.values], out=total[1:])
    return np.asarray(total[lists.offsets[1:]] - total[lists.offsets[:-1]])


def _summed(keys: Ints, values: Floats) -> tuple[Ints, Floats]:
    distinct, places = np.unique(keys, return_inverse=True)
    return distinct, sums(values, places, len(distinct))
