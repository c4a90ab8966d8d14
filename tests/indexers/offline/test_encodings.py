"""The model of a build is found again by its name, and another one is refused."""

import pickle
from pathlib import Path

import pytest

from heliograph.errors import ModelMissing
from indexers.offline.encodings import NamedEncoding, encoder_for, keep_name, named


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A folder with the files of a model; their content is not looked at before the first text."""
    folder = tmp_path / "retriever"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"weights")
    (folder / "tokenizer.json").write_bytes(b"{}")
    return folder


def test_the_model_of_a_build_is_found_where_it_was(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    encoding = named("retriever")
    assert encoding == NamedEncoding(str(model)) == pickle.loads(pickle.dumps(encoding))
    keep_name(encoding, tmp_path / "graph")
    monkeypatch.chdir("/")
    name = encoding.opened().name
    assert encoder_for(tmp_path / "graph", name, "").name == name


def test_another_model_is_refused(model: Path, tmp_path: Path) -> None:
    keep_name(named(str(model)), tmp_path / "graph")
    name = named(str(model)).opened().name
    (model / "model.onnx").write_bytes(b"other weights")
    with pytest.raises(ModelMissing, match=rf"has vectors of {name}, and .* is retriever-.*--encoder none"):
        encoder_for(tmp_path / "graph", name, "")


def test_a_graph_that_does_not_say_where_its_model_is_asks_for_it(model: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="does not say where its model is; name it with --encoder"):
        encoder_for(tmp_path, "retriever-1", "")
    name = named(str(model)).opened().name
    assert encoder_for(tmp_path, name, str(model)).name == name


def test_a_name_on_the_hub_stays_a_name() -> None:
    assert named("colbert-ir/colbertv2.0") == NamedEncoding("colbert-ir/colbertv2.0")
