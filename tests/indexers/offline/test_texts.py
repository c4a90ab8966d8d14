"""Texts come back as they were written, alone and joined."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import StoreDamaged
from indexers.offline.texts import MappedTexts, join_texts, write_texts

texts = st.lists(st.one_of(st.text(max_size=20), st.sampled_from(["", "\ud800", "zwölf\n", "\0"])), max_size=6)


@given(st.lists(texts, max_size=4), st.slices(9))
def test_joined_texts_are_those_of_all_parts(
    tmp_path_factory: pytest.TempPathFactory, parts: list[list[str]], some: slice
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    for number, part in enumerate(parts):
        assert write_texts(folder, str(number), part) == len(part)
    whole = [text for part in parts for text in part]
    assert join_texts(folder, "all", ((folder, str(number)) for number in range(len(parts)))) == len(whole)
    kept = MappedTexts(folder, "all")
    assert (len(kept), list(kept), kept[:], kept[some]) == (len(whole), whole, whole, whole[some])


@pytest.mark.parametrize("position", [2, -1])
def test_there_is_nothing_beyond_the_last(tmp_path: Path, position: int) -> None:
    write_texts(tmp_path, "two", ["Io", ""])
    with pytest.raises(IndexError):
        MappedTexts(tmp_path, "two")[position]


def test_what_is_no_text_is_damage(tmp_path: Path) -> None:
    write_texts(tmp_path, "two", ["Io", "Io"])
    (tmp_path / "two.txt").write_bytes(b"IoI\xff")
    for asked in (1, slice(None)):
        with pytest.raises(StoreDamaged, match=r"two\.txt was altered at byte 3"):
            MappedTexts(tmp_path, "two")[asked]


@pytest.mark.parametrize("name", ["one.txt", "one.ends.npy"])
def test_a_missing_file_is_damage(tmp_path: Path, name: str) -> None:
    write_texts(tmp_path, "one", ["Io"])
    (tmp_path / name).unlink()
    with pytest.raises(StoreDamaged, match=name.replace(".", r"\.")):
        MappedTexts(tmp_path, "one")
