"""Answers of a planned query, each with the plan that leads to it and the triples of the base that show it.

`answer_table` decides which of them answer the query by themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from heliograph.text.words import QUESTION_WORDS, akin_to_any, content_stems, stems
from heliograph.types import Attribute, Entity, EntityPath, Hop, Requirement, Scored, Triple
from indexers.skb.adjacency import Adjacency
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.arithmetic.plans import CandidateCondition
from tools.skb.planning.answer_types import asked_phrases
from tools.skb.planning.conditions import (
    PathCondition,
    attribute_text,
    column_name,
    relation_words,
    spelled_path,
    turned,
)
from tools.skb.planning.plans import Plan, SetCondition
from tools.skb.planning.retrieval import PlannedQuery
from tools.skb.traversal import find_path, traverse

OPERATORS = {"is": "is", "not": "is not", "has": "has", "above": "above", "below": "below"} | {
    "at_least": "at least",
    "at_most": "at most",
}
_SAYING_NOTHING = frozenset(stems(" ".join(QUESTION_WORDS))) - frozenset(stems("no not nor neither without"))
TYPE_PROBABILITY = 0.7
"""Probability that a plan's type of answers needs, over all plans, for a table of its answers."""
MOST_LEFT_OVER = 2
"""Words of a query that a plan may leave unexplained before only its likeliest answers stand in the table."""
LIKELIEST = 0.5
"""What share of the best answer's probability the likeliest answers exceed."""


class QueryPlanner(Protocol):
    """What plans queries and ranks entities by plans: learned ones, or those of a language model."""

    async def plan(self, query: str, type: str = "") -> PlannedQuery: ...

    async def rank(self, planned: PlannedQuery, k: int) -> tuple[Scored[int], ...]: ...


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """An entity that a query asks for.

    Attributes:
        probability: of all plans together.
        plan: the most probable one that leads to it.
        joined: of each path that this plan requires (`required_paths`), triples of the base that meet it; None where
            there are none to show.
        attributes: those that its conditions and its order are about, by the names of their columns.
    """

    entity: Entity
    probability: float
    plan: Plan
    joined: tuple[EntityPath | None, ...]
    attributes: Mapping[str, Attribute]

    @property
    def paths(self) -> tuple[EntityPath, ...]:
        """Return its paths, each once."""
        return tuple(dict.fromkeys(path for path in self.joined if path))

    @property
    def triples(self) -> tuple[Triple, ...]:
        """Return the triples of its paths, each once."""
        return tuple(dict.fromkeys(triple for path in self.paths for triple in path.triples))


async def planned_answers(
    base: BuiltKnowledgeBase, retriever: QueryPlanner, query: str, k: int, type: str = ""
) -> tuple[PlannedQuery, tuple[PlannedAnswer, ...]]:
    """Return the plans of a query, and its k most probable answers with what shows them.

    Raises:
        UnknownName: the base has no such type.
    """
    planned = await retriever.plan(query, type)
    ranked = await retriever.rank(planned, k)
    entities = await base.entities([each.item for each in ranked])
    found = []
    for each, entity in zip(ranked, entities, strict=True):
        plan = next(plan for plan in planned.plans if each.item in plan.scored.entities)
        found.append(await answer_of(base, entity, each.score, plan))
    return planned, tuple(found)


async def answer_of(base: BuiltKnowledgeBase, entity: Entity, probability: float, plan: Plan) -> PlannedAnswer:
    """Return an entity that a plan leads to, with the triples and attributes that show it."""
    joined = [await _path(base, entity.number, one) for one in required_paths(plan)]
    return PlannedAnswer(entity, probability, plan, tuple(joined), await _attributes(base, entity.number, plan))


def required_paths(plan: Plan) -> tuple[PathCondition, ...]:
    """Return the paths that a plan requires, each once; negated ones are none."""
    found = {
        one.condition.requirement: one.condition
        for one in plan.conditions
        if isinstance(one.condition, PathCondition) and one.operator != "not"
    }
    return tuple(found.values())


async def _path(base: BuiltKnowledgeBase, answer: int, condition: PathCondition) -> EntityPath | None:
    """Return triples that join what a condition starts from to an answer.

    They are followed from the answer: what is mentioned may be a hub.
    """
    start, hops = condition.requirement.start, condition.requirement.hops
    if not start or not hops:
        return None
    mentioned = base.graph.entity_types[base.graph.types[start[0]]]
    back = await traverse(base, Requirement((answer,), turned(hops, mentioned)))
    reached = frozenset(back.end)
    end = next((each for each in start if each in reached), None)
    found = None if end is None else await find_path(base, end, back)
    return EntityPath(found.entities[::-1], found.triples[::-1]) if found else None


