"""What a model may say: one shape a task. Limits stand in the schema that guides a model; our code enforces them.

A reply that is too long is cut, not refused: a small model that writes a seventh query has done its task.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_QUERIES = 6
QUERY_CHARACTERS = 300
MOST_CLAIMS = 8
MOST_CITATIONS = 4
CLAIM_CHARACTERS = 600
MOST_NOTES = 6
PLANNED = 8
"""Needs of a plan beside the question."""
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


class WrittenPlan(Said):
    """What an answer must say, and what to search for first."""

    form: Literal["short", "long", "report"] = "short"
    title: Annotated[str, _text(NOTE_CHARACTERS)] = ""
    needs: Annotated[list[Annotated[str, _text(NOTE_CHARACTERS)]], _items(PLANNED)] = []
    queries: Annotated[list[Annotated[str, _text(QUERY_CHARACTERS)]], _items(MOST_QUERIES)]


class JudgedNeed(Said):
    """The number of a need, whether the evidence meets it, and by which pieces."""

    need: int
    met: bool
    pieces: Annotated[list[Annotated[str, _text(12)]], _items(MOST_NUMBERS)] = []


class Reflection(Said):
    """Which needs are met, what else is needed, and where it may stand."""

    needs: Annotated[list[JudgedNeed], _items(PLANNED + MOST_NOTES)]
    new_needs: Annotated[list[Annotated[str, _text(NOTE_CHARACTERS)]], _items(MOST_NOTES)] = []
    leads: Annotated[list[Annotated[str, _text(NOTE_CHARACTERS)]], _items(MOST_NOTES)] = []
    queries: Annotated[list[Annotated[str, _text(QUERY_CHARACTERS)]], _items(MOST_QUERIES)] = []
    feedback: Annotated[str, _text(FEEDBACK_CHARACTERS)] = ""


class Grade(Said):
    """A piece by its handle, and how much it helps: 0 to 3."""

    piece: Annotated[str, _text(12)]
    grade: int


class Grades(Said):
    """How much each piece of a list helps."""

    grades: Annotated[list[Grade], _items(MOST_NUMBERS)]


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
