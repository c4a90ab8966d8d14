"""Postings on disk: the same as those in memory, mapped, and built again where they are not whole."""

from pathlib import Path

import numpy as np
import pytest

from eval.ott.corpus import OttCorpus
from eval.ott.kept_postings import kept_postings
from eval.ott.postings import OttPostings
from heliograph.errors import StoreError
from indexers.edges.postings import Postings
from indexers.offline.postings import ARRAYS


def content(postings: Postings) -> tuple[object, ...]:
    return dict(postings.numbers), *(getattr(postings, name).tolist() for name in ARRAYS)


def test_the_second_start_maps_what_the_first_has_built(corpus: OttCorpus, tmp_path: Path) -> None:
    said: list[str] = []
    wanted = OttPostings.of(corpus, lambda _: None)
    for _ in range(2):
        kept = kept_postings(corpus, tmp_path, said.append)
        assert said == ["indexing the words of 4 rows", "indexing the words of 4 passages"]
        assert isinstance(kept.rows.nodes, np.memmap)
        assert content(kept.rows) == content(wanted.rows)
        assert content(kept.passages) == content(wanted.passages)


FILES = (*(f"words/{name}.npy" for name in (*ARRAYS, "words.ends")), "words/words.txt", "fileset.json")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["altered", "cut", "gone"])
def test_a_damaged_file_is_found_and_the_index_built_again(
    corpus: OttCorpus, tmp_path: Path, name: str, damage: str
) -> None:
    whole = content(kept_postings(corpus, tmp_path, lambda _: None).rows)
    path = tmp_path / "rows" / name
    bytes_of = path.read_bytes()
    path.unlink()
    if damage != "gone":
        path.write_bytes(bytes_of[:-1] + (bytes([bytes_of[-1] ^ 1]) if damage == "altered" else b""))
    said: list[str] = []
    assert content(kept_postings(corpus, tmp_path, said.append).rows) == whole
    named, *done = said
    assert named.startswith(f"{tmp_path / 'rows'} is damaged: ")
    assert named.endswith("; it is made again")
    assert done == ["indexing the words of 4 rows"]


def test_a_folder_that_cannot_be_written_is_named(corpus: OttCorpus, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        kept_postings(corpus, tmp_path / "file", lambda _: None)
