"""An index of centroids finds what exact search finds, grows with its store, and knows when a file is not its own."""

import json
from pathlib import Path

import numpy as np
import pytest

from heliograph.errors import StoreDamaged, StoreError
from indexers.edges import centroids as module
from indexers.edges.centroids import CentroidIndex, Depth, centroids_for
from indexers.edges.maxsim import maxima, similarity
from indexers.edges.token_store import TokenStore
from tests.indexers.edges.clouds import WIDTH, cloud, store_of, texts

EVERYTHING = Depth(probes=10_000, candidates=10_000)


def built(folder: Path, count: int = 300) -> CentroidIndex:
    return CentroidIndex.build(store_of(folder, texts(count)), centroids=50)


def exact(store: TokenStore, query: np.ndarray) -> np.ndarray:
    return similarity(maxima(query, *store.vectors(range(len(store)))))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "centroids").iterdir()}


def test_searching_everything_is_exact_search(tmp_path: Path) -> None:
    index, store = built(tmp_path), TokenStore(tmp_path, "cloud", WIDTH)
    for seed in range(20):
        query = cloud(4, seed=1000 + seed)
        wanted = exact(store, query)
        nodes, scores = index.search(query, 10, EVERYTHING)
        np.testing.assert_allclose(scores, np.sort(wanted)[::-1][:10], atol=1e-5)
        np.testing.assert_allclose(wanted[nodes], scores, atol=1e-5)


def test_a_few_probes_and_candidates_find_most_of_it(tmp_path: Path) -> None:
    index, store = built(tmp_path, 2000), TokenStore(tmp_path, "cloud", WIDTH)
    found = wanted = 0
    for seed in range(30):
        query = cloud(4, seed=1000 + seed)
        nodes, _ = index.search(query, 10, Depth(probes=12, candidates=200))
        found += len({*nodes.tolist()} & {*np.argsort(-exact(store, query), kind="stable")[:10].tolist()})
        wanted += 10
    assert found >= 0.9 * wanted


def test_candidates_are_compared_exactly_and_others_are_no_closer_than_the_floor(tmp_path: Path) -> None:
    index, store = built(tmp_path), TokenStore(tmp_path, "cloud", WIDTH)
    query = cloud(3, seed=7)
    found = index.find(query, Depth(probes=5, candidates=40))
    assert found.nodes.tolist() == sorted({*found.nodes.tolist()})
    np.testing.assert_allclose(found.maxima, maxima(query, *store.vectors(found.nodes.tolist())), atol=1e-5)
    assert found.floor.shape == (3,)


def test_only_nodes_among_those_asked_for_are_found(tmp_path: Path) -> None:
    index = built(tmp_path)
    among = np.arange(len(index)) % 3 == 0
    found = index.find(cloud(4, seed=5), EVERYTHING, among)
    assert len(found.nodes)
    assert (found.nodes % 3 == 0).all()


def test_the_same_seed_builds_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        built(tmp_path / name)
    assert files(tmp_path / "one") == files(tmp_path / "other")


def test_an_index_is_opened_as_it_was_built(tmp_path: Path) -> None:
    index = built(tmp_path)
    again = CentroidIndex(TokenStore(tmp_path, "cloud", WIDTH))
    assert (len(again), again.centroids, again.unseen, again.outgrown) == (300, 50, 0.0, False)
    query = cloud(4, seed=1)
    assert again.search(query, 10)[0].tolist() == index.search(query, 10)[0].tolist()


def test_what_the_store_gained_is_found_once_the_index_is_extended(tmp_path: Path) -> None:
    built(tmp_path)
    added = cloud(3, clusters=3, seed=77)
    store = store_of(tmp_path, [added])
    index = CentroidIndex(store)
    assert 300 not in index.search(added, 5, EVERYTHING)[0]
    assert (index.extend(), index.extend(), len(index)) == (1, 0, 301)
    assert index.search(added, 5, EVERYTHING)[0][0] == 300
    assert CentroidIndex(store).search(added, 5, EVERYTHING)[0][0] == 300


def test_an_index_extended_often_finds_what_one_built_at_once_finds_in_few_files(tmp_path: Path) -> None:
    kept = texts(340)
    index = CentroidIndex.build(store_of(tmp_path, kept[:300]), centroids=50)
    for number in range(300, 340):
        index = CentroidIndex(store_of(tmp_path, kept[number : number + 1]))
        index.extend()
    assert len(list((tmp_path / "centroids").iterdir())) <= 2 + 2 * 8
    whole = index.search(cloud(4, seed=3), 20, Depth(4, 30))
    again = CentroidIndex(TokenStore(tmp_path, "cloud", WIDTH)).search(cloud(4, seed=3), 20, Depth(4, 30))
    assert whole[0].tolist() == again[0].tolist()
    query = cloud(4, seed=1)
    store = TokenStore(tmp_path, "cloud", WIDTH)
    np.testing.assert_allclose(
        index.search(query, 10, EVERYTHING)[1], np.sort(exact(store, query))[::-1][:10], atol=1e-5
    )


