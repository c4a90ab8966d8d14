"""Plans by a language model: a query becomes a structured plan, which is carried out as learned plans are.

The model is shown the schema of the base and the entities that words of the query may name, and says type, conditions,
order and textual rest (STaRK, section 2.1). Behind its plan stand the learned ones of the same type, which rank what it
does not reach; they alone answer where it is refused twice.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heliograph.errors import ModelError
from heliograph.protocols import LLM, Embedder
from heliograph.text.numbers import plain
from heliograph.types import Prompt, Scored
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from prompts import render_prompt
from prompts.harmless import clipped, harmless
from tools.skb.candidates import Candidates
from tools.skb.llm_reranker import SILENCE
from tools.skb.planning.answer_types import asked_phrases
from tools.skb.planning.conditions import MOST_ROWS
from tools.skb.planning.linking import EntityMention
from tools.skb.planning.plan_execution import CarriedOut, PlanExecution, PlanRefused
from tools.skb.planning.plans import Phrases
from tools.skb.planning.replies import WrittenEntityPlan
from tools.skb.planning.retrieval import MOST_CHARACTERS, MOST_PHRASES, PlannedQuery, PlanRetriever
from tools.skb.planning.schema_frame import (
    MOST_NAMED,
    MOST_RELATIONS,
    MOST_TYPES,
    AttributeExamples,
    Kind,
    SchemaFrame,
    ShownEntity,
    attribute_examples,
    nearest_attributes,
    nearest_relations,
    relation_phrase,
)

TRUST, TRUST_RELAXED = 0.999, 0.5
"""Probability of a model's plan beside all learned ones, and of one of which something is passed over."""
MOST_MEANT = 6
"""Entities that are shown of one mention."""
SAMPLED = 100
"""Entities of a type whose attributes are its examples."""
REASON_CHARACTERS = 1_500


@dataclass(frozen=True, slots=True)
class _Written:
    """The readings of a plan, the most probable first, and whether it took a second asking."""

    readings: tuple[CarriedOut, ...]
    repaired: bool


