"""`heliograph train reader` on a small corpus with a tiny BERT: what it leaves, its cards, what it refuses."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from indexers.models.reader import Reader
from tests.eval.ott.learned import many_questions
from tests.eval.ott.lights import BY_WHOM, PASSAGES, TABLES, TOWERS, write_folder, write_questions
from tests.indexers.models.conftest import extra  # noqa: F401 - skips all where the extra is missing

WORDS = ("Holm", "Light", "Lights", "Skerry", "Head", "tower", "Ada", "Brandt", "1871", "1889", "By", "whom", "When")
PORTS = {
    "table_id": "Ports_0",
    "url": "wiki/Ports",
    "title": "Ports",
    "section_title": "",
    "header": ["Port", "Opened"],
    "rows": [[f"Port {name}", f"18{number}"] for number, name in enumerate(("Ost", "Vest", "Nord", "Syd"), start=40)],
    "links": [[[0, f"/wiki/{name}"]] for name in ("Ost", "Vest", "Nord", "Syd")],
    "header_links": [],
}
QUAYS = [
    {"passage_id": f"/wiki/{name}", "text": f"{name} has a quay of {number} metres , built by {builder} Lund ."}
    for name, number, builder in (
        ("Ost", 310, "Eva"),
        ("Vest", 290, "Nils"),
        ("Nord", 120, "Siri"),
        ("Syd", 80, "Olav"),
    )
]
ASKED = [
    {"question": "who built the quay in vest", "kind": "passage", "passage": "/wiki/Vest", "answer": "Nils Lund"},
    {"question": "when was Port Syd opened", "kind": "cell", "passage": None, "answer": "1843"},
    {"question": "was Port Ost opened in 1840", "kind": "yes_no", "passage": None, "answer": "yes"},
    {"question": "how deep is the water at nord", "kind": "unanswerable", "passage": "/wiki/Nord", "answer": ""},
]
PLACES = (1, 3, 0, 2)
pytestmark = pytest.mark.models


def write_composed(path: Path) -> Path:
    """Write composed questions over the ports, and the question that they are of is no development question's."""
    lines = [
        {**asked, "style": "short", "table": "Ports_0", "row": row} for asked, row in zip(ASKED, PLACES, strict=True)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def given(extra: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:  # noqa: F811
    """Data, questions, composed ones, a start, and a schedule that is over soon."""
    from tests.indexers.models.tiny import save_tiny_bert

    folder = tmp_path_factory.mktemp("given")
    write_folder(folder, (*TABLES, PORTS), (*PASSAGES, *QUAYS))
    questions = write_questions(folder / "questions" / "hybrid.jsonl", many_questions(learned=8))
    reported = write_questions(
        folder / "questions" / "ott_dev_public.jsonl", [replace(BY_WHOM, gold_table="Towers_0", answer_nodes=())]
    )
    assert reported.exists() and TOWERS["table_id"] == "Towers_0"
    start = save_tiny_bert(folder / "start", WORDS, longest=256)
    (start / "README.md").write_text("---\nlicense: apache-2.0\n---\n# tiny-start\n", encoding="utf-8")
    files = ("--data", folder, "--questions", questions, "--composed", write_composed(folder / "composed.jsonl"))
    return (*files, "--start", start, "--pretrained", 24, "--batch", 4, "--learning-rate", 0.001, "--warmup", 0)


@pytest.fixture
def train(cli, given):
    def run(out: Path, *more: object) -> Result:
        return cli("train", "reader", *given, "--out", out, *more)

    return run


@pytest.fixture(scope="module")
def left(cli, given, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a training left."""
    folder = tmp_path_factory.mktemp("left") / "reader"
    done = cli("train", "reader", *given, "--out", folder)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"{folder / 'model'}: exact answers ")
    assert "on 12 questions, 4 of them composed; 300 by sha256 of their ids held out" in done.stderr
    return folder


def test_the_form_without_pytorch_has_a_card_that_names_its_files_data_loss_and_command(left: Path, given) -> None:
    card = (left / "onnx" / "README.md").read_text(encoding="utf-8")
    for name in ("model.onnx", "tokenizer.json"):
        content = (left / "onnx" / name).read_bytes()
        assert f"| `{name}` | {len(content):,} | {hashlib.sha256(content).hexdigest()} |" in card
    assert "license: apache-2.0\ntags: [heliograph, reader, onnx, int8]" in card
    assert "Licence: apache-2.0, as tiny-start (start-" in card
    composed, questions = Path(str(given[5])), Path(str(given[3]))
    for path in (composed, questions):
        assert f"`{path.name}` (sha256 {hashlib.sha256(path.read_bytes()).hexdigest()})" in card
    assert "Composed questions, 4 in all" in card
    assert "over the 2 tables of reported and development questions" in card
    assert "in float, " in card and " in int8; both give the same answer to " in card
    assert "heliograph train reader --data OTT --questions OTT/questions/hybrid.jsonl" in card
    assert "--start tiny-start --out reader --pretrained 24 --epochs 2 \\\n  --batch 4 --learning-rate 0.001" in card
    assert "## reader pretraining" in card and "24 needs made of the corpus" in card
    assert str(left) not in card and str(questions.parent) not in card


def test_what_a_training_leaves_reads(left: Path) -> None:
    from indexers.models.reader import Candidate, row_piece

    reader = Reader(left / "onnx")
    assert reader.name.startswith("reader-")
    (reading,) = reader.read("When", [Candidate(row_piece(("Lights",), ("Lit",), ("1871",)))])
    assert reading.answers


def test_the_same_command_again_ends_the_same_and_another_one_is_refused(train, left: Path) -> None:
    card = (left / "onnx" / "README.md").read_text(encoding="utf-8")
    again = train(left)
    assert (again.exit_code, "step " in again.stderr) == (0, False)
    renewed = (left / "onnx" / "README.md").read_text(encoding="utf-8")
    assert renewed.partition("Trained in ")[0] == card.partition("Trained in ")[0]
    for other in (("--seed", 1), ("--pretrained", 20), ("--epochs", 3)):
        done = train(left, *other)
        assert (done.exit_code, "is of another training" in done.stderr) == (2, True)
        assert "reading the corpus" not in done.stderr


def test_a_reader_is_exported_again_with_its_card(cli, left: Path, tmp_path: Path) -> None:
    done = cli("train", "export", left / "model", tmp_path / "onnx")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "onnx" / "model.onnx").read_bytes() == (left / "onnx" / "model.onnx").read_bytes()
    card = (tmp_path / "onnx" / "README.md").read_text(encoding="utf-8")
    assert "## Files" in card and "## Data" in card and "What int8 loses" not in card


def test_questions_alone_teach_without_needs_of_the_corpus(train, tmp_path: Path) -> None:
    done = train(tmp_path, "--pretrained", 0, "--epochs", 1)
    assert done.exit_code == 0, done.output
    assert not (tmp_path / "pretraining").exists()


def test_composed_questions_over_development_tables_are_refused(train, tmp_path: Path) -> None:
    line = {"question": "when was it lit", "kind": "cell", "style": "short", "table": "Lights_0", "row": 1}
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps({**line, "passage": None, "answer": "1871"}) + "\n", encoding="utf-8")
    done = train(tmp_path / "out", "--composed", path)
    assert (done.exit_code, "nothing is learned from the table 'Lights_0'" in done.stderr) == (2, True)


def test_a_start_that_is_nowhere_ends_before_the_corpus_is_read(train, tmp_path: Path) -> None:
    done = train(tmp_path / "out", "--start", "/nowhere")
    assert (done.exit_code, "/nowhere" in done.stderr) == (4, True)
    assert "reading the corpus" not in done.stderr


def test_an_interrupted_training_goes_on_to_the_same_weights(train, left: Path, given, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "app", "train", "reader", *map(str, given), "--out", str(tmp_path / "reader")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as cut:
        assert cut.stderr is not None
        for line in cut.stderr:
            if line.startswith("after 1 epochs"):
                cut.send_signal(signal.SIGINT)
        assert cut.wait() == 130
    done = train(tmp_path / "reader")
    assert done.exit_code == 0, done.output
    files = [(folder / "onnx" / "model.onnx").read_bytes() for folder in (left, tmp_path / "reader")]
    assert files[0] == files[1]
