"""What a model may reply to a prompt: the base of every shape, and limits that are kept where a reply is read.

A limit stands in the schema that guides a model, and what goes past it is cut, not refused: a small model that writes a
seventh query has done its task, and so has one that names a number which is none among others. Where less would say
something else, as of the rows that a sum adds up, a field has pydantic's own limit (`Field(max_length=…)`): it refuses
what goes past it, and a list with a wrong item.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    model_validator,
)
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
    """A list of at most so many items; a longer one is cut at its end, and items that do not validate are left out.

    Args:
        least: right items that a list must have which has any at all; with 0 a list that may as well be left out.
    """

    items: int
    least: int = 1

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read a list as far as it is right."""
        return core_schema.no_info_wrap_validator_function(self._right, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Tell a model the limit."""
        return handler(schema) | {"maxItems": self.items}

    def _right(self, items: Any, read: ValidatorFunctionWrapHandler) -> list[Any]:
        right: list[Any]
        try:
            right = read(items)
        except ValidationError as err:
            wrong = {each["loc"][0] for each in err.errors(include_url=False, include_input=False) if each["loc"]}
            right = read([item for place, item in enumerate(items) if place not in wrong]) if wrong else []
            if len(right) < self.least:
                raise
        return right[: self.items]


def _issued(number: Any) -> Any:
    if isinstance(number, bool):
        raise ValueError("true and false are no numbers")
    return number.strip("[]").lstrip("CDHNST") if isinstance(number, str) else number


Number = Annotated[int, BeforeValidator(_issued)]
"""A number that was issued to the model; 2.0, "2" and "N2" are 2, true is not 1."""


@dataclass(frozen=True, slots=True)
class OrElse:
    """What is read where a field that may be left out holds something else."""

    value: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read the default for what does not validate."""
        return core_schema.with_default_schema(handler(source), default=self.value, on_error="default")


class Said(BaseModel):
    """A reply of a model: nothing beside its fields is asked for, and what there is is not read.

    A field that is null is left out: models write null for what they have nothing to say of. What has no field of its
    own is no reply: a part of a broken one has none.
    """

    model_config = ConfigDict(
        extra="ignore",
        frozen=True,
        coerce_numbers_to_str=True,
        json_schema_extra={"additionalProperties": False},
    )

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, said: Any) -> Any:
        return {name: value for name, value in said.items() if value is not None} if isinstance(said, dict) else said

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("none of its fields is there")
        return self
