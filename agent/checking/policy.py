"""Apply the citation policy to a draft: a claim never outlives its citation.

- flag     keeps every claim and marks what is not supported, in words
- drop     keeps claims that are quoted, supported or computed; partial is not supported
- repair   has failing claims rewritten once, all together, checks them again, then drops those that still fail
- abstain  gives no answer at all when one claim fails
A kept claim keeps all its citations, and no claim is dropped for another: sources that disagree are both told. Markers
are ours (`agent.citations.numbering`): dense, in the order in which the answer uses them.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.checking.outline import Outline, lost_needs, markdown, outline_of, refused_cell, standing
from agent.citations.computations import describe
from agent.citations.numbering import Numbering, Source, without_markers
from agent.citations.verdicts import KEPT, worst
from heliograph.protocols import Answerer, ClaimVerifier
from heliograph.types import (
    Block,
    BlockCell,
    Citation,
    CitationPolicy,
    CitedMarker,
    Claim,
    ClaimVerdict,
    Computation,
    Document,
    Draft,
    DraftBlock,
    DraftCell,
    DraftClaim,
    Evidence,
    EvidenceId,
    Figure,
    ImageEvidence,
    Judgment,
    PageKey,
    Quote,
    Refusal,
    Scored,
    ToldClaim,
    UnsaidClaim,
)
from heliograph.unsaid import unsaid

FLAGS: Mapping[ClaimVerdict, str] = {"partial": "(partly supported)", "unchecked": "(unchecked)"}
FLAG = "(unsupported)"
"""What a flagged claim ends with when its verdict has no flag of its own."""

Tell = Callable[[ToldClaim], None]


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer whose every claim was checked; when it abstains its text is empty and `reason` says why.

    `text` are the sentences, a blank between two, and Markdown where the draft had parts. `not_said` are claims and
    cells that did not pass, `not_found` what the answer should say and does not.
    """

    text: str
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    not_said: tuple[UnsaidClaim, ...] = ()
    abstained: bool = False
    reason: str = ""
    blocks: tuple[Block, ...] = ()
    not_found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Judged:
    draft: DraftClaim
    judgment: Judgment

    @property
    def claim(self) -> Claim:
        return self.judgment.claim

    @property
    def holds(self) -> bool:
        """A claim holds when it and one citation of it are quoted, supported or computed."""
        return self.claim.verdict in KEPT and any(cited.verdict in KEPT for cited in self.claim.citations)

    def unsaid(self) -> UnsaidClaim:
        """Return the claim as one that the answer does not make."""
        return UnsaidClaim(self.claim.text, self.claim.verdict, self.judgment.reason)


async def check_answer(
    draft: Draft,
    policy: CitationPolicy,
    verifier: ClaimVerifier,
    answerer: Answerer,
    evidence: Sequence[Scored[Evidence]],
    documents: Mapping[PageKey, Document],
    tell: Tell = unsaid,
    needs: Sequence[str] = (),
) -> CheckedAnswer:
    """Check every sentence of a draft, section by section, apply the policy, and number what is cited.

    Args:
        evidence: All pieces that may be cited; rows are also found in their tables, and tables in `documents`.
        tell: Hears each claim of the answer, in order, as soon as it and all before it are decided.
        needs: The needs in words, by whose places the parts of the draft name them.
    """
    at_hand = _at_hand(draft, evidence, documents)
    outline = await asyncio.to_thread(outline_of, draft, at_hand)
    cells = await asyncio.to_thread(_refused_cells, outline, at_hand)
    computed = await asyncio.to_thread(_descriptions, outline, at_hand)
    decision = _Decision(policy, Numbering(at_hand, documents, computed), tell, outline, at_hand, cells)
    refused: dict[int, _Judged] = {}

    async def settle(places: Sequence[int]) -> None:
        claims = [outline.claims[place] for place in places]
        judgments = await verifier.verify(claims, at_hand)
        for place, judged in zip(places, map(_Judged, claims, judgments), strict=True):
            if judged.holds or policy != "repair":
                decision.settle(place, judged)
            else:
                refused[place] = judged

    await asyncio.gather(*map(settle, outline.groups()))
    if refused:
        refused = dict(sorted(refused.items()))
        shown = _shown(evidence, [*refused.values()], at_hand)
        for place, judged in zip(refused, await _mended(refused, verifier, answerer, at_hand, shown), strict=True):
            decision.settle(place, judged)
    return decision.answer(draft, needs)


