"""From a base to a set of queries by language models: drafts are drawn, written and filtered, and counted in order.

What becomes of a draft depends on nothing but its prompts' replies, which are kept: a run that was stopped draws the
same drafts and asks only what was not replied to.
"""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from eval.omgqa.generation.generating import in_order
from eval.stark.construction.constructor import Construction, names_one_of, query_of
from eval.stark.construction.drafting import MOST_ANSWERS
from eval.stark.construction.language.endpoints import StepModels
from eval.stark.construction.language.filtering import AnswerFilter
from eval.stark.construction.language.outcomes import Dropped, Outcome
from eval.stark.construction.language.relational_drafts import RelationalDraft, RelationalDrafts
from eval.stark.construction.language.roles import Role
from eval.stark.construction.language.writer import QueryWriter, wording_fault
from eval.stark.construction.phrasing import Wording
from eval.stark.construction.relation_words import SpokenSchema
from heliograph.errors import ContextOverflow, ModelMalformed
from indexers.pace import Pace, Say
from indexers.skb.knowledge_base import BuiltKnowledgeBase

MOST_DRAFTS = 4
"""Per query that is wanted: a model whose drafts are dropped more often than that is not asked on and on."""


@dataclass(frozen=True, slots=True)
class ModelConstruction:
    """What is to be made, by whom it is asked, and how much at a time.

    Attributes:
        wanted: half, count and seed.
        roles: who may ask.
        most_candidates: of a query with properties: each is shown to every filter.
        at_once: drafts that are worked on side by side.
    """

    wanted: Construction
    roles: Sequence[Role]
    most_candidates: int = 50
    at_once: int = 2


async def construct_by_model(
    base: BuiltKnowledgeBase, wanted: ModelConstruction, models: StepModels, say: Say
) -> tuple[Outcome, ...]:
    """Make queries until there are enough, the base has no more drafts, or too many of them were dropped.

    Raises:
        ModelError: a model cannot be asked.
        StoreFull | StoreError: a reply cannot be kept.
    """
    count = wanted.wanted.count
    schema = SpokenSchema(await base.schema())
    drafts = RelationalDrafts(base, wanted.wanted, wanted.roles, wanted.most_candidates, schema)
    maker = _Maker(base, wanted.wanted, QueryWriter(models), AnswerFilter(base, models.filters))
    outcomes, texts, pace = list[Outcome](), set[str](), Pace("queries", count, say)
    while len(texts) < count:
        block = await drafts.next(min(count - len(texts), MOST_DRAFTS * count - len(outcomes)))
        if not block:
            break
        async with aclosing(in_order(block, maker.outcome, wanted.at_once)) as found:
            async for each in found:
                outcome = _apart(each, texts)
                outcomes.append(outcome)
                if outcome.query:
                    texts.add(outcome.text.casefold())
                    pace.done(len(texts))
                else:
                    drafts.give_back(outcome.draft)
    return tuple(outcomes)


def _apart(outcome: Outcome, texts: set[str]) -> Outcome:
    if outcome.query and outcome.text.casefold() in texts:
        return replace(outcome, query=None, dropped=Dropped("twin", f"there is such a query already: {outcome.text}"))
    return outcome


@dataclass(frozen=True, slots=True)
class _Maker:
    base: BuiltKnowledgeBase
    wanted: Construction
    writer: QueryWriter
    filter: AnswerFilter

    async def outcome(self, draft: RelationalDraft) -> Outcome:
        """Return what becomes of a draft.

        Raises:
            ModelError: a model cannot be asked.
        """
        outcome = Outcome(draft)
        try:
            outcome = await self._written(outcome)
        except (ModelMalformed, ContextOverflow) as err:
            return replace(outcome, dropped=Dropped("reply", str(err)))
        return outcome if outcome.dropped else await self._answered(outcome)

    async def _written(self, outcome: Outcome) -> Outcome:
        draft = outcome.draft
        properties = await self.writer.properties(draft, await self.base.document(draft.draft.gold))
        if draft.properties and not properties:
            return replace(outcome, dropped=Dropped("properties", "no property has its words in the document"))
        fused, used = await self.writer.fused(draft, properties)
        outcome = replace(outcome, properties=used, fused=fused)
        if properties and not used:
            return replace(outcome, dropped=Dropped("words", f"the query asks for no property: {fused}"))
        if fault := wording_fault(draft, fused):
            return replace(outcome, dropped=fault)
        outcome = replace(outcome, text=await self.writer.rephrased(draft, fused))
        return replace(outcome, dropped=wording_fault(draft, outcome.text))

    async def _answered(self, outcome: Outcome) -> Outcome:
        """Filter the candidates, and make a query of what is left."""
        draft, numbers = outcome.draft, tuple(sorted(outcome.draft.draft.candidates))
        if outcome.properties:
            found = await self.filter.filtered(draft.draft.gold, draft.draft.candidates, outcome.properties)
            outcome, numbers = replace(outcome, filtered=found), found.accepted
        if draft.draft.gold not in numbers:
            return replace(outcome, dropped=Dropped("gold", f"{draft.gold.id} was not accepted"))
        if len(numbers) > MOST_ANSWERS:
            return replace(outcome, dropped=Dropped("answers", f"{len(numbers):,} answers"))
        answers = await self.base.entities(numbers)
        if names_one_of(outcome.text, answers):
            return replace(outcome, dropped=Dropped("named", f"the query names an answer: {outcome.text}"))
        plan = replace(draft.plan, properties=outcome.properties)
        textual = sum(len(each.split()) for each in outcome.properties)
        wording = Wording(outcome.text, draft.relational_words, textual)
        return replace(outcome, query=query_of(self.base, self.wanted.half, draft.draft, plan, wording, answers))
