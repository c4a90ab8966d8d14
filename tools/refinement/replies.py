"""What the model may say: one shape a task. Code takes only numbers that it issued."""

from typing import Annotated

from heliograph.types import MOST_NEEDS
from prompts.replies import MaxItems, MaxLength, Number, Said

MOST_NUMBERS = 10
MOST_LISTED = 100
"""Passages of one list that may be named for a need."""
REASON_CHARACTERS = 300


class Aggregates(Said):
    """Whether a question aggregates over rows."""

    aggregation: bool


class RowChoice(Said):
    """Why, and only then the numbers of the rows: a small model that says them first has not compared them."""

    reason: Annotated[str, MaxLength(REASON_CHARACTERS)]
    rows: Annotated[list[Number], MaxItems(MOST_NUMBERS)]


class PassageChoice(Said):
    """Numbers of the passages that may help."""

    passages: Annotated[list[Number], MaxItems(MOST_NUMBERS)]


class NeedVerdict(Said):
    """Why a comparison selects rows, which ones by their handles, and the numbers of the passages that may help."""

    need: Number
    reason: Annotated[str, MaxLength(REASON_CHARACTERS)] = ""
    rows: Annotated[list[str], MaxItems(MOST_NUMBERS, least=0)] = []
    passages: Annotated[list[Number], MaxItems(MOST_LISTED)]


class NeedVerdicts(Said):
    """What a list of stars holds for each need."""

    needs: Annotated[list[NeedVerdict], MaxItems(MOST_NEEDS)]
