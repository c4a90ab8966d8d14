"""Back ends from their settings: which model embeds, and whether any needs the extra `models`; nothing is loaded."""

from pathlib import Path

import pytest

from agent.assembly.backends import build_embedder, wants_models
from heliograph.config import Clip, Endpoint, Settings
from indexers.models.onnx import OnnxEmbedder
from indexers.models.sentences import SentenceEmbedder

EXPORTED = {
    "model.onnx": "",
    "tokenizer.json": "{}",
    "config_sentence_transformers.json": '{"model_type": "SentenceTransformer"}',
}


def laid(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize(
    ("files", "wants"),
    [
        ({}, True),
        (EXPORTED, False),
        ({"model.onnx": ""}, True),  # of another kind, or with no word of what it is
        (EXPORTED | {"modules.json": "[]"}, True),  # an ONNX file beside a whole model
    ],
)
def test_an_exported_encoder_wants_no_extra_and_any_other_does(
    tmp_path: Path, files: dict[str, str], wants: bool
) -> None:
    embed = Endpoint(model=laid(tmp_path, files))
    assert wants_models(Settings(embed=embed)) == wants
    assert type(build_embedder(embed, OnnxEmbedder())) is (SentenceEmbedder if wants else OnnxEmbedder)


def test_a_name_wants_the_extra_and_a_server_does_not() -> None:
    assert wants_models(Settings(embed=Endpoint(model="a name")))
    assert not wants_models(Settings(embed=Endpoint(model="a name", base_url="http://127.0.0.1:1/v1")))
    assert not wants_models(Settings())


def test_pictures_and_edges_want_the_extra_where_they_are_used(tmp_path: Path) -> None:
    clip = Clip(model="x", pretrained="y")
    assert wants_models(Settings(clip=clip))
    assert not wants_models(Settings(clip=clip, indexing="text-only"))
    assert wants_models(Settings(graph="full", graph_model=str(tmp_path)))
    assert not wants_models(Settings(graph_model=str(tmp_path)))
    assert not wants_models(Settings(graph="full", graph_model=laid(tmp_path, {"model.onnx": ""})))
