"""What a model may say: one shape a task. Limits stand in the schema that guides a model; our code enforces them.

A reply that is too long is cut, not refused: a small model that writes a seventh query has done its task.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_QUERIES = 6
QUERY_CHARACTERS = 300
MOST_CLAIMS = 8
MOST_CITATIONS = 4
CLAIM_CHARACTERS = 600
MOST_NOTES = 6
NOTE_CHARACTERS = 160
FEEDBACK_CHARACTERS = 300
MOST_NUMBERS = 30
ANSWER_CHARACTERS = 200


def _text(longest: int) -> object:
    return Field(json_schema_extra={"maxLength": longest})


def _items(most: int) -> object:
    return Field(json_schema_extra={"maxItems": most})


class Said(BaseModel):
    """A reply of a model: nothing beside its fields is asked for, and what there is is not read."""

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra={"additionalProperties": False})


class Queries(Said):
    """Search queries, the most promising first."""

    queries: Annotated[list[Annotated[str, _text(QUERY_CHARACTERS)]], _items(MOST_QUERIES)]


class Reflection(Said):
    """What is missing, where it may stand, and only then whether the evidence suffices."""

    missing: Annotated[list[Annotated[str, _text(NOTE_CHARACTERS)]], _items(MOST_NOTES)]
    leads: Annotated[list[Annotated[str, _text(NOTE_CHARACTERS)]], _items(MOST_NOTES)]
    feedback: Annotated[str, _text(FEEDBACK_CHARACTERS)]
    sufficient: bool


class PageChoice(Said):
    """Numbers of pages, best first."""

    pages: Annotated[list[int], _items(MOST_NUMBERS)]


class SectionChoice(Said):
    """Numbers of a table of contents, best first."""

    sections: Annotated[list[int], _items(MOST_NUMBERS)]


class CitedWords(Said):
    """The handle of a piece, and words that stand in it."""

    handle: Annotated[str, _text(12)]
    quote: Annotated[str, _text(CLAIM_CHARACTERS)]


class WrittenClaim(Said):
    """One sentence and what it rests on."""

    text: Annotated[str, _text(CLAIM_CHARACTERS)]
    citations: Annotated[list[CitedWords], _items(MOST_CITATIONS)]


class WrittenAnswer(Said):
    """Claims, or the word that the evidence allows none."""

    abstain: bool
    claims: Annotated[list[WrittenClaim], _items(MOST_CLAIMS)]


class ShortAnswer(Said):
    """An answer of a few words; empty where the evidence does not say it."""

    answer: Annotated[str, _text(ANSWER_CHARACTERS)]
