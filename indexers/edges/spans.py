"""Ranges that follow one another, without a loop over them."""

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]


def spread(begins: Places, lengths: Places) -> tuple[Places, Places]:
    """Return every number of ranges, one range after the other, and where each range's numbers begin in that."""
    starts = np.cumsum(lengths) - lengths
    numbers = np.arange(int(lengths.sum()), dtype=np.int64)
    return numbers + np.repeat(begins - starts, lengths), starts
