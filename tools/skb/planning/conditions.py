"""What a query may require of the entities of one type: paths to what it mentions, and values of their attributes.

Attributes are read as a table is (`tools.arithmetic`): figures in their units, dates, yes and no, and words.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice

import numpy as np
import numpy.typing as npt

from heliograph.text.units import BARE, parse_measure
from heliograph.text.words import content_stems
from heliograph.types import Cell, Entity, EvidenceId, Hop, PageKey, Place, Requirement, TableEvidence
from heliograph.types.knowledge import Attribute
from indexers.skb.adjacency import Adjacency, Numbers
from tools.arithmetic.sheet import Sheet, sheet_of
from tools.skb.entity_documents import spelled_out
from tools.skb.planning.linking import EntityMention
from tools.skb.traversal import TURNED

NEAR, FAR = 2, 3
"""Hops of a path from an answer to what a query mentions; and of one whose every step the query says a word of."""
MOST_KINDS = 24
"""Kinds of relations of a type that are followed whatever a query says: a base made of tables has thousands."""
MOST_TRIED = 6
"""Entities of a mention that are tried one by one; all of them together are tried as well."""
MOST_FOLLOWED, SAMPLED = 50_000, 500
"""Entities of a type up to which paths from all of them are followed, and those that stand for a larger type."""
MOST_ROWS = 5_000
"""Entities of a type up to which their attributes are read; of larger types attributes are no conditions."""
ROW_NAMES = ("entity", "number")
"""Columns before the attributes. A name such as "All" there would make its row one of totals."""
_NAMED_VALUES = {"true": "yes", "false": "no"}

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PathCondition:
    """That an answer is joined to what a mention may name; the requirement's hops lead from there to the answers."""

    mention: EntityMention
    requirement: Requirement
    value: str


