"""Pages that were read, parsed once, and what a judge is shown of them; kept beside the answers for who reads later."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from agent.language.framing import words_of
from eval.lines import read_lines
from eval.omgqa.dataset import node_of, refuse_twice
from eval.omgqa.elsewhere import A_COPY
from eval.omgqa.judging.answers import Find
from eval.omgqa.judging.cases import Shown
from heliograph.errors import UnknownName, UsageError
from heliograph.protocols import PageStore
from heliograph.types import Document, Evidence, EvidenceId, Modality, PageKey, TableEvidence, modality_of
from indexers.parser import find_evidence, page_of, parse_page, segments
from memory.trace.disk import write_lines


class Shelf:
    """Looks evidence up in a page store.

    Raises (from all methods):
        StoreDamaged: the store cannot be read.
        UnknownName: it has no such page any more, or the page no such evidence.
    """

    def __init__(self, store: PageStore) -> None:
        self._store = store
        self._documents: dict[PageKey, Document] = {}

    def document(self, page: PageKey) -> Document:
        """Return a page as its tree."""
        if page not in self._documents:
            self._documents[page] = parse_page(self._store.get(page))
        return self._documents[page]

    def shown(self, evidence: EvidenceId) -> Shown:
        """Return a piece as a judge sees it."""
        return shown(find_evidence(self.document(page_of(evidence)), evidence))

    def nodes(self, page: PageKey) -> frozenset[str] | None:
        """Return what names the leaves and rows of a page within it; None of a page that is not kept."""
        try:
            leaves = self.document(page).leaves
        except UnknownName:
            return None
        rows = (row for leaf in leaves if isinstance(leaf, TableEvidence) for row in segments(leaf))
        return frozenset(node_of(piece.id) for piece in (*leaves, *rows))


def shown(evidence: Evidence) -> Shown:
    """Return a piece as a judge sees it: all that may be quoted of it, tables whole, and where it stands."""
    return Shown(evidence.id, modality_of(evidence), (evidence.place.title, *evidence.place.path), words_of(evidence))


class ShownLine(BaseModel):
    """A piece of evidence as a line; its fields are those of `Shown`."""

    model_config = ConfigDict(strict=True, extra="forbid")

    id: EvidenceId
    modality: Modality
    place: tuple[str, ...]
    text: str

    def record(self) -> Shown:
        """Return the piece."""
        return Shown(self.id, self.modality, self.place, self.text)


def read_shown(path: Path) -> dict[EvidenceId, Shown]:
    """Read pieces by their ids.

    Raises:
        UsageError: the file cannot be read, a line is no piece, or two are of one id.
    """
    pieces = [line.record() for line in read_lines(path, ShownLine)]
    refuse_twice((piece.id for piece in pieces), path, "pieces", "id")
    return {piece.id: piece for piece in pieces}


def kept_evidence(path: Path) -> Find:
    """Look pieces up in the file that judging leaves behind; it is read now.

    Raises (when a piece is looked up too):
        UsageError: the file cannot be read, or does not have the piece.
    """
    pieces = read_shown(path)

    def find(evidence: EvidenceId) -> Shown:
        if evidence not in pieces:
            raise UsageError(f"{path} has no {evidence}; heliograph eval omgqa judge writes the file anew")
        return pieces[evidence]

    return find


def write_shown(path: Path, pieces: Iterable[Shown]) -> None:
    """Write pieces, one line each, in place of what was there, as `write_lines` does.

    Raises:
        StoreFull | StoreError: the file cannot be written; what was there stays.
    """
    write_lines(path, (json.dumps(asdict(piece), ensure_ascii=False) + "\n" for piece in pieces), A_COPY)