def test_it_says_when_most_nodes_are_new_to_its_centroids(tmp_path: Path) -> None:
    built(tmp_path, 100)
    index = CentroidIndex(store_of(tmp_path, texts(100, seed=1)))
    assert (index.unseen, index.outgrown) == (0.5, False)
    index = CentroidIndex(store_of(tmp_path, texts(1, seed=2)))
    assert index.outgrown
    store = TokenStore(tmp_path, "cloud", WIDTH)
    assert not CentroidIndex.build(store, centroids=50).outgrown


def test_a_build_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOKENS_A_PART", 200)
    store, said = store_of(tmp_path, texts(300)), []

    def stopped(done: int, total: int) -> None:
        said.append((done, total))
        if len(said) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CentroidIndex.build(store, centroids=50, say=stopped)
    index = CentroidIndex(store)
    assert 0 < len(index) == said[-1][0] < 300
    index.extend()
    query = cloud(4, seed=1)
    np.testing.assert_allclose(
        index.search(query, 10, EVERYTHING)[1], np.sort(exact(store, query))[::-1][:10], atol=1e-5
    )


def test_what_a_killed_extension_wrote_is_in_nobodys_way(tmp_path: Path) -> None:
    built(tmp_path)
    folder = tmp_path / "centroids"
    for name in ("2.nodes", "2.offsets", "9.nodes", "manifest.json.new"):
        (folder / name).write_bytes(b"half")
    index = CentroidIndex(store_of(tmp_path, [cloud(2)]))
    index.extend()
    assert not (folder / "9.nodes").exists()
    assert len(CentroidIndex(TokenStore(tmp_path, "cloud", WIDTH))) == 301


@pytest.mark.parametrize("name", ["centroids", "1.offsets", "1.nodes"])
@pytest.mark.parametrize("damage", ["altered", "missing or cut short"])
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, name: str, damage: str) -> None:
    built(tmp_path)
    path = tmp_path / "centroids" / name
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content if damage == "altered" else content[:-1])
    with pytest.raises(StoreDamaged, match=f"{name}.*{damage}; delete the folder and build the index again"):
        CentroidIndex(TokenStore(tmp_path, "cloud", WIDTH))


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"schema": "heliograph.centroids/1", "parts": [1]}', b"\xff"])
def test_a_manifest_that_is_none_is_damage(tmp_path: Path, content: bytes) -> None:
    built(tmp_path)
    (tmp_path / "centroids" / "manifest.json").write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"manifest\.json cannot be read .* build the index again"):
        CentroidIndex(TokenStore(tmp_path, "cloud", WIDTH))


def test_an_index_of_another_schema_or_width_is_refused(tmp_path: Path) -> None:
    index = built(tmp_path)
    manifest = tmp_path / "centroids" / "manifest.json"
    kept = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**kept, "schema": "heliograph.centroids/0"}))
    with pytest.raises(StoreDamaged, match=r"is of schema heliograph\.centroids/0"):
        CentroidIndex(TokenStore(tmp_path, "cloud", WIDTH))
    manifest.write_text(json.dumps({**kept, "dimensions": 8}))
    with pytest.raises(StoreDamaged, match="is of vectors of 8 numbers, not 16"):
        CentroidIndex(TokenStore(tmp_path, "cloud", WIDTH))
    assert len(index) == 300


@pytest.mark.parametrize("other", [texts(300)[::-1], texts(20)])
def test_an_index_of_another_store_is_refused(tmp_path: Path, other: list[np.ndarray]) -> None:
    built(tmp_path)
    store = TokenStore(tmp_path / "other", "cloud", WIDTH)
    store.append([f"other {number}" for number in range(len(other))], other)
    with pytest.raises(StoreDamaged, match="is not of the vectors in"):
        CentroidIndex(store, tmp_path / "centroids")


def test_where_there_is_no_index_none_is_opened(tmp_path: Path) -> None:
    with pytest.raises(StoreDamaged, match="build the index again"):
        CentroidIndex(store_of(tmp_path, texts(3)))


def test_a_folder_that_cannot_be_written_is_a_store_error(tmp_path: Path) -> None:
    store = store_of(tmp_path / "store", texts(30))
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError, match="cannot write"):
        CentroidIndex.build(store, tmp_path / "taken")


@pytest.mark.parametrize("kept", [[], [np.zeros((0, WIDTH), np.float32)] * 3])
def test_nothing_is_found_where_there_are_no_vectors(tmp_path: Path, kept: list[np.ndarray]) -> None:
    store = store_of(tmp_path, kept)
    index = CentroidIndex.build(store)
    assert len(index) == len(kept)
    assert index.search(cloud(2), 5)[0].tolist() == []
    index = CentroidIndex(store_of(tmp_path, [cloud(2)]))
    index.extend()
    assert index.outgrown
    assert CentroidIndex.build(index.store).search(cloud(2), 5)[0].tolist() == [len(kept)]


def test_a_query_without_tokens_finds_nothing(tmp_path: Path) -> None:
    assert built(tmp_path).search(np.zeros((0, WIDTH), np.float32), 5)[0].tolist() == []


@pytest.mark.parametrize(
    ("tokens", "wanted"), [(0, 1), (1, 1), (100, 25), (10_000, 1024), (4_000_000, 16_384), (30_000_000, 32_768)]
)
def test_centroids_grow_with_the_root_of_tokens(tokens: int, wanted: int) -> None:
    assert centroids_for(tokens) == wanted