class AttributeTable(TableEvidence):
    """A table that is known by its id: whatever is kept of a table of thousands of rows does not hash all of them."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(self.id)


class TypeSchema:
    """Which hops a base has between types, so that paths are proposed that some triple follows.

    Args:
        graph: of the base.
        kinds: source type, relation and target type of its triples, the most frequent first.
    """

    def __init__(self, graph: Adjacency, kinds: Sequence[tuple[str, str, str]]) -> None:
        self.graph = graph
        self._hops: dict[str, list[Hop]] = {}
        self._shares: dict[tuple[str, tuple[Hop, ...]], float] = {}
        for source, relation, target in kinds:
            self._hops.setdefault(source, []).append(Hop(relation, "out", target))
            self._hops.setdefault(target, []).append(Hop(relation, "in", source))

    def ways(self, answers: str, mentioned: str, said: Set[str]) -> Iterator[tuple[Hop, ...]]:
        """Yield hops from a mentioned type to that of the answers: NEAR at most, or FAR where stems of all are said."""
        yield from self._ways(answers, mentioned, (), said, told=True)

    def _ways(
        self, here: str, mentioned: str, behind: tuple[Hop, ...], said: Set[str], *, told: bool
    ) -> Iterator[tuple[Hop, ...]]:
        """Yield hops from a mentioned type to one on the way, followed by those behind it."""
        for back in self._proposed(here, mentioned, said):
            hops = (Hop(back.relation, TURNED[back.direction], here), *behind)
            if back.type == mentioned and (len(hops) <= NEAR or (told and self._is_said(back, mentioned, said))):
                yield hops
            if len(hops) < FAR:
                further = told and self._is_said(back, mentioned, said)
                if len(hops) < NEAR or further:
                    yield from self._ways(back.type, mentioned, hops, said, told=further)

    def _proposed(self, here: str, mentioned: str, said: Set[str]) -> Iterator[Hop]:
        """Yield the most frequent hops from a type, and as many of the others that the query says a word of."""
        known = self._hops.get(here, [])
        yield from known[:MOST_KINDS]
        yield from islice((each for each in known[MOST_KINDS:] if self._is_said(each, mentioned, said)), MOST_KINDS)

    @staticmethod
    def _is_said(back: Hop, mentioned: str, said: Set[str]) -> bool:
        """Say whether a query says a word of a relation, or of a type on the way."""
        kind = frozenset[str]() if back.type == mentioned else _words_of(back.type)
        return not said.isdisjoint(_words_of(back.relation) | kind)

    def share(self, mentioned: str, hops: tuple[Hop, ...]) -> float:
        """Return the share of the answers' type that hops from a mentioned type lead to, of large ones of a sample."""
        if (mentioned, hops) not in self._shares:
            self._shares[mentioned, hops] = self._share(mentioned, hops)
        return self._shares[mentioned, hops]

    def _share(self, mentioned: str, hops: tuple[Hop, ...]) -> float:
        every = self.graph.of_type(hops[-1].type)
        if max(len(every), len(self.graph.of_type(mentioned))) <= MOST_FOLLOWED:
            return len(follow(self.graph, self.graph.of_type(mentioned), hops)) / max(1, len(every))
        back = turned(hops, mentioned)
        sample = every[:: max(1, len(every) // SAMPLED)]
        return sum(len(follow(self.graph, [each], back)) > 0 for each in sample.tolist()) / max(1, len(sample))


@lru_cache(maxsize=50_000)
def _words_of(name: str) -> frozenset[str]:
    """Return the stems of a relation or a type."""
    return frozenset(content_stems(spelled_out(name)))


def follow(graph: Adjacency, start: Sequence[int] | Numbers, hops: Sequence[Hop]) -> Numbers:
    """Return what hops lead to, each once and ascending."""
    reached = np.asarray(start)
    for hop in hops:
        if not len(reached):
            break
        reached = graph.neighbours(reached, hop.relation, hop.direction, hop.type)
    return reached


def turned(hops: Sequence[Hop], mentioned: str) -> tuple[Hop, ...]:
    """Return hops from the answers back to a mentioned type."""
    types = (mentioned, *(hop.type for hop in hops[:-1]))
    back = [Hop(hop.relation, TURNED[hop.direction], type) for hop, type in zip(hops, types, strict=True)]
    return tuple(reversed(back))


def path_conditions(
    schema: TypeSchema, names: Mapping[int, str], query: str, mentions: Sequence[EntityMention], type: str
) -> list[PathCondition]:
    """Return the paths from entities of a type to what is mentioned, of those that lead anywhere.

    Of several entities of one type that a part of a name may mean all together are a condition, too: "the Viking
    landers". Blocks.
    """
    graph, said, found = schema.graph, frozenset(content_stems(query)), list[PathCondition]()
    for mention in mentions:
        by_type = groupby(sorted(mention.entities, key=lambda each: graph.types[each]), lambda each: graph.types[each])
        for kind, group in by_type:
            several = tuple(group)
            tried: list[tuple[int, ...]] = [(each,) for each in several[:MOST_TRIED]]
            if len(several) > 1:
                tried.append(several)
            for hops in dict.fromkeys(schema.ways(type, graph.entity_types[kind], said)):
                for start in tried:
                    reached = follow(graph, start, hops)
                    if len(np.setdiff1d(reached, start)):
                        value = names[start[0]] if len(start) == 1 else mention.text
                        found.append(PathCondition(mention, Requirement(start, hops), value))
    return found


def spelled_path(hops: Sequence[Hop], mentioned: str) -> str:
    """Return a path in words, the answer first: "moon orbits planet", "person discovered moon, moon orbits planet"."""
    parts, here = list[str](), mentioned
    for hop in hops:
        ends = (here, hop.type) if hop.direction == "out" else (hop.type, here)
        parts.append(f"{ends[0]} {spelled_out(hop.relation)} {ends[1]}")
        here = hop.type
    return ", ".join(reversed(parts))


def path_name(hops: Sequence[Hop], mentioned: str) -> str:
    """Return what a column of a path is called: a relation of the answers by its words, one to them behind its type."""
    parts, here = list[str](), mentioned
    for hop in hops:
        words = spelled_out(hop.relation)
        parts.append(words if hop.direction == "in" else f"{here} {words}")
        here = hop.type
    return ", ".join(reversed(parts))


def attribute_sheet(
    type: str, entities: Sequence[Entity], attributes: Sequence[Mapping[str, Attribute]]
) -> Sheet | None:
    """Return the attributes of entities of a type as a table, its rows in their order; None where there are none."""
    names = list(dict.fromkeys(name for each in attributes for name in each))
    if not names:
        return None
    header = (*ROW_NAMES, *map(column_name, names))
    rows = tuple(
        (
            Cell(f"entity {entity.number}"),
            Cell(f"no. {entity.number}"),
            *(Cell(_shown(own.get(name, ""))) for name in names),
        )
        for entity, own in zip(entities, attributes, strict=True)
    )
    place = Place(PageKey("skb:" + type), type, "")
    return sheet_of(AttributeTable(EvidenceId(f"skb:{type}#t1"), place, "table", "", header, rows))


def column_name(attribute: str) -> str:
    """Return the name of a column as people write it: "mass (kg)" for `mass_kg`, "speed walk" for `speed.walk`."""
    words = spelled_out(attribute).split()
    measure = parse_measure(words[-1]) if len(words) > 1 else None
    return " ".join(words) if measure in (None, BARE) else f"{' '.join(words[:-1])} ({words[-1]})"


def _shown(value: Attribute) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    return _NAMED_VALUES.get(value, value)
