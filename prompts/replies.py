"""What a model may reply to a prompt: the base of every shape, and limits that are kept where a reply is read.

A limit stands in the schema that guides a model, and what goes past it is cut, not refused: a small model that writes a
seventh query has done its task. Where a cut would say something else, as of the rows that a sum adds up, a field has
pydantic's own limit (`Field(max_length=…)`), which refuses.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from prompts.harmless import clipped


@dataclass(frozen=True, slots=True)
class MaxLength:
    """A text of at most so many characters; a longer one is cut where a sentence or a word ends."""

    characters: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Cut a text behind its validation."""
        return core_schema.no_info_after_validator_function(self._cut, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Tell a model the limit."""
        return handler(schema) | {"maxLength": self.characters}

    def _cut(self, text: str) -> str:
        return clipped(text, self.characters)


@dataclass(frozen=True, slots=True)
class MaxItems:
    """A list of at most so many items; a longer one is cut at its end."""

    items: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Cut a list behind its validation."""
        return core_schema.no_info_after_validator_function(self._cut, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Tell a model the limit."""
        return handler(schema) | {"maxItems": self.items}

    def _cut(self, items: list[Any]) -> list[Any]:
        return items[: self.items]


class Said(BaseModel):
    """A reply of a model: nothing beside its fields is asked for, and what there is is not read.

    A field that is null is left out: models write null for what they have nothing to say of.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra={"additionalProperties": False})

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, said: Any) -> Any:
        return {name: value for name, value in said.items() if value is not None} if isinstance(said, dict) else said
