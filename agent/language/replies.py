"""What a model may say: one shape a task. Limits stand in the schema that guides a model; our code enforces them.

A reply that is too long is cut, not refused: a small model that writes a seventh query has done its task.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from heliograph.types import MOST_NEEDS

MOST_QUERIES = 6
QUERY_CHARACTERS = 300
MOST_NOTES = 6
MOST_LEADS = 5
PLANNED = 8
"""Needs of a plan beside the question."""
NOTE_CHARACTERS = 160
FEEDBACK_CHARACTERS = 300
MOST_NUMBERS = 30
ANSWER_CHARACTERS = 200


def text_of(longest: int) -> object:
    return Field(json_schema_extra={"maxLength": longest})


def items_of(most: int) -> object:
    return Field(json_schema_extra={"maxItems": most})


class Said(BaseModel):
    """A reply of a model: nothing beside its fields is asked for, and what there is is not read.

    A field that is null is left out: models write null for what they have nothing to say of.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra={"additionalProperties": False})

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, said: Any) -> Any:
        return {name: value for name, value in said.items() if value is not None} if isinstance(said, dict) else said


class WrittenPlan(Said):
    """What an answer must say, and what to search for first."""

    form: Literal["short", "long", "report"] = "short"
    title: Annotated[str, text_of(NOTE_CHARACTERS)] = ""
    needs: Annotated[list[Annotated[str, text_of(NOTE_CHARACTERS)]], items_of(PLANNED)] = []
    queries: Annotated[list[Annotated[str, text_of(QUERY_CHARACTERS)]], items_of(MOST_QUERIES)]


class JudgedNeed(Said):
    """The number of a need, whether the evidence meets it, and by which pieces."""

    need: int
    met: bool
    pieces: Annotated[list[Annotated[str, text_of(12)]], items_of(MOST_NUMBERS)] = []


class NewNeed(Said):
    """A need that a reflection adds, and the number of the need that it is a part of."""

    text: Annotated[str, text_of(NOTE_CHARACTERS)]
    of: int = 1


class Reflection(Said):
    """Which needs are met, what else is needed, and where it may stand."""

    needs: Annotated[list[JudgedNeed], items_of(MOST_NEEDS)]
    new_needs: Annotated[list[NewNeed], items_of(MOST_NOTES)] = []
    leads: Annotated[list[Annotated[str, text_of(NOTE_CHARACTERS)]], items_of(MOST_LEADS)] = []
    queries: Annotated[list[Annotated[str, text_of(QUERY_CHARACTERS)]], items_of(MOST_QUERIES)] = []
    feedback: Annotated[str, text_of(FEEDBACK_CHARACTERS)] = ""

    @field_validator("new_needs", mode="before")
    @classmethod
    def _with_texts(cls, needs: Any) -> Any:
        """Take a bare phrase for a need: small models write lists of phrases."""
        return (
            [{"text": need} if isinstance(need, str) else need for need in needs] if isinstance(needs, list) else needs
        )


class Grade(Said):
    """A piece by its handle, and how much it helps: 0 to 3."""

    piece: Annotated[str, text_of(12)]
    grade: int


class Grades(Said):
    """How much each piece of a list helps."""

    grades: Annotated[list[Grade], items_of(MOST_NUMBERS)]


class PageChoice(Said):
    """Numbers of pages, best first."""

    pages: Annotated[list[int], items_of(MOST_NUMBERS)]


class SectionChoice(Said):
    """Numbers of a table of contents, best first."""

    sections: Annotated[list[int], items_of(MOST_NUMBERS)]


class ShortAnswer(Said):
    """An answer of a few words; empty where the evidence does not say it."""

    answer: Annotated[str, text_of(ANSWER_CHARACTERS)]
