"""Relational requirements drawn backwards from an entity, so that it meets them, and all entities that meet them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import sqrt
from random import Random

import numpy as np

from eval.drawing import Half, digest_of
from heliograph.types import Direction, Hop
from indexers.skb.adjacency import WAYS, Adjacency, Numbers
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.traversal import TURNED

LEAST_TRIPLES = 3
"""Of a kind of relation that queries begin with."""
LEAST_ENTITIES = 8
"""Of a type that answers: fewer are soon guessed."""
MOST_REACHED = 5_000
"""Entities that a hop may lead to: beyond are hubs that say nothing."""
MOST_USES = 6
"""Requirements of a set that begin with the same entity."""

Numbered = frozenset[int]


@dataclass(frozen=True, slots=True)
class GroundedRequirement:
    """Hops from one entity, and what they lead to without that entity itself."""

    start: int
    hops: tuple[Hop, ...]
    reached: Numbered
    negated: bool = False


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of triples, and which of their ends answers."""

    source: int
    relation: int
    target: int
    way: Direction
    weight: float


class Grounding:
    """Draw entities and requirements of one base; the same seed draws the same ones."""

    def __init__(self, base: BuiltKnowledgeBase, random: Random) -> None:
        self._graph, self._random = base.graph, random
        self._answering = _answering_types(base)
        self._kinds, self._places = _kinds(base.graph, self._answering)
        self._weights = list(accumulate(each.weight for each in self._kinds))

    @property
    def is_possible(self) -> bool:
        """Say whether the base has relations to entities that may answer."""
        return bool(self._kinds)

    def draw(self) -> tuple[int, int, Hop]:
        """Draw an entity that is to be an answer, one that is joined to it, and the hop from that one to it.

        Kinds of relations weigh by the square root of their triples: all get their turn.
        """
        (kind,) = self._random.choices(self._kinds, cum_weights=self._weights)
        place = int(self._random.choice(self._places[kind.source, kind.relation, kind.target]))
        rows = self._graph.rows["out"]
        source = int(np.searchsorted(rows.offsets, place, side="right")) - 1
        target = int(rows.neighbours[place])
        gold, other = (source, target) if kind.way == "in" else (target, source)
        return gold, other, self._hop(kind.relation, kind.way, gold)

    def path_to(self, gold: int, hops: int, first: tuple[int, Hop] | None = None) -> GroundedRequirement | None:
        """Draw a metapath of so many hops that leads to an entity; None where chance finds none.

        Args:
            gold: where it ends.
            hops: how many it has.
            first: the entity before, and the last hop, where they are drawn already.
        """
        trail, taken = [gold], list[Hop]()
        if first:
            trail.append(first[0])
            taken.append(first[1])
        while len(taken) < hops:
            step = self._step_back(trail)
            if step is None or (taken and _is_turned(step[1], taken[-1])):
                return None
            trail.append(step[0])
            taken.append(step[1])
        return self._grounded(trail[-1], tuple(reversed(taken)))

    def shared_neighbour(self, gold: int, between: int, last: Hop) -> GroundedRequirement | None:
        """Draw another entity that is joined to one between as an entity is: a paper → its author → another paper."""
        others = self._graph.neighbours([between], last.relation, last.direction, last.type)
        several = [each for each in others.tolist() if each not in (gold, between)]
        if not several:
            return None
        there = self._type(between)
        first = Hop(last.relation, "out" if last.direction == "in" else "in", there)
        return self._grounded(self._random.choice(several), (first, last))

    def excluding(self, gold: int, candidates: Collection[int]) -> GroundedRequirement | None:
        """Draw what another candidate is joined to and an entity is not, as a negated requirement of one hop."""
        others = sorted(set(candidates) - {gold})
        step = self._step_back([self._random.choice(others)]) if others else None
        found = step and self._grounded(step[0], (step[1],))
        if not found or gold in found.reached or found.start == gold:
            return None
        return replace(found, negated=True)

    def _step_back(self, trail: Sequence[int]) -> tuple[int, Hop] | None:
        """Draw a relation of the last entity, each as likely as another, and then one entity that it joins."""
        graph, here = self._graph, trail[-1]
        choices = list[tuple[Direction, int, int, int]]()
        for way in WAYS:
            begin, end = graph.rows[way].span(here)
            for relation in np.unique(graph.rows[way].relations[begin:end]).tolist():
                choices.append((way, relation, *graph.rows[way].span(here, relation)))
        if not choices:
            return None
        way, relation, begin, end = self._random.choice(choices)
        other = int(graph.rows[way].neighbours[self._random.randrange(begin, end)])
        return None if other in trail else (other, self._hop(relation, TURNED[way], here))

    def _grounded(self, start: int, hops: tuple[Hop, ...]) -> GroundedRequirement | None:
        here: Numbers = np.array([start])
        for hop in hops:
            here = self._graph.neighbours(here, hop.relation, hop.direction, hop.type)
            if len(here) > MOST_REACHED:
                return None
        return GroundedRequirement(start, hops, frozenset(here.tolist()) - {start})

    def _hop(self, relation: int, direction: Direction, to: int) -> Hop:
        return Hop(self._graph.relations[relation], direction, self._type(to))

    def _type(self, number: int) -> str:
        return str(self._graph.entity_types[int(self._graph.types[number])])


