"""What a language model may say of a query: the entities that are asked for, by what they have to meet.

Handles, names and values are refused where they go past a limit: cut, they would ask for something else.
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from prompts.replies import MaxLength, OrElse, Said

MOST_STEPS, MOST_CONDITIONS, MOST_ENTITIES = 3, 8, 12
_ALIKE = {
    "=": "is", "==": "is", "equals": "is", "!=": "is_not", "not": "is_not", "has": "contains", ">": "above",
    "after": "above", ">=": "at_least", "<": "below", "before": "below", "<=": "at_most",
}  # fmt: skip
"""Other names of relations that models use."""


def _respelled(relation: Any) -> Any:
    if not isinstance(relation, str):
        return relation
    said = "_".join(relation.casefold().split())
    return _ALIKE.get(said, said) or "is"


_Name = Annotated[str, Field(max_length=120)]
_Handle = Annotated[str, Field(max_length=12)]
_Steps = Annotated[list[_Handle], Field(max_length=MOST_STEPS)]


class WrittenRequirement(Said):
    """What is at the end of a path of relations that begins at the answers; without a path, at the answers."""

    path: _Steps = []
    entities: Annotated[list[_Handle], Field(max_length=MOST_ENTITIES)] = []
    words: _Name = ""
    attribute: _Name = ""
    relation: Annotated[
        Literal["is", "is_not", "contains", "above", "at_least", "below", "at_most"], BeforeValidator(_respelled)
    ] = "is"
    value: _Name = ""
    negated: bool = False


class WrittenOrder(Said):
    """Which of the answers are asked for: the first by an attribute, or by how many entities a path leads to."""

    direction: Literal["none", "most", "least"] = "none"
    attribute: _Name = ""
    path: _Steps = []
    first: Annotated[int, Field(ge=1, le=100), OrElse(1)] = 1


class WrittenEntityPlan(Said):
    """What a query asks for, as far as a knowledge base can say it, and the rest of its words."""

    reply_tokens: ClassVar[int] = 1024

    type: _Name
    conditions: Annotated[list[WrittenRequirement], Field(max_length=MOST_CONDITIONS)]
    order: WrittenOrder = WrittenOrder(direction="none")
    rest: Annotated[str, MaxLength(400)] = ""
