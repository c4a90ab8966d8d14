"""The vectors of pages in memory: of those asked last, as many as a bound allows."""

import sys
from collections import OrderedDict
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

SCORE_DIGITS = 6
"""Digits of a similarity; the rest is noise of float32."""
MOST_BYTES = 64 * 2**20
"""Of vectors that one collection keeps: some 40,000 pieces of 384 dimensions, or several hundred long pages.

A question asks for tens of pages, again and again while it runs; a server asks for other pages every day and lives for
months. So the bound is far above what the questions that run together need, and the four collections of a home folder
stay below 256 MiB.
"""
ENTRY_BYTES = 512
"""What Python takes for a page, even one without a node."""


class PageVectors:
    """The vectors of one page, as Chroma gave them."""

    __slots__ = ("_names", "_vectors")

    def __init__(self, names: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self._names = names
        self._vectors = vectors

    @property
    def names(self) -> frozenset[str]:
        """Name the nodes."""
        return frozenset(self._names)

    @property
    def size(self) -> int:
        """Return about how many bytes this takes."""
        return ENTRY_BYTES + self._vectors.nbytes + sum(map(sys.getsizeof, self._names))

    def scores(self, asked: NDArray[np.float64]) -> list[tuple[str, float]]:
        """Return the cosine of every node; each row is summed by itself, so no row changes another's."""
        if not self._names:
            return []
        cosines = (self._vectors * asked).sum(axis=1)
        return [(name, round(float(cosine), SCORE_DIGITS)) for name, cosine in zip(self._names, cosines, strict=True)]


class RecentPages:
    """The pages asked last, by name; those asked longest ago go first. Threads take turns outside of it."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._pages: OrderedDict[str, PageVectors] = OrderedDict()
        self._size = 0

    @property
    def size(self) -> int:
        """Return about how many bytes are kept; never more than the bound."""
        return self._size

    def get(self, page: str) -> PageVectors | None:
        """Return the vectors of a page that is kept, which is then the one asked last."""
        found = self._pages.get(page)
        if found is not None:
            self._pages.move_to_end(page)
        return found

    def keep(self, page: str, vectors: PageVectors) -> None:
        """Keep a page and drop what was asked longest ago; a page above the bound by itself is not kept."""
        self.forget([page])
        if vectors.size > self._most:
            return
        self._pages[page] = vectors
        self._size += vectors.size
        while self._size > self._most:
            _, oldest = self._pages.popitem(last=False)
            self._size -= oldest.size

    def forget(self, pages: Collection[str]) -> None:
        """Forget pages, whether they are kept or not."""
        for page in pages:
            if (gone := self._pages.pop(page, None)) is not None:
                self._size -= gone.size

    def clear(self) -> None:
        """Forget all pages."""
        self._pages.clear()
        self._size = 0
