"""Which answers of a query a knowledge base can give: the entities of its candidate types (STaRK, section 2.1)."""

from dataclasses import dataclass

from eval.stark.queries import StarkQuery
from heliograph.errors import UnknownEntity
from indexers.skb.knowledge_base import BuiltKnowledgeBase


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a query by number, each once, and how many more the base does not have among its candidates."""

    numbers: frozenset[int]
    missing: int


async def answers_in(base: BuiltKnowledgeBase, query: StarkQuery) -> Answers:
    """Look the answers of a query up by their ids."""
    ids = set(query.answers)
    found = [number for id in ids if (number := await _candidate(base, id)) is not None]
    return Answers(frozenset(found), len(ids) - len(found))


async def _candidate(base: BuiltKnowledgeBase, id: str) -> int | None:
    try:
        entity = await base.entity(id)
    except UnknownEntity:
        return None
    types = base.description.candidate_types
    return entity.number if not types or entity.type in types else None
