"""Plans of a query: which requirements it may set, what each combination of them leads to, and what speaks for it.

Mentions are linked, and paths from answers to them proposed. The trained parser of questions over tables
(`indexers.models.semantic_parser`) reads the entities of a type as a table, whose columns are these paths and their
attributes: it says how probable each condition is, negated or not, and whether an order is asked for. That is one group
of features of a plan among others; `PlanModel` weighs them.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np

from heliograph.protocols import Vectors
from heliograph.text.units import is_missing
from heliograph.text.words import content_stems
from heliograph.types import CONDITION_OPERATORS, TABLE_OPERATIONS, ConditionOperator, Slots, TableQuestion
from indexers.skb.adjacency import Adjacency, Numbers
from tools.arithmetic.plans import (
    ALL,
    LIMIT,
    NAMED,
    NONE,
    SOME,
    UNNAMED,
    CandidateCondition,
    candidate_conditions,
    table_question,
)
from tools.arithmetic.sheet import Sheet
from tools.skb.planning.conditions import (
    NEAR,
    ROW_NAMES,
    FigureRange,
    Mask,
    PathCondition,
    TypeSchema,
    figure_ranges,
    follow,
    path_name,
    rows_certain_to_meet,
    typed_path,
)
from tools.skb.planning.denials import Denials, relations_of_names, span_of
from tools.skb.planning.linking import EntityMention
from tools.skb.planning.model import Floats, ScoredPlan, features

MOST_PATHS, MOST_ATTRIBUTES, MOST_CONDITIONS = 9, 6, 6
"""Paths and attributes that the parser is shown, and conditions of one mention: those most like the query."""
MOST_OPTIONS, MOST_PLANS = 5, 50
"""Ways to take one mention, and combinations of all, that are tried further."""
LEFT, RIGHT = 6, 4
"""Words around a mention that are compared with a path."""
SAID, LONGER = 0.3, 0.15
"""How much likelier a path is whose relations are said, and less likely one of two hops, when some are chosen."""
LIKELY, LEAST_LIKELY = -3.0, -8.0
"""Logarithms of probabilities: from which an order is tried, and below which they are not told apart."""
SAMPLE = 24
"""Characters of a value that a column is shown with."""
_SAID = {ALL: "value_said", SOME: "value_part", NONE: "value_unsaid", LIMIT: "limit"}
"""The feature of a value by how much of it the query says."""

PlanCondition = PathCondition | CandidateCondition


@dataclass(frozen=True, slots=True)
class SetCondition:
    """A condition of a plan; `operator` is how an answer stands to it: `is` or `not` for paths."""

    condition: PlanCondition
    operator: ConditionOperator


@dataclass(frozen=True, slots=True)
class Plan:
    """What a query may ask for: entities of a type that meet conditions, or of these the first in an order.

    Attributes:
        unused: mentions that it passes over.
        order: "most" or "least" with the name of an attribute, or empty.
        header: names of the attributes that conditions have by their place.
        first: how many are asked for where there is an order, and those equal to the last of them.
        united: the types of its answers where they are several (`unions.py`).
    """

    type: str
    conditions: tuple[SetCondition, ...]
    unused: tuple[EntityMention, ...]
    order: str
    header: tuple[str, ...]
    scored: ScoredPlan
    first: int = 1
    united: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeReading:
    """A query read as asking for entities of one type.

    Attributes:
        type: of the answers.
        entities: all of the type, ascending.
        texts: their scores, shape (entities, TEXTS).
        sheet: their attributes as a table, if they have any and are not too many.
        paths: conditions that they are joined to what is mentioned.
        said: the features `type_…`.
    """

    type: str
    entities: Numbers
    texts: Floats
    sheet: Sheet | None
    paths: Sequence[PathCondition]
    said: Floats


class Phrases:
    """Texts whose vectors are wanted: named first, embedded together, and then compared."""

    def __init__(self) -> None:
        self._vectors = dict[str, Vectors]()
        self._wanted = dict[str, None]()

    def __len__(self) -> int:
        """Return how many texts have vectors."""
        return len(self._vectors)

    def want(self, text: str) -> None:
        """Ask for the vector of a text."""
        if text not in self._vectors:
            self._wanted[text] = None

    def take(self) -> list[str]:
        """Return the texts that have no vector yet, and wait for theirs no more if none is added."""
        wanted, self._wanted = list(self._wanted), {}
        return wanted

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep the vectors of texts."""
        self._vectors.update(zip(texts, vectors, strict=True))

    def likeness(self, first: str, second: str) -> float:
        """Return the cosine of two texts."""
        return float(self._vectors[first] @ self._vectors[second])


