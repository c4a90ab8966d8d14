"""A ranking as evidence: rows and passages once each, tables behind them."""

from hypothesis import given
from hypothesis import strategies as st

from eval.ott.corpus import OttCorpus
from eval.ott.evidence import evidence_of
from eval.ott.graph import OttGraph
from eval.ott.ranking import Unit
from heliograph.types import PageKey, Place, Scored, TextEvidence

UNITS = st.one_of(
    st.builds(Unit, st.integers(0, 3), st.lists(st.integers(0, 3), max_size=3, unique=True).map(tuple)),
    st.builds(Unit, st.none(), st.tuples(st.integers(0, 3))),
)


def test_edges_become_rows_passages_and_then_tables(corpus: OttCorpus) -> None:
    graph = OttGraph(corpus)
    first, third = graph.segment(graph.segment_id(1)), graph.segment(graph.segment_id(3))
    page = PageKey("ott:Skerry%20Head@%2Fwiki%2FSkerry_Head")
    place, head = Place(page, "Skerry Head", "s0"), graph.passage_id(2)
    assert evidence_of((Unit(1, (2,)), Unit(1), Unit(3, (2,))), graph) == (
        Scored(first, 1.0),
        Scored(TextEvidence(head, place, "paragraph", "A tower by Ada Brandt ."), 1.0),
        Scored(third, 1 / 3),
        Scored(graph.table(first.id), 1.0),
        Scored(graph.table(third.id), 1 / 3),
    )


@given(st.lists(UNITS, max_size=8))
def test_every_node_of_every_kind_of_unit_is_there_once(corpus: OttCorpus, ranking: list[Unit]) -> None:
    graph = OttGraph(corpus)
    found = [each.item.id for each in evidence_of(tuple(ranking), graph)]
    rows = {graph.segment_id(unit.row) for unit in ranking if unit.row is not None}
    passages = {graph.passage_id(passage) for unit in ranking for passage in unit.passages}
    assert len(found) == len(set(found))
    assert set(found) == rows | passages | {graph.table(row).id for row in rows}
