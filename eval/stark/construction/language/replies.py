"""What a model may say when it makes queries: one shape per step, whose limits the schema tells it."""

from typing import Annotated

from pydantic import Field

from prompts.replies import MaxItems, MaxLength, Number, Said

MOST_PROPERTIES = 3
QUERY_CHARACTERS = 600
PROPERTY_CHARACTERS = 120
SOURCE_CHARACTERS = 240

Query = Annotated[str, Field(min_length=1, max_length=QUERY_CHARACTERS)]
"""Refused where it is longer: a part of a query asks for something else."""


class FoundProperty(Said):
    """What an entity's document says of it, and the words there that say so."""

    property: Annotated[str, Field(min_length=1, max_length=PROPERTY_CHARACTERS)]
    source: Annotated[str, MaxLength(SOURCE_CHARACTERS)]


class FoundProperties(Said):
    """Properties of one entity, the most telling first; `properties` is a word of the schemas that models repeat."""

    found: Annotated[list[FoundProperty], MaxItems(MOST_PROPERTIES, least=0)]


class WrittenQuery(Said):
    """A query, and the numbers of the properties that it asks for."""

    query: Query
    used: Annotated[list[Number], MaxItems(MOST_PROPERTIES, least=0)]


class RephrasedQuery(Said):
    """The same query in other words."""

    query: Query


class PropertyVerdict(Said):
    """Whether a document says that an entity has a property."""

    property: Number
    evidence: Annotated[str, MaxLength(SOURCE_CHARACTERS)] = ""
    met: bool


class PropertyVerdicts(Said):
    """A verdict for each property that was asked about."""

    verdicts: Annotated[list[PropertyVerdict], MaxItems(2 * MOST_PROPERTIES, least=0)]
