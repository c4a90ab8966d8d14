"""Queries made by rule from a knowledge base: a template is grounded, words are drawn, and all answers computed."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from eval.drawing import Half, digest_of
from eval.stark.construction.drafting import MOST_ANSWERS, Draft, Drafter
from eval.stark.construction.grounding import MOST_USES
from eval.stark.construction.phrasing import Phrasing, Wording
from eval.stark.construction.relation_words import SpokenSchema
from eval.stark.construction.shape_quotas import ShapeQuotas
from eval.stark.construction.templates import Shape
from eval.stark.construction.wordings import FAMILIES
from eval.stark.queries import StarkQuery
from eval.stark.query_plan import QueryPlan, Register
from heliograph.errors import UsageError
from heliograph.types import Entity
from indexers.pace import Pace, Say
from indexers.skb.entity_texts import folded
from indexers.skb.knowledge_base import BuiltKnowledgeBase

WITH_TEXT = 0.6
"""How often a textual requirement is tried."""
SPLITS: dict[Half, str] = {"development": "val", "report": "test"}


@dataclass(frozen=True, slots=True)
class Construction:
    """What is to be made: so many queries of a half, by a seed."""

    half: Half
    count: int
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ConstructedQuery:
    """A query, and the wording that tells how its words divide."""

    query: StarkQuery
    wording: Wording


class Uses:
    """How often entities were gold or mentioned in a set, so that none is asked about all the time."""

    def __init__(self) -> None:
        self._uses = Counter[int]()

    def are_spent(self, draft: Draft) -> bool:
        """Say whether an entity of a draft had its turns."""
        return any(self._uses[each] >= MOST_USES for each in _entities_of(draft))

    def count(self, draft: Draft) -> None:
        """Count the entities of a draft."""
        self._uses.update(_entities_of(draft))


async def construct(
    base: BuiltKnowledgeBase, wanted: Construction, say: Say = lambda _said: None
) -> tuple[ConstructedQuery, ...]:
    """Make queries of the shapes, wordings and gold entities of one half; the same seed makes the same ones.

    Raises:
        UsageError: the base yields too few queries.
    """
    return await _Constructor(base, wanted, SpokenSchema(await base.schema())).construct(say)


class _Constructor:
    def __init__(self, base: BuiltKnowledgeBase, wanted: Construction, schema: SpokenSchema) -> None:
        self._base, self._wanted = base, wanted
        self._drafter = Drafter(base, wanted.half, wanted.seed)
        self._random = self._drafter.random
        self._phrasing = Phrasing(schema, FAMILIES[wanted.half], self._random)
        self._uses = Uses()
        self._made = dict[str, ConstructedQuery]()

    async def construct(self, say: Say) -> tuple[ConstructedQuery, ...]:
        """Draft queries, by what is missing of each shape, until there are enough."""
        wanted, quotas = self._wanted, ShapeQuotas(self._wanted.half, self._wanted.count)
        pace = Pace("queries", wanted.count, say)
        while self._drafter.is_possible and quotas.is_open:
            shape = quotas.draw(self._random)
            made = await self._query(shape)
            if made:
                self._made[made.query.text.casefold()] = made
                quotas.made(shape)
                pace.done(len(self._made))
            else:
                quotas.failed(shape)
        if len(self._made) < wanted.count:
            raise UsageError(
                f"{self._base.folder} yields {len(self._made):,} of {wanted.count:,} queries; "
                "ask for fewer with --count, or build a base with more relations"
            )
        return tuple(self._made.values())

    async def _query(self, shape: Shape) -> ConstructedQuery | None:
        draft = await self._draft(shape)
        if draft is None or self._uses.are_spent(draft):
            return None
        made = await self._worded(draft)
        if made is None or made.query.text.casefold() in self._made:
            return None
        self._uses.count(draft)
        return made

    async def _draft(self, shape: Shape) -> Draft | None:
        """Ground a shape, then narrow what meets it until few enough answers are left."""
        draft = await self._drafter.relational(shape)
        if draft is None:
            return None
        few = len(draft.candidates) <= MOST_ANSWERS
        if shape.compared != "extreme" and not (few and shape.bare and self._random.random() > WITH_TEXT):
            draft = await self._drafter.with_text(draft) or (draft if few and shape.bare else None)
        return draft

    async def _worded(self, draft: Draft) -> ConstructedQuery | None:
        """Put a draft into words; None where they would name an answer."""
        register: Register = self._random.choice(get_args(Register))
        plan, spoken = await self._drafter.plan(draft, register)
        wording = self._phrasing.compose(plan, draft.type, spoken, shared=draft.shape.shared)
        answers = await self._base.entities(sorted(draft.candidates))
        if names_one_of(wording.text, answers):
            return None
        return query_of(self._base, self._wanted.half, draft, plan, wording, answers)


def names_one_of(text: str, entities: Iterable[Entity]) -> bool:
    """Say whether a text has a name or an alias of one of some entities."""
    said = f" {folded(text)} "
    return any(f" {folded(name)} " in said for each in entities for name in (each.name, *each.aliases))


def query_of(
    base: BuiltKnowledgeBase, half: Half, draft: Draft, plan: QueryPlan, wording: Wording, answers: Iterable[Entity]
) -> ConstructedQuery:
    """Return the query of a draft, with an id that depends on the base and the words alone."""
    id = f"{half}-{digest_of(f'{base.name} {wording.text}')[:12]}"
    ids = tuple(each.id for each in answers)
    return ConstructedQuery(
        StarkQuery(id, wording.text, ids, SPLITS[half], draft.shape.name, draft.type, plan), wording
    )


def _entities_of(draft: Draft) -> set[int]:
    return {draft.gold, *(each.start for each in draft.requirements)}
