"""Postings on disk: the same as those in memory, mapped, and built again where they are not whole."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.ott.corpus import OttCorpus
from eval.ott.kept_postings import ARRAYS, MANIFEST, kept_postings, load_postings, save_postings
from heliograph.errors import StoreDamaged, StoreError
from indexers.edges.postings import Postings


def content(postings: Postings) -> tuple[object, ...]:
    return dict(postings.numbers), *(getattr(postings, name).tolist() for name in ARRAYS)


@settings(max_examples=30)
@given(st.lists(st.text(max_size=40), max_size=6))
def test_what_is_saved_is_what_is_loaded(texts: list[str]) -> None:
    built = Postings.build(texts)
    with TemporaryDirectory() as folder:
        save_postings(built, Path(folder))
        loaded = load_postings(Path(folder))
        assert loaded is not None
        assert content(loaded) == content(built)


def test_the_second_start_maps_what_the_first_has_built(corpus: OttCorpus, tmp_path: Path) -> None:
    said: list[str] = []
    first = kept_postings(corpus, tmp_path, said.append)
    assert said == ["indexing the words of 4 rows", "indexing the words of 4 passages"]
    again = kept_postings(corpus, tmp_path, said.append)
    assert len(said) == 2
    assert isinstance(again.rows.nodes, np.memmap)
    assert (content(again.rows), content(again.passages)) == (content(first.rows), content(first.passages))


@pytest.mark.parametrize("name", [*(f"{name}.npy" for name in (*ARRAYS, "words")), MANIFEST])
@pytest.mark.parametrize("damage", ["altered", "cut", "gone"])
def test_a_damaged_file_is_found_and_the_index_built_again(
    corpus: OttCorpus, tmp_path: Path, name: str, damage: str
) -> None:
    first = kept_postings(corpus, tmp_path, lambda _: None)
    whole = content(first.rows)
    path = tmp_path / "rows" / name
    bytes_of = path.read_bytes()
    path.unlink()
    if damage != "gone":
        path.write_bytes(bytes_of[:-1] + (bytes([bytes_of[-1] ^ 1]) if damage == "altered" else b""))
    said: list[str] = []
    assert content(kept_postings(corpus, tmp_path, said.append).rows) == whole
    assert said[-1] == "indexing the words of 4 rows"
    assert (len(said) == 2) == ((name, damage) != (MANIFEST, "gone"))


def test_an_index_that_was_killed_before_its_manifest_is_no_index(tmp_path: Path) -> None:
    save_postings(Postings.build(["a light"]), tmp_path)
    (tmp_path / MANIFEST).unlink()
    assert load_postings(tmp_path) is None


def test_a_damaged_index_says_which(tmp_path: Path) -> None:
    save_postings(Postings.build(["a light"]), tmp_path)
    (tmp_path / "nodes.npy").write_bytes(b"no array")
    with pytest.raises(StoreDamaged, match=f"the index of words in {tmp_path} was altered"):
        load_postings(tmp_path)


def test_a_folder_that_cannot_be_written_is_named(corpus: OttCorpus, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        kept_postings(corpus, tmp_path / "file", lambda _: None)
