"""Entities that people are given to write queries about: drawn by chance, the types in turn (STaRK, appendix C)."""

from collections.abc import Iterator, Sequence
from random import Random

from heliograph.errors import UsageError
from indexers.skb.adjacency import Numbers
from indexers.skb.knowledge_base import BuiltKnowledgeBase


async def sample_entities(
    base: BuiltKnowledgeBase, count: int, seed: int = 0, types: Sequence[str] = ()
) -> tuple[int, ...]:
    """Draw entities of some types, or of all that may answer; those of which a base says nothing are left out.

    The same seed draws the same ones, and a higher count only adds to them.

    Raises:
        UsageError: the base has no such type, or it is none that may answer, or there is nothing to draw.
    """
    allowed = base.description.candidate_types or tuple(base.entity_types)
    for each in types:
        base.graph.type(each)
        if each not in allowed:
            raise UsageError(f"no {each} may answer in {base.folder}; name one of {', '.join(allowed)} with --type")
    turns = [_shuffled(base.graph.of_type(each), Random(f"{seed} {each}")) for each in dict.fromkeys(types or allowed)]
    found = list[int]()
    while turns and len(found) < count:
        turn = turns.pop(0)
        drawn = await _next_described(base, turn)
        if drawn is not None:
            found.append(drawn)
            turns.append(turn)
    if not found:
        raise UsageError(f"{base.folder} says nothing of any entity that may answer; name another base")
    return tuple(found)


async def _next_described(base: BuiltKnowledgeBase, turn: Iterator[int]) -> int | None:
    for number in turn:
        joined = any(rows.span(number)[0] < rows.span(number)[1] for rows in base.graph.rows.values())
        if joined or await base.document(number) or await base.attributes(number):
            return number
    return None


def _shuffled(numbers: Numbers, random: Random) -> Iterator[int]:
    """Yield numbers in an order of chance, in time and memory of those that are taken."""
    moved = dict[int, int]()
    for place in range(len(numbers)):
        other = random.randrange(place, len(numbers))
        yield int(numbers[moved.get(other, other)])
        moved[other] = moved.get(place, place)