async def _attributes(base: BuiltKnowledgeBase, answer: int, plan: Plan) -> dict[str, Attribute]:
    """Return the attributes of an answer that a plan is about."""
    asked = {
        plan.header[one.condition.column] for one in plan.conditions if isinstance(one.condition, CandidateCondition)
    }
    asked.add(plan.order.partition(" ")[2])
    named = {column_name(name): value for name, value in (await base.attributes(answer)).items()}
    return {name: value for name, value in named.items() if name in asked}


def plan_lines(plan: Plan, graph: Adjacency) -> list[str]:
    """Return a plan in words: lines for what it asks for, each condition, its order, and what it passes over.

    One that recognises nothing of the query says so first.
    """
    conditions = dict.fromkeys(condition_line(each, plan.header, graph) for each in plan.conditions)
    lines = [f"asks for: {plan.type}", *conditions]
    if plan.order:
        lines.append(f"of these the {'one' if plan.first == 1 else plan.first} with the {plan.order}")
    if not conditions and not plan.order:
        lines.insert(0, "no relation and no attribute is recognised: ranked by words alone")
    return lines + [f"passed over: {each.text}" for each in plan.unused]


@dataclass(frozen=True, slots=True)
class PathColumn:
    """A path that answers of a plan have, or do not have, as a column.

    Attributes:
        name: of the column.
        value: what the path leads to.
        said: both in words.
    """

    name: str
    value: str
    negated: bool
    said: str


def path_columns(plan: Plan, graph: Adjacency) -> tuple[PathColumn, ...]:
    """Return the paths of a plan: those of `required_paths` in their order, then those that it denies."""
    denied = {
        one.condition.requirement: one.condition
        for one in plan.conditions
        if isinstance(one.condition, PathCondition) and one.operator == "not"
    }
    found = [*((each, False) for each in required_paths(plan)), *((each, True) for each in denied.values())]
    return tuple(_path_column(condition, negated, graph) for condition, negated in found)


def _path_column(condition: PathCondition, negated: bool, graph: Adjacency) -> PathColumn:
    hops, mentioned = condition.requirement.hops, _mentioned(condition, graph)
    name, said = _path_from_answer(hops, mentioned), _said(hops, mentioned, condition.value)
    denied = "not " * negated
    return PathColumn(denied + name, condition.value, negated, denied + said)


def _said(hops: Sequence[Hop], mentioned: str, value: str) -> str:
    """Say a path of the answer, "it": "orbits Saturn", "person that studied Saturn discovered it"."""
    if not hops:
        return value
    relations = relation_words(hops, mentioned)
    for hop, words in zip(hops[:-1], relations[:-1], strict=True):
        value = f"{hop.type} that {value} {words}" if hop.direction == "out" else f"{hop.type} that {words} {value}"
    return f"{value} {relations[-1]} it" if hops[-1].direction == "out" else f"{relations[-1]} {value}"


def _path_from_answer(hops: Sequence[Hop], mentioned: str) -> str:
    """Return the relations of a path as they are read from an answer: "orbits", "discovered ← person, discovered".

    An arrow marks a relation that leads to the answer; behind it stands the type that it comes from.
    """
    parts, here = list[str](), mentioned
    for hop, words in zip(hops, relation_words(hops, mentioned), strict=True):
        parts.append(f"{words} ← {here}" if hop.direction == "out" else words)
        here = hop.type
    return ", ".join(reversed(parts))


def plan_title(plan: Plan, graph: Adjacency) -> str:
    """Return a plan in a few words: "moon: orbits Saturn, diameter (km) above 1000"."""
    paths = [each.said for each in path_columns(plan, graph)]
    attributes = [
        f"{plan.header[one.condition.column]} {OPERATORS[one.operator]} {one.condition.value}"
        for one in plan.conditions
        if not isinstance(one.condition, PathCondition)
    ]
    order = [f"the {plan.first if plan.first > 1 else ''} {plan.order}".replace("  ", " ")] if plan.order else []
    return f"{plan.type}: {', '.join((*paths, *attributes, *order))}"


def left_over(planned: PlannedQuery, plan: Plan, graph: Adjacency) -> frozenset[str]:
    """Return the stems of a query that neither the plan nor the names in it say: what is left to the texts."""
    said = [plan.type, plan.order, *(each.name for each in path_columns(plan, graph))]
    for one in plan.conditions:
        if isinstance(one.condition, PathCondition):
            said += [one.condition.mention.text, one.condition.value]
        else:
            said += [plan.header[one.condition.column], one.condition.value]
    known = frozenset(stems(" ".join(said)))
    return frozenset(each for each in _content(planned.query) if not akin_to_any(each, known))


