"""A finished graph is searched as the same graph in memory is, and says when it is not whole."""

import asyncio
import re
from pathlib import Path

import numpy as np
import pytest

from heliograph.errors import StoreDamaged, UsageError
from indexers.edges.bm25 import EdgeBM25, best
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.postings import Postings
from indexers.edges.search import EdgeSearch
from indexers.edges.token_store import TokenStore
from indexers.offline.build import Build
from indexers.offline.filesets import needed
from indexers.offline.plan import Settings, Work
from indexers.offline.searching import OfflineGraph
from indexers.offline.texts import MappedTexts, write_texts
from indexers.offline.tokens import store_in
from tests.indexers.edges.worlds import WIDTH, Translating, WordEncoder
from tests.indexers.offline.worlds import SKY, MemoryShelf, WordEncoding, built, page, sums

QUESTION = "Which moon with volcanoes was found in 1610?"


def test_words_rank_edges_as_they_do_in_memory(tmp_path: Path) -> None:
    built(SKY, tmp_path / "sky", pages_a_shard=1)
    graph = OfflineGraph(tmp_path / "sky")
    sides = [[side.lines[each] for each in range(len(side))] for side in (graph.graph.segments, graph.graph.passages)]
    scores = EdgeBM25(*map(Postings.build, sides), graph.graph.edges).scores(QUESTION)
    found = asyncio.run(graph.search(QUESTION, 3))
    assert [each.edge.score for each in found] == scores[best(scores, 3)].tolist()
    assert found[0].segment == "Jupiter | Facts | Moon : Io ; Found : 1610"
    assert found[0].passage == "Io | Io has volcanoes."
    assert asyncio.run(graph.search("zebra", 3)) == ()


def test_token_vectors_rank_edges_as_the_edge_retriever_does(tmp_path: Path) -> None:
    built(SKY, tmp_path / "sky", pages_a_shard=1, encoding=WordEncoding())
    graph, encoder = OfflineGraph(tmp_path / "sky"), WordEncoder()
    found = asyncio.run(graph.search(QUESTION, 4, encoder))
    assert encoder.encoded == 0
    fresh = NodeTokens(WordEncoder(), TokenStore(tmp_path / "fresh", "words", WIDTH))
    wanted = asyncio.run(EdgeSearch(graph.graph, graph.bm25, fresh).retrieve(QUESTION, 4))
    assert [each.edge for each in found] == list(wanted)
    assert graph.model == "words"


def test_vectors_propose_edges_that_no_word_names(tmp_path: Path) -> None:
    built(SKY, tmp_path / "sky", pages_a_shard=1, encoding=WordEncoding())
    before, asked = sums(tmp_path / "sky"), "lava"
    assert asyncio.run(OfflineGraph(tmp_path / "sky").search(asked, 3, Translating())) == ()
    built(SKY, tmp_path / "sky", pages_a_shard=1, encoding=WordEncoding(), proposals="all")
    found = asyncio.run(OfflineGraph(tmp_path / "sky").search(asked, 3, Translating()))
    assert found[0].passage == "Io | Io has volcanoes."
    after = sums(tmp_path / "sky")
    assert {name: after[name] for name in before} == before
    assert {name.partition("/")[0] for name in after.keys() - before.keys()} == {"centroids"}
    built(SKY, tmp_path / "sky", pages_a_shard=1, encoding=WordEncoding())
    assert sums(tmp_path / "sky") == after


def test_centroids_of_other_vectors_are_refused(tmp_path: Path) -> None:
    other = MemoryShelf((("Mars", page("Mars is red.")), ("Venus", page("Venus is hot."))))
    for shelf, name in ((SKY, "sky"), (other, "other")):
        built(shelf, tmp_path / name, encoding=WordEncoding(), proposals="all")
    (tmp_path / "sky" / "centroids").rename(tmp_path / "centroids")
    (tmp_path / "other" / "centroids").rename(tmp_path / "sky" / "centroids")
    with pytest.raises(StoreDamaged, match="is not of the vectors in"):
        asyncio.run(OfflineGraph(tmp_path / "sky").search(QUESTION, 3, WordEncoder()))
    work = Work(SKY, tmp_path / "sky", Settings(encoding=WordEncoding(), proposals="all"))
    Build(work, lambda _: None).run()
    assert asyncio.run(OfflineGraph(tmp_path / "sky").search(QUESTION, 3, WordEncoder()))


def test_altered_centroids_are_not_searched_by(tmp_path: Path) -> None:
    built(SKY, tmp_path / "sky", encoding=WordEncoding(), proposals="all")
    path = tmp_path / "sky" / "centroids" / "passages.npy"
    content = bytearray(path.read_bytes())
    content[-8] ^= 1
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"centroids is damaged: passages\.npy was altered"):
        OfflineGraph(tmp_path / "sky")