def candidates_of(requirements: Sequence[GroundedRequirement]) -> Numbered:
    """Return the entities that meet all requirements; those that are mentioned are none of them."""
    found = frozenset.intersection(*(each.reached for each in requirements if not each.negated))
    for each in requirements:
        found = found - each.reached if each.negated else found
    return found - {each.start for each in requirements}


def all_matter(requirements: Sequence[GroundedRequirement]) -> bool:
    """Say whether each requirement takes candidates away that the others leave."""
    if len(requirements) == 1:
        return True
    found = candidates_of(requirements)
    rest = ([other for other in requirements if other is not each] for each in requirements)
    return all(candidates_of(others) != found for others in rest if any(not one.negated for one in others))


def half_of(id: str) -> Half:
    """Return the half of queries that an entity may be the gold answer of."""
    return "report" if int(digest_of(id)[-1], 16) % 2 else "development"


def _is_turned(first: Hop, then: Hop) -> bool:
    """Say whether the second hop goes back as the first came: that is a shared neighbour, a shape of its own."""
    return first.relation == then.relation and first.direction != then.direction


def _answering_types(base: BuiltKnowledgeBase) -> frozenset[int]:
    candidates = base.description.candidate_types or tuple(base.entity_types)
    return frozenset(base.graph.type(each) for each in candidates if base.entity_types.get(each, 0) >= LEAST_ENTITIES)


def _kinds(graph: Adjacency, answering: Collection[int]) -> tuple[list[_Kind], dict[tuple[int, int, int], Numbers]]:
    """Return the kinds of triples by which end may answer, and the places of the triples of each kind."""
    rows, relations, types = graph.rows["out"], len(graph.relations), len(graph.entity_types)
    if not relations or not len(rows.neighbours):
        return [], {}
    shape = (types, relations, types)
    keys = np.ravel_multi_index((graph.types[rows.owners()], rows.relations, graph.types[rows.neighbours]), shape)
    order = np.argsort(keys, kind="stable")
    found, begins = np.unique(keys[order], return_index=True)
    kinds, places = list[_Kind](), dict[tuple[int, int, int], Numbers]()
    for key, several in zip(found.tolist(), np.split(order, begins[1:]), strict=True):
        source, relation, target = (int(each) for each in np.unravel_index(key, shape))
        if len(several) >= LEAST_TRIPLES:
            places[source, relation, target] = several
            kinds += [
                _Kind(source, relation, target, way, sqrt(len(several)))
                for way, end in _ends(source, target)
                if end in answering
            ]
    return kinds, places


def _ends(source: int, target: int) -> Iterator[tuple[Direction, int]]:
    """Yield the direction of the hop that leads to either end of a triple, and the type of that end."""
    yield "in", source
    yield "out", target
