"""Indexes that are damaged, half written or gone: named, or made anew from the vectors that are kept."""

import shutil

import numpy as np
import pytest

from heliograph.errors import StoreDamaged
from tests.indexers.opening import opened

JUPITER = "demo:Jupiter@1"


def halve(folder):
    file = folder / "chroma.sqlite3"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def scramble(folder):
    file = folder / "chroma.sqlite3"
    file.write_bytes(np.random.default_rng(0).bytes(file.stat().st_size))


def cut(folder, name):
    for file in folder.glob(f"*/{name}"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def cut_vectors(folder):
    cut(folder, "data_level0.bin")


def cut_headers(folder):
    cut(folder, "header.bin")


def cut_names(folder):
    cut(folder, "index_metadata.pickle")


def lose_vectors(folder):
    for file in folder.glob("*/data_level0.bin"):
        file.unlink()


def overwrite_documents(folder):
    (folder.parent / "documents.sqlite").write_bytes(b"no database" * 1_000)


DAMAGES = [halve, scramble, cut_vectors, cut_headers, cut_names, lose_vectors, overwrite_documents]


@pytest.mark.parametrize("damage", DAMAGES)
async def test_damage_is_named_with_the_command_that_helps(tmp_path, words, document, damage):
    with opened(tmp_path, words) as made:
        await made.add([document(paragraphs=[f"paragraph {number}" for number in range(1_200)])])
    damage(tmp_path / "indexes" / "chroma")
    with (
        pytest.raises(StoreDamaged, match=f"{tmp_path}.*heliograph store purge --indexes"),
        opened(tmp_path, words) as made,
    ):
        await made.add([document("Saturn")])
        await made.retrieve("moon", "text", 5, [JUPITER])
    shutil.rmtree(tmp_path / "indexes")
    with opened(tmp_path, words) as made:
        assert (await made.add([document()])).embedded == 0
        assert len(await made.retrieve("moon", "table", 9, [JUPITER])) == 4


def lose_header(vectors):
    (vectors / "header.bin").unlink()


def empty_header(vectors):
    (vectors / "header.bin").write_bytes(b"")


def halve_entries(vectors):
    entries = vectors / "data_level0.bin"
    entries.write_bytes(entries.read_bytes()[:-1_000])


def lose_everything(vectors):
    for file in vectors.iterdir():
        file.unlink()


@pytest.mark.parametrize("begun", [lose_header, empty_header, halve_entries, lose_everything])
async def test_vectors_that_a_killed_process_had_only_begun_to_write_are_made_anew(tmp_path, words, document, begun):
    with opened(tmp_path, words) as made:
        await made.add([document()])
        expected = await made.retrieve("moon", "table", 9, [JUPITER])
    for vectors in (tmp_path / "indexes" / "chroma").glob("*/"):
        begun(vectors)
    with opened(tmp_path, words) as made:
        assert await made.retrieve("moon", "table", 9, [JUPITER]) == expected
        assert (await made.add([document()])).embedded == 0


@pytest.mark.parametrize("lost", ["indexes", "indexes/chroma", "indexes/documents.sqlite"])
async def test_what_was_purged_is_built_again_without_embedding(tmp_path, words, document, lost):
    with opened(tmp_path, words) as made:
        await made.add([document()])
        before = await made.retrieve("moon", "table", 9, [JUPITER])
    gone = tmp_path / lost
    shutil.rmtree(gone) if gone.is_dir() else [file.unlink() for file in gone.parent.glob("documents.sqlite*")]
    with opened(tmp_path, words) as made:
        assert (await made.add([document()])).embedded == 0
        assert await made.retrieve("moon", "table", 9, [JUPITER]) == before
