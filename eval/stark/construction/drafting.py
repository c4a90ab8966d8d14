"""Queries before their words: a shape is grounded, attributes are compared, and all entities that answer computed."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from random import Random

from eval.drawing import Half
from eval.stark.construction.entity_facts import EntityFacts, name_stems
from eval.stark.construction.grounding import GroundedRequirement, Grounding, all_matter, candidates_of, half_of
from eval.stark.construction.phrasing import Start
from eval.stark.construction.templates import Shape
from eval.stark.query_plan import AttributeCondition, Comparison, Mention, PlannedRequirement, QueryPlan, Register
from heliograph.types import Entity
from indexers.skb.knowledge_base import BuiltKnowledgeBase

MOST_ANSWERS = 20
"""Of a query: STaRK's validation and test queries have no more."""
MOST_CANDIDATES = 400
"""Entities that are compared, or whose documents are read, for one query."""
FEWEST_COMPARED = 3
"""Candidates among which one can be the highest."""
ALIAS, SLIP = 0.5, 0.12
"""How often a mention is an alias, and has two letters changed about."""
MOST_LEFT = 0.75
"""Of the candidates before an attribute is compared: more would say that the comparison hardly matters."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A query before its words: the entities that meet its requirements and conditions, and have its words."""

    shape: Shape
    gold: int
    type: str
    requirements: tuple[GroundedRequirement, ...]
    candidates: frozenset[int]
    conditions: tuple[AttributeCondition, ...] = ()
    words: tuple[str, ...] = ()


class Drafter:
    """Draw drafts of one half from a base; the same seed draws the same ones."""

    def __init__(self, base: BuiltKnowledgeBase, half: Half, seed: int) -> None:
        self.random = Random(f"{half} {seed}")
        self._base, self._half, self._random = base, half, self.random
        self._grounding = Grounding(base, self._random)
        self._facts = EntityFacts(base, seed)

    @property
    def is_possible(self) -> bool:
        """Say whether the base has relations to entities that may answer."""
        return self._grounding.is_possible

    async def relational(self, shape: Shape) -> Draft | None:
        """Ground a shape and compare an attribute if it wants that; None where chance finds nothing of the half."""
        draft = self._grounded(shape)
        if draft is None or len(draft.candidates) > MOST_CANDIDATES:
            return None
        if shape.compared:
            draft = await self._compared(draft)
        return None if draft is None or not await self._is_of_half(draft.gold) else draft

    async def with_text(self, draft: Draft) -> Draft | None:
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

    async def plan(
        self, draft: Draft, register: Register, *, slips: bool = True
    ) -> tuple[QueryPlan, tuple[Start, ...]]:
        """Return what a draft asks for, with the words of its mentions, and what these words leave open."""
        gold, *starts = await self._base.entities([draft.gold, *(each.start for each in draft.requirements)])
        planned, spoken = list[PlannedRequirement](), list[Start]()
        for each, start in zip(draft.requirements, starts, strict=True):
            words, is_ambiguous = await self._mention(start, slips)
            mention = Mention(start.id, words.casefold() if register == "fragment" else words)
            planned.append(PlannedRequirement(mention, each.hops, each.negated))
            spoken.append(Start(start.type, is_ambiguous))
        return QueryPlan(gold.id, register, tuple(planned), draft.conditions, draft.words), tuple(spoken)

    async def _mention(self, entity: Entity, slips: bool) -> tuple[str, bool]:
        """Return a name, an alias or one with a slip, as long as no other has it, and whether others have the name."""
        names = [*entity.aliases] if entity.aliases and self._random.random() < ALIAS else [entity.name]
        words = self._random.choice(names)
        if slips and self._random.random() < SLIP:
            words = _with_slip(words, self._random)
        others = [each for each in await self._base.named(words) if each.number != entity.number]
        words = entity.name if others else words
        return words, len(await self._base.named(words)) > 1

    def _grounded(self, shape: Shape) -> Draft | None:
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
        return Draft(shape, gold, hop.type, tuple(found), candidates) if gold in candidates else None

    async def _compared(self, draft: Draft) -> Draft | None:
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

    def _extreme(self, draft: Draft, name: str, numbers: dict[int, float], dated: bool) -> Draft | None:
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

    def _bounded(self, draft: Draft, name: str, numbers: dict[int, float], dated: bool) -> Draft | None:
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

    async def _inflected(self, word: str, stem: str, type: str) -> str:
        """Return a word, or half of the time another form of it that other documents have."""
        others = [each for each in await self._facts.inflections(stem, type) if each != word]
        return self._random.choice(others) if others and self._random.random() < 0.5 else word

    async def _is_of_half(self, gold: int) -> bool:
        (entity,) = await self._base.entities([gold])
        return half_of(entity.id) == self._half


def _meets(value: float, condition: AttributeCondition) -> bool:
    bound = condition.value
    if bound is None:
        return True
    return value > bound if condition.comparison in ("more", "after") else value < bound


def _with_slip(name: str, random: Random) -> str:
    """Return a name with two neighbouring letters of a long word changed about, as fingers do."""
    long: Collection[str] = [each for each in name.split() if len(each) > 6 and each.isalpha()]
    if not long:
        return name
    word = random.choice(sorted(long))
    at = random.randrange(2, len(word) - 2)
    return name.replace(word, word[:at] + word[at + 1] + word[at] + word[at + 2 :], 1)
