"""Apply the citation policy to a draft: a claim never outlives its citation.

- flag     keeps every claim and marks what is not supported, in words
- drop     keeps claims that are supported or computed; partial is not supported
- repair   has each failing claim rewritten once, checks it again, then drops it
- abstain  gives no answer at all when one claim fails
A kept claim keeps all its citations. Markers are ours (`agent.citations.numbering`): dense, in order of first use.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.citations.grounds import contributes, ground_of
from agent.citations.numbering import Numbering, Source, without_markers
from agent.citations.sentences import split_sentences
from agent.citations.verdicts import KEPT, worst
from heliograph.protocols import Answerer, ClaimVerifier
from heliograph.types import (
    Citation,
    CitationPolicy,
    CitedMarker,
    Claim,
    ClaimVerdict,
    Document,
    Draft,
    DraftClaim,
    Evidence,
    EvidenceId,
    PageKey,
    Scored,
)

FLAGS: Mapping[ClaimVerdict, str] = {"partial": "(partly supported)", "unchecked": "(unchecked)"}
FLAG = "(unsupported)"
"""What a flagged claim ends with when its verdict has no flag of its own."""


@dataclass(frozen=True, slots=True)
class DroppedClaim:
    """A claim that the answer does not make, and why."""

    text: str
    verdict: ClaimVerdict


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer whose every claim was checked; when it abstains its text is empty and `reason` says why."""

    text: str
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    dropped: tuple[DroppedClaim, ...] = ()
    abstained: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Judged:
    draft: DraftClaim
    claim: Claim

    @property
    def holds(self) -> bool:
        """A claim holds when it and one citation of it are supported or computed."""
        return self.claim.verdict in KEPT and any(cited.verdict in KEPT for cited in self.claim.citations)


async def check_answer(
    draft: Draft,
    policy: CitationPolicy,
    verifier: ClaimVerifier,
    answerer: Answerer,
    evidence: Mapping[EvidenceId, Evidence],
    documents: Mapping[PageKey, Document],
    ranked: Sequence[Scored[Evidence]] = (),
) -> CheckedAnswer:
    """Check every sentence of a draft, apply the policy, and number what is cited.

    Args:
        evidence: All pieces that may be cited; rows are also found in their tables, and tables in `documents`.
        ranked: The evidence as a repair sees it; `evidence` with score 0 where it is empty.
    """
    at_hand = _at_hand(draft, evidence, documents)
    claims = [part for claim in draft.claims for part in split_claim(claim, at_hand)]
    judged = await asyncio.gather(*(_judge(claim, verifier, at_hand) for claim in claims))
    if policy == "repair":
        shown = ranked or tuple(Scored(piece, 0.0) for piece in evidence.values())
        judged = await asyncio.gather(*(_mended(each, verifier, answerer, at_hand, shown) for each in judged))
    return _decided(judged, draft.reason, policy, Numbering(at_hand, documents))


def split_claim(claim: DraftClaim, evidence: Mapping[EvidenceId, Evidence]) -> tuple[DraftClaim, ...]:
    """Make each sentence a claim, with the quotes that have to do with it; a quote that fits none stays with the first.

    A computed claim stays whole.
    """
    sentences = split_sentences(without_markers(claim.text))
    if claim.computation is not None or len(sentences) < 2:
        return (replace(claim, text=without_markers(claim.text)),) if sentences else ()
    grounds = [(quote, ground_of(quote, evidence)) for quote in claim.quotes]
    fits = {
        quote: [text for text in sentences if contributes(text, ground)] or [sentences[0]] for quote, ground in grounds
    }
    return tuple(
        DraftClaim(text, tuple(quote for quote in dict.fromkeys(claim.quotes) if text in fits[quote]))
        for text in sentences
    )


def _decided(judged: Sequence[_Judged], reason: str, policy: CitationPolicy, numbering: Numbering) -> CheckedAnswer:
    failing = [each for each in judged if not each.holds]
    dropped = tuple(DroppedClaim(each.claim.text, each.claim.verdict) for each in failing)
    kept = list(judged) if policy == "flag" else [each for each in judged if each.holds]
    if policy == "abstain" and failing:
        kept, dropped = [], tuple(DroppedClaim(each.claim.text, each.claim.verdict) for each in judged)
    if not kept:
        why = "no claim of the answer was supported by what it cites" if judged else "no claim was made"
        return CheckedAnswer("", (), (), dropped, True, reason or why)
    numbered = tuple(_numbered(each, numbering) for each in kept)
    text = " ".join(_sentence(claim, each.holds) for claim, each in zip(numbered, kept, strict=True))
    return CheckedAnswer(text, numbered, numbering.citations(), () if policy == "flag" else dropped)


def _numbered(judged: _Judged, numbering: Numbering) -> Claim:
    """Give a claim our markers, one for each source; a source cited twice is worth its worst verdict."""
    verdicts: dict[int, ClaimVerdict] = {}
    for source, cited in zip(_sources(judged.draft), judged.claim.citations, strict=True):
        marker = numbering.marker(source)
        verdicts[marker] = worst(cited.verdict, verdicts.get(marker, cited.verdict))
    return replace(judged.claim, citations=tuple(CitedMarker(marker, verdict) for marker, verdict in verdicts.items()))


def _sentence(claim: Claim, holds: bool) -> str:
    flag = "" if holds else f" {FLAGS.get(claim.verdict, FLAG)}"
    markers = "".join(f"[{cited.marker}]" for cited in claim.citations)
    return f"{claim.text}{flag}{' ' if markers else ''}{markers}"


def _sources(draft: DraftClaim) -> tuple[Source, ...]:
    return (*draft.quotes, *((draft.computation,) if draft.computation else ()))


async def _judge(claim: DraftClaim, verifier: ClaimVerifier, evidence: Mapping[EvidenceId, Evidence]) -> _Judged:
    return _Judged(claim, await verifier.verify(claim, evidence, 1))


async def _mended(
    judged: _Judged,
    verifier: ClaimVerifier,
    answerer: Answerer,
    evidence: Mapping[EvidenceId, Evidence],
    shown: Sequence[Scored[Evidence]],
) -> _Judged:
    """Have a claim that does not hold rewritten once; a rewriting of several sentences is judged as one claim."""
    repaired = None if judged.holds else await answerer.repair(judged.draft, shown)
    if repaired is None:
        return judged
    text = without_markers(repaired.text)
    return await _judge(replace(repaired, text=text), verifier, evidence) if text else judged


def _at_hand(
    draft: Draft, evidence: Mapping[EvidenceId, Evidence], documents: Mapping[PageKey, Document]
) -> Mapping[EvidenceId, Evidence]:
    """Return the evidence with all leaves of the documents, which a claim or its repair may cite too."""
    leaves: dict[EvidenceId, Evidence] = {leaf.id: leaf for document in documents.values() for leaf in document.leaves}
    return {**leaves, **evidence} if draft.claims else evidence
