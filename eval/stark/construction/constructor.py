"""Queries made by rule from a knowledge base: a template is grounded, words are drawn, and all answers computed."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import get_args

from eval.drawing import Half, digest_of
from eval.stark.construction.entity_facts import EntityFacts, name_stems
from eval.stark.construction.grounding import (
    MOST_USES,
    GroundedRequirement,
    Grounding,
    all_matter,
    candidates_of,
    half_of,
)
from eval.stark.construction.phrasing import Phrasing, Start, Wording
from eval.stark.construction.relation_words import SpokenSchema
from eval.stark.construction.templates import SHAPES, Shape
from eval.stark.construction.wordings import FAMILIES
from eval.stark.queries import StarkQuery
from eval.stark.query_plan import AttributeCondition, Comparison, Mention, PlannedRequirement, QueryPlan, Register
from heliograph.errors import UsageError
from heliograph.types import Entity
from indexers.pace import Pace, Say
from indexers.skb.entity_texts import folded
from indexers.skb.knowledge_base import BuiltKnowledgeBase

MOST_ANSWERS = 20
"""Of a query: STaRK's validation and test queries have no more."""
MOST_CANDIDATES = 400
"""Entities that are compared, or whose documents are read, for one query."""
TRIES = 400
"""Drafts of a shape in a row that come to nothing before the base counts as having no more of it."""
WITH_TEXT = 0.6
"""How often a textual requirement is tried."""
FEWEST_COMPARED = 3
"""Candidates among which one can be the highest."""
ALIAS, SLIP = 0.5, 0.12
"""How often a mention is an alias, and has two letters changed about."""
MOST_LEFT = 0.75
"""Of the candidates before an attribute is compared: more would say that the comparison hardly matters."""
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


