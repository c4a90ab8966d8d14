"""Lists of unequal length in two arrays, so that thousands of them are read at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Row i is `values[offsets[i]:offsets[i + 1]]`."""

    values: Words
    offsets: Ints

    @staticmethod
    def of(lists: Sequence[Sequence[int]]) -> "Ragged":
        """Pack lists."""
        offsets = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum([len(each) for each in lists], out=offsets[1:])
        values = np.fromiter((value for each in lists for value in each), dtype=np.int32, count=int(offsets[-1]))
        return Ragged(values, offsets)

    @staticmethod
    def owned(values: Words, owners: Ints, count: int) -> "Ragged":
        """Pack values that come with the rows they belong to, in the order of rows."""
        offsets = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(owners, minlength=count), out=offsets[1:])
        return Ragged(values, offsets)

    @staticmethod
    def joined(parts: Sequence["Ragged"]) -> "Ragged":
        """Put the rows of some lists of rows one after another."""
        starts = np.cumsum([0, *(len(part.values) for part in parts)])
        offsets = [part.offsets[1:] + start for part, start in zip(parts, starts[:-1], strict=True)]
        return Ragged(
            np.concatenate([np.zeros(0, np.int32), *(part.values for part in parts)]),
            np.concatenate([np.zeros(1, np.int64), *offsets]),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def row(self, number: int) -> Words:
        """Return one list."""
        return self.values[self.offsets[number] : self.offsets[number + 1]]

    def owners(self) -> Ints:
        """Return for each value its row."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def take(self, rows: Ints) -> "Ragged":
        """Return some rows, in the order asked for and as often."""
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(self.offsets[rows + 1] - self.offsets[rows], out=offsets[1:])
        return Ragged(self.values[self.places(rows)], offsets)

    def places(self, rows: Ints) -> Ints:
        """Return where in `values` the values of some rows stand, row by row."""
        lengths = self.offsets[rows + 1] - self.offsets[rows]
        starts = np.repeat(self.offsets[rows] - np.cumsum(lengths) + lengths, lengths)
        return np.asarray(starts + np.arange(len(starts)))

    def inverted(self, width: int) -> "Ragged":
        """Return for each value below `width` the rows that hold it, in order."""
        order = np.argsort(self.values, kind="stable")
        return Ragged.owned(self.owners()[order].astype(np.int32), self.values[order].astype(np.int64), width)


def sums(values: npt.NDArray[np.floating], owners: npt.NDArray[np.integer], count: int) -> Floats:
    """Add up the values of each owner."""
    return np.bincount(owners, weights=values, minlength=count).astype(np.float32)


def looked_up(keys: Ints, values: Floats, wanted: Ints) -> Floats:
    """Return the value of each key wanted; 0 for one that is not among the keys, which are sorted."""
    if not len(keys):
        return np.zeros(len(wanted), dtype=np.float32)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], 0.0).astype(np.float32)
