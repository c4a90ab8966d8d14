"""The explorer of knowledge bases: what a base holds, entities by words, one of them, its neighbours by page."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from heliograph.types import Attribute, Entity
from indexers.skb.adjacency import WAYS, Adjacency
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.entity_documents import spelled_out
from tools.skb.lookup import look_up_entity
from tools.skb.planning.conditions import column_name
from web.office import Anyone, AtHand
from web.reply import Json

router = APIRouter(prefix="/api/bases")
MOST_KINDS = 200
"""Kinds of triples that a base is shown with, the most frequent ones."""
BEGINNING, DOCUMENT = 240, 20_000
"""Characters of a document in a list, and on the page of its entity."""
SHOWN, MOST_SHOWN = 10, 100
"""Entities of a list, or neighbours of a relation, that are shown at once unless another number is asked for."""

Words = Annotated[str, Query(max_length=1000)]
Name = Annotated[str, Query(max_length=1000)]
Id = Annotated[str, Query(min_length=1, max_length=2000)]
Offset = Annotated[int, Query(ge=0, le=2**31)]
SearchOffset = Annotated[int, Query(ge=0, le=10_000)]
Limit = Annotated[int, Query(ge=1, le=MOST_SHOWN)]
Way = Literal["out", "in"]


@router.get("")
async def bases(office: AtHand, _owners: Anyone) -> Json:
    """List the bases that are read here."""
    return {"bases": list(office.bases.names)}


@router.get("/{name}")
async def base(name: str, office: AtHand, _owners: Anyone) -> Json:
    """Say what a base holds."""
    found = await office.bases.base(name)
    schema, remarks = await office.bases.described(name)
    types = sorted(found.entity_types.items(), key=lambda pair: (-pair[1], pair[0]))
    answering = set(found.description.candidate_types) or set(found.entity_types)
    return {
        "name": name,
        "types": [{"type": each, "entities": count, "may_answer": each in answering} for each, count in types],
        "schema": [
            {
                "source": each.source,
                "relation": spelled_out(each.relation),
                "target": each.target,
                "triples": each.triples,
            }
            for each in schema[:MOST_KINDS]
        ],
        "left_out": max(0, len(schema) - MOST_KINDS),
        "remarks": list(remarks),
    }


@router.get("/{name}/entities")
async def entities(
    name: str,
    office: AtHand,
    _owners: Anyone,
    query: Words = "",
    type: Name = "",
    offset: SearchOffset = 0,
    limit: Limit = SHOWN,
) -> Json:
    """List entities that have words of a query, the best first; without one those of a type, or all, by number."""
    found = await office.bases.base(name)
    if query.strip():
        known = await found.named(query, type)
        numbers = [each.number for each in known]
        numbers += [each.item for each in await found.search(query, offset + limit + 1, type)]
        there = list(dict.fromkeys(numbers))
    else:
        there = await asyncio.to_thread(_numbers, found, type, offset + limit + 1)
    shown = await found.entities(there[offset : offset + limit])
    listed = [{**_named(each), "text": await _beginning(found, each)} for each in shown]
    return {"entities": listed, "more": len(there) > offset + limit}


@router.get("/{name}/entity")
async def entity(name: str, id: Id, office: AtHand, _owners: Anyone) -> Json:
    """Return an entity, by its id or by a name that it alone has, with its document and the first of its neighbours."""
    found = await office.bases.base(name)
    one = await look_up_entity(found, id)
    attributes, text = await asyncio.gather(found.attributes(one.number), found.document(one.number))
    joined = await asyncio.to_thread(lambda: list(_relations(found.graph, one.number)))
    relations = [
        {
            "relation": found.graph.relations[place],
            "words": spelled_out(found.graph.relations[place]),
            "direction": way,
            "total": total,
            "neighbours": await _neighbours(found, one, place, way, 0, SHOWN),
        }
        for way, place, total in joined
    ]
    return {
        **_named(one),
        "aliases": list(one.aliases),
        "attributes": [{"name": column_name(each), "value": _said(value)} for each, value in attributes.items()],
        "text": text[:DOCUMENT],
        "cut": len(text) > DOCUMENT,
        "relations": relations,
    }


@router.get("/{name}/neighbours")
async def neighbours(
    name: str,
    id: Id,
    relation: Name,
    direction: Way,
    office: AtHand,
    _owners: Anyone,
    offset: Offset = 0,
    limit: Limit = SHOWN,
) -> Json:
    """Return neighbours of an entity by one relation, with what each triple says."""
    found = await office.bases.base(name)
    place = found.graph.relation(relation)
    one = await look_up_entity(found, id)
    first, last = found.graph.rows[direction].span(one.number, place)
    shown = await _neighbours(found, one, place, direction, offset, limit)
    return {"total": last - first, "neighbours": shown}


def _numbers(base: BuiltKnowledgeBase, type: str, most: int) -> list[int]:
    if type:
        first: list[int] = base.graph.of_type(type)[:most].tolist()
        return first
    return list(range(min(most, len(base.graph.types))))


def _relations(graph: Adjacency, number: int) -> Iterator[tuple[Way, int, int]]:
    """Yield the direction and the place of each relation that an entity has, and how many triples."""
    for way in WAYS:
        rows = graph.rows[way]
        first, end = rows.span(number)
        while first < end:
            place = int(rows.relations[first])
            _, last = rows.span(number, place)
            yield "out" if way == "out" else "in", place, last - first
            first = last


async def _neighbours(
    base: BuiltKnowledgeBase, one: Entity, place: int, way: Way, offset: int, limit: int
) -> list[Json]:
    rows, relation = base.graph.rows[way], base.graph.relations[place]
    first, last = rows.span(one.number, place)
    numbers: Sequence[int] = rows.neighbours[first + offset : min(last, first + offset + limit)].tolist()
    others = await base.entities(numbers)
    return [{**_named(each), "said": await _stated(base, one, each, relation, way)} for each in others]


async def _stated(base: BuiltKnowledgeBase, one: Entity, other: Entity, relation: str, way: Way) -> str:
    source = one.number if way == "out" else other.number
    triples = await base.between(other.number, one.number)
    return next((each.text for each in triples if (each.relation, each.source) == (relation, source)), "")


async def _beginning(base: BuiltKnowledgeBase, one: Entity) -> str:
    text = await base.document(one.number)
    return " ".join(text[: 2 * BEGINNING].split())[:BEGINNING]


def _named(one: Entity) -> dict[str, object]:
    return {"id": one.id, "type": one.type, "name": one.name}


def _said(value: Attribute) -> str:
    return f"{value:.15g}" if isinstance(value, float) else value
