"""The parts of an answer: in which order its claims are said, which are judged together, and what is left of a part.

A part that loses its claims, rows or picture disappears, and a heading with nothing under it; a need that no part
answers any more is named. Cells of tables and pictures are checked by code: a quote must stand in its evidence, and a
cell must say what its quote says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent.answer_parts import rows_of
from agent.citations.grounds import context_of, contributes, ground_of
from agent.citations.numbering import without_markers
from agent.citations.quantities import missing_quantities, open_quantities
from agent.citations.verifier import HALF, nowhere, unfit
from agent.citations.wording import claim_coverage
from heliograph.text.sentences import split_sentences
from heliograph.types import (
    Block,
    BlockCell,
    Draft,
    DraftBlock,
    DraftCell,
    DraftClaim,
    Evidence,
    EvidenceId,
    UnsaidClaim,
)

MOST_GROUPS = 6
"""Groups of claims that are judged together, so many calls of a judge."""
DEEPEST = 6
"""Levels of headings in Markdown."""


@dataclass(frozen=True, slots=True)
class Outline:
    """Claims of one sentence each, in the order in which they are said, and the parts that say them.

    `plain` tells that the draft had no parts: all claims are one paragraph.
    """

    claims: tuple[DraftClaim, ...]
    blocks: tuple[DraftBlock, ...]
    plain: bool

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Return the claims of each section, between two headings; neighbours join until there are few enough."""
        sections: list[tuple[int, ...]] = [()]
        known: set[int] = set()
        for block in self.blocks:
            new = tuple(dict.fromkeys(place for place in block.claims if place not in known))
            known.update(new)
            sections = [*sections, new] if block.kind == "heading" else [*sections[:-1], sections[-1] + new]
        sections = [section for section in sections if section]
        while len(sections) > MOST_GROUPS:
            sizes = [len(one) + len(other) for one, other in pairwise(sections)]
            least = sizes.index(min(sizes))
            sections[least : least + 2] = [sections[least] + sections[least + 1]]
        return tuple(sections)


def outline_of(draft: Draft, evidence: Mapping[EvidenceId, Evidence]) -> Outline:
    """Split claims into sentences, in the order of their parts; claims of no part follow as a paragraph."""
    said = tuple(dict.fromkeys(place for block in draft.blocks for place in block.claims if _is_place(place, draft)))
    rest = tuple(place for place in range(len(draft.claims)) if place not in said)
    blocks = (*draft.blocks, *((DraftBlock("paragraph", rest),) if rest else ()))
    claims: list[DraftClaim] = []
    parts: dict[int, tuple[int, ...]] = {}
    for place in (*said, *rest):
        sentences = split_claim(draft.claims[place], evidence)
        parts[place] = tuple(range(len(claims), len(claims) + len(sentences)))
        claims += sentences
    told = tuple(
        replace(block, claims=tuple(part for place in block.claims for part in parts.get(place, ())))
        for block in blocks
    )
    return Outline(tuple(claims), told, not draft.blocks)


def split_claim(claim: DraftClaim, evidence: Mapping[EvidenceId, Evidence]) -> tuple[DraftClaim, ...]:
    """Make each sentence a claim, with the quotes that have to do with it; a quote that fits none stays with the first.

    A computed claim stays whole, and what stands between quotation marks stays in one sentence.
    """
    sentences = _outside_quotations(split_sentences(without_markers(claim.text)))
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


def _outside_quotations(sentences: Sequence[str]) -> tuple[str, ...]:
    """Join sentences that a quotation goes on over; one that never ends takes nothing with it."""
    joined: list[str] = []
    begun: list[str] = []
    for sentence in sentences:
        begun.append(sentence)
        said = " ".join(begun)
        if said.count('"') % 2 == 0 and said.count("“") <= said.count("”"):
            joined, begun = [*joined, said], []
    return (*joined, *begun)


