"""What a model may say: one shape a task. Limits stand in the schema that guides a model; our code enforces them.

A reply that is too long is cut, not refused: a small model that writes a seventh query has done its task.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_QUERIES = 6
QUERY_CHARACTERS = 300
MOST_NOTES = 6
NOTE_CHARACTERS = 160
FEEDBACK_CHARACTERS = 300
MOST_NUMBERS = 30
ANSWER_CHARACTERS = 200


def text_of(longest: int) -> object:
    return Field(json_schema_extra={"maxLength": longest})


def items_of(most: int) -> object:
    return Field(json_schema_extra={"maxItems": most})


class Said(BaseModel):
    """A reply of a model: nothing beside its fields is asked for, and what there is is not read."""

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra={"additionalProperties": False})


class Queries(Said):
    """Search queries, the most promising first."""

    queries: Annotated[list[Annotated[str, text_of(QUERY_CHARACTERS)]], items_of(MOST_QUERIES)]


class Reflection(Said):
    """What is missing, where it may stand, and only then whether the evidence suffices."""

    missing: Annotated[list[Annotated[str, text_of(NOTE_CHARACTERS)]], items_of(MOST_NOTES)]
    leads: Annotated[list[Annotated[str, text_of(NOTE_CHARACTERS)]], items_of(MOST_NOTES)]
    feedback: Annotated[str, text_of(FEEDBACK_CHARACTERS)]
    sufficient: bool


class PageChoice(Said):
    """Numbers of pages, best first."""

    pages: Annotated[list[int], items_of(MOST_NUMBERS)]


class SectionChoice(Said):
    """Numbers of a table of contents, best first."""

    sections: Annotated[list[int], items_of(MOST_NUMBERS)]


class ShortAnswer(Said):
    """An answer of a few words; empty where the evidence does not say it."""

    answer: Annotated[str, text_of(ANSWER_CHARACTERS)]
