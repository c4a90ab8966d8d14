"""Number citations: markers are issued here, 1 to n in order of first use, and nowhere else."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.citations.computations import describe
from agent.citations.grounds import find_evidence
from agent.citations.permalinks import permalink
from agent.citations.quotes import locate
from heliograph.types import (
    Citation,
    Computation,
    Document,
    Evidence,
    EvidenceId,
    PageKey,
    Quote,
    modality_of,
)

_NOTE = re.compile(
    r"[\d\s,;–-]+|\w|(?:note|nb|n)\s*\w{1,3}|citation needed|clarification needed|when\?|who\?|sic|edit", re.IGNORECASE
)
"""What stands between the brackets of a note."""
_BRACKET = re.compile(r"([\[\]［］【】])")
_BRACKETS = str.maketrans("[]［］【】〔〕", "()()()()")

Source = Quote | Computation


def without_markers(text: str) -> str:
    """Return a text in which nothing can be taken for a marker of ours: notes go, other brackets become round.

    A note goes as soon as its bracket closes, so that one around it is seen without it; each character is read once.
    """
    kept: list[str] = []
    brackets: list[int] = []
    for place, part in enumerate(_BRACKET.split(text)):  # text and brackets take turns
        bracket = place % 2 == 1
        if bracket and part in "]］】" and brackets and _opens_note(kept[brackets[-1] :]):
            del kept[brackets.pop() :]
            while kept and not kept[-1].rstrip():
                kept.pop()
            kept[-1:] = [last.rstrip() for last in kept[-1:]]
            continue
        if bracket:
            brackets.append(len(kept))
        kept.append(part)
    return " ".join("".join(kept).translate(_BRACKETS).split())


def _opens_note(parts: list[str]) -> bool:
    """Say whether a bracket and what stands after it are a note once it closes."""
    inside = "".join(parts[1:])
    said = inside.strip()
    return parts[0] in "[［【" and (_NOTE.fullmatch(said) is not None if said else bool(inside))


@dataclass(slots=True)
class Numbering:
    """Issue markers: the same words of the same piece, or the same computation, always get the same one.

    `descriptions` say of computations what was calculated; others are described by operation, column and rows.
    """

    evidence: Mapping[EvidenceId, Evidence]
    documents: Mapping[PageKey, Document]
    descriptions: Mapping[Computation, str] = field(default_factory=dict)
    _issued: dict[Source, Citation] = field(default_factory=dict)

    def marker(self, source: Source) -> int:
        """Return the marker of a source, issuing the next one at its first use."""
        key = self._exact(source)
        if key not in self._issued:
            self._issued[key] = self._citation(key, len(self._issued) + 1)
        return self._issued[key].marker

    def citations(self) -> tuple[Citation, ...]:
        """Return what was issued, in order."""
        return tuple(self._issued.values())

    def _exact(self, source: Source) -> Source:
        """Return a quote in the source's own spelling, so that two spellings of one quote are one citation."""
        if isinstance(source, Computation):
            return source
        piece = find_evidence(source.evidence, self.evidence)
        located = locate(source.text, piece) if piece else None
        return Quote(source.evidence, located.text) if located else source

    def _citation(self, source: Source, marker: int) -> Citation:
        computation = source if isinstance(source, Computation) else None
        cited = source.table if isinstance(source, Computation) else source.evidence
        if isinstance(source, Computation):
            quote = self.descriptions.get(source) or describe(source, {})
        else:
            quote = source.text
        piece = find_evidence(cited, self.evidence)
        document = self.documents.get(piece.place.page) if piece else None
        return Citation(
            marker=marker,
            evidence=cited,
            modality=modality_of(piece) if piece else "text",
            title=piece.place.title if piece else "",
            section=" > ".join(piece.place.path) if piece else "",
            revision=document.revision if document else "",
            url=permalink(piece, document) if piece and document else "",
            quote=quote,
            licence=document.licence if document else "",
            attribution=document.attribution if document else "",
            computation=computation,
        )
