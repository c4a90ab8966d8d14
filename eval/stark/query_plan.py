"""What a constructed query asks for, kept beside its words so that answers can be computed again and parses scored."""

from dataclasses import dataclass
from typing import Literal

from heliograph.types import Hop

Register = Literal["question", "request", "fragment", "description"]
"""How a query speaks: a question, a wish, keywords in lower case, or a roundabout description in sentences."""
Comparison = Literal["more", "less", "after", "before", "most", "least", "latest", "earliest"]
"""Of an attribute: with a number, with a year, or with the numbers or dates of all that meet the requirements."""
EXTREMES: tuple[Comparison, ...] = ("most", "least", "latest", "earliest")


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity, by its id, and the words that a query has for it: a name, an alias, or one with a slip."""

    entity: str
    words: str


@dataclass(frozen=True, slots=True)
class PlannedRequirement:
    """A relational requirement (STaRK, section 2.1): hops from one mention; negated, what they lead to is no answer."""

    mention: Mention
    hops: tuple[Hop, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AttributeCondition:
    """What an attribute of an answer has to be; `value` is None for EXTREMES."""

    attribute: str
    comparison: Comparison
    value: float | None = None


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What a query asks for.

    An entity answers it if it is of the answers' type, is none of the mentions, meets all requirements and conditions,
    and its document has the words, in whatever inflection, and says that it has the properties; EXTREMES are taken
    among those that meet the requirements.

    Attributes:
        gold: id of the entity that the plan was made from (STaRK, section 2.4).
        register: how the query speaks.
        words: what the document has, as the query says it.
        properties: what the document says, as language models checked it.
    """

    gold: str
    register: Register
    requirements: tuple[PlannedRequirement, ...]
    conditions: tuple[AttributeCondition, ...] = ()
    words: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
