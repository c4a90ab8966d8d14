"""Tools over a knowledge base: search entities, look at neighbours, follow a metapath, intersect what several lead to.

The first two are supersets of what the best agents use on STaRK (ARK: BM25 over all nodes, one hop ranked by words).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import BaseModel, ConfigDict, Field

from heliograph.protocols import KnowledgeBase
from heliograph.types import Direction, Entity, EntityPath, Hop, Requirement, Triple
from prompts.harmless import clipped
from tools.skb.lookup import look_up_entity
from tools.skb.traversal import Traversal, find_path, intersect, traverse
from web.mcp.results import MOST_DOCUMENT, MOST_STATED, FoundEntities, KnownEntity, ReachedEntity, SearchedEntities
from web.mcp.tools import progress_of
from web.mcp.turns import Turns

EntityName = Annotated[str, Field(description="Id or name of an entity.", min_length=1, max_length=500)]
Query = Annotated[str, Field(description="A few telling words.", max_length=1000)]
RankingQuery = Annotated[
    str, Field(description="Entities with these words come first; the order is the base's if empty.", max_length=1000)
]
TypeName = Annotated[str, Field(description="A type of entities alone; empty for any.", max_length=200)]
RelationName = Annotated[str, Field(description="A relation alone; empty for any.", max_length=500)]
HopDirection = Annotated[Direction, Field(description="out: from sources of the relation to its targets; in: back.")]
Limit = Annotated[int, Field(ge=1, le=100)]


class HopArgument(BaseModel):
    """One hop of a metapath: a relation, which way it is followed, and the type it leads to."""

    model_config = ConfigDict(extra="forbid")

    relation: RelationName = ""
    direction: HopDirection = "both"
    type: TypeName = ""


Hops = Annotated[list[HopArgument], Field(min_length=1, max_length=3)]


class RequirementArgument(BaseModel):
    """What hops lead to from an entity; or, negated, all else."""

    model_config = ConfigDict(extra="forbid")

    entity: EntityName
    hops: Hops
    negated: bool = False


@dataclass(frozen=True, slots=True)
class KnowledgeTools:
    """The tools over one base, as many calls at a time as `turns` lets; what they return of it is data, like pages."""

    base: KnowledgeBase
    turns: Turns

    async def search_entities(
        self, query: Query, context: Context[Any, Any], type: TypeName = "", limit: Limit = 10
    ) -> SearchedEntities:
        """Search the knowledge base for entities by the words of name, aliases and document."""
        async with progress_of(context) as progress, self.turns.turn(progress):
            found = await self.base.search(query, limit, type)
            entities = await self.base.entities([each.item for each in found])
            return SearchedEntities(entities=[await self._known(each) for each in entities])

    async def neighbours(
        self,
        entity: EntityName,
        context: Context[Any, Any],
        relation: RelationName = "",
        direction: HopDirection = "both",
        type: TypeName = "",
        query: RankingQuery = "",
        limit: Limit = 20,
    ) -> FoundEntities:
        """List the entities that relations join to one, each with one that does; ranked by a query if there is one."""
        async with progress_of(context) as progress, self.turns.turn(progress):
            traversal = await self._traverse([entity], [HopArgument(relation=relation, direction=direction, type=type)])
            return await self._ranked(traversal.end, query, limit, [traversal])

    async def follow_path(
        self,
        entities: Annotated[list[EntityName], Field(min_length=1, max_length=50)],
        hops: Hops,
        context: Context[Any, Any],
        query: RankingQuery = "",
        limit: Limit = 20,
    ) -> FoundEntities:
        """Follow one to three hops from some entities: institution, its authors, their papers."""
        async with progress_of(context) as progress, self.turns.turn(progress):
            traversal = await self._traverse(entities, hops)
            return await self._ranked(traversal.end, query, limit, [traversal])

    async def intersect(
        self,
        requirements: Annotated[list[RequirementArgument], Field(min_length=1, max_length=8)],
        context: Context[Any, Any],
        type: TypeName = "",
        query: RankingQuery = "",
        limit: Limit = 20,
    ) -> FoundEntities:
        """Find the entities that meet several requirements at once, negated ones included."""
        async with progress_of(context) as progress, self.turns.turn(progress):
            traversals = [await self._traverse([each.entity], each.hops, each.negated) for each in requirements]
            return await self._ranked(await intersect(self.base, traversals, type), query, limit, traversals)

    async def _traverse(self, entities: Sequence[str], hops: Sequence[HopArgument], negated: bool = False) -> Traversal:
        start = tuple([(await look_up_entity(self.base, each)).number for each in entities])
        followed = tuple(Hop(each.relation, each.direction, each.type) for each in hops)
        return await traverse(self.base, Requirement(start, followed, negated))

    async def _ranked(
        self, numbers: Sequence[int], query: str, limit: int, traversals: Sequence[Traversal]
    ) -> FoundEntities:
        """Show entities by the words of a query, those that have none of them behind, with what leads to them."""
        found = await self.base.search(query, limit, within=numbers) if query else ()
        order = list(dict.fromkeys((*(each.item for each in found), *islice(numbers, limit))))[:limit]
        required = [each for each in traversals if not each.requirement.negated]
        paths = [[await find_path(self.base, number, each) for each in required] for number in order]
        along = {number for row in paths for path in row if path is not None for number in path.entities}
        known = {each.number: each for each in await self.base.entities(sorted({*order, *along}))}
        return FoundEntities(
            entities=[
                ReachedEntity(
                    **dict(await self._known(known[number])),
                    paths=[_sentences(path, known) for path in row if path is not None],
                )
                for number, row in zip(order, paths, strict=True)
            ],
            total=len(numbers),
        )

    async def _known(self, entity: Entity) -> KnownEntity:
        return KnownEntity(
            id=entity.id,
            type=entity.type,
            name=entity.name,
            aliases=list(entity.aliases),
            text=_beginning(await self.base.document(entity.number), MOST_DOCUMENT),
        )


def _sentences(path: EntityPath, known: Mapping[int, Entity]) -> list[str]:
    return [_sentence(each, known) for each in path.triples]


def _sentence(triple: Triple, known: Mapping[int, Entity]) -> str:
    stated = _beginning(triple.text, MOST_STATED)
    return (
        f"{known[triple.source].name} —{triple.relation}→ {known[triple.target].name}{f': {stated}' if stated else ''}"
    )


def _beginning(text: str, most: int) -> str:
    """Return at most so many characters of a text, cut between words; words beyond are not even looked for."""
    return clipped(" ".join(text.split(None, most)[:most]), most)