def test_vectors_of_all_shards_are_those_of_each(tmp_path: Path) -> None:
    built(SKY, tmp_path / "cut", pages_a_shard=1, encoding=WordEncoding())
    built(SKY, tmp_path / "whole", encoding=WordEncoding())
    cut, whole = (store_in(tmp_path / name / "tokens" / "store", WordEncoder()) for name in ("cut", "whole"))
    graph = OfflineGraph(tmp_path / "cut").graph
    lines = [side.lines[each] for side in (graph.segments, graph.passages) for each in range(len(side))]
    assert len(cut) == len(whole) == len(set(lines))
    for line in lines:
        vectors = [store.vectors([store.position(line) or 0])[0] for store in (cut, whole)]
        np.testing.assert_array_equal(*vectors)
    cut.verify()


def test_no_graph_and_half_a_graph_are_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no graph in .*none; build one: heliograph graph build"):
        OfflineGraph(tmp_path / "none")
    built(SKY, tmp_path / "sky")
    (tmp_path / "sky" / "segments").rename(tmp_path / "segments")
    with pytest.raises(UsageError, match="is not finished; give the command that began it again"):
        OfflineGraph(tmp_path / "sky")


def test_a_small_graph_that_was_altered_is_not_searched(tmp_path: Path) -> None:
    built(SKY, tmp_path / "sky")
    path = tmp_path / "sky" / "segments" / "words" / "nodes.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 0x40
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"segments is damaged: words/nodes\.npy was altered"):
        OfflineGraph(tmp_path / "sky")
    with pytest.raises(StoreDamaged, match=r"was altered \(an edge|heliograph graph check .*sky says where"):
        asyncio.run(OfflineGraph(tmp_path / "sky", checked_bytes=0).search("what is like Saturn", 3))


LARGE = (
    ("segments/edges.npy", "an edge joins what is not there"),
    ("segments/tables.npy", r"tables\.npy is no array of whole numbers"),
    ("segments/words/starts.npy", "words and their places are of different numbers"),
    ("passages/ids.ends.npy", r"passages/ids\.txt or where its texts end was altered"),
)


@pytest.mark.parametrize(("part", "fault"), LARGE)
def test_a_graph_too_large_to_be_read_whole_is_refused_where_its_parts_do_not_fit(
    tmp_path: Path, part: str, fault: str
) -> None:
    built(SKY, tmp_path / "sky")
    path = tmp_path / "sky" / part
    content = bytearray(path.read_bytes())
    content[-4:] = b"\x7f" * 4
    path.write_bytes(content.replace(b"<i4", b"<f4") if part.endswith("tables.npy") else content)
    with pytest.raises(StoreDamaged, match=fault):
        OfflineGraph(tmp_path / "sky", checked_bytes=0)


def test_texts_that_end_before_they_begin_are_altered(tmp_path: Path) -> None:
    write_texts(tmp_path, "moons", ["Io", "Europa", "Titan"])
    np.save(tmp_path / "moons.ends.npy", np.array([2, 1, 13]))
    moons = MappedTexts(tmp_path, "moons")
    for read in (lambda: moons[1], lambda: moons[:]):
        with pytest.raises(StoreDamaged, match=r"moons\.txt or where its texts end was altered near text 1; give the"):
            read()


def test_a_search_never_writes_into_a_finished_graph(tmp_path: Path) -> None:
    for shelf, name in ((SKY, "sky"), (MemoryShelf(SKY.html[1:2]), "io")):
        built(shelf, tmp_path / name, encoding=WordEncoding())
    (tmp_path / "sky" / "tokens").rename(tmp_path / "tokens")
    (tmp_path / "io" / "tokens").rename(tmp_path / "sky" / "tokens")
    before, encoder = sums(tmp_path / "sky"), WordEncoder()
    missing = (
        re.escape(str(tmp_path / "sky" / "tokens" / "store"))
        + r" lacks the vectors of 3 lines .*heliograph graph build"
    )
    with pytest.raises(StoreDamaged, match=missing):
        asyncio.run(OfflineGraph(tmp_path / "sky").search(QUESTION, 3, encoder))
    assert (sums(tmp_path / "sky"), encoder.encoded) == (before, 0)


def test_what_is_searched_needs_no_shards(tmp_path: Path) -> None:
    built(SKY, tmp_path / "sky")
    before = asyncio.run(OfflineGraph(tmp_path / "sky").search(QUESTION, 3))
    for folder in ("shards", "links"):
        (tmp_path / "sky" / folder).rename(tmp_path / folder)
    assert asyncio.run(OfflineGraph(tmp_path / "sky").search(QUESTION, 3)) == before
    needed(tmp_path / "sky" / "segments").verify()
