"""Relational templates as shapes: how many hops each requirement has, what is negated, and what is compared.

STaRK's metapaths (appendices A.2 to A.4) are these shapes over the relations of one base: one hop (brand → product),
two (institution → author → paper), a shared neighbour (paper → author → paper), several that are joined, and negation
(expression absent). Conditions on attributes are an addition.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from eval.drawing import Half

Compared = Literal["", "bound", "range", "extreme"]
"""An attribute is above or below a value, between two, or the highest or lowest of all that meet the rest."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A relational template before its relations and entities are drawn.

    Attributes:
        name: the kind of its queries.
        weight: how often it is drawn, beside the others of its half.
        hops: of each requirement.
        shared: the first requirement goes back by the relation that it came by, to another entity of one type.
        negated: one more requirement, of one hop, that answers do not meet.
        compared: what is asked of an attribute.
        bare: queries of it may do without a textual requirement.
    """

    name: str
    weight: int
    hops: tuple[int, ...]
    shared: bool = False
    negated: bool = False
    compared: Compared = ""
    bare: bool = True


SHAPES: Mapping[Half, tuple[Shape, ...]] = {
    "development": (
        Shape("one hop", 10, (1,), bare=False),
        Shape("two hops", 28, (2,)),
        Shape("shared neighbour", 12, (2,), shared=True),
        Shape("one hop twice", 12, (1, 1)),
        Shape("one hop, negation", 14, (1,), negated=True),
        Shape("one hop, number", 10, (1,), compared="bound"),
        Shape("two hops, number", 14, (2,), compared="bound"),
    ),
    "report": (
        Shape("three hops", 14, (3,)),
        Shape("one hop and two hops", 22, (1, 2)),
        Shape("two hops twice", 12, (2, 2)),
        Shape("shared neighbour and one hop", 10, (2, 1), shared=True),
        Shape("one hop thrice", 8, (1, 1, 1)),
        Shape("two hops, negation", 8, (2,), negated=True),
        Shape("one hop twice, negation", 8, (1, 1), negated=True),
        Shape("one hop, highest or lowest", 8, (1,), compared="extreme"),
        Shape("two hops, range", 5, (2,), compared="range"),
        Shape("one hop twice, number", 5, (1, 1), compared="bound"),
    ),
}
"""No shape of one half is in the other, so that a system that was developed on one meets new ones on the other."""
