"""A model in a folder is known by what decides its results, and by nothing else."""

from pathlib import Path

import pytest

from indexers.models.fingerprint import folder_name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tiny" / "1_Dense").mkdir(parents=True)
    (tmp_path / "tiny" / "model.safetensors").write_bytes(b"weights")
    (tmp_path / "tiny" / "1_Dense" / "config.json").write_text("{}", encoding="ascii")
    return tmp_path / "tiny"


@pytest.mark.parametrize("name", ["README.md", "fusion.json", "training.pt"])
def test_what_lies_beside_a_model_does_not_rename_it(folder: Path, name: str) -> None:
    before = folder_name(folder)
    (folder / name).write_text("new", encoding="ascii")
    assert folder_name(folder) == before


@pytest.mark.parametrize("name", ["model.safetensors", "1_Dense/config.json", "vocab.txt"])
def test_other_weights_settings_or_words_do(folder: Path, name: str) -> None:
    before = folder_name(folder)
    (folder / name).write_text("new", encoding="ascii")
    assert folder_name(folder) != before
    assert folder_name(folder).startswith("tiny-")
