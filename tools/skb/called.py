"""Which entity somebody means by a name or an id."""

from heliograph.errors import UnknownEntity
from heliograph.protocols import KnowledgeBase
from heliograph.types import Entity

MOST_TOLD = 10
"""Entities that a message names."""


async def entity_called(base: KnowledgeBase, said: str) -> Entity:
    """Return the entity of a name that is one entity's alone, else the one of an id.

    Raises:
        UnknownEntity: there is none, or there are several of the name; they are named by their ids.
    """
    named = await base.named(said)
    if len(named) > 1 and all(said != each.id for each in named):
        several = ", ".join(f"{each.id} ({each.type})" for each in named[:MOST_TOLD])
        raise UnknownEntity(f"{len(named)} entities are called {said!r}; name one by its id: {several}")
    return named[0] if len(named) == 1 else await base.entity(said)
