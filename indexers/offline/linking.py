"""The second map: tables of one shard to edges (HELIOS, section 4.1), once the titles of all passages are known."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heliograph.types import EvidenceId, Passage, TableEvidence
from indexers.edges.bm25 import NO_PASSAGE
from indexers.linking import Linker, TitleIndex
from indexers.linking.given import target
from indexers.linking.segments import ABOUT_CHARACTERS
from indexers.offline.filesets import needed, writing
from indexers.offline.parsing import TABLES, shard_folder
from indexers.offline.plan import Links, Work, plan_in
from indexers.offline.records import NONE, read_tables
from indexers.offline.texts import MappedTexts, mapped_array

LINKS, PASSAGES, EDGES = "links", "passages", "edges.npy"

Pairs = list[tuple[int, int]]


def links_folder(out: Path, shard: int) -> Path:
    """Return where the edges of a shard are kept."""
    return out / LINKS / f"{shard:06}"


def link_shard(work: Work, shard: int) -> None:
    """Link the rows of a shard to passages and write the edges: row in the shard, passage in the whole.

    A row that links nothing is an edge by itself.

    Raises:
        StoreDamaged: the shard or the passages cannot be read.
        StoreFull | StoreError: the edges cannot be written.
    """
    names = _names(work.out, work.settings.links)
    parsed = shard_folder(work.out, shard)
    texts, before, given, pairs = MappedTexts(parsed, "passages.texts"), 0, 0, Pairs()
    first = names.first(shard)
    for record in read_tables(parsed / TABLES):
        own = NO_PASSAGE if record.passage == NONE else first + record.passage
        about = "" if record.passage == NONE else texts[record.passage][:ABOUT_CHARACTERS]
        found = names.given(record.table) if record.linked else names.found(record.table, about)
        new = [(before + row, passage) for row, passage in found if passage != own]
        given += len(set(new)) if record.linked else 0
        pairs += new
        before += len(record.table.rows)
    edges = edges_of(before, pairs)
    with writing(links_folder(work.out, shard), plan_in(work.out).identity) as draft:
        np.save(draft.path / EDGES, edges)
        linked = int(np.count_nonzero(edges[:, 1] != NO_PASSAGE))
        draft.counts |= {"edges": len(edges), "given": given, "found": linked - given}


def edges_of(rows: int, pairs: Pairs) -> NDArray[np.int32]:
    """Return pairs of row and passage as edges: each once, in order, and one by itself for a row without any."""
    linked = {row for row, _ in pairs}
    alone = [(row, NO_PASSAGE) for row in range(rows) if row not in linked]
    return np.array(sorted({*pairs, *alone}), np.int32).reshape(-1, 2)


class Names:
    """The passages of a build by the names that cells give them; they are numbered in the order of their titles."""

    def __init__(self, out: Path, links: Links) -> None:
        self._out, self._links = out, links
        self._titles = MappedTexts(out / PASSAGES, "titles")
        self._firsts = mapped_array(out / PASSAGES / "firsts.npy")

    def first(self, shard: int) -> int:
        """Return the number of the first passage of a shard."""
        return int(self._firsts[shard])

    def given(self, table: TableEvidence) -> Iterator[tuple[int, int]]:
        """Yield rows and the passages that their links lead to."""
        for row, cells in enumerate(table.rows):
            for link in (link for cell in cells for link in cell.links):
                passage = self._titled(link.target)
                if passage is not None:
                    yield row, passage

    def found(self, table: TableEvidence, about: str) -> Iterator[tuple[int, int]]:
        """Yield rows and the passages that their cells may name; nothing where only given links count."""
        if self._links == "all":
            yield from ((link.row, int(link.passage)) for link in self._linker.link_table(table, about))

    def _titled(self, title: str) -> int | None:
        place = bisect_left(self._titles, title)
        if place < len(self._titles) and self._titles[place] == title:
            return place
        if self._links == "given":
            return None
        found = target(title, self._index)
        return None if found is None else int(found)

    @cached_property
    def _linker(self) -> Linker:
        return Linker(self._index)

    @cached_property
    def _index(self) -> TitleIndex:
        return TitleIndex.build(self._passages())

    def _passages(self) -> Iterator[Passage]:
        """Yield the passages under their numbers."""
        for shard in range(len(plan_in(self._out).shards)):
            texts = MappedTexts(shard_folder(self._out, shard), "passages.texts")
            for place, text in enumerate(texts, start=self.first(shard)):
                yield Passage(EvidenceId(str(place)), self._titles[place], text)


def _names(out: Path, links: Links) -> Names:
    """Return the names of a build, read once a process for as long as the build's passages stay the same."""
    files = needed(out / PASSAGES).files
    return _kept_names(out, links, *(files[f"{part}.txt"].sha256 for part in ("titles", "lines")))


@lru_cache(maxsize=1)
def _kept_names(out: Path, links: Links, _titles: str, _lines: str) -> Names:
    return Names(out, links)
