"""Rows and passages of the corpus as the lines that models read (HELIOS, equation 1)."""

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.ranking import Ranking
from indexers.edges.linearize import passage_line, row_line
from indexers.models import reader
from indexers.models.training.examples import Candidate


def segment_line(corpus: OttCorpus, row: int) -> str:
    """Return the line of a table segment: its table's titles, and each cell under its column's name."""
    table = corpus.table_of(row)
    return row_line((table.title, table.section_title), table.header, corpus.cells(row))


def line_of_passage(corpus: OttCorpus, passage: int) -> str:
    """Return the line of a passage."""
    return passage_line(corpus.passages.titles[passage], corpus.passages.texts[passage])


def edge_lines(corpus: OttCorpus, row: int, passage: int) -> Candidate:
    """Return the lines of an edge: one where the row stands alone."""
    if passage == NO_PASSAGE:
        return (segment_line(corpus, row),)
    return segment_line(corpus, row), line_of_passage(corpus, passage)


def edge_candidate(corpus: OttCorpus, row: int, passage: int) -> reader.Candidate:
    """Return an edge as a reader's candidate: the row, and the passage where there is one."""
    table = corpus.table_of(row)
    first = reader.row_piece((table.title, table.section_title), table.header, corpus.cells(row))
    return reader.Candidate(first) if passage == NO_PASSAGE else reader.Candidate(first, _passage(corpus, passage))


def candidates_of(corpus: OttCorpus, ranking: Ranking) -> list[reader.Candidate]:
    """Return units as a reader's candidates, in their order: a node or an edge is one, a star one for each edge."""
    found = []
    for unit in ranking:
        if unit.row is None:
            found += [passage_candidate(corpus, passage) for passage in unit.passages]
        else:
            found += [edge_candidate(corpus, unit.row, passage) for passage in unit.passages or (NO_PASSAGE,)]
    return found


def passage_candidate(corpus: OttCorpus, passage: int) -> reader.Candidate:
    """Return a passage as a reader's candidate, without a row that links it."""
    return reader.Candidate(_passage(corpus, passage))


def _passage(corpus: OttCorpus, passage: int) -> reader.Piece:
    return reader.passage_piece(corpus.passages.titles[passage], corpus.passages.texts[passage])
