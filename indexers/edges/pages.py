"""The data graph of some pages: rows of their tables, their leads, and who links whom (HELIOS, sections 3.2 and 4.1).

What a page's cells link to is an edge where the page is one of these. Tables that carry no link are linked by name, by
the same linker as a corpus. The passage of a page is the paragraph that it begins with, which says what it is about.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from heliograph.types import Document, EvidenceId, Passage, TableEvidence, TableSegment
from indexers.edges.bm25 import NO_PASSAGE, EdgeBM25
from indexers.edges.graph import BipartiteGraph, Side
from indexers.edges.linearize import linearize
from indexers.edges.postings import Postings
from indexers.linking import Linker, SegmentLinker, TitleIndex
from indexers.linking.segments import ABOUT_CHARACTERS
from indexers.links import links_of
from indexers.parser import page_name, segments
from indexers.pieces import ROWS_A_TABLE, lead_of


@dataclass(frozen=True, eq=False)
class PageGraph:
    """A DataGraph of pages; rows beyond `ROWS_A_TABLE` of a table are left out, as they are in the indexes.

    `aliases` has the leads of pages by the wiki and a title that led there: a link may name a redirect.
    """

    tables: Mapping[EvidenceId, TableEvidence]
    rows: Mapping[EvidenceId, TableSegment]
    passages: Mapping[EvidenceId, Passage]
    aliases: Mapping[tuple[str, str], EvidenceId]

    @classmethod
    def of(cls, documents: Iterable[Document]) -> "PageGraph":
        """Return the graph of documents; one that comes twice counts once."""
        tables: dict[EvidenceId, TableEvidence] = {}
        passages: dict[EvidenceId, Passage] = {}
        aliases: dict[tuple[str, str], EvidenceId] = {}
        for document in {each.key: each for each in documents}.values():
            found = (leaf for leaf in document.leaves if isinstance(leaf, TableEvidence))
            tables.update((leaf.id, replace(leaf, rows=leaf.rows[:ROWS_A_TABLE])) for leaf in found)
            if (lead := lead_of(document)) is not None:
                passages[lead.id] = Passage(lead.id, document.title, lead.text)
                aliases.update(((document.wiki, title), lead.id) for title in document.aliases)
        rows = {row.id: row for table in tables.values() for row in segments(table)}
        return cls(tables, rows, passages, aliases)

    def segment(self, id: EvidenceId) -> TableSegment:
        """Return a row with the header of its table."""
        return self.rows[id]

    def passage(self, id: EvidenceId) -> Passage:
        """Return a passage."""
        return self.passages[id]

    def linked(self, segment: EvidenceId) -> tuple[EvidenceId, ...]:
        """Return the passages that a row has an edge to, in the order of its cells."""
        row = self.rows[segment]
        wiki = page_name(row.place.page).wiki
        named = (self.aliases.get((wiki, title)) for title in targets_of([row]))
        found = (link.passage for link in self._linker.cell_links(row))
        return tuple(dict.fromkeys(id for id in (*found, *named) if id and not id.startswith(f"{row.place.page}#")))

    def table(self, segment: EvidenceId) -> TableEvidence:
        """Return the whole table of a row."""
        return self.tables[self.rows[segment].table]

    @cached_property
    def graph(self) -> BipartiteGraph:
        """The same by position, with every edge; a row that links nothing is an edge by itself."""
        places = {id: place for place, id in enumerate(self.passages)}
        number = {id: place for place, id in enumerate(self.tables)}
        edges = [
            (row, passage)
            for row, id in enumerate(self.rows)
            for passage in sorted(places[each] for each in self.linked(id)) or (NO_PASSAGE,)
        ]
        return BipartiteGraph(
            Side(tuple(self.rows), _lines(self.rows.values()), [number[row.table] for row in self.rows.values()]),
            Side(tuple(self.passages), _lines(self.passages.values())),
            np.array(edges, np.int32).reshape(-1, 2),
        )

    @cached_property
    def words(self) -> tuple[Postings, Postings]:
        """The words of rows and of passages."""
        return Postings.build(_lines(self.rows.values())), Postings.build(_lines(self.passages.values()))

    @cached_property
    def bm25(self) -> EdgeBM25:
        """BM25 over the edges."""
        return EdgeBM25(*self.words, self.graph.edges)

    @cached_property
    def _linker(self) -> SegmentLinker:
        titles = TitleIndex.build(self.passages.values())
        about = {_page(id): passage.text[:ABOUT_CHARACTERS] for id, passage in self.passages.items()}
        return SegmentLinker(
            Linker(titles), titles, self.tables.__getitem__, lambda table: about.get(_page(table.id), "")
        )


def targets_of(rows: Iterable[TableSegment]) -> tuple[str, ...]:
    """Return the titles that the cells of rows link to, each once, row by row."""
    return tuple(dict.fromkeys(link.target.partition("#")[0] for row in rows for link in links_of(row)))


def _lines(nodes: Iterable[TableSegment | Passage]) -> Sequence[str]:
    return tuple(map(linearize, nodes))


def _page(id: EvidenceId) -> str:
    return id.rpartition("#")[0]
