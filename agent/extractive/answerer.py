"""The answer without a language model: computed values, quoted sentences, rows and captions, each cited."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from agent.answer_parts import one_line
from agent.citations import ExtractiveClaimVerifier
from agent.citations.grounds import with_unit
from agent.citations.quotes import ANSWER_FIRST, trimmed
from agent.extractive.composer import Composer, Plan
from agent.extractive.paths import draft_of
from agent.extractive.sentence import sentence_of
from agent.extractive.units import Run, Unit
from heliograph.text.names import plain_title
from heliograph.text.sentences import as_sentence, split_sentences
from heliograph.types import (
    Brief,
    Draft,
    DraftBlock,
    DraftCell,
    DraftClaim,
    Evidence,
    Quote,
    ReadAnswer,
    Refusal,
    Scored,
    TableSegment,
)
from prompts import render_prompt
from prompts.harmless import clipped
from tools.arithmetic import Computed

SURE = 0.7
"""Trust in an answer from which a sentence states it: a wrong answer in words of the question would be a wrong claim,
where the same words before a quote are a poor quote."""
LONGEST_PASSAGE = 400
"""Characters of a passage that is named in place of an answer."""
MOST_BEHIND = 4
"""Claims behind the first one at most: the bridge of two hops, the sentence that holds the answer."""


class ExtractiveAnswerer:
    """State what answers, with what says it behind it, or say what is not covered."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer

    async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
        """Return a paragraph of few claims, with a row of a table as a table, or none with the reason.

        It answers the question of the brief. A broad one is told about in sentences, grouped by page and section; only
        a language model writes about needs of an answer.
        """
        if brief.form != "short" and (units := await self._composer.survey(brief.question, evidence)):
            return grouped(units)
        if drafted := draft_of(brief.paths, brief.question):
            return drafted
        plan = await self._composer.plan(brief.question, evidence, brief.needs[0].table)
        sure = round(plan.confidence, 3)
        if not plan.has_answer:
            return Draft((), reason(plan), confidence=sure)
        asked, first, others = plan.question, (plan.runs[0] if plan.runs else None), plan.runs[1:]
        claims: tuple[DraftClaim, ...] = ()
        drawn: tuple[DraftBlock, ...] = ()
        if plan.computed:
            claims = (told(asked, plan.computed, evidence),)
        if first and plan.answer:
            lead, drawn = answered(asked if sure >= SURE else "", plan.answer, first)
            claims += lead
        elif first:
            claims += claims_of(first)
        claims += tuple(claim for run in others for claim in claims_of(run))
        claims = claims[: MOST_BEHIND + 1]
        paragraph = (DraftBlock("paragraph", tuple(range(len(claims))), need=0),) if claims else ()
        return Draft(claims, blocks=(*paragraph, *drawn), confidence=sure)

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


def grouped(units: Sequence[Unit]) -> Draft:
    """Return sentences under their pages and sections, in the order of their page; that of the best stands first."""
    titles = [unit.evidence.place.title for unit in units]
    ordered = sorted(units, key=lambda unit: (titles.index(unit.evidence.place.title), unit.evidence.id, unit.number))
    claims, blocks = list[DraftClaim](), list[DraftBlock]()
    for (title, *path), group in groupby(ordered, lambda unit: (unit.evidence.place.title, *unit.evidence.place.path)):
        said = [DraftClaim(unit.quote, (Quote(unit.evidence.id, unit.quote),)) for unit in group]
        blocks.append(DraftBlock("heading", text=": ".join((plain_title(title), *path[:1])), level=2, need=0))
        blocks.append(DraftBlock("paragraph", tuple(range(len(claims), len(claims) + len(said))), need=0))
        claims += said
    return Draft(tuple(claims), blocks=tuple(blocks))


