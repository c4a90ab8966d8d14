"""Vectors find nodes of a side, and edges that no word of the question names."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from indexers.edges.centroids import CentroidIndex, Depth
from indexers.edges.graph import BipartiteGraph, Side
from indexers.edges.maxsim import similarity
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.search import EdgeSearch, edges_compared
from indexers.edges.token_store import TokenStore
from indexers.edges.vector_search import Placed, VectorEdges, nodes_of
from tests.indexers.edges.worlds import (
    EDGES,
    PASSAGES,
    ROWS,
    WIDTH,
    Translating,
    moons,
    words_of_moons,
)

EVERYTHING = Depth(probes=100, candidates=100)


class World:
    """The graph of moons with all its vectors, and an index of them."""

    def __init__(self, folder: Path, graph: BipartiteGraph | None = None) -> None:
        self.graph = graph or moons()
        self.encoder = Translating()
        self.store = TokenStore(folder, "words", WIDTH)
        self.tokens = NodeTokens(self.encoder, self.store)

    async def indexed(self, left_out: Sequence[str] = ()) -> CentroidIndex:
        lines = [side.lines[place] for side in (self.graph.segments, self.graph.passages) for place in range(len(side))]
        await self.tokens.keep([line for line in lines if line not in left_out])
        return CentroidIndex.build(self.store)

    def placed(self) -> tuple[Placed, Placed]:
        rows, passages = (nodes_of(side.lines, self.store) for side in (self.graph.segments, self.graph.passages))
        return Placed(rows), Placed(passages)

    def edges(self, index: CentroidIndex, depth: Depth = EVERYTHING, proposed: int = 10) -> VectorEdges:
        return VectorEdges(self.graph, self.placed(), index, self.tokens, depth, proposed)


async def test_edges_of_nodes_with_the_same_line_are_all_proposed_smaller_positions_first(tmp_path: Path) -> None:
    rows = Side(["a", "b", "c"], ("Io lava", "Europa", "Io lava"))
    world = World(tmp_path, BipartiteGraph(rows, Side([], ()), np.array([[0, -1], [1, -1], [2, -1]], np.int32)))
    index = await world.indexed()
    assert (await world.edges(index).propose("io")).tolist()[:2] == [0, 2]


async def test_an_edge_is_proposed_when_one_of_its_nodes_is_found(tmp_path: Path) -> None:
    world = World(tmp_path)
    index = await world.indexed()
    found = await world.edges(index, Depth(probes=1, candidates=1)).propose("methane")
    assert EDGES[found].tolist() == [[2, 2]]


async def test_proposals_are_ranked_as_exact_comparison_ranks_them(tmp_path: Path) -> None:
    world = World(tmp_path)
    index = await world.indexed()
    found = await world.edges(index).propose("saturn moon astronomer lava")
    exact = similarity(await edges_compared("saturn moon astronomer lava", EDGES, world.graph, world.tokens))
    np.testing.assert_allclose(exact[found], np.sort(exact)[::-1][: len(found)], atol=1e-5)
    assert (await world.edges(index, proposed=2).propose("saturn moon astronomer lava")).tolist() == found[:2].tolist()


@pytest.mark.parametrize("probes", [1, 2, 4])
@pytest.mark.parametrize("candidates", [1, 2, 4])
async def test_a_node_that_was_not_found_counts_as_the_floor_and_no_passage_as_nothing(
    tmp_path: Path, probes: int, candidates: int
) -> None:
    world, depth = World(tmp_path), Depth(probes, candidates)
    index = await world.indexed()
    for query in (
        "saturn moon pan",
        "pan methane sulphur ocean",
        "io lava",
        "methane ocean moon",
        "titan astronomer jupiter",
    ):
        (asked,) = await world.encoder.encode_queries([query])
        found = index.find(asked, depth)
        known = dict(zip(found.nodes.tolist(), found.maxima, strict=True))
        scores = {}
        for place, (row, passage) in enumerate(EDGES.tolist()):
            nodes = [world.store.position(line) for line in (ROWS[row], PASSAGES[passage])][: 2 if passage >= 0 else 1]
            if any(node in known for node in nodes):
                scores[place] = np.max([known.get(node, found.floor) for node in nodes], axis=0).sum()
        proposed = (await world.edges(index, depth).propose(query)).tolist()
        assert sorted(proposed) == sorted(scores)
        np.testing.assert_allclose([scores[place] for place in proposed], sorted(scores.values(), reverse=True), 1e-5)


async def test_a_node_without_vectors_is_found_by_the_other_node_of_its_edge(tmp_path: Path) -> None:
    world = World(tmp_path)
    index = await world.indexed(left_out=[PASSAGES[0], ROWS[3]])
    found = await world.edges(index).propose("io")
    assert EDGES[found[0]].tolist() == [0, 0]
    assert [3, -1] not in EDGES[found].tolist()


async def test_edges_that_words_do_not_name_join_those_that_they_do(tmp_path: Path) -> None:
    world = World(tmp_path)
    index = await world.indexed()
    words = EdgeSearch(world.graph, words_of_moons(), world.tokens, proposed=2)
    both = EdgeSearch(world.graph, words_of_moons(), world.tokens, proposed=2, further=world.edges(index))
    assert await words.retrieve("glacier", 3) == ()
    found = await both.retrieve("glacier", 3)
    assert (found[0].segment, found[0].passage) == ("row1", "passage1")
    found = await both.retrieve("jupiter moon glacier", 9)
    assert len({(edge.segment, edge.passage) for edge in found}) == len(found) > 2
    assert (found[0].segment, found[0].passage) == ("row1", "passage1")


async def test_nothing_is_proposed_in_a_graph_of_nothing_or_for_a_query_of_nothing(tmp_path: Path) -> None:
    empty = World(tmp_path / "empty", BipartiteGraph(Side([], []), Side([], []), np.zeros((0, 2), np.int32)))
    assert (await empty.edges(await empty.indexed()).propose("moon")).tolist() == []
    world = World(tmp_path / "moons")
    assert (await world.edges(await world.indexed()).propose("")).tolist() == []


async def test_nodes_that_the_store_gained_after_the_index_are_in_nobodys_way(tmp_path: Path) -> None:
    world = World(tmp_path)
    index = await world.indexed(left_out=[PASSAGES[2]])
    edges = world.edges(index)
    await world.tokens.keep([PASSAGES[2]])
    assert 2 in await edges.propose("titan")
    placed = Placed(nodes_of(world.graph.passages.lines, world.store))
    assert placed.among(len(index)).sum() == len(PASSAGES) - 1
