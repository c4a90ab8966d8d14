"""Typed traversal of a knowledge base: metapaths, intersection, negation, and a path that shows why an answer holds."""

from collections.abc import Sequence

from heliograph.errors import UsageError
from heliograph.protocols import KnowledgeBase
from heliograph.types import Direction, EntityPath, Hop, Requirement, Triple

MOST_HOPS = 3
"""Of a metapath: STaRK's longest has three (appendix A)."""
MOST_REACHED = 200_000
"""Entities that one hop may lead to; beyond, whoever asks has to say more."""


async def reach(base: KnowledgeBase, start: Sequence[int], hops: Sequence[Hop]) -> tuple[int, ...]:
    """Return the entities that hops lead to, each once and ascending; without hops those of the start.

    Raises:
        UsageError: there are more than MOST_HOPS hops, or one of them leads to more than MOST_REACHED entities.
        UnknownName: the base has no such relation or type.
    """
    return (await _layers(base, start, hops))[-1]


async def satisfying(base: KnowledgeBase, requirements: Sequence[Requirement], type: str = "") -> tuple[int, ...]:
    """Return the entities of a type that meet all requirements, ascending; negated ones take entities away.

    Raises:
        UsageError: as `reach`, or every requirement is negated and no type says of what.
        UnknownName: the base has no such relation or type.
    """
    if not type and all(each.negated for each in requirements):
        raise UsageError("what is not joined to something is asked of a type; name one")
    found = set(await base.of_type(type)) if type else None
    for each in sorted(requirements, key=lambda one: one.negated):
        reached = set(await reach(base, each.start, each.hops))
        known = reached if found is None else found
        found = known - reached if each.negated else known & reached
    return tuple(sorted(found or ()))


async def shown_by(base: KnowledgeBase, entity: int, requirement: Requirement) -> EntityPath | None:
    """Return a path along the hops of a requirement to an entity, with what its triples say; None where there is none.

    Of several paths it is the one through the smallest numbers, seen from the entity.
    """
    layers = await _layers(base, requirement.start, requirement.hops)
    if entity not in layers[-1]:
        return None
    entities, triples = [entity], list[Triple]()
    for hop, before in zip(reversed(requirement.hops), reversed(layers[:-1]), strict=True):
        here = entities[-1]
        joined = await base.neighbours([here], hop.relation, _turned(hop.direction))
        other = min(set(joined) & set(before))
        triples.append(next(each for each in await base.between(other, here) if _follows(each, hop, other, here)))
        entities.append(other)
    return EntityPath(tuple(reversed(entities)), tuple(reversed(triples)))


async def _layers(base: KnowledgeBase, start: Sequence[int], hops: Sequence[Hop]) -> list[tuple[int, ...]]:
    """Return the start, and what each hop leads to from what the one before it does."""
    if len(hops) > MOST_HOPS:
        raise UsageError(f"a metapath has at most {MOST_HOPS} hops, and {len(hops)} are asked for")
    layers = [tuple(sorted(set(start)))]
    for number, hop in enumerate(hops, start=1):
        reached = await base.neighbours(layers[-1], hop.relation, hop.direction, hop.type)
        if len(reached) > MOST_REACHED:
            raise UsageError(f"hop {number} leads to {len(reached):,} entities; name its relation or its type")
        layers.append(reached)
    return layers


def _turned(direction: Direction) -> Direction:
    """Return the direction in which a hop is followed back."""
    turned: dict[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}
    return turned[direction]


def _follows(triple: Triple, hop: Hop, first: int, second: int) -> bool:
    """Say whether a triple that joins two entities is what a hop from the first to the second follows."""
    ends = {"out": [(first, second)], "in": [(second, first)], "both": [(first, second), (second, first)]}
    return hop.relation in ("", triple.relation) and (triple.source, triple.target) in ends[hop.direction]
