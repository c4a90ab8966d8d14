"""A plan that a language model wrote, carried out: what it names is looked up, and what it sets becomes a `Plan`.

Nothing is guessed: a type, a relation, a handle or an attribute that was not shown refuses the plan, with every reason.
What it names rightly and no entity meets is relaxed: conditions are taken in their order, and one that would leave
nothing is passed over and told (the ladder of STaRK's relational requirements, from all to none).
"""

import asyncio
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heliograph.errors import Undecided, UnknownName, UsageError
from heliograph.types import ConditionOperator, Hop, Requirement
from indexers.skb.adjacency import Numbers
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from prompts.harmless import clipped
from tools.arithmetic.plans import LIMIT, CandidateCondition, rows_meeting
from tools.arithmetic.sheet import Sheet
from tools.skb.planning.answers import OPERATORS, condition_line
from tools.skb.planning.conditions import (
    MOST_FOLLOWED,
    ROW_NAMES,
    Mask,
    PathCondition,
    follow,
    path_name,
    rows_certain_to_meet,
    turned,
)
from tools.skb.planning.linking import EntityMention
from tools.skb.planning.model import Floats, ScoredPlan, features
from tools.skb.planning.plans import Plan, SetCondition
from tools.skb.planning.replies import WrittenEntityPlan, WrittenOrder, WrittenRequirement
from tools.skb.planning.retrieval import PlannedQuery, PlanRetriever
from tools.skb.planning.schema_frame import SchemaFrame, is_called

DESCRIBED, LEAST_SHARE = 5, 0.25
"""Entities that words of a condition may describe, and the share of the likeliest that each of them has at least."""
MOST_READINGS = 25
"""Combinations of such entities that are carried out."""
MOST_SHOWN = 40
"""Names that a reason lists."""
_NEGATED: dict[ConditionOperator, ConditionOperator] = {
    "is": "not", "not": "is", "has": "not", "above": "at_most", "at_most": "above", "below": "at_least",
    "at_least": "below",
}  # fmt: skip
_STANDS: dict[str, ConditionOperator] = {
    "is": "is", "is_not": "not", "contains": "has", "above": "above", "at_least": "at_least", "below": "below",
    "at_most": "at_most",
}  # fmt: skip
_HANDLE = re.compile(r"\W*([HN]?)\s*(\d{1,6})\W*", re.IGNORECASE)
_FIGURE = re.compile(r"\d{1,9}(?:\.\d+)?")


class PlanRefused(UsageError):
    """A plan names what was not shown, or says what cannot be carried out; the message has all reasons."""


@dataclass(frozen=True, slots=True, eq=False)
class _Met:
    """A condition, which entities of the type meet it, those that it names, and how probable this reading of it is."""

    set: SetCondition
    mask: Mask
    named: tuple[int, ...] = ()
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class _Start:
    """What a path leads to: the words that say it, the entities, what they are called together, and how probably."""

    mention: EntityMention
    entities: tuple[int, ...]
    value: str
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """A reading of a written plan, and how probable it is among all of them."""

    plan: Plan
    share: float


@dataclass(frozen=True, slots=True)
class _Path:
    """Hops from the answers to a type."""

    hops: tuple[Hop, ...]
    end: str