def _content(query: str) -> frozenset[str]:
    """Return the stems of a query that a plan has to say: question words are none, but what denies is."""
    return frozenset(content_stems(query)) - _SAYING_NOTHING


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer by its number.

    Attributes:
        paths: for each path that the plan requires, the entities from the answer's neighbour to what the query
            mentions; none where there are none to show.
        attributes: texts by the names of their columns.
    """

    entity: int
    paths: tuple[tuple[int, ...], ...]
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """The answers of a plan that answer a query by themselves, without the plan.

    Attributes:
        title: the plan in a few words.
        attributes: names of the columns of attributes.
        found: how many entities meet the plan.
        needs_texts: whether words of the query are left that only the texts of the answers can meet.
        probability: how probable it is that these are all that the query asks for; 0 where the texts have to tell, or
            there are more.
        digest: sha256 that tells it from tables of the same plan with other answers.
    """

    title: str
    type: str
    columns: tuple[PathColumn, ...]
    attributes: tuple[str, ...]
    rows: tuple[AnswerRow, ...]
    found: int
    needs_texts: bool
    probability: float
    digest: str


def answer_table(planned: PlannedQuery, answers: Sequence[PlannedAnswer], graph: Adjacency) -> AnswerTable | None:
    """Return the answers that meet the most probable plan as a table; None where that plan is not to be trusted.

    Where more entities meet it than there are among the answers, or many words of the query are left over, only the
    likeliest are in the table.
    """
    if not planned.plans or not _is_reliable(planned):
        return None
    plan = planned.plans[0]
    met, left = [each for each in answers if each.plan is plan], left_over(planned, plan, graph)
    if len(met) < len(plan.scored.entities) or len(left) > MOST_LEFT_OVER:
        met = [each for each in met if each.probability > LIKELIEST * met[0].probability]
    if not met:
        return None
    shown = [(each.entity.id, [path.entities for path in each.paths]) for each in met]
    return AnswerTable(
        title=plan_title(plan, graph),
        type=plan.type,
        columns=path_columns(plan, graph),
        attributes=tuple(dict.fromkeys(name for each in met for name in each.attributes)),
        rows=tuple(map(_row, met)),
        found=len(plan.scored.entities),
        needs_texts=bool(left),
        probability=_probability(planned, left) if len(met) == len(plan.scored.entities) else 0.0,
        digest=sha256(f"{bool(left)} {shown}".encode("utf-8", "replace")).hexdigest(),
    )


def _is_reliable(planned: PlannedQuery) -> bool:
    """Say whether the most probable plan requires something, passes over no name, and asks for a probable type."""
    plan = planned.plans[0]
    requires = plan.order or any(each.operator != "not" for each in plan.conditions)
    shares = zip(planned.plans, planned.probabilities, strict=True)
    of_type = sum(share for each, share in shares if each.type == plan.type)
    return bool(requires) and not any(each.whole for each in plan.unused) and of_type >= TYPE_PROBABILITY


def _probability(planned: PlannedQuery, left: frozenset[str]) -> float:
    """Return how probable it is that what meets the first plan is what is asked for, and nothing else.

    It is that of the plan by the share of the query's words that this says, and half of it where it does not say what
    the query asks for ("which rockets").
    """
    words = _content(planned.query)
    asked = content_stems(asked_phrases(planned.query)[-1])
    is_unsaid = bool(asked) and left.issuperset(asked)
    return planned.probabilities[0] * (1 - len(left) / max(1, len(words))) / (2 if is_unsaid else 1)


def _row(answer: PlannedAnswer) -> AnswerRow:
    return AnswerRow(
        answer.entity.number,
        tuple(path.entities[-2::-1] if path else () for path in answer.joined),
        {name: attribute_text(value) for name, value in answer.attributes.items()},
    )


def condition_line(one: SetCondition, header: Sequence[str], graph: Adjacency) -> str:
    """Return a condition in words; `header` names the attributes of the answers."""
    condition = one.condition
    if not isinstance(condition, PathCondition):
        return f"{header[condition.column]} {OPERATORS[one.operator]} {condition.value or 'not given'}"
    path = spelled_path(condition.requirement.hops, _mentioned(condition, graph))
    described = ", which the words may describe" if condition.mention.is_described else ""
    return f"{'not ' if one.operator == 'not' else ''}{path}: {condition.value}{described}"


def _mentioned(condition: PathCondition, graph: Adjacency) -> str:
    """Return the type that a path starts from; of one that starts from nothing none."""
    start = condition.requirement.start
    return graph.entity_types[graph.types[start[0]]] if start else ""
