"""A ranking as evidence: what the agent's answerers and readers take."""

from collections.abc import Iterator

from eval.ott.graph import OttGraph
from eval.ott.ranking import Ranking, Unit
from heliograph.types import Evidence, EvidenceId, Place, Scored, TextEvidence
from indexers.parser import page_of


def evidence_of(ranking: Ranking, graph: OttGraph) -> tuple[Scored[Evidence], ...]:
    """Return rows and passages in the order of their units, each once, and behind them the tables of the rows.

    A unit's score is 1 over its place: rankings of different methods have no scores that compare.
    """
    pieces: dict[EvidenceId, Scored[Evidence]] = {}
    tables: dict[EvidenceId, Scored[Evidence]] = {}
    for place, unit in enumerate(ranking, start=1):
        for piece in _pieces(unit, graph):
            pieces.setdefault(piece.id, Scored(piece, 1 / place))
        if unit.row is not None:
            table = graph.table(graph.segment_id(unit.row))
            tables.setdefault(table.id, Scored(table, 1 / place))
    return (*pieces.values(), *tables.values())


def _pieces(unit: Unit, graph: OttGraph) -> Iterator[Evidence]:
    if unit.row is not None:
        yield graph.segment(graph.segment_id(unit.row))
    for number in unit.passages:
        passage = graph.passage(graph.passage_id(number))
        place = Place(page_of(passage.id), passage.title, "s0")
        yield TextEvidence(passage.id, place, "paragraph", passage.text)
