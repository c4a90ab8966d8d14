"""The corpus as the data graph that retrieval walks, and the way back from its ids to rows and passages."""

from eval.ott.corpus import NO_PASSAGE, Numbers, OttCorpus, OttTable, passages_of
from eval.ott.ranking import Unit
from heliograph.errors import UnknownName
from heliograph.types import (
    Cell,
    Edge,
    EvidenceId,
    Link,
    PageKey,
    Passage,
    Place,
    Star,
    TableEvidence,
    TableSegment,
)
from indexers.parser import leaf_id, page_key, page_name, parse_id, row_id

WIKI = "ott"
TABLE_SECTION = "s1"
"""A table stands below its section's heading, a passage in the lead of its page."""


class OttGraph:
    """A corpus as a DataGraph.

    Ids name what they stand for: a table's page has the table's id for its revision, a passage's the passage's id.
    So they stay the same from one scope to the next, and are read back without a list of them.
    """

    def __init__(self, corpus: OttCorpus, edges: Numbers | None = None) -> None:
        """`edges` are (row, passage) sorted by row; without them the graph has the links of the corpus."""
        self._corpus = corpus
        self._edges = corpus.edges if edges is None else edges

    def segment_id(self, row: int) -> EvidenceId:
        """Name a row."""
        table = self._corpus.table_of(row)
        return row_id(_table_id(table), row - self._corpus.rows_of(table.id).start + 1)

    def passage_id(self, passage: int) -> EvidenceId:
        """Name a passage."""
        return leaf_id(_passage_page(self._corpus, passage), "s0", "p", 1)

    def row_of(self, segment: EvidenceId) -> int:
        """Return the number of a row.

        Raises:
            UnknownName: the corpus has no such row.
        """
        place = parse_id(segment)
        rows = self._corpus.rows_of(page_name(place.page).revision)
        if place.row is None or not 1 <= place.row <= len(rows) or self.segment_id(rows[place.row - 1]) != segment:
            raise UnknownName(f'no row "{segment}" in the corpus; ids of rows are those that this graph gives')
        return rows[place.row - 1]

    def passage_of(self, passage: EvidenceId) -> int:
        """Return the number of a passage.

        Raises:
            UnknownName: the corpus has no such passage.
        """
        number = self._corpus.passages.position(page_name(parse_id(passage).page).revision)
        if number is None or self.passage_id(number) != passage:
            raise UnknownName(f'no passage "{passage}" in the corpus; ids of passages are those that this graph gives')
        return number

    def unit(self, found: Edge | Star) -> Unit:
        """Return what was retrieved as a unit of a ranking."""
        match found:
            case Edge(segment, passage):
                return Unit(self.row_of(segment), () if passage is None else (self.passage_of(passage),))
            case Star(centre, edges):
                linked = (edge.passage for edge in edges if edge.passage is not None)
                return Unit(self.row_of(centre), tuple(map(self.passage_of, linked)))

    def edge(self, row: int, passage: int, score: float = 0.0) -> Edge:
        """Return an edge of the corpus as retrieval knows it; NO_PASSAGE makes one of a row alone."""
        return Edge(self.segment_id(row), None if passage == NO_PASSAGE else self.passage_id(passage), score)

    def segment(self, id: EvidenceId) -> TableSegment:
        """Return a row with the header of its table."""
        row = self.row_of(id)
        table = self._corpus.table_of(row)
        number = row - self._corpus.rows_of(table.id).start + 1
        return TableSegment(id, _place(table), _table_id(table), number, "", table.header, self._cells(row))

    def passage(self, id: EvidenceId) -> Passage:
        """Return a passage."""
        number = self.passage_of(id)
        return Passage(id, self._corpus.passages.titles[number], self._corpus.passages.texts[number])

    def linked(self, segment: EvidenceId) -> tuple[EvidenceId, ...]:
        """Return the passages that the graph's edges join to a row."""
        return tuple(map(self.passage_id, passages_of(self._edges, self.row_of(segment))))

    def table(self, segment: EvidenceId) -> TableEvidence:
        """Return the whole table of a row."""
        return self.whole(self._corpus.table_of(self.row_of(segment)))

    def whole(self, table: OttTable) -> TableEvidence:
        """Return a table of the corpus as evidence."""
        rows = tuple(map(self._cells, self._corpus.rows_of(table.id)))
        return TableEvidence(_table_id(table), _place(table), "table", "", table.header, rows)

    def _cells(self, row: int) -> tuple[Cell, ...]:
        titles, links = self._corpus.passages.titles, self._corpus.links_of(row)
        return tuple(
            Cell(text, tuple(Link(text, titles[passage]) for at, passage in links if at == column))
            for column, text in enumerate(self._corpus.cells(row))
        )


def _table_page(table: OttTable) -> PageKey:
    return page_key(WIKI, table.title, table.id)


def _table_id(table: OttTable) -> EvidenceId:
    return leaf_id(_table_page(table), TABLE_SECTION, "t", 1)


def _passage_page(corpus: OttCorpus, passage: int) -> PageKey:
    return page_key(WIKI, corpus.passages.titles[passage], corpus.passages.ids[passage])


def _place(table: OttTable) -> Place:
    path = (table.section_title,) if table.section_title else ()
    return Place(_table_page(table), table.title, TABLE_SECTION, path)
