"""The links of the unlinked track as HELIOS draws them: entities in cells, linked to passages (HELIOS, section 4.1)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import indexers.linking
from eval.ott.corpus import Numbers, OttCorpus, edges_between
from eval.ott.graph import OttGraph
from heliograph.types import Cell, EvidenceId, Passage, TableEvidence
from indexers.linking import Linker, TitleIndex
from indexers.linking.segments import ABOUT_CHARACTERS
from indexers.models.fingerprint import fingerprint
from indexers.offline.filesets import whole, writing
from indexers.pace import Pace, Say

EDGES = "edges.npy"


def kept_entity_edges(corpus: OttCorpus, folder: Path, digest: str, say: Say) -> Numbers:
    """Return the edges that the linker draws, drawn once for a corpus and a linker, and again where they were altered.

    Raises:
        StoreFull | StoreError: they cannot be written.
    """
    kept = folder / f"{digest}-{_linker_digest()}"
    if not whole(kept, say):
        with writing(kept) as draft:
            np.save(draft.path / EDGES, entity_edges(corpus, say))
    edges: Numbers = np.load(kept / EDGES, allow_pickle=False)
    return edges


def entity_edges(corpus: OttCorpus, say: Say = lambda _: None) -> Numbers:
    """Return the (row, passage) edges that entity linking makes, int32, as `OttCorpus.edges` are.

    The links of the corpus are taken out of its tables first.
    """
    say(f"indexing the names of {len(corpus.passages.ids):,} passages")
    linker = Linker(TitleIndex.build(_passages(corpus)))
    pace, pairs = Pace("tables linked", len(corpus.tables), say), list[tuple[int, int]]()
    for number, table in enumerate(_tables(corpus)):
        about, first = corpus.tables[number].intro[:ABOUT_CHARACTERS], corpus.starts[number]
        pairs += [(first + link.row, int(link.passage)) for link in linker.link_table(table, about)]
        pace.done(number + 1)
    return edges_between(corpus.rows, np.array(pairs, np.int32).reshape(-1, 2))


def _passages(corpus: OttCorpus) -> Iterator[Passage]:
    """Yield the passages under their numbers, which are shorter than their ids and lead back at once."""
    for number, title in enumerate(corpus.passages.titles):
        yield Passage(EvidenceId(str(number)), title, corpus.passages.texts[number])


def _tables(corpus: OttCorpus) -> Iterator[TableEvidence]:
    data = OttGraph(corpus)
    for table in corpus.tables:
        yield replace(data.whole(table), rows=tuple(tuple(map(Cell, row)) for row in table.rows))


def _linker_digest() -> str:
    """Return a digest of the linker, whose weights are code."""
    return fingerprint(sorted(Path(indexers.linking.__path__[0]).glob("*.py")))
