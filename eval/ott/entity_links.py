"""The links of the unlinked track as HELIOS draws them: entities in cells, linked to passages (HELIOS, section 4.1)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import indexers.linking
from eval.ott.corpus import Numbers, OttCorpus, edges_between
from eval.ott.graph import OttGraph
from heliograph.errors import StoreDamaged
from heliograph.storage import storage_error
from heliograph.types import Cell, EvidenceId, Passage, TableEvidence
from indexers.linking import Linker, TitleIndex
from indexers.linking.segments import ABOUT_CHARACTERS
from indexers.models.fingerprint import fingerprint
from indexers.pace import Pace, Say


def kept_entity_edges(corpus: OttCorpus, folder: Path, digest: str, say: Say) -> Numbers:
    """Return the edges that the linker draws, drawn once for a corpus and a linker.

    Raises:
        StoreDamaged: the file that keeps them is no array of edges.
        StoreFull | StoreError: it cannot be written.
    """
    path = folder / f"{digest}-{_linker_digest()}.npy"
    if path.exists():
        return _loaded(path)
    edges = entity_edges(corpus, say)
    fresh = path.with_suffix(".new.npy")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        np.save(fresh, edges)
        fresh.replace(path)
    except OSError as err:
        raise storage_error(err, path) from err
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


def _loaded(path: Path) -> Numbers:
    try:
        edges: Numbers = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as err:
        raise StoreDamaged(
            f"{path} cannot be read ({type(err).__name__}); delete it, and its links are drawn again"
        ) from err
    if edges.dtype != np.int32 or edges.ndim != 2 or edges.shape[1] != 2:
        raise StoreDamaged(f"{path} holds no edges; delete it, and they are drawn again")
    return edges