class LlmPlanner:
    """Rank entities by the plan of a language model (`EntityRetriever`, `QueryPlanner`).

    Args:
        base: whose candidates are ranked.
        learned: plans without a model: what is past the model's plan, and what answers where there is none.
        llm: writes plans, one call each and one more where a plan is refused.
        embedder: compares the query with the relations of a large base.
        required: whether a server that does not answer ends the query: a run would otherwise report learned plans as
            the model's.
        outcomes: counts queries by what became of them.
    """

    def __init__(
        self,
        base: BuiltKnowledgeBase,
        learned: PlanRetriever,
        llm: LLM,
        embedder: Embedder,
        *,
        required: bool = True,
        outcomes: Counter[str] | None = None,
    ) -> None:
        self._base, self._learned, self._llm, self._embedder, self._required = base, learned, llm, embedder, required
        self.outcomes = Counter[str]() if outcomes is None else outcomes
        self._candidates, self._phrases = Candidates(base), Phrases()
        self._turn = asyncio.Lock()
        self._kinds: tuple[Kind, ...] | None = None
        self._attributes = dict[str, Mapping[str, AttributeExamples]]()

    async def retrieve(self, query: str, k: int, type: str = "") -> tuple[Scored[int], ...]:
        """Return the k most probable entities, equal ones by number; of a type if one is named.

        Raises:
            UnknownName: the base has no such type.
            ModelError: nobody answers, where that ends a query.
        """
        return await self.rank(await self.plan(query, type), k)

    async def rank(self, planned: PlannedQuery, k: int) -> tuple[Scored[int], ...]:
        """Return the k most probable entities of all plans together, equal ones by number."""
        return await self._learned.rank(planned, k)

    async def plan(self, query: str, type: str = "") -> PlannedQuery:
        """Return the plan of the model, if there is one, and the learned ones.

        Raises:
            UnknownName: the base has no such type.
            ModelError: nobody answers, where that ends a query.
        """
        self._candidates.scope(type)
        question = plain(query[:MOST_CHARACTERS])
        if not question.strip():
            return await self._learned.plan(query, type)
        try:
            written = await self._written(question, type)
        except PlanRefused as err:
            return await self._without(query, type, "refused", f"the model's plan was refused twice ({_line(err)})")
        except ModelError as err:
            if self._required and isinstance(err, SILENCE):
                raise
            kind = err.__class__.__name__
            return await self._without(query, type, f"no plan ({kind})", f"the model wrote no plan ({_line(err)})")
        return await self._joined(query, written)

    async def _without(self, query: str, type: str, outcome: str, remark: str) -> PlannedQuery:
        self.outcomes[outcome] += 1
        return replace(await self._learned.plan(query, type), remarks=(f"{remark}; planned without it",))

    async def _joined(self, query: str, written: _Written) -> PlannedQuery:
        """Return a plan with the learned ones of its type behind it; these alone where it sets nothing."""
        plan = written.readings[0].plan
        beside = await self._learned.plan(query, plan.type)
        if not plan.conditions and not plan.order:
            outcome = "relaxed to none" if plan.unused else "words alone"
            remark = (
                "no entity meets any condition of the model's plan" if plan.unused else "the model's plan sets nothing"
            )
            self.outcomes[outcome] += 1
            return replace(beside, remarks=(f"{remark} but the type; planned without it",))
        outcome = "relaxed" if plan.unused else "repaired" if written.repaired else "planned"
        self.outcomes[outcome] += 1
        remark = "planned by the language model" + ", at its second try" * written.repaired
        trust = TRUST_RELAXED if plan.unused else TRUST
        found = [(each.plan, each.share * trust) for each in written.readings]
        found += [(each, p * (1 - trust)) for each, p in zip(beside.plans, beside.probabilities, strict=True)]
        plans, shares = zip(*sorted(found, key=lambda pair: -pair[1]), strict=True)
        return PlannedQuery(beside.query, plans, shares, (remark,))

    async def _written(self, question: str, type: str) -> _Written:
        """Ask for a plan and carry it out; once more where it is refused.

        Raises:
            PlanRefused: it is refused again.
            ModelError: there is no reply.
        """
        async with self._turn:  # queries at once share phrases
            framed = await self._frame(question, type)
        frame, prompt = framed.fitting(question, self._llm)
        execution = PlanExecution(self._base, self._learned, frame, question)
        reply = await self._llm.ask(prompt, WrittenEntityPlan)
        try:
            return _Written(await execution.carry_out(reply), repaired=False)
        except PlanRefused as err:
            again = await self._llm.ask(_again(prompt, reply, err), WrittenEntityPlan)
            return _Written(await execution.carry_out(again), repaired=True)

    async def _frame(self, query: str, type: str) -> SchemaFrame:
        mentions = await self._learned.mentions(query)
        entities = await self._entities(mentions)
        whole = [each.entity.type for each in entities if each.mention.whole]
        kinds = await self._known_kinds()
        answers = (type,) if type else self._candidates.types
        phrase = asked_phrases(query)[-1]
        if len(kinds) > MOST_RELATIONS or len(answers) > MOST_TYPES:
            await self._embed((query, phrase, *answers, *map(relation_phrase, kinds)))
        relations = await asyncio.to_thread(nearest_relations, kinds, query, whole, self._phrases)
        ends = dict.fromkeys(end for each in relations for end in (each.source, each.target))
        if len(answers) > MOST_TYPES:
            near = sorted(answers, key=lambda each: -self._phrases.likeness(phrase, each))[:MOST_TYPES]
            answers = tuple(dict.fromkeys((*near, *(each for each in ends if each in set(answers)))))
        counts = self._base.entity_types
        types = {name: counts[name] for name in dict.fromkeys((*answers, *ends))}
        attributes = {name: nearest_attributes(await self._columns(name), query) for name in types}
        return SchemaFrame(types, answers, attributes, relations, entities)

    async def _entities(self, mentions: Sequence[EntityMention]) -> tuple[ShownEntity, ...]:
        pairs = [(mention, number) for mention in mentions for number in mention.entities[:MOST_MEANT]]
        pairs = sorted(pairs, key=lambda pair: not pair[0].whole)[:MOST_NAMED]
        pairs.sort(key=lambda pair: pair[0].start)
        entities = await self._base.entities([number for _, number in pairs])
        return tuple(ShownEntity(mention, entity) for (mention, _), entity in zip(pairs, entities, strict=True))

    async def _columns(self, type: str) -> Mapping[str, AttributeExamples]:
        """Return the attributes of a type; of those of a large type none are conditions, and none are shown."""
        if type not in self._attributes:
            every = self._base.graph.of_type(type)
            sample = every[:: max(1, len(every) // SAMPLED)][:SAMPLED].tolist() if len(every) <= MOST_ROWS else []
            said = await asyncio.to_thread(self._base.attributes_of, sample)
            self._attributes[type] = attribute_examples(said)
        return self._attributes[type]

    async def _known_kinds(self) -> tuple[Kind, ...]:
        if self._kinds is None:
            self._kinds = tuple((each.source, each.relation, each.target) for each in await self._base.schema())
        return self._kinds

    async def _embed(self, texts: Sequence[str]) -> None:
        if len(self._phrases) > MOST_PHRASES:
            self._phrases = Phrases()
        for text in texts:
            self._phrases.want(text)
        if wanted := self._phrases.take():
            self._phrases.add(wanted, await self._embedder.embed(wanted))


def _again(prompt: Prompt, reply: WrittenEntityPlan, refused: PlanRefused) -> Prompt:
    reasons = clipped("\n".join(map(harmless, str(refused).splitlines())), REASON_CHARACTERS)
    told = render_prompt("refused_plan", reply=harmless(reply.model_dump_json(exclude_defaults=True)), reasons=reasons)
    return replace(prompt, parts=(*prompt.parts, told))


def _line(err: Exception) -> str:
    return clipped(" ".join(str(err).split()), 200)
