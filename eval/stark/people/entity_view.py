"""An entity as a person reads it who writes or judges a query: its attributes, its document, and its relations."""

from collections.abc import Mapping

from heliograph.types import Entity, Triple
from indexers.skb.knowledge_base import BuiltKnowledgeBase

CHARACTERS = 1_200
"""Of a document; the whole one comes on demand."""
SAMPLES = 5
"""Relations per kind and direction."""
LONGEST = 200
"""Characters of a name or a value in a line."""


async def entity_view(base: BuiltKnowledgeBase, entity: Entity) -> str:
    """Return what a base says of an entity, in lines; of a long document the beginning, of relations the first."""
    text, attributes = await base.document(entity.number), await base.attributes(entity.number)
    triples = await base.triples(entity.number, limit=SAMPLES)
    numbers = sorted({number for each in triples for number in (each.source, each.target)})
    entities = dict(zip(numbers, await base.entities(numbers), strict=True))
    lines = [_headed(entity), *(f"  {_short(name)}: {_short(str(value))}" for name, value in attributes.items())]
    if text:
        more = f"… (/document shows all {len(text):,} characters)" if len(text) > CHARACTERS else ""
        lines.append(f"  {text[:CHARACTERS].strip()}{more}")
    lines += (f"  {_told(each, entities)}" for each in triples)
    count = sum(int(rows.degrees()[entity.number]) for rows in base.graph.rows.values())
    if count > len(triples):
        lines.append(f"  … {len(triples):,} of {count:,} relations")
    return "\n".join(lines)


def _headed(entity: Entity) -> str:
    also = f", also {_short(', '.join(entity.aliases))}" if entity.aliases else ""
    return f"{_short(entity.name)} ({_short(entity.type)}, {_short(entity.id)}){also}"


def _told(triple: Triple, entities: Mapping[int, Entity]) -> str:
    source, target = (entities[number] for number in (triple.source, triple.target))
    said = f": {_short(triple.text)}" if triple.text else ""
    return f"{_short(source.name)} -{_short(triple.relation)}-> {_short(target.name)} ({_short(target.type)}){said}"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
