"""What the model may say: one shape a task. Code takes only numbers that it issued, and no more rows than it allows."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from heliograph.types import MOST_NEEDS

MOST_NUMBERS = 10
MOST_LISTED = 100
"""Passages of one list that may be named for a need."""
REASON_CHARACTERS = 300


class Said(BaseModel):
    """A reply of a model: nothing beside its fields is asked for, and what there is is not read."""

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra={"additionalProperties": False})


class Aggregates(Said):
    """Whether a question aggregates over rows."""

    aggregation: bool


class RowChoice(Said):
    """Why, and only then the numbers of the rows: a small model that says them first has not compared them."""

    reason: Annotated[str, Field(json_schema_extra={"maxLength": REASON_CHARACTERS})]
    rows: Annotated[list[int], Field(json_schema_extra={"maxItems": MOST_NUMBERS})]


class PassageChoice(Said):
    """Numbers of the passages that may help."""

    passages: Annotated[list[int], Field(json_schema_extra={"maxItems": MOST_NUMBERS})]


class NeedVerdict(Said):
    """Why a comparison selects rows, which ones by their handles, and the numbers of the passages that may help."""

    need: int
    reason: Annotated[str, Field(json_schema_extra={"maxLength": REASON_CHARACTERS})]
    rows: Annotated[list[str], Field(json_schema_extra={"maxItems": MOST_NUMBERS})]
    passages: Annotated[list[int], Field(json_schema_extra={"maxItems": MOST_LISTED})]


class NeedVerdicts(Said):
    """What a list of stars holds for each need."""

    needs: Annotated[list[NeedVerdict], Field(json_schema_extra={"maxItems": MOST_NEEDS})]
