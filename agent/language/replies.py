"""What a model may say: one shape a task."""

from typing import Annotated, Any, Literal

from pydantic import field_validator

from heliograph.types import MOST_NEEDS
from prompts.replies import MaxItems, MaxLength, Number, OrElse, Said

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


class WrittenPlan(Said):
    """What an answer must say, and what to search for first."""

    form: Literal["short", "long", "report"] = "short"
    title: Annotated[str, MaxLength(NOTE_CHARACTERS)] = ""
    needs: Annotated[list[Annotated[str, MaxLength(NOTE_CHARACTERS)]], MaxItems(PLANNED, least=0)] = []
    queries: Annotated[list[Annotated[str, MaxLength(QUERY_CHARACTERS)]], MaxItems(MOST_QUERIES)]


class JudgedNeed(Said):
    """The number of a need, whether the evidence meets it, and by which pieces."""

    need: Number
    met: bool
    pieces: Annotated[list[Annotated[str, MaxLength(12)]], MaxItems(MOST_NUMBERS, least=0)] = []


class NewNeed(Said):
    """A need that a reflection adds, and the number of the need that it is a part of."""

    text: Annotated[str, MaxLength(NOTE_CHARACTERS)]
    of: Annotated[Number, OrElse(1)] = 1


class Reflection(Said):
    """Which needs are met, what else is needed, and where it may stand."""

    needs: Annotated[list[JudgedNeed], MaxItems(MOST_NEEDS)]
    new_needs: Annotated[list[NewNeed], MaxItems(MOST_NOTES, least=0)] = []
    leads: Annotated[list[Annotated[str, MaxLength(NOTE_CHARACTERS)]], MaxItems(MOST_LEADS, least=0)] = []
    queries: Annotated[list[Annotated[str, MaxLength(QUERY_CHARACTERS)]], MaxItems(MOST_QUERIES, least=0)] = []
    feedback: Annotated[str, MaxLength(FEEDBACK_CHARACTERS)] = ""

    @field_validator("new_needs", mode="before")
    @classmethod
    def _with_texts(cls, needs: Any) -> Any:
        """Take a bare phrase for a need: small models write lists of phrases."""
        return (
            [{"text": need} if isinstance(need, str) else need for need in needs] if isinstance(needs, list) else needs
        )


class Grade(Said):
    """A piece by its handle, and how much it helps: 0 to 3."""

    piece: Annotated[str, MaxLength(12)]
    grade: Number


class Grades(Said):
    """How much each piece of a list helps."""

    grades: Annotated[list[Grade], MaxItems(MOST_NUMBERS)]


class PageChoice(Said):
    """Numbers of pages, best first."""

    pages: Annotated[list[Number], MaxItems(MOST_NUMBERS)]


class SectionChoice(Said):
    """Numbers of a table of contents, best first."""

    sections: Annotated[list[Number], MaxItems(MOST_NUMBERS)]


class ShortAnswer(Said):
    """An answer of a few words; empty where the evidence does not say it."""

    answer: Annotated[str, MaxLength(ANSWER_CHARACTERS)]
