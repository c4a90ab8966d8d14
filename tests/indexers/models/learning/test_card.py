"""A card: what it began from, the exported form's own, and what is noted in it afterwards."""

import hashlib
from pathlib import Path

import pytest

from heliograph.errors import StoreError
from indexers.models.training.card import Card, carry_card, note, write_card
from indexers.models.training.loop import Plan, Trained
from indexers.models.training.schedule import Schedule

TRAINED = Trained(0.25, (0.5, 0.75), 600)


def written(folder: Path, start: str, **more) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "model.safetensors").write_bytes(b"weights")
    plan = Plan("reader", start, Schedule(2, 4, 1e-3, 1, 2))
    write_card(folder, Card(plan, "d" * 64, "8 questions", TRAINED, "exact answers", "transformers", **more))
    return folder


def said(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


def test_licence_and_origin_come_from_the_card_of_the_start(tmp_path: Path) -> None:
    start = tmp_path / "start"
    start.mkdir()
    (start / "README.md").write_text("---\nlicense: mit\ntags:\n- one\n---\n\n# Small model\nText.\n")
    first = written(tmp_path / "first", str(start))
    assert "license: mit\n" in said(first) and "Licence: mit, as Small model (start-" in said(first)
    second = written(tmp_path / "second", str(first))
    assert "license: mit\n" in said(second) and "base_model: Small model (start-" in said(second)
    assert "\n## reader\n\nTrained by `heliograph train reader` from start-" in said(second)
    assert "Licence: that of owner/model" in said(written(tmp_path / "hub", "owner/model"))


def test_the_exported_form_says_the_same_and_names_its_files(tmp_path: Path) -> None:
    model = written(tmp_path / "model", "owner/model", sources=("Questions.",), command="heliograph train reader")
    folder = tmp_path / "onnx"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"small")
    carry_card(model, folder)
    card = said(folder)
    assert card.startswith("---\nlibrary_name: onnxruntime\nbase_model: owner/model\ntags: [heliograph, reader, onnx,")
    assert "## Data\n\n- Questions.\n" in card and "```\nheliograph train reader\n```" in card
    assert f"| `model.onnx` | 5 | {hashlib.sha256(b'small').hexdigest()} |" in card
    assert "| 2 | 0.750 |" in card


def test_a_note_takes_the_place_of_one_with_its_heading_and_files_are_hashed_again(tmp_path: Path) -> None:
    folder = tmp_path / "onnx"
    folder.mkdir()
    carry_card(written(tmp_path / "model", "owner/model"), folder)
    (folder / "choice.json").write_text("{}")
    note(folder, "Figures", "EM 1")
    note(folder, "Figures", "EM 2")
    card = said(folder)
    assert (card.count("## Figures"), card.count("## Files"), "EM 1" in card, "EM 2" in card) == (1, 1, False, True)
    assert f"| `choice.json` | 2 | {hashlib.sha256(b'{}').hexdigest()} |" in card
    with pytest.raises(StoreError):
        note(tmp_path / "nowhere", "Figures", "EM 1")


def test_a_card_that_was_written_by_hand_stays(tmp_path: Path) -> None:
    folder = tmp_path / "onnx"
    folder.mkdir()
    (folder / "README.md").write_text("# Ours\n\nheliograph train export trained/model edge-retriever\n")
    carry_card(written(tmp_path / "model", "owner/model"), folder)
    assert said(folder) == "# Ours\n\nheliograph train export trained/model edge-retriever\n"


def test_a_model_of_others_is_named_without_its_card(tmp_path: Path) -> None:
    model = tmp_path / "theirs"
    model.mkdir()
    (model / "README.md").write_text("# Theirs\n\nTheir figures.\n")
    folder = tmp_path / "onnx"
    folder.mkdir()
    carry_card(model, folder)
    assert "Exported by `heliograph train export` from theirs." in said(folder)
    assert "Their figures" not in said(folder)
