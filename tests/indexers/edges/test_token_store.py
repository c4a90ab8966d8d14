"""Token vectors come back as they were kept, whatever was killed, and damage is found."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from heliograph.errors import StoreDamaged
from indexers.edges.blocks import RECORD
from indexers.edges.token_store import TokenStore, quantised

WIDTH = 4


def unit(*shape: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def filled(folder: Path) -> TokenStore:
    store = TokenStore(folder, "model", WIDTH)
    store.append(["Io", "Europa"], [unit(3, WIDTH), unit(2, WIDTH, seed=1)])
    store.append(["", "Ganymede"], [np.zeros((0, WIDTH), np.float32), unit(5, WIDTH, seed=2)])
    return store


def test_vectors_come_back_within_a_quantum(tmp_path: Path) -> None:
    filled(tmp_path)
    store = TokenStore(tmp_path, "model", WIDTH)
    assert (len(store), store.tokens) == (4, 10)
    assert [store.position(text) for text in ("Io", "Ganymede", "", "Callisto")] == [0, 3, 2, None]
    vectors, starts = store.vectors([3, 2, 0])
    assert starts.tolist() == [0, 5, 5]
    np.testing.assert_allclose(vectors, np.concatenate([unit(5, WIDTH, seed=2), unit(3, WIDTH)]), atol=0.006)


def test_no_nodes_have_no_vectors(tmp_path: Path) -> None:
    vectors, starts = filled(tmp_path).vectors([])
    assert vectors.shape == (0, WIDTH)
    assert starts.shape == (0,)


@given(arrays(np.float32, (3, WIDTH), elements=st.floats(-1, 1, width=32)))
def test_a_number_is_off_by_no_more_than_half_a_quantum(vectors: np.ndarray) -> None:
    codes, scales = quantised(vectors)
    off = np.abs(codes * scales.astype(np.float32)[:, None] - vectors).max(axis=1)
    assert (off <= np.abs(vectors).max(axis=1) / 127 * 0.7 + 1e-4).all()


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=12).flatmap(
        lambda lengths: st.tuples(st.just(lengths), st.lists(st.integers(0, len(lengths) - 1)))
    )
)
def test_any_nodes_come_one_after_the_other(tmp_path_factory: pytest.TempPathFactory, asked: tuple) -> None:
    lengths, nodes = asked
    kept = [unit(length, WIDTH, seed=number) for number, length in enumerate(lengths)]
    store = TokenStore(tmp_path_factory.mktemp("store"), "model", WIDTH)
    store.append(list(map(str, range(len(kept)))), kept)
    vectors, starts = store.vectors(nodes)
    assert starts.tolist() == [sum(lengths[node] for node in nodes[:place]) for place in range(len(nodes))]
    wanted = np.concatenate([*(kept[node] for node in nodes), np.zeros((0, WIDTH), np.float32)])
    np.testing.assert_allclose(vectors, wanted, atol=0.006)


@pytest.mark.parametrize("name", ["codes", "scales", "ends", "keys", "blocks"])
def test_what_a_killed_append_wrote_is_cut_off(tmp_path: Path, name: str) -> None:
    filled(tmp_path)
    with (tmp_path / name).open("ab") as file:
        file.write(b"half an append")
    store = TokenStore(tmp_path, "model", WIDTH)
    store.append(["Callisto"], [unit(2, WIDTH, seed=3)])
    again = TokenStore(tmp_path, "model", WIDTH)
    assert again.position("Callisto") == 4
    np.testing.assert_allclose(again.vectors([4])[0], unit(2, WIDTH, seed=3), atol=0.006)
    again.verify()


def test_the_manifest_is_written_once_and_a_record_an_append(tmp_path: Path) -> None:
    store = filled(tmp_path)
    manifest = (tmp_path / "manifest.json").read_bytes()
    assert (tmp_path / "blocks").stat().st_size == 2 * RECORD.itemsize
    store.append(["Callisto"], [unit(2, WIDTH, seed=3)])
    assert (tmp_path / "manifest.json").read_bytes() == manifest
    assert (tmp_path / "blocks").stat().st_size == 3 * RECORD.itemsize


@pytest.mark.parametrize("lost", [1, RECORD.itemsize - 1])
def test_an_append_whose_record_is_torn_never_was(tmp_path: Path, lost: int) -> None:
    filled(tmp_path)
    blocks = tmp_path / "blocks"
    blocks.write_bytes(blocks.read_bytes()[:-lost])
    store = TokenStore(tmp_path, "model", WIDTH)
    assert (len(store), store.tokens, store.position("Ganymede")) == (2, 5, None)
    store.append(["Ganymede"], [unit(5, WIDTH, seed=2)])
    again = TokenStore(tmp_path, "model", WIDTH)
    np.testing.assert_allclose(again.vectors([2])[0], unit(5, WIDTH, seed=2), atol=0.006)
    again.verify()


def test_a_last_record_of_zeros_is_torn_too(tmp_path: Path) -> None:
    filled(tmp_path)
    with (tmp_path / "blocks").open("ab") as file:
        file.write(bytes(RECORD.itemsize))
    store = TokenStore(tmp_path, "model", WIDTH)
    assert len(store) == 4
    store.append(["Callisto"], [unit(2, WIDTH, seed=3)])
    assert len(TokenStore(tmp_path, "model", WIDTH)) == 5


def test_a_record_before_the_last_that_was_altered_is_damage(tmp_path: Path) -> None:
    filled(tmp_path)
    content = bytearray((tmp_path / "blocks").read_bytes())
    content[0] ^= 1
    (tmp_path / "blocks").write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"record 0 of .*blocks was altered; delete the folder"):
        TokenStore(tmp_path, "model", WIDTH)


def test_records_without_a_manifest_are_damage(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(StoreDamaged, match=r"manifest\.json is missing; delete the folder"):
        TokenStore(tmp_path, "model", WIDTH)


def test_a_store_of_an_older_schema_is_refused(tmp_path: Path) -> None:
    older = '{"schema": "heliograph.tokens/1", "model": "model", "dimensions": 4, "blocks": []}'
    (tmp_path / "manifest.json").write_text(older)
    with pytest.raises(StoreDamaged, match=r"is of schema heliograph\.tokens/1, not heliograph\.tokens/2; delete"):
        TokenStore(tmp_path, "model", WIDTH)


@pytest.mark.parametrize("name", ["codes", "scales", "ends", "keys"])
def test_a_file_cut_short_is_damage(tmp_path: Path, name: str) -> None:
    filled(tmp_path)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-1])
    with pytest.raises(StoreDamaged, match=f"{name} is missing or cut short; delete the folder"):
        TokenStore(tmp_path, "model", WIDTH)


@pytest.mark.parametrize("name", ["codes", "scales", "ends", "keys"])
def test_an_altered_byte_is_found_by_verifying(tmp_path: Path, name: str) -> None:
    filled(tmp_path).verify()
    content = bytearray((tmp_path / name).read_bytes())
    content[-1] ^= 1
    (tmp_path / name).write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"(block 1 of .*|ends) was altered; delete the folder"):
        TokenStore(tmp_path, "model", WIDTH).verify()


@pytest.mark.parametrize("ends", [[3, 2, 5, 10], [3, 5, 5, 10**17], [-1, 5, 5, 10], [3, 5, 5, 9]])
def test_ends_that_are_not_in_order_are_damage(tmp_path: Path, ends: list[int]) -> None:
    filled(tmp_path)
    (tmp_path / "ends").write_bytes(np.array(ends, np.int64).tobytes())
    with pytest.raises(StoreDamaged, match="ends was altered; delete the folder"):
        TokenStore(tmp_path, "model", WIDTH)


@pytest.mark.parametrize("scale", [np.nan, np.inf, -1])
def test_a_scale_that_is_none_is_damage_when_it_is_read(tmp_path: Path, scale: float) -> None:
    filled(tmp_path)
    (tmp_path / "scales").write_bytes(np.full(10, scale, np.float16).tobytes())
    with pytest.raises(StoreDamaged, match="scales was altered; delete the folder"):
        TokenStore(tmp_path, "model", WIDTH).vectors([3])


@pytest.mark.parametrize(
    "content", [b'{"schema":' * 100_000, b"", b"{}", b"[]", b'{"schema": "heliograph.tokens/2"}', b"\xff"]
)
def test_a_manifest_that_is_none_is_damage(tmp_path: Path, content: bytes) -> None:
    filled(tmp_path)
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"manifest\.json cannot be read"):
        TokenStore(tmp_path, "model", WIDTH)


def test_vectors_of_another_model_are_refused(tmp_path: Path) -> None:
    filled(tmp_path)
    with pytest.raises(StoreDamaged, match="holds vectors of model, 4 numbers each, not of other, 4"):
        TokenStore(tmp_path, "other", WIDTH)
