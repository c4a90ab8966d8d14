"""The models of node expansion are looked for before anything slow begins, and each lack names its option."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from eval.ott.expansion_models import expansion_retrievers, node_reranker
from eval.ott.models import load_models
from eval.ott.recipe import Recipe
from heliograph.errors import ModelMissing
from indexers.models.kinds import CROSS_ENCODER, LATE_INTERACTION, is_of
from indexers.models.tokens import MultiVectorTokenEncoder

EXTRA = find_spec("sentence_transformers") is not None


def described(folder: Path, kind: str) -> Path:
    """Make a folder that says that it holds a model of sentence-transformers, which nobody loads."""
    folder.mkdir(parents=True)
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"model_type": kind}))
    (folder / "config.json").write_text(json.dumps({"architectures": ["BertModel"]}))
    return folder


def exported(folder: Path) -> Path:
    """Make a folder that is taken for an ONNX model until its first text."""
    folder.mkdir(parents=True)
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).write_text(f"{name} of {folder.name}")
    return folder


def test_a_folder_is_told_by_its_descriptions(tmp_path: Path) -> None:
    late, cross = described(tmp_path / "late", "MultiVectorEncoder"), described(tmp_path / "cross", "CrossEncoder")
    older = tmp_path / "older"
    older.mkdir()
    (older / "config.json").write_text(json.dumps({"architectures": ["BertForSequenceClassification"]}))
    told = [
        (is_of(folder, LATE_INTERACTION), is_of(folder, CROSS_ENCODER)) for folder in (late, cross, older, tmp_path)
    ]
    assert told == [(True, False), (False, True), (False, True), (False, False)]


def test_what_is_no_trained_cross_encoder_does_not_pick_seeds(tmp_path: Path) -> None:
    late = described(tmp_path / "out" / "model", "MultiVectorEncoder")
    recipe = Recipe(tier="full", node_reranker=str(late))
    with pytest.raises(ModelMissing, match=r"out/model holds no trained cross-encoder; correct --node-reranker "):
        load_models(recipe, tmp_path)
    with pytest.raises(ModelMissing, match=r"heliograph train node-reranker leaves one in OUT/model"):
        node_reranker(str(tmp_path / "out"))
    with pytest.raises(ModelMissing, match=r"no folder .*/none; correct --node-reranker"):
        node_reranker(str(tmp_path / "none"))


def test_what_is_no_trained_cross_encoder_does_not_rerank(tmp_path: Path) -> None:
    start = described(tmp_path / "minilm", "SentenceTransformer")
    with pytest.raises(
        ModelMissing, match=r"minilm holds no trained cross-encoder; correct --reranker .*edge-reranker"
    ):
        load_models(Recipe(reranker=str(start)), tmp_path)


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        (None, "no folder .*/segments; correct --expansion-retrievers, or make both: heliograph train"),
        ("", "/segments holds no late-interaction model; correct --expansion-retrievers, or make both"),
        ("CrossEncoder", "/segments/model holds no late-interaction model; correct --expansion-retrievers, or make"),
    ],
)
def test_a_retriever_that_is_missing_or_of_another_kind_is_named(
    tmp_path: Path, segments: str | None, message: str
) -> None:
    described(tmp_path / "passages" / "model", "MultiVectorEncoder")
    if segments is not None:
        (tmp_path / "segments").mkdir()
    if segments:
        described(tmp_path / "segments" / "model", segments)
    with pytest.raises(ModelMissing, match=message):
        load_models(Recipe(tier="full", expansion_retrievers=str(tmp_path)), tmp_path)


def test_a_folder_that_is_nowhere_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"no folder .*/none/passages; correct --expansion-retrievers, or make both"):
        expansion_retrievers(str(tmp_path / "none"))


@pytest.mark.skipif(EXTRA, reason="the extra `models` is installed")
def test_models_that_need_the_extra_say_so_at_once(tmp_path: Path) -> None:
    cross = described(tmp_path / "model", "CrossEncoder")
    with pytest.raises(ModelMissing, match=r"--node-reranker needs sentence-transformers, .* pip install"):
        node_reranker(str(cross))
    for name in ("passages", "segments"):
        described(tmp_path / name / "model", "MultiVectorEncoder")
    with pytest.raises(ModelMissing, match=r"--expansion-retrievers needs sentence-transformers, .* pip install"):
        expansion_retrievers(str(tmp_path))


@pytest.mark.skipif(not EXTRA, reason="the extra `models` is not installed")
def test_trained_folders_are_found_under_model(tmp_path: Path) -> None:
    for name in ("passages", "segments"):
        described(tmp_path / name / "model", "MultiVectorEncoder")
    found = expansion_retrievers(str(tmp_path))
    assert isinstance(found.passages, MultiVectorTokenEncoder)
    assert found.name.startswith("model-")


def test_exported_folders_need_no_extra_and_are_named_after_what_they_hold(tmp_path: Path) -> None:
    for name in ("passages", "segments"):
        exported(tmp_path / name)
    names = load_models(Recipe(tier="full", expansion_retrievers=str(tmp_path)), tmp_path).names
    passages, segments = names[-1].split()
    assert (len(names), passages.partition("-")[0], segments.partition("-")[0]) == (2, "passages", "segments")
