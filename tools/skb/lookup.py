"""Which entity somebody means by an id or a name."""

from contextlib import suppress

from heliograph.errors import UnknownEntity
from heliograph.protocols import KnowledgeBase
from heliograph.types import Entity

MOST_LISTED, MOST_SIMILAR = 10, 3
"""Entities that a message names: those of one name, and those that have words of an unknown one."""
SHOWN = 100
"""Characters of a name in a message."""


async def look_up_entity(base: KnowledgeBase, said: str) -> Entity:
    """Return the entity of an id, else the one that alone has a name.

    Raises:
        UnknownEntity: there is none, or there are several of the name; they are named by their ids.
    """
    with suppress(UnknownEntity):
        return await base.entity(said)
    named = await base.named(said)
    if len(named) == 1:
        return named[0]
    if named:
        raise UnknownEntity(f"{len(named)} entities are called {said[:SHOWN]!r}; name one by its id: {_list(named)}")
    similar = await base.entities([each.item for each in await base.search(said, MOST_SIMILAR)])
    hint = f"perhaps {_list(similar)}" if similar else "look for it with heliograph skb search"
    raise UnknownEntity(f"no entity has the id or the name {said[:SHOWN]!r} in this knowledge base; {hint}")


def _list(entities: tuple[Entity, ...]) -> str:
    return ", ".join(f"{each.id} ({each.name[:SHOWN]}, {each.type[:SHOWN]})" for each in entities[:MOST_LISTED])
