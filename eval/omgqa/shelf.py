"""Pages that were read, parsed once, and what a judge is shown of them; kept beside the answers for who reads later."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from agent.language.framing import words_of
from eval.lines import read_lines
from eval.omgqa.judging.cases import Shown
from heliograph.protocols import PageStore
from heliograph.types import Document, Evidence, EvidenceId, Modality, PageKey, modality_of
from indexers.parser import find_evidence, page_of, parse_page
from memory.trace.disk import write_whole


class Shelf:
    """Looks evidence up in a page store.

    Raises (from both methods):
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
        UsageError: the file cannot be read, or a line is no piece.
    """
    return {line.id: line.record() for line in read_lines(path, ShownLine)}


def write_shown(path: Path, pieces: Iterable[Shown]) -> None:
    """Write pieces, one line each, in place of what was there.

    Raises:
        StoreFull | StoreError: the file cannot be written; what was there stays.
    """
    lines = (json.dumps(asdict(piece), ensure_ascii=False) + "\n" for piece in pieces)
    write_whole(path, "".join(lines).encode("utf8", errors="backslashreplace"))
