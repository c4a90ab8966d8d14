"""Claims that were refused, rewritten by a model that sees why and all of what they cite.

What cannot be rewritten is left out of the answer and named there; no row and no quote takes its place.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated

from agent.checking.shown import ClaimsFrame, Exhibit, exhibit_of, pages
from agent.citations.grounds import find_evidence, ground_of
from agent.citations.quotes import find_words, row_text
from agent.language.addresses import may_be_told
from agent.language.framing import PIECE_CHARACTERS
from agent.writing.quoting import exact_quote
from agent.writing.replies import MOST_CITATIONS
from heliograph.protocols import LLM
from heliograph.types import DraftClaim, Evidence, Prompt, Quote, Refusal, Scored, TableSegment
from prompts import render_prompt
from prompts.replies import MaxItems, MaxLength, Number, Said

MOST_CALLS = 2
MOST_REPAIRED = 12
"""Claims of one prompt."""
CLAIM_CHARACTERS = 600

_HANDLES = re.compile(r"(?<!\s)\s*[\[(]\s*[CE]\d+(?:\.\d+)?(?:\s*[,;]\s*[CE]?\d+(?:\.\d+)?)*\s*[\])]")


class NewQuote(Said):
    """The handle of a piece, and words that stand in it."""

    handle: Annotated[str, MaxLength(12)]
    quote: Annotated[str, MaxLength(CLAIM_CHARACTERS)]


class RepairedClaim(Said):
    """A claim written anew, by the number of the refused one."""

    claim: Number
    text: Annotated[str, MaxLength(CLAIM_CHARACTERS)]
    citations: Annotated[list[NewQuote], MaxItems(MOST_CITATIONS)]


class RepairedClaims(Said):
    """Claims written anew; those that could not be are left out."""

    claims: Annotated[list[RepairedClaim], MaxItems(MOST_REPAIRED)]


@dataclass(frozen=True, slots=True)
class _Case:
    """A refused claim at its place, with the pieces that it cites as they are shown."""

    place: int
    refusal: Refusal
    exhibit: Exhibit


async def repaired(
    llm: LLM, refused: Sequence[Refusal], evidence: Sequence[Scored[Evidence]]
) -> tuple[DraftClaim | None, ...]:
    """Have refused claims rewritten in one call, in two where they do not fit; None for what is left out.

    One that tells a calculated value goes on telling it, or quotes something else; one that cites nothing at hand is
    not rewritten.

    Raises:
        ModelError: the model cannot be asked.
    """
    at_hand = {scored.item.id: scored.item for scored in evidence}
    cases = []
    for place, refusal in enumerate(refused):
        claim = refusal.claim
        grounds = [ground_of(quote, at_hand) for quote in claim.quotes]
        exhibit = await asyncio.to_thread(exhibit_of, claim, grounds, at_hand)
        if exhibit.pieces:
            cases.append(_Case(place, refusal, exhibit))
    found: list[DraftClaim | None] = [None] * len(refused)
    for part in await asyncio.to_thread(_parts, llm, cases):
        chosen, cases = cases[: len(part.exhibits)], cases[len(part.exhibits) :]
        for place, claim in await _rewritten(llm, chosen, part):
            found[place] = claim
    return tuple(found)


def _parts(llm: LLM, cases: Sequence[_Case]) -> list[ClaimsFrame]:
    """Show the cases in as few prompts as they fit: whole paragraphs and tables, where there is room."""
    exhibits, reasons = [case.exhibit for case in cases], [case.refusal.reason for case in cases]
    system = render_prompt("repair_claims")
    return list(islice(pages(llm, exhibits, MOST_REPAIRED, PIECE_CHARACTERS, system, reasons=reasons), MOST_CALLS))


async def _rewritten(llm: LLM, cases: Sequence[_Case], shown: ClaimsFrame) -> list[tuple[int, DraftClaim]]:
    prompt = Prompt("repair_claims", render_prompt("repair_claims"), (shown.frame.text, shown.claims))
    reply = await llm.ask(prompt, RepairedClaims)
    known = {number: case.refusal.claim for number, case in enumerate(cases, start=1)}
    new = {each.claim: _claim(each, shown, known[each.claim]) for each in reply.claims if each.claim in known}
    return [
        (cases[number - 1].place, claim)
        for number, claim in new.items()
        if (claim.quotes or claim.computation) and claim != known[number] and may_be_told(claim, "")
    ]


def _claim(said: RepairedClaim, shown: ClaimsFrame, refused: DraftClaim) -> DraftClaim:
    """Return a claim as one line, with the source's own words for its quotes; rows are quoted whole."""
    text = " ".join(_HANDLES.sub("", said.text).split())
    computed = refused.computation
    told = computed if computed and find_words(computed.value, text) else None
    return DraftClaim(text, tuple(dict.fromkeys(_quotes(said.citations, shown))), told)


def _quotes(citations: Sequence[NewQuote], shown: ClaimsFrame) -> Iterator[Quote]:
    every = shown.pieces()
    at_hand = {piece.id: piece for piece in every}
    for cited in citations:
        named = shown.piece(cited.handle)
        pieces = () if named is None else (named, *every)
        quote = next(filter(None, (exact_quote(cited.quote, piece) for piece in pieces)), None)
        if quote is None:
            continue
        row = find_evidence(quote.evidence, at_hand)
        if isinstance(row, TableSegment) and find_words(quote.text, row.caption) is None:
            quote = Quote(row.id, row_text(row.header, row.cells))
        yield quote
