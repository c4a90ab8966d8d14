"""Edges and nodes are found by BM25 and ordered by late interaction."""

from pathlib import Path

import numpy as np

from indexers.edges.bm25 import EdgeBM25
from indexers.edges.graph import BipartiteGraph, Side
from indexers.edges.postings import Postings
from indexers.edges.search import EdgeSearch, NodeSearch, compared, edges_compared
from tests.indexers.edges.worlds import EDGES, PASSAGES, ROWS, WordEncoder, moons, tokens_in, vectors_of, words_of_moons


def best_similarity(query: str, *texts: str) -> float:
    tokens = np.concatenate([vectors_of(text) for text in texts])
    return float((vectors_of(query) @ tokens.T).max(axis=1).sum())


async def test_edges_are_ordered_by_maxsim_of_both_nodes(tmp_path: Path) -> None:
    search = EdgeSearch(moons(), words_of_moons(), tokens_in(tmp_path))
    found = await search.retrieve("saturn moon with lakes of methane", 3)
    assert (found[0].segment, found[0].passage) == ("row2", "passage2")
    wanted = best_similarity("saturn moon with lakes of methane", ROWS[2], PASSAGES[2])
    assert abs(found[0].score - wanted) < 0.05
    assert [edge.score for edge in found] == sorted((edge.score for edge in found), reverse=True)


async def test_only_what_is_proposed_is_encoded_and_only_once(tmp_path: Path) -> None:
    encoder = WordEncoder()
    search = EdgeSearch(moons(), words_of_moons(), tokens_in(tmp_path, encoder), proposed=1)
    await search.retrieve("titan methane", 1)
    assert encoder.encoded == 2
    await search.retrieve("titan methane", 1)
    again = EdgeSearch(moons(), words_of_moons(), tokens_in(tmp_path, encoder), proposed=1)
    await again.retrieve("titan methane", 1)
    assert encoder.encoded == 2


async def test_a_row_without_a_passage_is_an_edge(tmp_path: Path) -> None:
    found = await EdgeSearch(moons(), words_of_moons(), tokens_in(tmp_path)).retrieve("pan", 5)
    assert [(edge.segment, edge.passage) for edge in found] == [("row3", None)]


async def test_a_question_without_a_known_word_finds_nothing(tmp_path: Path) -> None:
    search = EdgeSearch(moons(), words_of_moons(), tokens_in(tmp_path))
    assert await search.retrieve("who?", 5) == ()
    assert await search.retrieve("", 5) == ()


async def test_nodes_of_one_side_are_found_for_an_expanded_query(tmp_path: Path) -> None:
    graph = moons()
    search = NodeSearch(graph.passages, Postings.build(PASSAGES), tokens_in(tmp_path))
    found = await search.retrieve("which astronomer | Saturn | moon : Titan", 2)
    assert {node.item for node in found} == {"passage2", "passage3"}
    assert found[0].score >= found[1].score


async def test_nothing_is_found_in_a_graph_of_nothing(tmp_path: Path) -> None:
    empty = BipartiteGraph(Side([], []), Side([], []), np.zeros((0, 2), np.int32))
    words = EdgeBM25(Postings.build([]), Postings.build([]), empty.edges)
    assert await EdgeSearch(empty, words, tokens_in(tmp_path)).retrieve("moon", 5) == ()
    assert await NodeSearch(empty.passages, Postings.build([]), tokens_in(tmp_path)).retrieve("moon", 5) == ()


async def test_edges_compared_are_the_greater_of_their_nodes(tmp_path: Path) -> None:
    graph, tokens = moons(), tokens_in(tmp_path)
    nodes = await compared("methane ocean", EDGES, graph, tokens)
    assert nodes.segments.shape == nodes.passages.shape == (5, 2)
    assert (nodes.passages[4] == -1).all()
    edges = await edges_compared("methane ocean", EDGES, graph, tokens)
    np.testing.assert_array_equal(edges, np.maximum(nodes.segments, nodes.passages))


def test_positions_and_nouns_are_turned_into_each_other() -> None:
    graph = moons()
    assert graph.pairs([graph.edge(pair) for pair in EDGES]).tolist() == EDGES.tolist()
    assert graph.star(2).tolist() == [[2, 2], [2, 3]]
    assert graph.pairs([]).shape == (0, 2)
