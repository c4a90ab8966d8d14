"""The data graph of a question's pages: rows, leads, and the edges that links and names draw."""

from pathlib import Path

import numpy as np
import pytest

from heliograph.types import Document
from indexers.edges.fusion import JUDGED, FusionWeights
from indexers.edges.home_tokens import HomeTokens, TokenFolder
from indexers.edges.page_search import PageGraphSearch
from indexers.edges.pages import PageGraph, targets_of
from indexers.parser import parse_page
from tests.fakes import key_of, make_page, paragraph
from tests.indexers.edges.worlds import WordEncoder

LIGHTS = """
<p>The coast of Brandt has three lights.</p><h2>Lights</h2>
<table class="wikitable"><tr><th>Light</th><th>Lit</th></tr>
<tr><td><a href="./Skerry_Light">Skerry Light</a></td><td>1871</td></tr>
<tr><td><a href="./Far_Light">Far Light</a></td><td>1902</td></tr>
<tr><td>Ness Light</td><td>1911</td></tr></table>
"""
NESS = "Ness Light is a lighthouse on a sandbank, painted in red bands."
SKERRY = "Skerry Light is a lighthouse that stands on a rock and was built by Ada Brandt."


def pages(*, linked: bool = True) -> tuple[Document, ...]:
    html = LIGHTS if linked else LIGHTS.replace("<a ", "<b ").replace("</a>", "</b>")
    made = (make_page("Coast of Brandt", html=html), make_page("Skerry Light", SKERRY), make_page("Ness Light", NESS))
    return tuple(map(parse_page, made))


def search(folder: Path, *features: str) -> tuple[PageGraphSearch, WordEncoder]:
    """Return a search whose fused reranker weighs some features alike and nothing else."""
    encoder = WordEncoder()
    weights = tuple(float(name in features) for name in JUDGED)
    fusion = FusionWeights("words", (0.0,) * len(JUDGED), (1.0,) * len(JUDGED), weights)
    return PageGraphSearch(HomeTokens(lambda: encoder, TokenFolder(folder)), lambda _: fusion), encoder


def rows(documents: tuple[Document, ...]) -> dict[str, str]:
    graph = PageGraph.of(documents)
    return {row.cells[0].text: id for id, row in graph.rows.items()}


@pytest.mark.parametrize("linked", [True, False])
def test_edges_are_what_cells_link_and_what_they_name_where_a_table_carries_no_link(linked: bool) -> None:
    documents = pages(linked=linked)
    graph, row = PageGraph.of(documents), rows(pages(linked=linked))
    assert set(graph.passages) == {paragraph("Coast of Brandt"), paragraph("Skerry Light"), paragraph("Ness Light")}
    assert graph.linked(row["Skerry Light"]) == (paragraph("Skerry Light"),)
    named = None if linked else paragraph("Ness Light")
    assert graph.linked(row["Ness Light"]) == ((named,) if named else ())
    assert graph.linked(row["Far Light"]) == ()
    by_position = [graph.graph.edge(pair) for pair in graph.graph.edges.tolist()]
    assert {(edge.segment, edge.passage) for edge in by_position} == {
        (row["Skerry Light"], paragraph("Skerry Light")),
        (row["Ness Light"], named),
        (row["Far Light"], None),
    }
    assert graph.table(row["Far Light"]).rows[1][0].text == "Far Light"


def test_a_document_counts_once_and_a_page_without_a_lead_has_no_passage() -> None:
    heading = parse_page(make_page("Bare", html="<h2>Only</h2><p>below a heading</p>"))
    graph = PageGraph.of((*pages(), *pages(), heading))
    assert len(graph.rows) == 3
    assert not any(key.startswith(key_of("Bare")) for key in graph.passages)


def test_targets_are_the_titles_that_rows_link_to() -> None:
    graph = PageGraph.of(pages())
    assert targets_of(graph.rows.values()) == ("Skerry Light", "Far Light")


def test_no_pages_make_an_empty_graph() -> None:
    graph = PageGraph.of(())
    assert graph.graph.edges.shape == (0, 2)
    assert len(graph.bm25.scores("light")) == 0


async def test_search_finds_edges_and_scores_them(tmp_path: Path) -> None:
    found, _ = search(tmp_path, "edge")
    documents, row = pages(), rows(pages())
    edges = await found.retrieve("light on a rock built by Ada Brandt", 5, documents)
    assert (edges[0].segment, edges[0].passage) == (row["Skerry Light"], paragraph("Skerry Light"))
    scores = await found.score("light on a rock built by Ada Brandt", edges, (), documents)
    assert list(scores) == sorted(scores, reverse=True)
    assert await found.score("light on a rock built by Ada Brandt", edges[1:], (), documents) == scores[1:]


async def test_neighbours_come_from_one_side_each(tmp_path: Path) -> None:
    found, _ = search(tmp_path)
    documents = pages()
    passages = await found.passages("red bands", 1, documents)
    segments = await found.segments("lit in 1902", 1, documents)
    assert [scored.item for scored in passages] == [paragraph("Ness Light")]
    assert [scored.item for scored in segments] == [rows(documents)["Far Light"]]
    nodes = await found.score_nodes("red bands", [passages[0].item, segments[0].item], documents)
    assert nodes[0] > nodes[1]


async def test_vectors_are_kept_for_the_next_question_and_the_next_process(tmp_path: Path) -> None:
    first, encoder = search(tmp_path)
    await first.retrieve("light", 5, pages())
    encoded = encoder.encoded
    await first.retrieve("a lighthouse", 5, pages())
    assert encoder.encoded == encoded
    second, again = search(tmp_path)
    await second.retrieve("light", 5, pages())
    assert again.encoded == 0


async def test_pages_without_tables_have_no_edges(tmp_path: Path) -> None:
    found, encoder = search(tmp_path)
    assert await found.retrieve("light", 5, pages()[1:]) == ()
    assert encoder.encoded == 0
    assert np.array_equal(found.data(pages()[1:]).graph.edges, np.zeros((0, 2)))
