"""Entities as texts: the name and the document, alone or with a line per relation that names the neighbours."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter

from heliograph.types import Entity
from indexers.skb.adjacency import WAYS, Adjacency
from indexers.skb.knowledge_base import BuiltKnowledgeBase

MOST_NEIGHBOURS = 50
"""Names that an entity takes over per relation and direction, the first by number: a hub of a million stays a text."""

_WORD = re.compile(r"[^\W_]+")


async def bare_documents(base: BuiltKnowledgeBase, numbers: Sequence[int]) -> tuple[str, ...]:
    """Return entities as names and documents, in the order asked for.

    Raises:
        UnknownEntity: the base has no such number.
    """
    entities = await base.entities(numbers)
    texts = await asyncio.gather(*map(base.document, numbers))
    return tuple(map(named_document, entities, texts))


async def related_documents(base: BuiltKnowledgeBase, numbers: Sequence[int]) -> tuple[str, ...]:
    """Return entities as names, documents, aliases and a line per relation and direction, in the order asked for.

    Raises:
        UnknownEntity: the base has no such number.
    """
    entities = await base.entities(numbers)
    texts = await asyncio.gather(*map(base.document, numbers))
    joined = [[*first_neighbours(base.graph, number)] for number in numbers]
    others = sorted({other for rows in joined for _, _, several in rows for other in several})
    names = dict(zip(others, (each.name for each in await base.entities(others)), strict=True))
    relations = [spelled_out(each) for each in base.relations]
    return tuple(
        related_document(entity, text, ((relations[place], map(names.__getitem__, there)) for place, _, there in rows))
        for entity, text, rows in zip(entities, texts, joined, strict=True)
    )


def related_document(entity: Entity, text: str, relations: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Return one entity as a text; of each relation the words, and the names of the neighbours."""
    lines = (f"{relation}: {', '.join(names)}" for relation, names in relations)
    return "\n".join((named_document(entity, text), *entity.aliases, *lines))


def named_document(entity: Entity, text: str) -> str:
    """Return a name and a text; documents of STaRK's own bases have the name in their first line already."""
    return text if text.partition("\n")[0].endswith(f": {entity.name}") else f"{entity.name}\n{text}"


def first_neighbours(graph: Adjacency, number: int) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the place of a relation, 0 for out or 1 for in, and at most MOST_NEIGHBOURS entities at its other end."""
    for place, way in enumerate(WAYS):
        rows = graph.rows[way]
        span = slice(*rows.span(number))
        pairs = zip(rows.relations[span].tolist(), rows.neighbours[span].tolist(), strict=True)
        for relation, several in groupby(pairs, itemgetter(0)):
            yield relation, place, [other for _, other in islice(several, MOST_NEIGHBOURS)]


def spelled_out(relation: str) -> str:
    """Return the words of a relation: "author writes paper" for author___writes___paper."""
    return " ".join(_WORD.findall(relation))
