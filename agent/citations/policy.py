"""Apply the citation policy to a draft: a claim never outlives its citation.

- flag     keeps every claim and marks what is not supported, in words
- drop     keeps claims that are supported or computed; partial is not supported
- repair   has each failing claim rewritten once, checks it again, then drops it
- abstain  gives no answer at all when one claim fails
A kept claim keeps all its citations. Markers are ours (`agent.citations.numbering`): dense, in order of first use.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
    ToldClaim,
)
from heliograph.unsaid import unsaid

FLAGS: Mapping[ClaimVerdict, str] = {"partial": "(partly supported)", "unchecked": "(unchecked)"}
FLAG = "(unsupported)"
"""What a flagged claim ends with when its verdict has no flag of its own."""


@dataclass(frozen=True, slots=True)
class DroppedClaim:
    """A claim that the answer does not make, and why."""

    text: str
    verdict: ClaimVerdict


Tell = Callable[[ToldClaim], None]


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
    tell: Tell = unsaid,
) -> CheckedAnswer:
    """Check every sentence of a draft, apply the policy, and number what is cited.

    Args:
        evidence: All pieces that may be cited; rows are also found in their tables, and tables in `documents`.
        ranked: The evidence as a repair sees it; `evidence` with score 0 where it is empty.
        tell: Hears each claim of the answer, in order, as soon as it and all before it are decided.
    """
    at_hand = _at_hand(draft, evidence, documents)
    claims = [part for claim in draft.claims for part in split_claim(claim, at_hand)]
    shown = ranked or tuple(Scored(piece, 0.0) for piece in evidence.values())
    decision = _Decision(policy, Numbering(at_hand, documents), tell)

    async def settle(place: int, claim: DraftClaim) -> None:
        judged = await _judge(claim, verifier, at_hand)
        if policy == "repair":
            judged = await _mended(judged, verifier, answerer, at_hand, shown)
        decision.settle(place, judged)

    await asyncio.gather(*(settle(place, claim) for place, claim in enumerate(claims)))
    return decision.answer(draft.reason)


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


@dataclass(slots=True)
class _Decision:
    """What becomes of the claims: each is taken up after those before it, so that markers count up in their order."""

    policy: CitationPolicy
    numbering: Numbering
    tell: Tell
    _settled: dict[int, _Judged] = field(default_factory=dict)
    _next: int = 0
    _kept: list[tuple[Claim, str]] = field(default_factory=list)

    def settle(self, place: int, judged: _Judged) -> None:
        """Take a claim that is judged; `abstain` keeps none before it knows all."""
        self._settled[place] = judged
        while self.policy != "abstain" and self._next in self._settled:
            self._take(self._settled[self._next])
            self._next += 1

    def answer(self, reason: str) -> CheckedAnswer:
        """Return the answer, when all claims are settled."""
        judged = [self._settled[place] for place in sorted(self._settled)]
        dropped = tuple(DroppedClaim(each.claim.text, each.claim.verdict) for each in judged if not each.holds)
        if self.policy == "abstain" and dropped:
            dropped = tuple(DroppedClaim(each.claim.text, each.claim.verdict) for each in judged)
        elif self.policy == "abstain":
            for each in judged:
                self._take(each)
        if not self._kept:
            why = "no claim of the answer was supported by what it cites" if judged else "no claim was made"
            return CheckedAnswer("", (), (), dropped, True, reason or why)
        text = " ".join(sentence for _, sentence in self._kept)
        claims = tuple(claim for claim, _ in self._kept)
        return CheckedAnswer(text, claims, self.numbering.citations(), () if self.policy == "flag" else dropped)

    def _take(self, judged: _Judged) -> None:
        if not (judged.holds or self.policy == "flag"):
            return
        claim = _numbered(judged, self.numbering)
        sentence = _sentence(claim, judged.holds)
        self._kept.append((claim, sentence))
        markers = {cited.marker for cited in claim.citations}
        cited = tuple(citation for citation in self.numbering.citations() if citation.marker in markers)
        self.tell(ToldClaim(sentence, claim, cited))


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