@dataclass(slots=True)
class _Decision:
    """What becomes of the claims: each is taken up after those before it, so that markers count up in their order."""

    policy: CitationPolicy
    numbering: Numbering
    tell: Tell
    outline: Outline
    evidence: Mapping[EvidenceId, Evidence]
    refused_cells: Mapping[DraftCell, UnsaidClaim]
    _settled: dict[int, _Judged] = field(default_factory=dict)
    _kept: dict[int, tuple[Claim, str]] = field(default_factory=dict)
    _next: int = 0
    _built: list[Block | None] = field(default_factory=list)
    _cells: list[UnsaidClaim] = field(default_factory=list)

    def settle(self, place: int, judged: _Judged) -> None:
        """Take a claim that is judged; `abstain` keeps none before it knows all."""
        self._settled[place] = judged
        if self.policy != "abstain":
            self._advance()

    def answer(self, draft: Draft, needs: Sequence[str]) -> CheckedAnswer:
        """Return the answer, when all claims are settled."""
        judged = [self._settled[place] for place in sorted(self._settled)]
        failed = tuple(each.unsaid() for each in judged if not each.holds)
        if self.policy == "abstain" and failed:
            failed = tuple(each.unsaid() for each in judged)
        else:
            self._advance()
        if not self._kept and not any(block is not None and block.rows for block in self._built):
            why = "no claim of the answer was supported by what it cites" if judged else "no claim was made"
            unsaid_claims = (*draft.not_said, *failed)
            return CheckedAnswer("", (), (), unsaid_claims, True, draft.reason or why, not_found=draft.not_found)
        stay = standing(self._built, self.outline.blocks)
        blocks = tuple(block for block, stays in zip(self._built, stay, strict=True) if stays and block is not None)
        sentences = [sentence for _, sentence in self._kept.values()]
        return CheckedAnswer(
            " ".join(sentences) if self.outline.plain else markdown(blocks, sentences),
            tuple(claim for claim, _ in self._kept.values()),
            self.numbering.citations(),
            (*draft.not_said, *(() if self.policy == "flag" else (*failed, *self._cells))),
            blocks=blocks,
            not_found=tuple(dict.fromkeys((*draft.not_found, *lost_needs(self.outline.blocks, stay, needs)))),
        )

    def _advance(self) -> None:
        """Take up claims and parts as far as they are decided."""
        for block in self.outline.blocks[len(self._built) :]:
            for place in block.claims:
                if place not in self._settled:
                    return
                if place == self._next:
                    self._next += 1
                    self._take(place, self._settled[place])
            self._built.append(self._build(block))

    def _take(self, place: int, judged: _Judged) -> None:
        if not (judged.holds or self.policy == "flag"):
            return
        claim = _numbered(judged, self.numbering)
        sentence = _sentence(claim, judged.holds)
        self._kept[place] = (claim, sentence)
        markers = {cited.marker for cited in claim.citations}
        cited = tuple(citation for citation in self.numbering.citations() if citation.marker in markers)
        self.tell(ToldClaim(sentence, claim, cited))

    def _build(self, block: DraftBlock) -> Block | None:
        """Return what is left of a part; None where that is nothing."""
        kept = list(self._kept)
        claims = tuple(kept.index(place) for place in dict.fromkeys(block.claims) if place in self._kept)
        rows = tuple(row for row in map(self._row, block.rows) if row)
        figure = self._figure(block)
        kind = block.kind
        if (kind == "table" and not rows) or (kind == "figure" and not figure):
            kind = "paragraph"
        if kind != "heading" and not (claims or rows or figure):
            return None
        text = "" if kind == "paragraph" else without_markers(block.text)
        header = tuple(map(without_markers, block.header)) if kind == "table" else ()
        return Block(kind, claims, text, block.level, header, rows, figure)

    def _row(self, cells: Sequence[DraftCell]) -> tuple[BlockCell, ...]:
        """Return a row without the cells that fail; nothing where no cell with a quote is left."""
        refused = [self.refused_cells.get(cell) for cell in cells]
        self._cells += [each for each in refused if each is not None]
        stays = [each is None or self.policy == "flag" for each in refused]
        if not any(keep and cell.quote for cell, keep in zip(cells, stays, strict=True)):
            return ()
        return tuple(
            self._cell(cell, each) if keep else BlockCell("")
            for cell, each, keep in zip(cells, refused, stays, strict=True)
        )

    def _cell(self, cell: DraftCell, refused: UnsaidClaim | None) -> BlockCell:
        flag = f" {FLAGS.get(refused.verdict, FLAG)}" if refused else ""
        markers = () if cell.quote is None else (self.numbering.marker(cell.quote),)
        return BlockCell(without_markers(cell.text) + flag, markers, cell.marked)

    def _figure(self, block: DraftBlock) -> Figure | None:
        piece = self.evidence.get(block.figure) if block.figure else None
        if not isinstance(piece, ImageEvidence):
            return None
        words = piece.caption or piece.alt
        marker = self.numbering.marker(Quote(piece.id, words))
        licence = next(each.licence for each in self.numbering.citations() if each.marker == marker)
        return Figure(piece.id, marker, without_markers(block.text or words), licence)