class PlanExecution:
    """Carries out plans of one query.

    Args:
        planner: has the attributes of types as tables, and scores the texts of what is left.
        frame: what the model was shown.
    """

    def __init__(self, base: BuiltKnowledgeBase, planner: PlanRetriever, frame: SchemaFrame, query: str) -> None:
        self._base, self._planner, self._frame, self._query = base, planner, frame, query
        self._graph = base.graph

    async def carry_out(self, written: WrittenEntityPlan) -> tuple[CarriedOut, ...]:
        """Return the plan with the entities that it leads to; without conditions and order where it sets none.

        There are several where words describe an entity that may be one or another, the most probable first. Those
        that pass over a condition are none where others do not.

        Raises:
            PlanRefused: it cannot be carried out.
        """
        try:
            type = self._frame.type(written.type)
        except UnknownName as err:
            raise PlanRefused(str(err)) from err
        found, values, reasons = list[tuple[_Met, ...]](), None, list[str]()
        for number, each in enumerate(written.conditions, start=1):
            try:
                found.append(await self._condition(each, type))
            except UsageError as err:
                reasons.append(f"condition {number}: {err}")
        try:
            name, values = await self._ordered(written.order, type)
        except UsageError as err:
            reasons.append(f"order: {err}")
        if reasons:
            raise PlanRefused("\n".join(reasons))
        sheet = await self._planner.sheet(type)
        texts = await self._planner.texts(written.rest.strip() or self._query, type)
        said = f"{written.order.direction} {name}" if values is not None else ""
        every = _likeliest(found)
        plans = await asyncio.to_thread(
            lambda: [self._plan(type, each, said, written.order, values, sheet, texts) for each in every]
        )
        fewest = min(len(each.unused) for each in plans)
        shares = [
            math.prod(one.share for one in each) * (len(plan.unused) == fewest)
            for each, plan in zip(every, plans, strict=True)
        ]
        pairs = zip(plans, shares, strict=True)
        return tuple(CarriedOut(plan, share / sum(shares)) for plan, share in pairs if share)

    def _plan(
        self,
        type: str,
        conditions: Sequence[_Met],
        said: str,
        order: WrittenOrder,
        values: Floats | None,
        sheet: Sheet | None,
        texts: Floats,
    ) -> Plan:
        entities, header = self._graph.of_type(type), sheet.table.header if sheet else ()
        met, kept, unused = np.ones(len(entities), dtype=bool), list[SetCondition](), list[EntityMention]()
        for each in conditions:
            if (met & each.mask).any():
                met &= each.mask
                kept.append(each.set)
            else:
                unused.append(_passed_over(condition_line(each.set, header, self._graph)))
        named = sorted({number for each in conditions for number in each.named})
        others = met & ~np.isin(entities, named)
        met = others if others.any() else met
        if values is not None:
            first = _first(np.where(met, values, np.nan), order)
            if first.any():
                met = first
            else:
                unused.append(_passed_over(said))
                said = ""
        scored = ScoredPlan(features(), entities[met], texts[met])
        return Plan(type, tuple(kept), tuple(unused), said, header, scored, order.first if said else 1)

    async def _condition(self, written: WrittenRequirement, type: str) -> tuple[_Met, ...]:
        """Return the readings of a condition."""
        path = self._path(written.path, type)
        forms = [name for name in ("entities", "words", "attribute") if getattr(written, name)]
        if len(forms) > 1:
            raise UsageError(f"it says both {' and '.join(forms)}; make a condition of each")
        operator = _STANDS[written.relation]
        if written.attribute and not path.hops:
            return (await self._attribute(written, type, _NEGATED[operator] if written.negated else operator),)
        if not forms and written.value:
            return (await self._count(path, type, _NEGATED[operator] if written.negated else operator, written.value),)
        if not path.hops and not written.entities:
            raise UsageError("it has no path and says nothing of the answers; put words of the question into rest")
        starts = await self._described(written.words, path.end) if written.words else [await self._start(written, path)]
        return tuple(
            [await self._joined(each, path, type, written) for each in starts[: 1 if written.negated else None]]
        )

    async def _joined(self, start: _Start, path: _Path, type: str, written: WrittenRequirement) -> _Met:
        condition = PathCondition(start.mention, Requirement(start.entities, turned(path.hops, type)), start.value)
        mask = await asyncio.to_thread(self._mask, condition, type)
        named = start.entities if written.entities and path.hops else ()
        if written.negated:
            return _Met(SetCondition(condition, "not"), ~mask, named, start.share)
        return _Met(SetCondition(condition, "is"), mask, named, start.share)

    async def _start(self, written: WrittenRequirement, path: _Path) -> _Start:
        if written.entities:
            return self._handled(written.entities, path.end)
        whole = EntityMention(0, len(self._query), self._query, (), whole=False)
        if not written.attribute:
            return _Start(whole, self._all(path.end), f"any {path.end}")
        one = await self._attribute(written, path.end, _STANDS[written.relation])
        start = tuple(self._graph.of_type(path.end)[one.mask].tolist())
        said = condition_line(one.set, (await self._sheet(path.end)).table.header, self._graph)
        return _Start(whole, start, f"{path.end} with {said}")

    def _handled(self, handles: Sequence[str], type: str) -> _Start:
        places = dict.fromkeys(self._number(each, "N", len(self._frame.entities)) for each in handles)
        kept = [each for each in map(self._frame.entities.__getitem__, places) if each.entity.type == type]
        if not kept:
            raise UsageError(f"{', '.join(handles)} is no {type}, where the path leads")
        value = " or ".join(dict.fromkeys(each.entity.name for each in kept))
        return _Start(kept[0].mention, tuple(dict.fromkeys(each.entity.number for each in kept)), value)

    async def _described(self, words: str, type: str) -> list[_Start]:
        """Return the entities of a type that words name, or else those that they may describe, the likeliest first."""
        if named := await self._base.named(words, type):
            start = tuple(each.number for each in named)
            return [_Start(EntityMention(0, len(self._query), words, start, whole=True), start, named[0].name)]
        entities, texts = self._graph.of_type(type), await self._planner.texts(words, type)
        every = Plan(type, (), (), "", (), ScoredPlan(features(), entities, texts))
        ranked = await self._planner.rank(PlannedQuery(words, (every,), (1.0,)), DESCRIBED)
        kept = [each for each in ranked if each.score >= LEAST_SHARE * ranked[0].score]
        names = [each.name for each in await self._base.entities([each.item for each in kept])]
        return [
            _Start(
                EntityMention(0, 0, words, (each.item,), whole=False, cosine=each.score), (each.item,), name, each.score
            )
            for each, name in zip(kept, names, strict=True)
        ]

    async def _attribute(self, written: WrittenRequirement, type: str, operator: ConditionOperator) -> _Met:
        sheet = await self._sheet(type)
        condition = CandidateCondition(self._column(written.attribute, sheet, type), written.value, (), LIMIT)
        try:
            rows = frozenset(await asyncio.to_thread(rows_meeting, condition, operator, sheet))
        except Undecided:
            rows = await asyncio.to_thread(rows_certain_to_meet, condition, operator, sheet)
        mask = np.zeros(len(self._graph.of_type(type)), dtype=bool)
        mask[[row for row in sheet.rows if sheet.id(row) in rows]] = True
        return _Met(SetCondition(condition, operator), mask)

    async def _count(self, path: _Path, type: str, operator: ConditionOperator, value: str) -> _Met:
        if not path.hops or operator == "has" or not _FIGURE.fullmatch(value.strip()):
            raise UsageError(
                f"without an attribute a value is the number of entities that a path leads to, not {value!r}"
            )
        counts, figure = await self._counts(path, type), float(value)
        mask = {
            "is": counts == figure, "not": counts != figure, "above": counts > figure, "below": counts < figure,
            "at_least": counts >= figure, "at_most": counts <= figure,
        }[operator]  # fmt: skip
        mention = EntityMention(0, len(self._query), self._query, (), whole=False)
        requirement = Requirement(self._all(path.end), turned(path.hops, type))
        said = "" if operator == "is" else "not " if operator == "not" else f"{OPERATORS[operator]} "
        return _Met(SetCondition(PathCondition(mention, requirement, f"{said}{value} {path.end}"), "is"), mask)

    async def _ordered(self, order: WrittenOrder, type: str) -> tuple[str, Floats | None]:
        """Return what answers are ordered by, and its value for all entities of the type; None without an order."""
        if order.direction == "none":
            return "", None
        if order.path and not order.attribute:
            path = self._path(order.path, type)
            name = path_name(turned(path.hops, type), path.end)
            return f"{path.end} ({name})", await self._counts(path, type)
        if order.path:
            raise UsageError("it has both an attribute and a path; leave one empty")
        sheet = await self._sheet(type)
        column = sheet.columns[self._column(order.attribute, sheet, type)]
        if column.kind == "text":
            raise UsageError(f"{column.name} is no figure and no date; order by another attribute, or not at all")
        values = np.full(len(self._graph.of_type(type)), np.nan)
        for row in sheet.rows:
            if value := column.values[row]:
                values[row] = value.low
        return column.name, values

    async def _counts(self, path: _Path, type: str) -> Floats:
        entities = self._graph.of_type(type)
        if len(entities) > MOST_FOLLOWED:
            raise UsageError(f"there are too many entities of the type {type} to count what each is joined to")

        def counted() -> Floats:
            return np.array([len(follow(self._graph, [each], path.hops)) for each in entities.tolist()], dtype=float)

        return await asyncio.to_thread(counted)

    def _mask(self, condition: PathCondition, type: str) -> Mask:
        start, hops = condition.requirement.start, condition.requirement.hops
        reached: Numbers = follow(self._graph, np.array(start, dtype=np.int64), hops)
        return np.isin(self._graph.of_type(type), reached)

    def _path(self, handles: Sequence[str], type: str) -> _Path:
        hops, here = list[Hop](), type
        for handle in handles:
            relation = self._frame.relations[self._number(handle, "H", len(self._frame.relations))]
            hop = relation.hop(here)
            if hop is None:
                raise UsageError(
                    f"{handle} is {relation.line}, which does not begin at {here}; a path begins at the answers"
                )
            hops.append(hop)
            here = hop.type
        return _Path(tuple(hops), here)

    def _number(self, handle: str, kind: str, count: int) -> int:
        """Return the place of a handle among those shown, from 0."""
        found = _HANDLE.fullmatch(handle)
        if not found or found[1].upper() not in ("", kind) or not 0 < int(found[2]) <= count:
            shown = f"handles are {kind}1 to {kind}{count}" if count else "no entity is shown: use words in its place"
            raise UnknownName(f"there is no {kind}-handle {handle!r}; {shown}")
        return int(found[2]) - 1

    async def _sheet(self, type: str) -> Sheet:
        sheet = await self._planner.sheet(type)
        if sheet is None:
            raise UnknownName(f"entities of the type {type} have no attributes to ask for")
        return sheet

    def _column(self, said: str, sheet: Sheet, type: str) -> int:
        names = sheet.table.header[len(ROW_NAMES) :]
        found = next((place for place, name in enumerate(names) if is_called(name, said)), None)
        if found is None:
            known = ", ".join(names[:MOST_SHOWN])
            raise UnknownName(f"{type} has no attribute {clipped(said, 60)!r}; it has {known}")
        return found + len(ROW_NAMES)

    def _all(self, type: str) -> tuple[int, ...]:
        return tuple(self._graph.of_type(type).tolist())


def _first(values: Floats, order: WrittenOrder) -> Mask:
    """Return the first of some values, with those equal to the last of them; what has none is not among them."""
    known = np.sort(values[~np.isnan(values)])
    if not len(known):
        return np.zeros(len(values), dtype=bool)
    count = min(order.first, len(known))
    first: Mask = values >= known[-count] if order.direction == "most" else values <= known[count - 1]
    return first


def _passed_over(text: str) -> EntityMention:
    return EntityMention(0, 0, text, (), whole=True)


def _likeliest(found: Sequence[Sequence[_Met]]) -> list[tuple[_Met, ...]]:
    """Return the most probable readings of all conditions together, whose shares are independent."""
    every: list[tuple[_Met, ...]] = [()]
    for readings in found:
        longer = [(*each, one) for each in every for one in readings]
        every = sorted(longer, key=lambda each: -math.prod(one.share for one in each))[:MOST_READINGS]
    return every
