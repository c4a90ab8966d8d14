"""Tools over a knowledge base: search entities, look at neighbours, follow a metapath, intersect what several lead to.

The first two are supersets of what the best agents use on STaRK (ARK: BM25 over all nodes, one hop ranked by words).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from heliograph.protocols import KnowledgeBase
from heliograph.types import Direction, Entity, EntityPath, Hop, Requirement
from tools.skb.called import entity_called
from tools.skb.traversal import reach, satisfying, shown_by
from web.mcp.results import FoundEntities, KnownEntity

SNIPPET = 400
"""Characters of a document that an entity is shown with."""

Named = Annotated[str, Field(description="Id or name of an entity.", min_length=1, max_length=500)]
Query = Annotated[str, Field(description="A few telling words.", max_length=1000)]
TypeName = Annotated[str, Field(description="A type of entities alone; empty for any.", max_length=200)]
RelationName = Annotated[str, Field(description="A relation alone; empty for any.", max_length=500)]
Limit = Annotated[int, Field(ge=1, le=100)]


class Step(BaseModel):
    """One step of a metapath."""

    relation: RelationName = ""
    direction: Annotated[Direction, Field(description="out: from where one stands to what it says.")] = "both"
    type: TypeName = ""


class Condition(BaseModel):
    """What steps from an entity must lead to; or, negated, must not."""

    entity: Named
    steps: Annotated[list[Step], Field(min_length=1, max_length=3)]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class KnowledgeTools:
    """The tools over one base; what they return of it is data, like pages."""

    base: KnowledgeBase

    async def search_entities(self, query: Query, type: TypeName = "", limit: Limit = 10) -> FoundEntities:
        """Search the knowledge base for entities by the words of name, aliases and document."""
        found = await self.base.search(query, limit, type)
        entities = await self.base.entities([each.item for each in found])
        return FoundEntities(entities=[await self._known(each) for each in entities], total=len(found))

    async def neighbours(
        self,
        entity: Named,
        relation: RelationName = "",
        direction: Direction = "both",
        type: TypeName = "",
        query: Annotated[str, Field(description="Rank neighbours by these words; by number if empty.")] = "",
        limit: Limit = 20,
    ) -> FoundEntities:
        """List the entities that relations join to one, ranked by a query if there is one."""
        start = await entity_called(self.base, entity)
        requirement = Requirement((start.number,), (Hop(relation, direction, type),))
        reached = await reach(self.base, requirement.start, requirement.hops)
        return await self._ranked(reached, query, limit, [requirement])

    async def follow_path(
        self,
        entities: Annotated[list[Named], Field(min_length=1, max_length=50)],
        steps: Annotated[list[Step], Field(min_length=1, max_length=3)],
        query: Query = "",
        limit: Limit = 20,
    ) -> FoundEntities:
        """Follow one to three steps from some entities: institution, its authors, their papers."""
        start = tuple([(await entity_called(self.base, each)).number for each in entities])
        requirement = Requirement(start, _hops(steps))
        return await self._ranked(await reach(self.base, start, requirement.hops), query, limit, [requirement])

    async def intersect(
        self,
        conditions: Annotated[list[Condition], Field(min_length=1, max_length=8)],
        type: TypeName = "",
        query: Query = "",
        limit: Limit = 20,
    ) -> FoundEntities:
        """Find the entities that meet several conditions at once, negated ones included."""
        requirements = [
            Requirement(((await entity_called(self.base, each.entity)).number,), _hops(each.steps), each.negated)
            for each in conditions
        ]
        return await self._ranked(await satisfying(self.base, requirements, type), query, limit, requirements)

    async def _ranked(
        self, numbers: Sequence[int], query: str, limit: int, requirements: Sequence[Requirement]
    ) -> FoundEntities:
        """Show entities by the words of a query, those that have none of them behind, with what leads to them."""
        ranked = [each.item for each in await self.base.search(query, limit, within=numbers)] if query else []
        order = list(dict.fromkeys((*ranked, *numbers)))[:limit]
        shown = [
            await self._known(each, [one for one in requirements if not one.negated])
            for each in await self.base.entities(order)
        ]
        return FoundEntities(entities=shown, total=len(numbers))

    async def _known(self, entity: Entity, requirements: Sequence[Requirement] = ()) -> KnownEntity:
        paths = [await shown_by(self.base, entity.number, each) for each in requirements]
        return KnownEntity(
            id=entity.id,
            type=entity.type,
            name=entity.name,
            aliases=list(entity.aliases),
            text=(await self.base.document(entity.number))[:SNIPPET],
            shown_by=[line for path in paths if path is not None for line in await self._lines(path)],
        )

    async def _lines(self, path: EntityPath) -> list[str]:
        numbers = sorted(set(path.entities))
        names = {each.number: each.name for each in await self.base.entities(numbers)}
        return [
            f"{names[each.source]} —{each.relation}→ {names[each.target]}{f': {each.text}' if each.text else ''}"
            for each in path.triples
        ]


def _hops(steps: Sequence[Step]) -> tuple[Hop, ...]:
    return tuple(Hop(each.relation, each.direction, each.type) for each in steps)