@dataclass(frozen=True, slots=True)
class _Draft:
    """A query before its words."""

    shape: Shape
    gold: int
    type: str
    requirements: tuple[GroundedRequirement, ...]
    candidates: frozenset[int]
    conditions: tuple[AttributeCondition, ...] = ()
    words: tuple[str, ...] = ()


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
        self._random = Random(f"{wanted.half} {wanted.seed}")
        self._grounding = Grounding(base, self._random)
        self._facts = EntityFacts(base, wanted.seed)
        self._phrasing = Phrasing(schema, FAMILIES[wanted.half], self._random)
        self._uses = Counter[int]()
        self._made = dict[str, ConstructedQuery]()

    async def construct(self, say: Say) -> tuple[ConstructedQuery, ...]:
        """Draft queries, by what is missing of each shape, until there are enough."""
        wanted, shapes = self._wanted, list(SHAPES[self._wanted.half])
        pace = Pace("queries", wanted.count, say)
        missing = dict(zip(shapes, _quotas(shapes, wanted.count), strict=True))
        failures = Counter[Shape]()
        while self._grounding.is_possible and any(missing.values()):
            (shape,) = self._random.choices(list(missing), weights=list(missing.values()))
            made = await self._query(shape)
            failures[shape] = 0 if made else failures[shape] + 1
            if made:
                self._made[made.query.text.casefold()] = made
                missing[shape] -= 1
                pace.done(len(self._made))
            elif failures[shape] > TRIES:
                _share_out(missing, missing.pop(shape))
        if len(self._made) < wanted.count:
            raise UsageError(
                f"{self._base.folder} yields {len(self._made):,} of {wanted.count:,} queries; "
                "ask for fewer with --count, or build a base with more relations"
            )
        return tuple(self._made.values())

    async def _query(self, shape: Shape) -> ConstructedQuery | None:
        draft = await self._draft(shape)
        if draft is None or self._overused(draft):
            return None
        made = await self._worded(draft)
        if made is None or made.query.text.casefold() in self._made:
            return None
        self._uses.update({draft.gold, *(each.start for each in draft.requirements)})
        return made

    async def _draft(self, shape: Shape) -> _Draft | None:
        """Ground a shape, then narrow what meets it until few enough answers are left."""
        draft = self._grounded(shape)
        if draft is None or len(draft.candidates) > MOST_CANDIDATES:
            return None
        if shape.compared:
            draft = await self._compared(draft)
        if draft is None or not await self._is_of_half(draft.gold):
            return None
        few = len(draft.candidates) <= MOST_ANSWERS
        if shape.compared != "extreme" and not (few and shape.bare and self._random.random() > WITH_TEXT):
            draft = await self._with_text(draft) or (draft if few and shape.bare else None)
        return draft

    def _grounded(self, shape: Shape) -> _Draft | None:
        gold, other, hop = self._grounding.draw()
        first, *rest = shape.hops
        if shape.shared:
            path = self._grounding.shared_neighbour(gold, other, hop)
        else:
            path = self._grounding.path_to(gold, first, (other, hop))
        several = [path, *(self._grounding.path_to(gold, hops) for hops in rest)]
        found = [each for each in several if each is not None and gold in each.reached]
        if len(found) < len(several) or len({each.start for each in found}) < len(found):
            return None
        if shape.negated:
            denied = self._grounding.excluding(gold, candidates_of(found))
            found += [denied] if denied else []
        if (shape.negated and not found[-1].negated) or not all_matter(found):
            return None
        candidates = candidates_of(found)
        return _Draft(shape, gold, hop.type, tuple(found), candidates) if gold in candidates else None

    async def _compared(self, draft: _Draft) -> _Draft | None:
        """Add conditions on an attribute that the gold entity meets, and not all other candidates."""
        values = {number: await self._facts.values(number) for number in sorted(draft.candidates)}
        names = sorted(values[draft.gold])
        if not names:
            return None
        name = self._random.choice(names)
        known = {number: found[name] for number, found in values.items() if name in found}
        if len({each.is_date for each in known.values()}) != 1:
            return None
        dated = known[draft.gold].is_date
        numbers = {number: each.value for number, each in known.items()}
        if draft.shape.compared == "extreme":
            return self._extreme(draft, name, numbers, dated)
        if dated:
            numbers = {number: float(int(value)) for number, value in numbers.items()}
        return self._bounded(draft, name, numbers, dated)

    def _extreme(self, draft: _Draft, name: str, numbers: dict[int, float], dated: bool) -> _Draft | None:
        """Ask for the highest or lowest value; who has it is gold from here on."""
        if len(numbers) < FEWEST_COMPARED:
            return None
        highest = self._random.random() < 0.5
        comparison: Comparison = ("latest" if dated else "most") if highest else ("earliest" if dated else "least")
        best = max(numbers.values()) if highest else min(numbers.values())
        several = [number for number, value in numbers.items() if value == best]
        if len(several) > 1:
            return None
        conditions = (AttributeCondition(name, comparison),)
        return replace(draft, gold=several[0], candidates=frozenset(several), conditions=conditions)

    def _bounded(self, draft: _Draft, name: str, numbers: dict[int, float], dated: bool) -> _Draft | None:
        value, conditions = numbers[draft.gold], list[AttributeCondition]()
        below = sorted({each for each in numbers.values() if each < value})
        above = sorted({each for each in numbers.values() if each > value})
        sides = [side for side in (below, above) if side]
        if draft.shape.compared == "bound" and sides:
            sides = [self._random.choice(sides)]
        elif len(sides) < 2:
            return None
        for side in sides:
            bound = self._random.choice(side)
            upper = bound > value
            comparison: Comparison = ("before" if dated else "less") if upper else ("after" if dated else "more")
            conditions.append(AttributeCondition(name, comparison, bound))
        met = frozenset(number for number, found in numbers.items() if all(_meets(found, each) for each in conditions))
        found = replace(draft, candidates=met, conditions=tuple(conditions))
        return found if len(met) <= MOST_LEFT * len(draft.candidates) else None

    async def _with_text(self, draft: _Draft) -> _Draft | None:
        """Add one or two words of the gold document that some other candidates lack."""
        if len(draft.candidates) < 2:
            return None
        starts = await self._base.entities([draft.gold, *(each.start for each in draft.requirements)])
        avoided = name_stems([draft.type, *(name for each in starts for name in (each.name, *each.aliases))])
        known = await self._facts.telling_words(draft.gold, draft.type, avoided)
        for _ in range(4):
            count = self._random.choice((1, 2))
            if len(known) < count:
                return None
            drawn = self._random.sample(known, count)
            met = await self._facts.with_words(sorted(draft.candidates), [stem for _, stem in drawn])
            if len(met) < len(draft.candidates) and len(met) <= MOST_ANSWERS:
                words = tuple([await self._inflected(*each, draft.type) for each in drawn])
                return replace(draft, candidates=met, words=words)
        return None

    async def _inflected(self, word: str, stem: str, type: str) -> str:
        """Return a word, or half of the time another form of it that other documents have."""
        others = [each for each in await self._facts.inflections(stem, type) if each != word]
        return self._random.choice(others) if others and self._random.random() < 0.5 else word

    async def _is_of_half(self, gold: int) -> bool:
        (entity,) = await self._base.entities([gold])
        return half_of(entity.id) == self._wanted.half

    def _overused(self, draft: _Draft) -> bool:
        return any(self._uses[each] >= MOST_USES for each in (draft.gold, *(one.start for one in draft.requirements)))

    async def _worded(self, draft: _Draft) -> ConstructedQuery | None:
        """Put a draft into words; None where they would name an answer."""
        register: Register = self._random.choice(get_args(Register))
        gold, *starts = await self._base.entities([draft.gold, *(each.start for each in draft.requirements)])
        planned, spoken = list[PlannedRequirement](), list[Start]()
        for each, start in zip(draft.requirements, starts, strict=True):
            words, is_ambiguous = await self._mention(start)
            mention = Mention(start.id, words.casefold() if register == "fragment" else words)
            planned.append(PlannedRequirement(mention, each.hops, each.negated))
            spoken.append(Start(start.type, is_ambiguous))
        plan = QueryPlan(gold.id, register, tuple(planned), draft.conditions, draft.words)
        wording = self._phrasing.compose(plan, draft.type, spoken, shared=draft.shape.shared)
        answers = await self._base.entities(sorted(draft.candidates))
        said = f" {folded(wording.text)} "
        if any(f" {folded(name)} " in said for each in answers for name in (each.name, *each.aliases)):
            return None
        half = self._wanted.half
        id = f"{half}-{digest_of(f'{self._base.name} {wording.text}')[:12]}"
        split, ids = SPLITS[half], tuple(each.id for each in answers)
        query = StarkQuery(id, wording.text, ids, split, draft.shape.name, draft.type, plan)
        return ConstructedQuery(query, wording)

    async def _mention(self, entity: Entity) -> tuple[str, bool]:
        """Return a name, an alias or one with a slip, as long as no other has it, and whether others have the name."""
        names = [*entity.aliases] if entity.aliases and self._random.random() < ALIAS else [entity.name]
        words = self._random.choice(names)
        if self._random.random() < SLIP:
            words = _with_slip(words, self._random)
        others = [each for each in await self._base.named(words) if each.number != entity.number]
        words = entity.name if others else words
        return words, len(await self._base.named(words)) > 1


def _meets(value: float, condition: AttributeCondition) -> bool:
    bound = condition.value
    if bound is None:
        return True
    return value > bound if condition.comparison in ("more", "after") else value < bound


def _quotas(shapes: Sequence[Shape], count: int) -> list[int]:
    """Divide a count among shapes by their weights; the first ones have what is left over."""
    total = sum(each.weight for each in shapes)
    found = [count * each.weight // total for each in shapes]
    for place in range(count - sum(found)):
        found[place % len(found)] += 1
    return found


def _share_out(missing: dict[Shape, int], count: int) -> None:
    """Have a shape's missing queries made of the shapes that the base still yields."""
    several = sorted(missing, key=lambda each: -each.weight)
    for number in range(count if several else 0):
        missing[several[number % len(several)]] += 1


def _with_slip(name: str, random: Random) -> str:
    """Return a name with two neighbouring letters of a long word changed about, as fingers do."""
    long: Collection[str] = [each for each in name.split() if len(each) > 6 and each.isalpha()]
    if not long:
        return name
    word = random.choice(sorted(long))
    at = random.randrange(2, len(word) - 2)
    return name.replace(word, word[:at] + word[at + 1] + word[at] + word[at + 2 :], 1)