def _descriptions(outline: Outline, evidence: Mapping[EvidenceId, Evidence]) -> Mapping[Computation, str]:
    computations = (claim.computation for claim in outline.claims if claim.computation)
    return {each: describe(each, evidence) for each in computations}


def _refused_cells(outline: Outline, evidence: Mapping[EvidenceId, Evidence]) -> Mapping[DraftCell, UnsaidClaim]:
    """Return what is wrong with cells of the tables, by the cells that fail."""
    cells = dict.fromkeys(cell for block in outline.blocks for row in block.rows for cell in row)
    checked = ((cell, refused_cell(cell, evidence)) for cell in cells)
    return {cell: refused for cell, refused in checked if refused is not None}


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


async def _mended(
    refused: Mapping[int, _Judged],
    verifier: ClaimVerifier,
    answerer: Answerer,
    evidence: Mapping[EvidenceId, Evidence],
    shown: Sequence[Scored[Evidence]],
) -> list[_Judged]:
    """Have claims rewritten once and check them again; one that fails again stays what it was.

    A rewriting of several sentences is judged as one claim.
    """
    refusals = [Refusal(each.draft, each.judgment.reason) for each in refused.values()]
    new = [
        None if claim is None else replace(claim, text=without_markers(claim.text))
        for claim in await answerer.repair(refusals, shown)
    ]
    claims = [claim for claim in new if claim is not None and claim.text]
    judged = iter([_Judged(*each) for each in zip(claims, await verifier.verify(claims, evidence), strict=True)])
    pairs = (
        (old, next(judged) if claim is not None and claim.text else old)
        for old, claim in zip(refused.values(), new, strict=True)
    )
    return [later if later.holds else old for old, later in pairs]


def _shown(
    ranked: Sequence[Scored[Evidence]], refused: Sequence[_Judged], evidence: Mapping[EvidenceId, Evidence]
) -> tuple[Scored[Evidence], ...]:
    """Return the ranked evidence with all that refused claims cite, and the tables of cited rows."""
    known = {scored.item.id for scored in ranked}
    quoted = [quote.evidence for each in refused for quote in each.draft.quotes]
    names = dict.fromkeys(name for cited in quoted for name in (cited, EvidenceId(cited.rpartition("/r")[0])))
    return (*ranked, *(Scored(evidence[name], 0.0) for name in names if name in evidence and name not in known))


def _at_hand(
    draft: Draft, evidence: Sequence[Scored[Evidence]], documents: Mapping[PageKey, Document]
) -> Mapping[EvidenceId, Evidence]:
    """Return the evidence with all leaves of the documents, which a claim or its repair may cite too."""
    found: dict[EvidenceId, Evidence] = {}
    if draft.claims or draft.blocks:
        found = {leaf.id: leaf for document in documents.values() for leaf in document.leaves}
    return found | {scored.item.id: scored.item for scored in evidence}
