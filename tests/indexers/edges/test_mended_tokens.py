"""A store of vectors that can be made again opens whatever was done to it, with what is whole of it."""

from pathlib import Path

import numpy as np
import pytest

from heliograph.errors import StoreError
from indexers.edges.mended_tokens import mended_store
from indexers.edges.token_store import BLOCKS, FILES, MANIFEST, TokenStore

WIDTH = 4
MOONS = ("Io", "Europa", "Titan")


def filled(folder: Path) -> TokenStore:
    store = TokenStore(folder, "model", WIDTH)
    for number, moon in enumerate(MOONS, start=1):
        store.append([moon], [np.full((number, WIDTH), 0.5, np.float32)])
    return store


def opened(folder: Path) -> tuple[TokenStore, list[str]]:
    said: list[str] = []
    return mended_store(folder, "model", WIDTH, said.append), said


def test_a_whole_store_is_left_as_it_is(tmp_path: Path) -> None:
    filled(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    store, said = opened(tmp_path)
    assert ([store.position(moon) for moon in MOONS], said) == ([0, 1, 2], [])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["altered", "cut"])
def test_vectors_before_the_damage_are_kept_and_the_others_can_be_made_again(
    tmp_path: Path, name: str, kind: str
) -> None:
    filled(tmp_path)
    content = bytearray((tmp_path / name).read_bytes())
    content[-1] ^= 1
    (tmp_path / name).write_bytes(content if kind == "altered" else content[:-1])
    store, said = opened(tmp_path)
    assert [store.position(moon) for moon in MOONS] == [0, 1, None]
    assert said == [
        f"{tmp_path} was altered or cut short: vectors of 2 lines are kept, those of 1 are made again",
    ]
    store.append(MOONS[2:], [np.full((3, WIDTH), 0.5, np.float32)])
    again, unsaid = opened(tmp_path)
    assert (again.position("Titan"), again.tokens, unsaid) == (2, 6, [])
    np.testing.assert_allclose(again.vectors([2])[0], 0.5, atol=0.01)


@pytest.mark.parametrize(
    ("name", "content"), [(MANIFEST, b"{"), (MANIFEST, None), (BLOCKS, b"?" * 48), ("codes", None), (MANIFEST, b"[]")]
)
def test_a_store_of_which_nothing_can_be_read_begins_anew_and_says_so(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    filled(tmp_path)
    (tmp_path / "writer.lock").touch()
    (tmp_path / name).unlink() if content is None else (tmp_path / name).write_bytes(content)
    store, (said,) = opened(tmp_path)
    assert (len(store), "made again" in said, "delete" in said) == (0, True, False)
    assert (tmp_path / "writer.lock").exists()
    assert opened(tmp_path)[1] == []


def test_a_folder_that_cannot_be_mended_is_named(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).mkdir()
    with pytest.raises(StoreError, match=f"cannot write {tmp_path}"):
        opened(tmp_path)