def told(question: str, computed: Computed, evidence: Sequence[Scored[Evidence]]) -> DraftClaim:
    """Claim a computed value, in words of the question where it has the form for it and the check of claims passes."""
    plain = DraftClaim(computed.sentence, (), computed.computation)
    stated = sentence_of(question, computed.answer, "").removesuffix(".")
    if not stated:
        return plain
    claim = replace(plain, text=f"{stated}{computed.sentence.removeprefix(computed.answer)}")
    pieces = {scored.item.id: scored.item for scored in evidence}
    return claim if ExtractiveClaimVerifier(question).check(claim, pieces).claim.verdict == "computed" else plain


def answered(question: str, answer: ReadAnswer, run: Run) -> tuple[tuple[DraftClaim, ...], tuple[DraftBlock, ...]]:
    """Return an answer in a sentence, with what says it behind it: the words, or the row with the cell marked.

    Of words of several sentences the first ones are the answer. The sentence names what it is about, so nothing of the
    run is said behind it but what holds the answer. Where no sentence can be made that passes the check of claims, its
    few words stand before the run in one claim, or by themselves above the row.
    """
    said, piece = trimmed(split_sentences(answer.text)[0]), run.evidence
    place = next((place for place, unit in enumerate(run.units) if said in unit.quote), len(run.units) - 1)
    run = Run(run.units[: place + 1])
    holder = run.units[place].quote
    cell = said
    if isinstance(piece, TableSegment) and answer.kind == "cell" and answer.cell is not None:
        cell = piece.cells[answer.cell].text
        said = with_unit(cell, piece.header[answer.cell])
    sentence, quote = sentence_of(question, said, holder), Quote(piece.id, holder)
    if not sentence and isinstance(piece, TableSegment):
        sentence, quote = as_sentence(said), Quote(piece.id, cell)
    lead = DraftClaim(sentence, (quote,))
    checked = ExtractiveClaimVerifier(question).check(lead, {piece.id: piece}) if sentence else None
    if checked is None or checked.claim.verdict != "quoted":
        claims = claims_of(run)
        text = " ".join(claim.text for claim in claims)
        quotes = tuple(quote for claim in claims for quote in claim.quotes)
        return (DraftClaim(text if text.startswith(said) else f"{said}{ANSWER_FIRST}{text}", quotes),), ()
    if isinstance(piece, TableSegment):
        return (lead,), (_row(piece, answer.cell, quote),)
    return (lead,) if sentence.rstrip(".") in holder else (lead, DraftClaim(holder, (quote,))), ()


def _row(row: TableSegment, asked: int | None, quote: Quote) -> DraftBlock:
    """Return a row as a table, the cell that was asked for marked; empty cells are left out."""
    full = [place for place, cell in enumerate(row.cells) if cell.text]
    cells = tuple(DraftCell(row.cells[place].text, quote, place == asked) for place in full)
    header = tuple(row.header[place] if place < len(row.header) else "" for place in full)
    return DraftBlock("table", text=row.caption, header=header, rows=(cells,), need=0)


def claims_of(run: Run) -> tuple[DraftClaim, ...]:
    """Make each unit of a run a claim; the first names the subject where the words of the run do not."""
    subject = plain_title(run.evidence.place.title)
    texts = [unit.quote for unit in run.units]
    match run.evidence:
        case TableSegment(caption=caption):
            texts[0] = f"{caption or subject}: {texts[0].removesuffix('.')}."
        case _ if subject not in run.quote:
            texts[0] = f"{subject}: {texts[0]}"
    quotes = (Quote(run.evidence.id, unit.quote) for unit in run.units)
    return tuple(DraftClaim(text, (quote,)) for text, quote in zip(texts, quotes, strict=True))


def reason(plan: Plan) -> str:
    """Say why nothing is claimed, and what comes nearest to an answer."""
    why = render_prompt("not_computed") if plan.uncomputed else _missing_words(plan)
    if plan.nearest is None:
        return why
    title = plain_title(plan.nearest.evidence.place.title)
    quote = clipped(one_line(plan.nearest.quote).removesuffix("."), LONGEST_PASSAGE)
    return render_prompt("nearest_passage", reason=why, title=title, quote=quote)


def _missing_words(plan: Plan) -> str:
    if not plan.missing:
        return "nothing that was found fits the question closely enough"
    return render_prompt("not_covered", words=", ".join(plan.missing))