def refused_cell(cell: DraftCell, evidence: Mapping[EvidenceId, Evidence], question: str = "") -> UnsaidClaim | None:
    """Say what is wrong with a cell of a table; None for one that says what its quote says, and for one without."""
    if cell.quote is None or not cell.text.strip():
        return None
    ground = ground_of(cell.quote, evidence)
    reason = unfit([ground])
    told = (cell.text, [ground], question)
    if not reason and (missing := missing_quantities(*told) or open_quantities(*told)):
        reason = nowhere(missing)
    near = [cell.quote.text, context_of(ground.evidence)] if ground.evidence else []
    if not reason and near and claim_coverage(cell.text, near) < HALF:
        reason = "its quote says something else"
    if not reason:
        return None
    return UnsaidClaim(cell.text, "unchecked" if ground.evidence is None else "unsupported", reason)


def standing(blocks: Sequence[Block | None], drafts: Sequence[DraftBlock]) -> tuple[bool, ...]:
    """Tell of each part whether it stays: it has something to say, or is a heading with such a part under it."""
    return tuple(
        _heads(number, blocks, drafts) if draft.kind == "heading" else block is not None
        for number, (block, draft) in enumerate(zip(blocks, drafts, strict=True))
    )


def lost_needs(drafts: Sequence[DraftBlock], stay: Sequence[bool], needs: Sequence[str]) -> tuple[str, ...]:
    """Name the needs that parts were to answer and none does; a need that has no name here by its heading."""
    answered = {draft.need for draft, stays in zip(drafts, stay, strict=True) if stays}
    lost = (draft for draft, stays in zip(drafts, stay, strict=True) if not stays and draft.need is not None)
    named = (
        needs[draft.need] if draft.need is not None and draft.need < len(needs) else _heading(draft)
        for draft in lost
        if draft.need not in answered
    )
    return tuple(dict.fromkeys(name for name in named if name))


def markdown(blocks: Sequence[Block], sentences: Sequence[str]) -> str:
    """Return an answer as Markdown; `sentences` are its claims with their markers."""
    return "\n\n".join(_markdown(block, [sentences[place] for place in block.claims]) for block in blocks)


def _markdown(block: Block, said: Sequence[str]) -> str:
    match block.kind:
        case "heading":
            return f"{'#' * min(DEEPEST, max(1, block.level))} {block.text}"
        case "list":
            return "\n".join(f"- {sentence}" for sentence in said)
        case "table":
            return "\n\n".join(filter(None, (" ".join(said), block.text, _table(block))))
        case "figure" if block.figure is not None:
            shown = f"{block.figure.caption} [{block.figure.marker}]".strip()
            return "\n\n".join(filter(None, (" ".join(said), shown)))
        case _:
            return " ".join(said)


def _table(block: Block) -> str:
    width = max(len(block.header), *(len(row) for row in block.rows))
    rows = [
        [" ".join((cell.text, *(f"[{marker}]" for marker in cell.markers))) for cell in row] for row in rows_of(block)
    ]
    lines = [_line(block.header, width), _line(["---"] * width, width), *(_line(row, width) for row in rows)]
    return "\n".join(lines)


def _marked(cell: BlockCell) -> str:
    return " ".join((cell.text, *(f"[{marker}]" for marker in cell.markers)))


def _line(cells: Sequence[str], width: int) -> str:
    filled = [*cells, *[""] * (width - len(cells))]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|').strip() for cell in filled)} |"


def _heads(number: int, blocks: Sequence[Block | None], drafts: Sequence[DraftBlock]) -> bool:
    """Tell whether a part stands under a heading, before the next heading of its level or a higher one."""
    level = drafts[number].level
    for block, draft in zip(blocks[number + 1 :], drafts[number + 1 :], strict=True):
        if draft.kind == "heading" and draft.level <= level:
            return False
        if draft.kind != "heading" and block is not None:
            return True
    return False


def _heading(draft: DraftBlock) -> str:
    return without_markers(draft.text) if draft.kind == "heading" else ""


def _is_place(place: int, draft: Draft) -> bool:
    return 0 <= place < len(draft.claims)
