"""The corpus as a data graph: what its nodes hold, what they are joined to, and ids that lead back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.ranking import Unit
from heliograph.errors import UnknownName
from heliograph.protocols import DataGraph
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
from indexers.parser import segments

TABLE = EvidenceId("ott:Lights@Lights_0#s1/t1")
ROW = EvidenceId("ott:Lights@Lights_0#s1/t1/r2")
SKERRY = EvidenceId("ott:Skerry%20Head@%2Fwiki%2FSkerry_Head#s0/p1")
YEAR = EvidenceId("ott:1871@%2Fwiki%2F1871#s0/p1")
PLACE = Place(PageKey("ott:Lights@Lights_0"), "Lights", "s1", ("List -- Sound",))


@pytest.fixture
def graph(corpus: OttCorpus) -> OttGraph:
    return OttGraph(corpus)


def test_a_row_is_a_table_segment_with_its_links(graph: OttGraph) -> None:
    name = Cell("Skerry Head", (Link("Skerry Head", "Skerry Head"),))
    year = Cell("1871", (Link("1871", "1871"),))
    assert graph.segment(ROW) == TableSegment(ROW, PLACE, TABLE, 2, "", ("Name", "Lit"), (name, year))


def test_a_passage_has_its_title_and_its_text(graph: OttGraph) -> None:
    assert graph.passage(SKERRY) == Passage(SKERRY, "Skerry Head", "A tower by Ada Brandt .")


def test_a_table_holds_the_segments_that_were_cut_from_it(graph: OttGraph) -> None:
    graph_: DataGraph = graph
    table = graph_.table(ROW)
    assert isinstance(table, TableEvidence)
    assert (table.id, table.place, table.header) == (TABLE, PLACE, ("Name", "Lit"))
    assert segments(table) == tuple(map(graph.segment, map(graph.segment_id, range(3))))


def test_a_table_without_a_section_title_stands_under_no_heading(graph: OttGraph) -> None:
    assert graph.segment(graph.segment_id(3)).place == Place(PageKey("ott:Towers@Towers_0"), "Towers", "s1")


def test_a_row_is_linked_to_passages_in_the_order_of_its_cells(graph: OttGraph) -> None:
    assert graph.linked(ROW) == (SKERRY, YEAR)
    assert graph.linked(graph.segment_id(2)) == ()


def test_a_graph_may_have_other_edges_than_the_corpus(corpus: OttCorpus) -> None:
    graph = OttGraph(corpus, np.array([[0, NO_PASSAGE], [1, 0], [2, NO_PASSAGE], [3, 2]], np.int32))
    assert [graph.linked(graph.segment_id(row)) for row in range(4)] == [(), (YEAR,), (), (SKERRY,)]


def test_what_is_retrieved_becomes_a_unit_of_a_ranking(graph: OttGraph) -> None:
    edge, lone = Edge(ROW, SKERRY, 0.5), Edge(graph.segment_id(2), None)
    assert [graph.edge(1, 2, 0.5), graph.edge(2, NO_PASSAGE)] == [edge, lone]
    assert [graph.unit(edge), graph.unit(lone)] == [Unit(1, (2,)), Unit(2)]
    assert graph.unit(Star(ROW, (Edge(ROW, SKERRY), Edge(ROW, None), Edge(ROW, YEAR)))) == Unit(1, (2, 0))


@given(st.data())
def test_every_id_leads_back_to_its_number(corpus: OttCorpus, data: st.DataObject) -> None:
    graph = OttGraph(corpus)
    row = data.draw(st.integers(0, corpus.rows - 1))
    passage = data.draw(st.integers(0, len(corpus.passages.ids) - 1))
    assert graph.row_of(graph.segment_id(row)) == row
    assert graph.passage_of(graph.passage_id(passage)) == passage


@pytest.mark.parametrize(
    "foreign",
    [
        TABLE,
        f"{TABLE}/r0",
        f"{TABLE}/r4",
        f"{TABLE}/r02",
        "ott:Lights@Boats_0#s1/t1/r1",
        "ott:Boats@Lights_0#s1/t1/r1",
        "wiki:Lights@Lights_0#s1/t1/r1",
        "ott:Lights@Lights_0#s2/t1/r1",
        SKERRY,
        "prose",
    ],
)
def test_an_id_of_no_row_is_unknown(graph: OttGraph, foreign: str) -> None:
    with pytest.raises(UnknownName, match="id"):
        graph.row_of(EvidenceId(foreign))


@pytest.mark.parametrize(
    "foreign",
    [ROW, SKERRY.replace("p1", "p2"), SKERRY.replace("Skerry%20", ""), SKERRY.replace("_Head#", "#"), "prose"],
)
def test_an_id_of_no_passage_is_unknown(graph: OttGraph, foreign: str) -> None:
    with pytest.raises(UnknownName, match="id"):
        graph.passage_of(EvidenceId(foreign))
