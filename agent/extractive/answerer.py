"""The answer without a language model: computed values, quoted sentences, rows and captions, each cited."""

from collections.abc import Sequence

from agent.citations.quotes import ANSWER_FIRST
from agent.extractive.composer import ANSWERABLE, Composer, Plan
from agent.extractive.coverage import Run
from heliograph.text.names import plain_title
from heliograph.types import (
    Brief,
    Draft,
    DraftBlock,
    DraftClaim,
    Evidence,
    Quote,
    ReadAnswer,
    Refusal,
    Scored,
    TableSegment,
)
from prompts import render_prompt


class ExtractiveAnswerer:
    """Quote what answers, in the order in which it reads best, or say what is not covered."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer

    async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
        """Return one paragraph of few claims, one for each sentence or row, or none with the reason.

        It answers the question of the brief; only a language model writes about needs of an answer, and in other forms.
        """
        plan = await self._composer.plan(brief.question, evidence)
        sure = round(plan.confidence, 3)
        if plan.confidence < ANSWERABLE:
            return Draft((), reason(plan), confidence=sure)
        computed = (DraftClaim(plan.computed.sentence, (), plan.computed.computation),) if plan.computed else ()
        first, *others = [claims_of(run) for run in plan.runs] or [()]
        first = answered(plan.answer, first) if plan.answer is not None else first
        claims = (*computed, *first, *(claim for each in others for claim in each))
        paragraph = (DraftBlock("paragraph", tuple(range(len(claims))), need=0),) if claims else ()
        return Draft(claims, blocks=paragraph, confidence=sure)

    async def repair(
        self,
        refused: Sequence[Refusal],
        evidence: Sequence[Scored[Evidence]],  # noqa: ARG002 - what is quoted needs nothing else
    ) -> tuple[DraftClaim | None, ...]:
        """Return the claims in the words of their sources alone; None for one that stood in them already."""
        return tuple(_in_quotes(each.claim) for each in refused)


def _in_quotes(claim: DraftClaim) -> DraftClaim | None:
    quoted = " ".join(quote.text for quote in claim.quotes)
    return DraftClaim(quoted, claim.quotes) if quoted and quoted != claim.text else None


def answered(answer: ReadAnswer, claims: Sequence[DraftClaim]) -> tuple[DraftClaim, ...]:
    """Return what says an answer as one claim, the answer in front of it."""
    said = answer.text
    text = " ".join(claim.text for claim in claims)
    quotes = tuple(quote for claim in claims for quote in claim.quotes)
    return (DraftClaim(text if text.startswith(said) else f"{said}{ANSWER_FIRST}{text}", quotes),)


def claims_of(run: Run) -> tuple[DraftClaim, ...]:
    """Make each unit of a run a claim; the first names the subject where the words of the run do not."""
    subject = plain_title(run.evidence.place.title)
    texts = [match.unit.quote for match in run.matches]
    match run.evidence:
        case TableSegment(caption=caption):
            texts[0] = f"{caption or subject}: {texts[0]}."
        case _ if subject not in run.quote:
            texts[0] = f"{subject}: {texts[0]}"
    quotes = (Quote(run.evidence.id, match.unit.quote) for match in run.matches)
    return tuple(DraftClaim(text, (quote,)) for text, quote in zip(texts, quotes, strict=True))


def reason(plan: Plan) -> str:
    """Say why nothing is claimed."""
    if plan.uncomputed:
        return render_prompt("not_computed")
    if not plan.missing:
        return "nothing that was found fits the question closely enough"
    return render_prompt("not_covered", words=", ".join(word.span.text for word in plan.missing))
