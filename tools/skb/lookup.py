"""Which entity somebody means by an id, a name or the title of its page."""

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress

from heliograph.errors import UnknownEntity
from heliograph.protocols import KnowledgeBase
from heliograph.types import Entity
from indexers.skb.knowledge_base import BuiltKnowledgeBase

MOST_LISTED, MOST_SIMILAR = 10, 3
"""Entities that a message names: those of one name, and those that have words of an unknown one."""
SHOWN = 100
"""Characters of a name in a message."""
MAX_BRACKETS = 16
"""Places of a title, the last ones, from which a type or an id may stand in brackets."""
MOST_ALIKE = 100
"""Entities that have the words of a title in a row; if there are more, no underscores are looked for among them."""


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


async def title_of(base: BuiltKnowledgeBase, entity: Entity) -> str:
    """Return what the page of an entity is called: the first form that leads back to it, by itself and as a link.

    It is the name, the name with the type in brackets, or the name with the id. Links have spaces for underscores
    (`indexers.parser.links`).
    """
    for title in (entity.name, f"{entity.name} ({entity.type})"):
        found = [await entity_of_title(base, each) for each in dict.fromkeys((title, _as_linked(title)))]
        if all(each and each.number == entity.number for each in found):
            return title
    return f"{entity.name} ({entity.id})"


async def entity_of_title(base: BuiltKnowledgeBase, title: str) -> Entity | None:
    """Return the entity whose page has a title, or is linked to by it; None if there is none, or more than one."""
    named = await base.named(title) or await _underscored(base, title)
    if len(named) == 1:
        return named[0]
    places = [found.start() for found in re.finditer(r" \(", title)] if title.endswith(")") else []
    for place in places[-MAX_BRACKETS:]:
        name, beside = title[:place], _as_linked(title[place + 2 : -1])
        alike = dict.fromkeys((*await base.named(name), *await _underscored(base, name)))
        of_type = [each for each in alike if _as_linked(each.type) == beside]
        if len(of_type) == 1:
            return of_type[0]
        with suppress(UnknownEntity):
            entity = await base.entity(title[place + 2 : -1])
            if _as_linked(entity.name) == _as_linked(name):
                return entity
        by_id = [each for each in alike if _as_linked(each.id) == beside]
        if len(by_id) == 1:
            return by_id[0]
    return None


async def _underscored(base: BuiltKnowledgeBase, name: str) -> Sequence[Entity]:
    """Return the entities whose name has underscores where this one has spaces."""
    if " " not in name:
        return ()
    found = await base.entities(await asyncio.to_thread(base.numbers_with, name, MOST_ALIKE))
    wanted = _as_linked(name).casefold()
    return [each for each in found if "_" in each.name and _as_linked(each.name).casefold() == wanted]


def _as_linked(title: str) -> str:
    """Return a title as a link to its page says it."""
    return " ".join(title.replace("_", " ").split())


def _list(entities: tuple[Entity, ...]) -> str:
    return ", ".join(f"{each.id} ({each.name[:SHOWN]}, {each.type[:SHOWN]})" for each in entities[:MOST_LISTED])
