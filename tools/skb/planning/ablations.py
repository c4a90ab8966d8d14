"""Parts that the planner may be asked to do without, so that what each is worth can be measured."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from tools.skb.planning.model import FEATURES, TEXTS, PlanModel, features
from tools.skb.planning.proposals import EMBEDDED_WHOLE

Part = Literal["graph", "type", "text", "reranker", "ladder"]
"""What is left out.

graph: no requirement is followed in the graph; attributes and texts are what is left.
type: the type of the answers is neither heard nor guessed; types of the first entities by words are tried alike.
text: entities that a plan leads to are equal; types are still guessed by it, and entities found that a query describes.
reranker: weights are not learned: the parser's probabilities as they are, features of types and texts alike.
ladder: of each type the most probable combination of requirements is followed, relaxed by none.
"""
PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """How a planner differs from the one that ships.

    Attributes:
        without: a part that is left out.
        embedded_whole: entities of an index up to which each has a vector, not only those that are proposed.
    """

    without: Part | None = None
    embedded_whole: int = EMBEDDED_WHOLE


AS_SHIPPED = PlanOptions()
_PROBABILITIES = ("set", "unset", "operation", "order_sure")
"""Features that are logarithms of what the parser has for probable."""


def unlearned_model() -> PlanModel:
    """Return a model whose weights are 1 for probabilities of the parser, features of types, and texts, else nought."""
    ones = dict.fromkeys((*_PROBABILITIES, *(each for each in FEATURES if each.startswith("type_"))), 1.0)
    return PlanModel(features(**ones), np.ones(len(TEXTS)))
