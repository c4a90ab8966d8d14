"""Claims that were refused, rewritten by a model that sees why and all of what they cite.

What cannot be rewritten is left out of the answer and named there; no row and no quote takes its place.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from agent.checking.shown import Exhibit, Piece, claims_part, evidence_part, longest_piece, numbers_of, pages, whole
from agent.citations.grounds import find_evidence
from agent.citations.quotes import find_words, row_text
from agent.language.addresses import may_be_told
from agent.language.replies import Said
from agent.writing.quoting import exact_quote
from heliograph.protocols import LLM
from heliograph.types import DraftClaim, Evidence, EvidenceId, Prompt, Quote, Refusal, Scored, TableSegment
from prompts import render_prompt
from prompts.harmless import clipped

MOST_CALLS = 2
MOST_REPAIRED = 12
"""Claims of one prompt."""
MOST_CITATIONS = 4
CLAIM_CHARACTERS = 600
TABLE_CHARACTERS = 4_800
"""Characters of a piece that are shown, so that most tables are whole."""

_HANDLES = re.compile(r"\s*[\[(]\s*[CE]\d+(?:\s*[,;]\s*[CE]?\d+)*\s*[\])]")


class NewQuote(Said):
    """The handle of a piece, and words that stand in it."""

    handle: Annotated[str, Field(json_schema_extra={"maxLength": 12})]
    quote: Annotated[str, Field(json_schema_extra={"maxLength": CLAIM_CHARACTERS})]


class RepairedClaim(Said):
    """A claim written anew, by the number of the refused one."""

    claim: int
    text: Annotated[str, Field(json_schema_extra={"maxLength": CLAIM_CHARACTERS})]
    citations: Annotated[list[NewQuote], Field(json_schema_extra={"maxItems": MOST_CITATIONS})]


class RepairedClaims(Said):
    """Claims written anew; those that could not be are left out."""

    claims: Annotated[list[RepairedClaim], Field(json_schema_extra={"maxItems": MOST_REPAIRED})]


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

    A computed claim is not rewritten, and none is that cites nothing at hand.

    Raises:
        ModelError: the model cannot be asked.
    """
    at_hand = {scored.item.id: scored.item for scored in evidence}
    shown: dict[Piece, Evidence] = {}
    cases = []
    for place, refusal in enumerate(refused):
        pieces = {whole(piece): piece for piece in _cited(refusal.claim, at_hand)}
        if pieces and refusal.claim.computation is None:
            shown |= pieces
            cases.append(_Case(place, refusal, Exhibit(refusal.claim, tuple(pieces))))
    found: list[DraftClaim | None] = [None] * len(refused)
    longest = longest_piece(llm, TABLE_CHARACTERS)
    told = " ".join(case.refusal.reason for case in cases)
    parts = list(
        pages(llm, [case.exhibit for case in cases], MOST_REPAIRED, longest, render_prompt("repair_claims"), told)
    )
    for part in parts[:MOST_CALLS]:
        chosen, cases = cases[: len(part)], cases[len(part) :]
        for place, claim in await _rewritten(llm, chosen, shown, longest):
            found[place] = claim
    return tuple(found)


async def _rewritten(
    llm: LLM, cases: Sequence[_Case], shown: Mapping[Piece, Evidence], longest: int
) -> list[tuple[int, DraftClaim]]:
    exhibits = [case.exhibit for case in cases]
    claims = claims_part(exhibits, [case.refusal.reason for case in cases])
    prompt = Prompt("repair_claims", render_prompt("repair_claims"), (evidence_part(exhibits, longest), claims))
    reply = await llm.ask(prompt, RepairedClaims)
    handles = {f"E{number}": shown[piece] for piece, number in numbers_of(exhibits).items()}
    new = ((each.claim - 1, _claim(each, handles)) for each in reply.claims)
    return [
        (cases[number].place, claim)
        for number, claim in dict(new).items()
        if 0 <= number < len(cases) and claim.quotes and claim != cases[number].refusal.claim and may_be_told(claim, "")
    ]


def _claim(said: RepairedClaim, handles: Mapping[str, Evidence]) -> DraftClaim:
    """Return a claim as one line, with the source's own words for its quotes; rows are quoted whole."""
    text = clipped(" ".join(_HANDLES.sub("", said.text).split()), CLAIM_CHARACTERS)
    return DraftClaim(text, tuple(dict.fromkeys(_quotes(said.citations[:MOST_CITATIONS], handles))))


def _quotes(citations: Sequence[NewQuote], handles: Mapping[str, Evidence]) -> Iterator[Quote]:
    for cited in citations:
        named = handles.get(cited.handle.strip(" []()"))
        pieces = () if named is None else (named, *handles.values())
        quote = next(filter(None, (exact_quote(cited.quote, piece) for piece in pieces)), None)
        if quote is None:
            continue
        row = find_evidence(quote.evidence, {piece.id: piece for piece in handles.values()})
        if isinstance(row, TableSegment) and find_words(quote.text, row.caption) is None:
            quote = Quote(row.id, row_text(row.header, row.cells))
        yield quote


def _cited(claim: DraftClaim, at_hand: Mapping[EvidenceId, Evidence]) -> Iterator[Evidence]:
    """Yield the pieces that a claim cites, and the tables of its rows."""
    for name in dict.fromkeys(quote.evidence for quote in claim.quotes):
        piece = find_evidence(name, at_hand)
        if piece is None:
            continue
        yield piece
        if isinstance(piece, TableSegment) and piece.table in at_hand:
            yield at_hand[piece.table]
