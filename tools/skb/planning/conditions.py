"""What a query may require of the entities of one type: paths to what it mentions, and values of their attributes.

Attributes are read as a table is (`tools.arithmetic`): figures in their units, dates, yes and no, and words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby, islice, pairwise

import numpy as np
import numpy.typing as npt

from heliograph.errors import CalculationError, Undecided
from heliograph.text.units import BARE, parse_measure
from heliograph.text.words import content_stems
from heliograph.types import (
    Cell,
    ConditionOperator,
    Entity,
    EvidenceId,
    Hop,
    PageKey,
    Place,
    Requirement,
    TableEvidence,
)
from heliograph.types.knowledge import Attribute
from indexers.skb.adjacency import WAYS, Adjacency, Numbers
from tools.arithmetic.plans import LIMIT, CandidateCondition, condition_of, rows_meeting
from tools.arithmetic.resolution import certain_rows
from tools.arithmetic.sheet import Sheet, sheet_of
from tools.skb.entity_documents import SpelledTriple, spelled_out, spelled_triple
from tools.skb.planning.linking import EntityMention
from tools.skb.traversal import TURNED

NEAR, FAR = 2, 3
"""Hops of a path from an answer to what a query mentions; and of one whose every step the query says a word of."""
MOST_KINDS = 24
"""Kinds of relations of a type that are followed whatever a query says: a base made of tables has thousands."""
MOST_WAYS = 40
"""Ways of several hops, from entities of one type that a mention may name, that are compared with a query."""
MOST_ROLES = 12
"""Kinds of relations by which a type is known beside its name."""
MOST_TRIED = 6
"""Entities of a mention that are tried one by one; all of them together are tried as well."""
MOST_FOLLOWED, SAMPLED = 50_000, 500
"""Entities of a type up to which paths from all of them are followed, and those that stand for a larger type."""
MOST_ROWS = 5_000
"""Entities of a type up to which their attributes are read; of larger types attributes are no conditions."""
BEFORE = 3
"""Words before a figure among which "between" makes it the lower bound of a range."""
ROW_NAMES = ("entity", "number")
"""Columns before the attributes. A name such as "All" there would make its row one of totals."""
SAME = "the same as"
"""What a path without hops says."""
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
        self._to = {type: _by_type(hops) for type, hops in self._hops.items()}
        self._said: tuple[Set[str], dict[str, tuple[int, ...]]] = frozenset(), {}

    def ways(
        self, answers: str, mentioned: str, said: Set[str], first: Set[Hop] | None = None
    ) -> Iterator[tuple[Hop, ...]]:
        """Yield hops from a mentioned type to that of the answers: NEAR at most, or FAR where stems of all are said.

        Args:
            first: the hops that what is mentioned has; None are all of its type.
        """
        yield from _Ways(self, mentioned, said, first).to(answers)

    def hops_back(self, here: str, said: Set[str], types: Set[str] | None) -> Iterator[Hop]:
        """Yield the hops from a type that lead to one of some types, or that a query says, the most frequent first."""
        hops = self._hops.get(here, [])
        if types is None:
            yield from hops
            return
        to = self._to.get(here, {})
        near = chain.from_iterable(to[each] for each in types if each in to)
        yield from (hops[place] for place in sorted({*near, *self._places_said(here, said)}))

    def _places_said(self, here: str, said: Set[str]) -> tuple[int, ...]:
        """Return which hops from a type the last query says a word of."""
        if self._said[0] != said:
            self._said = said, {}
        if here not in self._said[1]:
            hops = enumerate(self._hops.get(here, ()))
            self._said[1][here] = tuple(place for place, hop in hops if is_said(hop, said))
        return self._said[1][here]

    def roles(self, type: str) -> tuple[str, ...]:
        """Return what entities of a type do or are, in words: the type with its most frequent relations."""
        return tuple(_role(type, each) for each in self._hops.get(type, ())[:MOST_ROLES])

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


def _by_type(hops: Sequence[Hop]) -> Mapping[str, Sequence[int]]:
    found = dict[str, list[int]]()
    for place, hop in enumerate(hops):
        found.setdefault(hop.type, []).append(place)
    return found


def is_said(back: Hop, said: Set[str], mentioned: str = "") -> bool:
    """Say whether a query says a word of a relation, or of a type on the way, which the mentioned one is not."""
    kind = frozenset[str]() if back.type == mentioned else _words_of(back.type)
    return not said.isdisjoint(_words_of(back.relation) | kind)


class _Ways:
    """Hops from one mentioned type, found backwards from the answers; only those are tried that may lead there."""

    def __init__(self, schema: TypeSchema, mentioned: str, said: Set[str], first: Set[Hop] | None) -> None:
        self._schema, self._mentioned, self._said, self._first = schema, mentioned, said, first
        self._beside = None if first is None else {each.type for each in first}
        self._types = None if self._beside is None else {*self._beside, mentioned}
        self._proposed = dict[tuple[str, bool], tuple[Hop, ...]]()

    def to(self, here: str, behind: tuple[Hop, ...] = (), *, told: bool = True) -> Iterator[tuple[Hop, ...]]:
        """Yield hops from the mentioned type to one on the way, followed by those behind it."""
        last = len(behind) + 1 == (FAR if told else NEAR)
        for back in self._hops_back(here, last=last):
            hops = (Hop(back.relation, TURNED[back.direction], here), *behind)
            said = told and self._is_said(back)
            if back.type == self._mentioned and (len(hops) <= NEAR or said) and self._is_first(hops[0]):
                yield hops
            beside = self._beside is None or back.type in self._beside
            if (len(hops) < NEAR and beside) or (said and (beside or len(hops) < NEAR) and len(hops) < FAR):
                yield from self.to(back.type, hops, told=said)

    def _hops_back(self, here: str, *, last: bool) -> tuple[Hop, ...]:
        """Return the most frequent hops from a type, and as many of the others that the query says a word of.

        A last one leads to the mentioned type. They are found once: paths come past the same types hundreds of times.
        """
        if (here, last) not in self._proposed:
            types = {self._mentioned} if last and self._types is not None else self._types
            tried = self._schema.hops_back(here, self._said, types)
            known = [each for each in tried if self._may_lead_on(each, here, last=last)]
            others = (each for each in known[MOST_KINDS:] if self._is_said(each))
            self._proposed[here, last] = (*known[:MOST_KINDS], *islice(others, MOST_KINDS))
        return self._proposed[here, last]

    def _may_lead_on(self, back: Hop, here: str, *, last: bool) -> bool:
        if back.type == self._mentioned and self._is_first(Hop(back.relation, TURNED[back.direction], here)):
            return True
        return not last and (self._beside is None or back.type in self._beside or self._is_said(back))

    def _is_first(self, hop: Hop) -> bool:
        return self._first is None or hop in self._first

    def _is_said(self, back: Hop) -> bool:
        return is_said(back, self._said, self._mentioned)


def _role(type: str, hop: Hop) -> str:
    """Return a relation of a type in words, this first."""
    if hop.direction == "out":
        return spelled_triple(type, hop.relation, hop.type).typed
    said = spelled_triple(hop.type, hop.relation, type)
    return f"{type} {said.source} {said.relation}"


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
    if not hops:
        return ()
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
    walks = _Walks(graph)
    for mention in mentions:
        by_type = groupby(sorted(mention.entities, key=lambda each: graph.types[each]), lambda each: graph.types[each])
        for kind, group in by_type:
            several = tuple(group)
            tried: list[tuple[int, ...]] = [(each,) for each in several[:MOST_TRIED]]
            if len(several) > 1:
                tried.append(several)
            mentioned = graph.entity_types[kind]
            for hops in _likeliest(schema.ways(type, mentioned, said, _first_hops(graph, several)), said):
                for start in tried:
                    if _leads_on(walks.end(start, hops), start):
                        value = names[start[0]] if len(start) == 1 else mention.text
                        found.append(PathCondition(mention, Requirement(start, hops), value))
    return found


def _likeliest(ways: Iterable[tuple[Hop, ...]], said: Set[str]) -> Sequence[tuple[Hop, ...]]:
    """Return ways, each once: those of one hop, and of very many others those that the query says the most words of."""
    found = list(dict.fromkeys(ways))
    near, far = ([hops for hops in found if (len(hops) > 1) is longer] for longer in (False, True))
    if len(far) <= MOST_WAYS:
        return found

    def likeness(hops: tuple[Hop, ...]) -> tuple[float, int]:
        words = frozenset[str]().union(*(_words_of(hop.relation) for hop in hops))
        return -len(words & said) / max(1, len(words)), len(hops)

    return [*near, *sorted(far, key=likeness)[:MOST_WAYS]]


def _first_hops(graph: Adjacency, start: Sequence[int]) -> frozenset[Hop]:
    """Return the hops that some entities have."""
    found = set[Hop]()
    for way in WAYS:
        rows = graph.rows[way]
        spans = [slice(*rows.span(each)) for each in start]
        relations = np.concatenate([rows.relations[each] for each in spans]).astype(np.int64)
        kinds = graph.types[np.concatenate([rows.neighbours[each] for each in spans])]
        pairs = np.unique(relations * len(graph.entity_types) + kinds)
        for relation, kind in zip(*np.divmod(pairs, len(graph.entity_types)), strict=True):
            found.add(Hop(graph.relations[relation], way, graph.entity_types[kind]))
    return frozenset(found)


class _Walks:
    """What hops lead to, each step from the same entities followed once."""

    def __init__(self, graph: Adjacency) -> None:
        self._graph = graph
        self._ends = dict[tuple[tuple[int, ...], tuple[Hop, ...]], Numbers]()

    def end(self, start: tuple[int, ...], hops: tuple[Hop, ...]) -> Numbers:
        if not hops:
            return np.asarray(start)
        if (start, hops) not in self._ends:
            self._ends[start, hops] = follow(self._graph, self.end(start, hops[:-1]), hops[-1:])
        return self._ends[start, hops]


def _leads_on(reached: Numbers, start: tuple[int, ...]) -> bool:
    """Say whether entities, each once, are others than those of the start."""
    return len(reached) > len(start) or not set(start).issuperset(reached.tolist())


def spelled_hops(hops: Sequence[Hop], mentioned: str) -> tuple[SpelledTriple, ...]:
    """Return hops in words, in their order: the first begins at the mentioned type."""
    ends = pairwise((mentioned, *(hop.type for hop in hops)))
    return tuple(
        spelled_triple(*((here, hop.relation, there) if hop.direction == "out" else (there, hop.relation, here)))
        for hop, (here, there) in zip(hops, ends, strict=True)
    )


def spelled_path(hops: Sequence[Hop], mentioned: str) -> str:
    """Return a path in words, the answer first: "moon orbits planet", "person discovered moon, moon orbits planet"."""
    return ", ".join(each.phrase for each in reversed(spelled_hops(hops, mentioned))) or SAME


def typed_path(hops: Sequence[Hop], mentioned: str) -> str:
    """Return a path as it is compared with queries: with both types of every hop, even if its relation says them."""
    return ", ".join(each.typed for each in reversed(spelled_hops(hops, mentioned))) or SAME


def relation_words(hops: Sequence[Hop], mentioned: str) -> tuple[str, ...]:
    """Return the relations of hops without the types of the answers and of what lies behind them.

    What a relation of the answers leads to stands in its name alone, and tells it from others.
    """
    return tuple(
        said.relation if hop.direction == "out" else said.of_source
        for hop, said in zip(hops, spelled_hops(hops, mentioned), strict=True)
    )


def path_name(hops: Sequence[Hop], mentioned: str) -> str:
    """Return what a column of a path is called: a relation of the answers by its words, one to them behind its type."""
    parts = (
        " ".join(filter(None, (said.ends[0], words))) if hop.direction == "out" else words
        for hop, said, words in zip(hops, spelled_hops(hops, mentioned), relation_words(hops, mentioned), strict=True)
    )
    return ", ".join(reversed(tuple(parts))) or SAME


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
            *(Cell(attribute_text(own.get(name, ""))) for name in names),
        )
        for entity, own in zip(entities, attributes, strict=True)
    )
    place = Place(PageKey("skb:" + type), type, "")
    return sheet_of(AttributeTable(EvidenceId(f"skb:{type}#t1"), place, "table", "", header, rows))


def column_name(attribute: str) -> str:
    """Return the name of a column as people write it: "mass (kg)" for `mass_kg`, "speed walk" for `speed.walk`.

    One that states its unit in brackets is written so already.
    """
    if attribute.endswith(")"):
        return attribute
    words = spelled_out(attribute).split()
    measure = parse_measure(words[-1]) if len(words) > 1 else None
    return " ".join(words) if measure in (None, BARE) else f"{' '.join(words[:-1])} ({words[-1]})"


def attribute_text(value: Attribute) -> str:
    """Return an attribute as a table has it: figures with 15 digits at most, and yes or no for true or false."""
    return f"{value:.15g}" if isinstance(value, float) else _NAMED_VALUES.get(value, value)


def rows_certain_to_meet(condition: CandidateCondition, operator: ConditionOperator, sheet: Sheet) -> frozenset[str]:
    """Return the ids of the entities that meet a condition; one whose cell cannot be read does not, nor if none can."""
    try:
        return frozenset(rows_meeting(condition, operator, sheet))
    except Undecided:
        return frozenset(certain_rows(condition_of(condition, operator, sheet), sheet.table))
    except CalculationError:
        return frozenset()


@dataclass(frozen=True, slots=True)
class FigureRange:
    """The two bounds that a query sets to an attribute: "between 1970 and 1980"."""

    low: CandidateCondition
    high: CandidateCondition


def figure_ranges(query: str, groups: Sequence[tuple[CandidateCondition, ...]]) -> Iterator[tuple[FigureRange, ...]]:
    """Yield for each "between … and …" of a query what it may mean, one range per attribute.

    A lower bound without a unit has that of the upper one: "between 10 and 20 km".
    """
    limits = sorted((group for group in groups if group[0].said == LIMIT), key=lambda group: group[0].words)
    last: tuple[CandidateCondition, ...] = ()
    for low, high in pairwise(limits):
        first, second = low[0].words[0], high[0].words[0]
        before = query[:first].casefold().split()[-BEFORE:]
        if low is last or "between" not in before or "and" not in query[first:second].casefold().split():
            continue
        upper = {each.column: each for each in high}
        found = tuple(
            FigureRange(replace(each, value=_in_unit(each.value, upper[each.column].value)), upper[each.column])
            for each in low
            if each.said == LIMIT and each.column in upper
        )
        if found:
            last = high
            yield found


def _in_unit(figure: str, other: str) -> str:
    unit = other.partition(" ")[2]
    return f"{figure} {unit}" if unit and figure.replace(".", "").replace(",", "").isdigit() else figure
