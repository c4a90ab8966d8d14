"""How many queries of each shape are still to be made; what a base does not yield is made of the other shapes."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from eval.drawing import Half
from eval.stark.construction.templates import SHAPES, Shape

TRIES = 400
"""Drafts of a shape in a row that come to nothing before the base counts as having no more of it."""


class ShapeQuotas:
    """The shapes of a half, each with its share of so many queries by its weight."""

    def __init__(self, half: Half, count: int) -> None:
        shapes = list(SHAPES[half])
        self._missing = dict(zip(shapes, _quotas(shapes, count), strict=True))
        self._failures = Counter[Shape]()

    @property
    def is_open(self) -> bool:
        """Say whether queries are missing that the base may still yield."""
        return any(self._missing.values())

    def draw(self, random: Random) -> Shape:
        """Draw a shape by how many of it are missing."""
        (shape,) = random.choices(list(self._missing), weights=list(self._missing.values()))
        return shape

    def made(self, shape: Shape) -> None:
        """Count a query of a shape."""
        self._failures[shape] = 0
        self._missing[shape] -= 1

    def failed(self, shape: Shape) -> None:
        """Count a draft that came to nothing; after TRIES in a row the other shapes share what is missing."""
        self._failures[shape] += 1
        if self._failures[shape] > TRIES:
            self._share_out(self._missing.pop(shape))

    def give_back(self, shape: Shape) -> None:
        """Count a query that was made as missing again."""
        if shape in self._missing:
            self._missing[shape] += 1
        else:
            self._share_out(1)

    def _share_out(self, count: int) -> None:
        several = sorted(self._missing, key=lambda each: -each.weight)
        for number in range(count if several else 0):
            self._missing[several[number % len(several)]] += 1


def _quotas(shapes: Sequence[Shape], count: int) -> list[int]:
    """Divide a count among shapes by their weights; the first ones have what is left over."""
    total = sum(each.weight for each in shapes)
    found = [count * each.weight // total for each in shapes]
    for place in range(count - sum(found)):
        found[place % len(found)] += 1
    return found