@dataclass(frozen=True, slots=True, eq=False)
class _Option:
    """One way to take a mention: to set a condition, both bounds of a range, or none."""

    features: Floats
    set: tuple[SetCondition, ...] = ()
    unused: EntityMention | None = None


class PlanSearch:
    """The plans of one query for one type of answers; it blocks, so use it in a thread.

    When it is made it wants phrases embedded; then `question` is what the parser is to read, and `plans` returns.
    """

    def __init__(
        self, graph: Adjacency, schema: TypeSchema, query: str, reading: TypeReading, phrases: Phrases
    ) -> None:
        self._graph, self._schema, self._query, self._reading, self._phrases = graph, schema, query, reading, phrases
        self._stems = frozenset(content_stems(query))
        self._masks = dict[SetCondition, Mask]()
        self._ranges = dict[CandidateCondition, tuple[FigureRange, ...]]()
        self._masked = self._with_types()
        self._denials = Denials(query, relations_of_names(reading.paths, graph), phrases.likeness)
        for phrase in self._compared():
            phrases.want(phrase)

    @cached_property
    def question(self) -> TableQuestion:
        """What the parser reads: names, the paths and attributes most like the query, and what may be set of each."""
        columns = [f"{UNNAMED} {self._reading.type} (name: )"]
        columns += [f"{self._mark(name)} {name} (text: {value[:SAMPLE]})" for name, value in self._columns.items()]
        table = table_question(self._query, self._sheet, self._values) if self._sheet else TableQuestion("", "", (), ())
        paths = (tuple(map(self._shown, group)) for group in self._paths)
        about = f"{self._reading.type}s"
        return TableQuestion(self._query, about, (*columns, *table.columns), (*paths, *table.conditions))

    def plans(self, slots: Slots, weights: Floats, *, relaxed: bool = True) -> list[Plan]:
        """Return plans that lead anywhere; weights choose which combinations are tried, unrelaxed only the best."""
        groups: list[Sequence[PlanCondition]] = [*self._paths, *self._values]
        options = [
            sorted(self._options(group, shares), key=lambda each: -float(each.features @ weights))
            for group, shares in zip(groups, slots.mentions, strict=False)
        ]
        beam: list[tuple[_Option, ...]] = [()]
        for several in options:
            kept = [*several[:MOST_OPTIONS], *(each for each in several[MOST_OPTIONS:] if not each.set)]
            grown = [(*taken, each) for taken in beam for each in kept]
            beam = sorted(grown, key=lambda taken: -sum(float(each.features @ weights) for each in taken))[:MOST_PLANS]
        nothing = tuple(next(each for each in several if not each.set) for several in options)
        tried = dict.fromkeys((*beam, nothing)) if relaxed else beam[:1]
        return [plan for taken in tried for plan in self._carried_out(taken, slots)]

    def _carried_out(self, taken: Sequence[_Option], slots: Slots) -> Iterator[Plan]:
        """Yield a plan if any entity meets it; and those that order what meets it, if an order may be asked for."""
        conditions = tuple(one for each in taken for one in each.set)
        unused = tuple(each.unused for each in taken if each.unused)
        met = np.ones(len(self._reading.entities), dtype=bool)
        idle = 0
        for each in conditions:
            left = met & self._mask(each)
            idle += int(left.sum() == met.sum())
            met = left
        met = self._without_mentioned(met, conditions)
        if not met.any():
            return
        known = sum((each.features for each in taken), self._reading.said)
        known = known + features(unconditional=not conditions, idle=idle)
        share = dict(zip(TABLE_OPERATIONS, slots.operation, strict=True))
        lists = float(np.logaddexp(share["find"], share["count"]))
        yield self._plan(conditions, unused, "", met, known + features(operation=max(lists, LEAST_LIKELY)))
        for operation in ("most", "least"):
            if share[operation] > LIKELY and self._sheet:
                yield from self._ordered(conditions, unused, operation, met, known, share[operation], slots)

    def _ordered(
        self,
        conditions: tuple[SetCondition, ...],
        unused: tuple[EntityMention, ...],
        operation: str,
        met: Mask,
        known: Floats,
        share: float,
        slots: Slots,
    ) -> Iterator[Plan]:
        """Yield plans that take the first of what meets conditions by one of the two likeliest attributes."""
        assert self._sheet is not None  # nothing is ordered without attributes
        before = 1 + len(self._columns)
        for place in np.argsort(slots.ordering)[::-1][:2].tolist():
            if not before <= place < before + len(self._sheet.columns):
                continue
            column = self._sheet.columns[place - before]
            values = {row: value.low for row, value in enumerate(column.values) if value and met[row]}
            if column.kind != "text" and values:
                best = (max if operation == "most" else min)(values.values())
                first = np.zeros_like(met)
                first[[row for row, value in values.items() if value == best]] = True
                sure = features(order=1, order_sure=max(slots.ordering[place], LEAST_LIKELY), operation=share)
                yield self._plan(conditions, unused, f"{operation} {column.name}", first, known + sure)

    def _plan(
        self,
        conditions: tuple[SetCondition, ...],
        unused: tuple[EntityMention, ...],
        order: str,
        met: Mask,
        known: Floats,
    ) -> Plan:
        texts = self._reading.texts[met]
        rest, words, beside, stated, _ = texts.max(0)
        among = features(text_among=rest, words_among=words, beside_among=beside, stated_among=stated)
        known = known + features(answers=math.log(len(texts))) + among
        scored = ScoredPlan(known, self._reading.entities[met], texts)
        return Plan(self._reading.type, conditions, unused, order, self._header, scored)

    def _options(self, group: Sequence[PlanCondition], shares: Sequence[float]) -> Iterator[_Option]:
        """Yield the ways to take a mention: its conditions by what the parser says of each, and to set none."""
        if pairs := self._ranges.get(group[0]) if isinstance(group[0], CandidateCondition) else None:
            yield from self._bounded(group, pairs, shares)
            return
        said = defaultdict[tuple[int, ConditionOperator], float](lambda: -math.inf)
        for place, share in enumerate(shares[1:]):
            number, operator = divmod(place, len(CONDITION_OPERATORS))
            if number < len(group) and (key := _operator(group[number], CONDITION_OPERATORS[operator])):
                said[number, key] = float(np.logaddexp(said[number, key], share))
        for (number, key), share in said.items():
            known = features(set=max(share, LEAST_LIKELY)) + self._known(group[number], key)
            yield _Option(known, (SetCondition(group[number], key),))
        yield self._passed_over(group[0], max(shares[0], LEAST_LIKELY))

    def _bounded(
        self, group: Sequence[PlanCondition], ranges: Sequence[FigureRange], shares: Sequence[float]
    ) -> Iterator[_Option]:
        """Yield the attributes that a range may be of, as likely as the parser has any condition of its lower bound."""
        width = len(CONDITION_OPERATORS)
        for number, each in enumerate(ranges):
            own = shares[1 + number * width : 1 + (number + 1) * width]
            known = features(set=max((*own, LEAST_LIKELY))) + self._known(each.low, "at_least")
            yield _Option(known, (SetCondition(each.low, "at_least"), SetCondition(each.high, "at_most")))
        yield self._passed_over(group[0], max(shares[0], LEAST_LIKELY))

    def _known(self, condition: PlanCondition, operator: ConditionOperator) -> Floats:
        """Return what speaks for a condition, but for the parser."""
        denied = self._is_denied(condition)
        negation = features(
            negated=operator == "not" and denied,
            negated_uncued=operator == "not" and not denied,
            cue_ignored=denied and operator != "not",
        )
        if isinstance(condition, CandidateCondition):
            return negation + features(
                **{_SAID[condition.said]: 1.0},
                attribute_meaning=self._attribute_likeness(self._header[condition.column]),
            )
        mention, hops, start = condition.mention, condition.requirement.hops, condition.requirement.start
        one, meaning = len(hops) == 1, self._likeness(condition)
        share = math.log(max(self._schema.share(self._kind(condition), hops), 1e-3))
        return negation + features(
            one_hop=one,
            two_hops=not one,
            three_hops=len(hops) > NEAR,
            meaning_one=meaning * one,
            meaning_two=meaning * (not one),
            nearby=self._phrases.likeness(self._around(condition), self._spelled(condition)),
            part_used=not (mention.whole or mention.is_described),
            small_used=not mention.is_described and mention.text[:1].islower(),
            described_used=mention.is_described,
            described_alike=mention.is_described and self._kind(condition) == self._reading.type,
            described_meaning=mention.cosine,
            several=len(start) > 1,
            share_one=share * one,
            share_two=share * (not one),
        )

    def _passed_over(self, condition: PlanCondition, share: float) -> _Option:
        if isinstance(condition, CandidateCondition):
            return _Option(features(unset=share, figure_unused=condition.said == LIMIT))
        mention = condition.mention
        if mention.is_described:
            return _Option(features(unset=share))
        letters = min(mention.end - mention.start, 30) / 10
        known = features(unset=share, name_unused=mention.whole, part_unused=not mention.whole, letters_unused=letters)
        return _Option(known, unused=mention)

    def _is_denied(self, condition: PlanCondition) -> bool:
        """Say whether a denial stands at a mention or a little before a value; of unsaid values whether any stands."""
        if isinstance(condition, PathCondition):
            return self._denials.deny(span_of(condition.mention))
        return self._denials.deny_word(condition.words[0]) if condition.words else bool(self._denials)

    def _mask(self, each: SetCondition) -> Mask:
        if each not in self._masks:
            self._masks[each] = self._computed_mask(each)
        return self._masks[each]

    def _computed_mask(self, each: SetCondition) -> Mask:
        condition, met = each.condition, np.zeros(len(self._reading.entities), dtype=bool)
        if isinstance(condition, PathCondition):
            reached = follow(self._graph, condition.requirement.start, condition.requirement.hops)
            met[np.searchsorted(self._reading.entities, reached)] = True
            return ~met if each.operator == "not" else met
        assert self._sheet is not None  # its conditions come from it
        rows = rows_certain_to_meet(condition, each.operator, self._sheet)
        for row in self._sheet.rows:
            met[row] = self._sheet.id(row) in rows
        return met

    def _without_mentioned(self, met: Mask, conditions: Sequence[SetCondition]) -> Mask:
        """Leave what conditions start from out of the answers, unless nothing else meets them: "other moons"."""
        paths = [each.condition for each in conditions if isinstance(each.condition, PathCondition)]
        own = sorted({number for each in paths for number in each.requirement.start})
        others = met & ~np.isin(self._reading.entities, own)
        return others if others.any() else met

    @cached_property
    def _sheet(self) -> Sheet | None:
        """The attributes most like the query, without the names of entities."""
        whole = self._reading.sheet
        if whole is None:
            return None
        order = sorted(whole.columns[len(ROW_NAMES) :], key=lambda each: -self._attribute_likeness(each.name))
        return replace(whole, columns=tuple(order[:MOST_ATTRIBUTES]), named=False)

    @cached_property
    def _header(self) -> tuple[str, ...]:
        """The names of all columns of attributes."""
        return self._reading.sheet.table.header if self._reading.sheet else ()

    @cached_property
    def _values(self) -> list[tuple[CandidateCondition, ...]]:
        """What the query may say of attributes, but for words that are within a name."""
        names = [each.mention for group in self._paths for each in group[:1] if each.mention.whole]

        def is_free(each: CandidateCondition) -> bool:
            within = any(name.start <= at < name.end for name in names for at in each.words)
            return not within and not is_missing(each.value)

        groups = candidate_conditions(self._query, self._sheet) if self._sheet else ()
        found = [group for each in groups if (group := tuple(filter(is_free, each)))]
        for ranges in figure_ranges(self._query, found):
            low, high = ({getattr(each, end).words for each in ranges} for end in ("low", "high"))
            kept = [group for group in found if group[0].words not in low | high]
            found = [*kept, tuple(each.low for each in ranges)]
            self._ranges[ranges[0].low] = ranges
        return found

    @cached_property
    def _paths(self) -> list[tuple[PathCondition, ...]]:
        """The conditions of each mention that are most like the query, of as many kinds as the parser is shown."""
        by_mention = defaultdict[tuple[int, int], list[PathCondition]](list)
        for each in self._reading.paths:
            by_mention[each.mention.start, each.mention.end].append(each)
        likely = [sorted(several, key=lambda each: -self._likeness(each)) for several in by_mention.values()]
        shown = (tuple(each for each in several if _name(each, self._graph) in self._columns) for several in likely)
        return [group[:MOST_CONDITIONS] for group in shown if group]

    @cached_property
    def _columns(self) -> dict[str, str]:
        """The names of the paths that are shown, each with a value: one of each whole name, and the likeliest.

        A name of which no path is shown could be neither required nor passed over.
        """
        likely = sorted(self._reading.paths, key=lambda each: -self._likeness(each))
        named = [(_name(each, self._graph), each) for each in likely]
        own, found = dict[int, str](), dict[str, str]()
        for name, each in named:
            if each.mention.whole:
                own.setdefault(each.mention.start, name)
        shown = set(islice(dict.fromkeys((*own.values(), *(name for name, _ in named))), MOST_PATHS))
        for name, each in named:
            if name in shown:
                found.setdefault(name, each.value)
        return found

    def _likeness(self, condition: PathCondition) -> float:
        """Return how much a path is like the query with types in place of names, raised where words of it are said."""
        hops = condition.requirement.hops
        words = [word for hop in hops for word in content_stems(hop.relation.replace("_", " "))]
        said = sum(word in self._stems for word in words) / max(1, len(words))
        return self._phrases.likeness(self._masked, self._spelled(condition)) + SAID * said - LONGER * (len(hops) - 1)

    def _attribute_likeness(self, name: str) -> float:
        words = content_stems(name)
        said = sum(word in self._stems for word in words) / max(1, len(words))
        return self._phrases.likeness(self._query, name) + said

    def _compared(self) -> Iterator[str]:
        """Yield the phrases that are compared."""
        yield from (self._query, self._masked)
        for each in self._reading.paths:
            yield from (self._spelled(each), self._around(each))
        if self._reading.sheet:
            yield from (each.name for each in self._reading.sheet.columns[len(ROW_NAMES) :])
        yield from self._denials.compared()

    def _with_types(self) -> str:
        """Return the query with the types of what it mentions in place of names."""
        found = self._query
        named = {each.mention for each in self._reading.paths if not each.mention.is_described}
        for mention in sorted(named, key=lambda each: -each.start):
            kind = self._graph.entity_types[self._graph.types[mention.entities[0]]]
            found = found[: mention.start] + kind + found[mention.end :]
        return found

    def _around(self, condition: PathCondition) -> str:
        """Return some words on either side of a mention, with its type in its place."""
        mention = condition.mention
        if mention.is_described:
            return self._masked
        left, right = self._query[: mention.start].split()[-LEFT:], self._query[mention.end :].split()[:RIGHT]
        return " ".join((*left, self._kind(condition), *right))

    def _mark(self, name: str) -> str:
        return NAMED if any(word in self._stems for word in content_stems(name)) else UNNAMED

    def _shown(self, condition: PathCondition) -> str:
        mark = NONE if condition.mention.is_described else ALL
        return f"{mark} {_name(condition, self._graph)} {condition.value}"

    def _kind(self, condition: PathCondition) -> str:
        return _kind(condition, self._graph)

    def _spelled(self, condition: PathCondition) -> str:
        return typed_path(condition.requirement.hops, self._kind(condition))


def _kind(condition: PathCondition, graph: Adjacency) -> str:
    kind: int = graph.types[condition.requirement.start[0]]
    return graph.entity_types[kind]


def _name(condition: PathCondition, graph: Adjacency) -> str:
    return path_name(condition.requirement.hops, _kind(condition, graph))


def _operator(condition: PlanCondition, operator: ConditionOperator) -> ConditionOperator | None:
    """Return how a condition is set: above and below are of figures alone, and to have is to be joined to."""
    if isinstance(condition, CandidateCondition):
        return operator if condition.said == LIMIT or operator in ("is", "has", "not") else None
    if operator in ("is", "has"):
        return "is"
    return "not" if operator == "not" else None
