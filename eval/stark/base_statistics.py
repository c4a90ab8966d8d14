"""How large a knowledge base is (STaRK, Table 2)."""

import asyncio
import re
from dataclasses import dataclass

import numpy as np

from indexers.skb.adjacency import Adjacency, triple_keys
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.entity_documents import named_document

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class BaseStatistics:
    """The columns of Table 2, counted as the paper does, and triples as the base has them.

    Attributes:
        average_degree: 2 * relations / entities.
        relations: once in each direction, those that a base states both ways too; of an entity with itself once.
        tokens: runs of letters and figures in names and documents; attributes are left out, and names of neighbours.
        triples: each once.
    """

    name: str
    entity_types: int
    relation_types: int
    average_degree: float
    entities: int
    relations: int
    tokens: int
    triples: int


async def describe_base(base: BuiltKnowledgeBase) -> BaseStatistics:
    """Count what a base has; all of its documents are read."""
    return await asyncio.to_thread(_described, base)


def _described(base: BuiltKnowledgeBase) -> BaseStatistics:
    entities, relations = len(base.graph.types), _in_both_directions(base.graph)
    return BaseStatistics(
        base.name,
        entity_types=len(base.entity_types),
        relation_types=len(base.relations),
        average_degree=2 * relations / entities if entities else 0.0,
        entities=entities,
        relations=relations,
        tokens=sum(_tokens(named_document(entity, text)) for entity, text in base.documents()),
        triples=sum(base.relations.values()),
    )


def _in_both_directions(graph: Adjacency) -> int:
    """Return how many relations there are once each is followed back too; one of an entity with itself counts once."""
    rows = graph.rows["out"]
    if not len(rows.neighbours):
        return 0
    owners = rows.owners().astype(rows.neighbours.dtype)
    lower, higher = np.minimum(owners, rows.neighbours), np.maximum(owners, rows.neighbours)
    keys = triple_keys(np.stack([lower, rows.relations, higher], axis=1), len(graph.types), len(graph.relations))
    loops = int(np.count_nonzero(lower == higher))
    return 2 * (len(np.unique(keys)) - loops) + loops


def _tokens(text: str) -> int:
    return sum(1 for _ in _WORD.finditer(text))
