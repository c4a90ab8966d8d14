"""Relational requirements as a writer reads them, drawn one after the other whatever becomes of those before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval.stark.construction.constructor import Construction, Uses
from eval.stark.construction.drafting import MOST_ANSWERS, Draft, Drafter
from eval.stark.construction.language.replies import MOST_PROPERTIES
from eval.stark.construction.language.roles import Role
from eval.stark.construction.phrasing import Phrasing, Start
from eval.stark.construction.relation_words import SpokenSchema, attribute_words, type_words
from eval.stark.construction.shape_quotas import ShapeQuotas
from eval.stark.construction.templates import Shape
from eval.stark.construction.wordings import FAMILIES
from eval.stark.query_plan import AttributeCondition, Comparison, PlannedRequirement, QueryPlan
from heliograph.types import Entity
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from prompts.harmless import harmless
from tools.skb.entity_documents import spelled_out

LEAST_WORDS = 10
"""Of a document that a textual requirement is made of: of shorter ones queries are of relations alone, as PRIME's of
effects are."""
COMPARED: dict[Comparison, str] = {
    "more": "is more than {n}",
    "less": "is less than {n}",
    "after": "is after the year {n}",
    "before": "is before the year {n}",
    "most": "is the highest of all that meet the rest",
    "least": "is the lowest of all that meet the rest",
    "latest": "is the latest of all that meet the rest",
    "earliest": "is the earliest of all that meet the rest",
}


@dataclass(frozen=True, slots=True)
class RelationalDraft:
    """A draft with all that a writer is told of it.

    Attributes:
        draft: the entities that meet the requirements.
        gold: the one that properties are taken from.
        plan: its requirements and conditions.
        role: who asks.
        properties: how many are asked for; 0 for a query of relations alone.
        requirements: a line for each.
        kept: names and numbers that a query has to say as they are.
        relational_words: of the same requirements as the rules word them.
    """

    draft: Draft
    gold: Entity
    plan: QueryPlan
    role: Role
    properties: int
    requirements: tuple[str, ...]
    kept: tuple[str, ...]
    relational_words: int


class RelationalDrafts:
    """Draw drafts by what is missing of each shape; the same seed and counts draw the same ones.

    Args:
        base: what they are of.
        wanted: the half, the seed, and how many queries are to come of them.
        roles: who may ask.
        most: candidates of a draft that gets a textual requirement: each is shown to every filter.
        schema: the relations of the base in words.
    """

    def __init__(
        self, base: BuiltKnowledgeBase, wanted: Construction, roles: Sequence[Role], most: int, schema: SpokenSchema
    ) -> None:
        self._base, self._roles, self._most = base, roles, most
        self._drafter = Drafter(base, wanted.half, wanted.seed)
        self._random = self._drafter.random
        self._phrasing = Phrasing(schema, FAMILIES[wanted.half], self._random)
        self._quotas, self._uses = ShapeQuotas(wanted.half, wanted.count), Uses()

    async def next(self, count: int) -> tuple[RelationalDraft, ...]:
        """Return so many further drafts, or as many as the base yields."""
        found = list[RelationalDraft]()
        while len(found) < count and self._drafter.is_possible and self._quotas.is_open:
            shape = self._quotas.draw(self._random)
            if draft := await self._drawn(shape):
                self._quotas.made(shape)
                found.append(draft)
            else:
                self._quotas.failed(shape)
        return tuple(found)

    def give_back(self, draft: RelationalDraft) -> None:
        """Have another draft drawn in place of one that became no query."""
        self._quotas.give_back(draft.draft.shape)

    async def _drawn(self, shape: Shape) -> RelationalDraft | None:
        draft = await self._drafter.relational(shape)
        if draft is None or self._uses.are_spent(draft):
            return None
        has_text = shape.compared != "extreme" and 2 <= len(draft.candidates) <= self._most
        has_text = has_text and len((await self._base.document(draft.gold)).split()) >= LEAST_WORDS
        if not has_text and not (shape.bare and len(draft.candidates) <= MOST_ANSWERS):
            return None
        plan, starts = await self._drafter.plan(draft, "question", slips=False)
        if any(each.is_ambiguous for each in starts) or any("e" in _number(each) for each in plan.conditions):
            return None  # nobody says 4.87e+24
        self._uses.count(draft)
        wording = self._phrasing.compose(plan, draft.type, starts, shared=shape.shared)
        (gold,) = await self._base.entities([draft.gold])
        return RelationalDraft(
            draft,
            gold,
            plan,
            self._random.choice(self._roles),
            self._random.randint(1, MOST_PROPERTIES) if has_text else 0,
            tuple(requirement_lines(plan, draft.type, starts)),
            kept_words(plan),
            wording.relational_words,
        )


def requirement_lines(plan: QueryPlan, type: str, starts: Sequence[Start]) -> Iterator[str]:
    """Yield a plan as lines that leave no doubt which end of a relation is which.

    >>> from heliograph.types import Hop
    >>> from eval.stark.query_plan import Mention
    >>> hops = (Hop("orbits", "in", "moon"), Hop("discovered", "in", "person"))
    >>> plan = QueryPlan("a", "question", (PlannedRequirement(Mention("j", "Jupiter"), hops),))
    >>> list(requirement_lines(plan, "person", [Start("planet")]))
    ['some moon A -orbits-> "Jupiter" (planet); the wanted person -discovered-> moon A']
    """
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for requirement, start in zip(plan.requirements, starts, strict=True):
        line = _requirement_line(requirement, start.type, f"the wanted {type_words(type)}", letters)
        yield f"this must NOT be so: {line}" if requirement.negated else line
    for condition in plan.conditions:
        said = COMPARED[condition.comparison].format(n=_number(condition))
        yield f"{harmless(attribute_words(condition.attribute))} of the wanted {type_words(type)} {said}"


def _requirement_line(requirement: PlannedRequirement, start: str, wanted: str, letters: Iterator[str]) -> str:
    here, parts = f'"{harmless(requirement.mention.words)}" ({harmless(start)})', list[str]()
    for place, hop in enumerate(requirement.hops, start=1):
        last = place == len(requirement.hops)
        name = "" if last else f"{harmless(type_words(hop.type))} {next(letters)}"
        there, later = (wanted, wanted) if last else (f"some {name}", name)
        ends = (here, there) if hop.direction == "out" else (there, here)
        parts.append(f"{ends[0]} -{harmless(spelled_out(hop.relation))}-> {ends[1]}")
        here = later
    return "; ".join(parts)


def kept_words(plan: QueryPlan) -> tuple[str, ...]:
    """Return the names and numbers of a plan."""
    names = [each.mention.words for each in plan.requirements]
    return (*names, *(number for each in plan.conditions if (number := _number(each))))


def _number(condition: AttributeCondition) -> str:
    value = condition.value
    if value is None:
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
