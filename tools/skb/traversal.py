"""Typed traversal of a knowledge base: metapaths, intersection, negation, and a path that shows why an answer holds."""

import asyncio
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heliograph.errors import UsageError
from heliograph.protocols import KnowledgeBase
from heliograph.types import Direction, EntityPath, Hop, Requirement, Triple

MOST_HOPS = 3
"""Of a metapath: STaRK's longest has three (appendix A)."""
MOST_REACHED = 200_000
"""Entities that one hop may lead to; beyond, whoever asks has to say more."""

TURNED: Mapping[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}
"""The direction in which a hop is followed back."""


@dataclass(frozen=True, slots=True)
class Traversal:
    """A requirement with what its hops lead to, so that any number of paths is found without following it again.

    `layers` are the start, then the entities that each hop leads to: each once, in ascending order.
    """

    requirement: Requirement
    layers: tuple[tuple[int, ...], ...]

    @property
    def end(self) -> tuple[int, ...]:
        """Return what the last hop leads to; without hops the start."""
        return self.layers[-1]


async def traverse(base: KnowledgeBase, requirement: Requirement) -> Traversal:
    """Follow the hops of a requirement, negated or not; each asks the base once.

    Raises:
        UsageError: there are more than MOST_HOPS hops, or one of them leads to more than MOST_REACHED entities.
        UnknownName: the base has no such relation or type.
    """
    if len(requirement.hops) > MOST_HOPS:
        raise UsageError(f"a metapath has at most {MOST_HOPS} hops, and {len(requirement.hops)} are asked for")
    layers = [tuple(sorted(set(requirement.start)))]
    for number, hop in enumerate(requirement.hops, start=1):
        layer = await base.neighbours(layers[-1], hop.relation, hop.direction, hop.type)
        if len(layer) > MOST_REACHED:
            raise UsageError(f"hop {number} leads to {len(layer):,} entities; name its relation or its type")
        layers.append(layer)
    return Traversal(requirement, tuple(layers))


async def reach(base: KnowledgeBase, start: Sequence[int], hops: Sequence[Hop]) -> tuple[int, ...]:
    """Return the entities that hops lead to, each once and ascending; without hops those of the start.

    Raises:
        UsageError | UnknownName: as `traverse`.
    """
    return (await traverse(base, Requirement(tuple(start), tuple(hops)))).end


async def intersect(base: KnowledgeBase, traversals: Sequence[Traversal], type: str = "") -> tuple[int, ...]:
    """Return the entities of a type that meet all requirements, ascending; negated ones take entities away.

    Raises:
        UsageError: every requirement is negated and no type says of what.
        UnknownName: the base has no such type.
    """
    if not type and all(each.requirement.negated for each in traversals):
        raise UsageError("what is not joined to something is asked of a type; name one")
    required = [each.end for each in traversals if not each.requirement.negated]
    if type:
        required.append(await base.of_type(type))
    excluded = [each.end for each in traversals if each.requirement.negated]
    return await asyncio.to_thread(_intersect, required, excluded)


async def find_path(base: KnowledgeBase, entity: int, traversal: Traversal) -> EntityPath | None:
    """Return a path along the hops of a traversal to an entity, with what its triples say; None where there is none.

    Of several paths it is the one through the smallest numbers, seen from the entity. The base is asked for neighbours
    once per hop at most, and not where a hop starts from one entity alone.
    """
    if not _holds(traversal.end, entity):
        return None
    entities, triples = [entity], list[Triple]()
    for hop, before in zip(reversed(traversal.requirement.hops), reversed(traversal.layers[:-1]), strict=True):
        here = entities[-1]
        other = before[0] if len(before) == 1 else await _find_previous(base, here, hop, before)
        triples.append(next(each for each in await base.between(other, here) if _follows(each, hop, other, here)))
        entities.append(other)
    return EntityPath(tuple(reversed(entities)), tuple(reversed(triples)))


async def _find_previous(base: KnowledgeBase, here: int, hop: Hop, before: tuple[int, ...]) -> int:
    """Return the smallest entity of the layer before from which a hop leads here; there is one."""
    joined = await base.neighbours([here], hop.relation, TURNED[hop.direction])
    return await asyncio.to_thread(_first_shared, joined, before)


def _intersect(required: Sequence[tuple[int, ...]], excluded: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return what stands in all of some lists and in none of others, ascending; of `required` there is at least one."""
    smallest, *others = sorted(required, key=len)
    return tuple(sorted(set(smallest).intersection(*others).difference(*excluded)))


def _first_shared(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """Return the smallest number that two ascending lists share; they share one."""
    fewer, more = sorted((first, second), key=len)
    return next(each for each in fewer if _holds(more, each))


def _holds(ascending: tuple[int, ...], number: int) -> bool:
    place = bisect_left(ascending, number)
    return place < len(ascending) and ascending[place] == number


def _follows(triple: Triple, hop: Hop, first: int, second: int) -> bool:
    """Say whether a triple that joins two entities is what a hop from the first to the second follows."""
    ends = {"out": [(first, second)], "in": [(second, first)], "both": [(first, second), (second, first)]}
    return hop.relation in ("", triple.relation) and (triple.source, triple.target) in ends[hop.direction]
