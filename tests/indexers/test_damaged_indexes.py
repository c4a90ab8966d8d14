"""Indexes that are damaged, half written or gone: named, or made anew from the vectors that are kept."""

import os
import platform
import shutil
import subprocess
import sys

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


FILLED = """
import sys
from pathlib import Path
from indexers.chroma.collections import ChromaCollections
from indexers.chroma.folder import ChromaFolder
from llama_index.core.schema import TextNode
collections = ChromaCollections(ChromaFolder(Path(sys.argv[1])), "model", 2)
store = collections.open("pages")
if not store.holds_some:
    store.add([TextNode(id_="demo:Io@1#s0/p1", text="words", metadata={"page": "demo:Io@1"}, embedding=[1.0, 0.0])])
collections.close()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc fills memory that nobody has set")
@pytest.mark.parametrize("processes", [1, 2])
def test_files_of_vectors_hold_no_memory_of_the_process_that_first_adds_or_reads_them(tmp_path, processes):
    filling = {**os.environ, "MALLOC_PERTURB_": "85"}
    for _ in range(processes):
        subprocess.run([sys.executable, "-c", FILLED, str(tmp_path)], env=filling, check=True)
    entries, lengths = (next(tmp_path.glob(f"*/{name}")).read_bytes() for name in ("data_level0.bin", "length.bin"))
    assert len(entries) > 1_000 and not any(entries) and not any(lengths)


async def test_vectors_that_were_flushed_are_kept_when_the_rest_is_cleared(tmp_path, words, document):
    with opened(tmp_path, words) as made:
        await made.add([document(paragraphs=[f"paragraph {number}" for number in range(1_200)])])
        expected = await made.retrieve("paragraph 7", "text", 9, [JUPITER])
    before = {file: file.read_bytes() for file in (tmp_path / "indexes" / "chroma").glob("*/*.bin")}
    with opened(tmp_path, words) as made:
        assert {file: file.read_bytes() for file in before} == before
        assert await made.retrieve("paragraph 7", "text", 9, [JUPITER]) == expected
