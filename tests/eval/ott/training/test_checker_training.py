"""`heliograph train checker` on a small corpus with a tiny BERT: what it leaves, its card, what it refuses."""

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

from indexers.models.checker import Checker
from tests.eval.ott.lights import BY_WHOM, PASSAGES, TABLES, write_folder, write_questions
from tests.eval.ott.training.test_reader_training import PORTS, QUAYS
from tests.indexers.models.conftest import extra  # noqa: F401 - skips all where the extra is missing

WORDS = (
    "Holm",
    "Light",
    "Port",
    "Ost",
    "Vest",
    "Ferry",
    "tower",
    "Ada",
    "Brandt",
    "1840",
    "1841",
    "was",
    "opened",
    "in",
)
CLAIMS = (
    ("Port Ost opened in 1840.", "supported", "none", True, "Ports_0", 0, None),
    ("Port Ost opened in 1843.", "contradicted", "date", True, "Ports_0", 0, None),
    ("Nils Lund built the quay of Vest.", "supported", "offpoint", False, "Ports_0", 1, "/wiki/Vest"),
    ("Port Ost was the first to open, in 1840.", "partial", "overclaim", True, "Ports_0", 0, None),
    ("The ferry is a boat.", "supported", "none", True, "Boats_0", 0, None),
    ("The ferry sank in a storm.", "unrelated", "none", False, "Boats_0", 0, None),
)
pytestmark = pytest.mark.models


def write_claims(path: Path) -> Path:
    names = ("claim", "label", "change", "answers", "table", "row", "passage")
    lines = [{"question": "what is told of it", **dict(zip(names, each, strict=True))} for each in CLAIMS]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def write_judged(path: Path) -> Path:
    lines = [
        {
            "question": f"What, number {number}?",
            "claims": [{"claim": "It is so.", "evidence": ["[1] here\n\nIt is."], "support": said}],
        }
        for number in range(30)
        for said in ("Complete", "Incomplete")
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def given(extra: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:  # noqa: F811
    """Data, claims, a start, and a schedule that is over soon."""
    from tests.indexers.models.tiny import save_tiny_bert

    folder = tmp_path_factory.mktemp("given")
    write_folder(folder, (*TABLES, PORTS), (*PASSAGES, *QUAYS))
    reported = replace(BY_WHOM, gold_table="Towers_0", answer_nodes=())
    write_questions(folder / "questions" / "ott_dev_public.jsonl", [reported])
    start = save_tiny_bert(folder / "start", WORDS, longest=256)
    (start / "README.md").write_text("---\nlicense: apache-2.0\n---\n# tiny-start\n", encoding="utf-8")
    claims = ("--claims", write_claims(folder / "claims.jsonl"), "--judged", write_judged(folder / "judged.jsonl"))
    learning = ("--pretrained", 16, "--batch", 8, "--epochs", 2, "--learning-rate", 0.001, "--warmup", 0)
    return ("--data", folder, *claims, "--start", start, *learning)


@pytest.fixture
def train(cli, given):
    def run(out: Path, *more: object) -> Result:
        return cli("train", "checker", *given, "--out", out, *more)

    return run


@pytest.fixture(scope="module")
def left(cli, given, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a training left."""
    folder = tmp_path_factory.mktemp("left") / "checker"
    done = cli("train", "checker", *given, "--out", folder)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"{folder / 'model'}: balanced accuracy ")
    assert "of 4 composed claims with evidence and question" in done.stderr
    assert "2 claims of one table in 8 by sha256 of their ids" in done.stderr
    return folder


def test_the_form_without_pytorch_checks_and_its_card_names_files_data_loss_and_command(left: Path, given) -> None:
    assert Checker(left / "onnx").answers([("what", "Port Ost")])[0] == pytest.approx(0.5, abs=0.5)
    card = (left / "onnx" / "README.md").read_text(encoding="utf-8")
    for name in ("model.onnx", "tokenizer.json"):
        content = (left / "onnx" / name).read_bytes()
        assert f"| `{name}` | {len(content):,} | {hashlib.sha256(content).hexdigest()} |" in card
    assert "license: apache-2.0\ntags: [heliograph, checker, onnx, int8]" in card
    claims, judged = Path(str(given[3])), Path(str(given[5]))
    for path in (claims, judged):
        assert f"`{path.name}` (sha256 {hashlib.sha256(path.read_bytes()).hexdigest()})" in card
    assert "in int8: balanced accuracy" in card and "both say the same of" in card
    assert "heliograph train checker --data OTT \\\n  --claims OTT/claims.jsonl" in card
    assert "--start tiny-start --out checker --pretrained 16 --epochs 2 \\\n  --batch 8 --learning-rate 0.001" in card
    assert "## checker pretraining" in card and "16 claims made of the corpus, without the rows of 2 tables" in card
    assert str(left) not in card and str(claims.parent) not in card


def test_the_same_command_again_ends_the_same_and_another_one_is_refused(train, left: Path) -> None:
    again = train(left)
    assert (again.exit_code, "step " in again.stderr) == (0, False)
    for other in (("--seed", 1), ("--pretrained", 20), ("--epochs", 3)):
        done = train(left, *other)
        assert (done.exit_code, "is of another training" in done.stderr) == (2, True)
        assert "reading the corpus" not in done.stderr


def test_a_checker_is_exported_again_with_its_card(cli, left: Path, tmp_path: Path) -> None:
    done = cli("train", "export", left / "model", tmp_path / "onnx")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "onnx" / "model.onnx").read_bytes() == (left / "onnx" / "model.onnx").read_bytes()
    assert "fusion" not in done.stderr


def test_claims_of_too_few_tables_are_refused(cli, given, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(Path(str(given[3])).read_text(encoding="utf-8").splitlines()[:4]) + "\n", encoding="utf-8")
    done = cli("train", "checker", *(few if each == given[3] else each for each in given), "--out", tmp_path / "out")
    assert (done.exit_code, "has claims of too few tables" in done.stderr) == (2, True)


def test_a_start_that_is_nowhere_ends_before_the_corpus_is_read(train, tmp_path: Path) -> None:
    done = train(tmp_path / "out", "--start", "/nowhere")
    assert (done.exit_code, "/nowhere" in done.stderr) == (4, True)
    assert "reading the corpus" not in done.stderr


def test_an_interrupted_training_goes_on_to_the_same_weights(train, left: Path, given, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "app", "train", "checker", *map(str, given), "--out", str(tmp_path / "checker")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as cut:
        assert cut.stderr is not None
        for line in cut.stderr:
            if line.startswith("after 1 epochs"):
                cut.send_signal(signal.SIGINT)
        assert cut.wait() == 130
    done = train(tmp_path / "checker")
    assert done.exit_code == 0, done.output
    files = [(folder / "onnx" / "model.onnx").read_bytes() for folder in (left, tmp_path / "checker")]
    assert files[0] == files[1]
