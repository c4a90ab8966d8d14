"""What `heliograph train` refuses: one line, before anything slow, with the documented exit code."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import Result

from indexers.models.onnx_tokens import SHIPPED
from tests.eval.ott.learned import many_questions
from tests.eval.ott.lights import write_folder, write_questions

KINDS = ("edge-retriever", "edge-reranker", "node-reranker", "expansion-retrievers")
FUSION = ("--retriever", SHIPPED, "--held-out", 4)


@pytest.fixture
def train(cli, tmp_path: Path):
    """Run a training of the small corpus; keywords are options that differ."""
    folder = write_folder(tmp_path)
    questions = write_questions(tmp_path / "questions.jsonl", many_questions(learned=4))

    def run(kind: str, *more: object, **other: object) -> Result:
        usual = {"data": folder, "questions": questions, "out": tmp_path / "out", "start": tmp_path}
        options = [each for name, value in (usual | other).items() for each in (f"--{name}", value)]
        return cli("train", kind, *options, *more)

    return run


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "option",
    [
        ("--epochs", 0),
        ("--batch", 0),
        ("--learning-rate", 0),
        ("--learning-rate", "nan"),
        ("--warmup", -1),
        ("--warmup", "inf"),
        ("--held-out", -1),
        ("--seed", "x"),
        ("--seed", -1),
        ("--seed", 2**64),
        ("--start", ""),
    ],
)
def test_numbers_that_no_training_can_have_are_refused(train, kind: str, option: tuple[str, object]) -> None:
    done = train(kind, *option)
    assert (done.exit_code, f"Invalid value for '{option[0]}'" in done.stderr) == (2, True)


@pytest.mark.parametrize("kind", KINDS)
def test_an_out_that_is_a_file_is_refused(train, tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("")
    done = train(kind, out=tmp_path / "file")
    assert (done.exit_code, f"Directory '{tmp_path / 'file'}' is a file" in done.stderr) == (2, True)


def test_questions_must_be_there_and_enough(train, tmp_path: Path) -> None:
    missing = train("node-reranker", questions=tmp_path / "none.jsonl")
    assert (missing.exit_code, missing.stderr.count("\n")) == (2, 1)
    assert "no file" in missing.stderr
    few = train("node-reranker", "--held-out", 4)
    assert (few.exit_code, few.stderr.count("\n")) == (2, 1)
    assert "the first 304 are held out, so none is left" in few.stderr


@pytest.mark.parametrize("alone", ["--articles", "--written", "--tables", "--planned"])
def test_one_of_two_files_that_belong_together_is_refused(train, alone: str) -> None:
    done = train("reader", alone, "alone.jsonl")
    assert (done.exit_code, "name both, or none" in done.stderr) == (2, True)


def test_fewer_proposals_than_edges_of_a_question_are_refused(cli, tmp_path: Path) -> None:
    files = ("--data", tmp_path, "--questions", tmp_path / "none", "--out", tmp_path)
    done = cli("train", "fusion", *files, *FUSION, "--proposed", 399)
    assert (done.exit_code, done.stderr) == (
        2,
        "heliograph: --proposed 399 is less than the 400 of --k1, which are proposed at least; give more\n",
    )


def test_a_retriever_without_its_teacher_is_refused(train) -> None:
    done = train("edge-retriever", "--teacher-retriever", "x")
    assert (done.exit_code, "name one with --teacher" in done.stderr) == (2, True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_start_that_is_nowhere_is_said_before_anything_that_is_not_installed(train, kind: str) -> None:
    done = train(kind, start="./none")
    assert (done.exit_code, done.stderr) == (4, "heliograph: no folder ./none; correct --start\n")


def test_a_teacher_or_a_retriever_that_is_nowhere_is_said_at_once(train, cli, tmp_path: Path) -> None:
    taught = train("edge-retriever", "--teacher", "/none")
    assert (taught.exit_code, taught.stderr) == (4, "heliograph: no folder /none; correct --teacher\n")
    unfused = train("edge-retriever", "--teacher", tmp_path, "--teacher-retriever", SHIPPED)
    assert (unfused.exit_code, unfused.stderr.count("\n")) == (2, 1)
    assert f"--teacher-retriever is of a fused teacher, and there is no {tmp_path}/fusion.json" in unfused.stderr
    files = ("--data", tmp_path, "--questions", tmp_path / "none", "--out", tmp_path, "--held-out", 4)
    fitted = cli("train", "fusion", *files, "--retriever", "./none")
    assert (fitted.exit_code, fitted.stderr) == (4, "heliograph: no folder ./none; correct --retriever\n")
    exported = cli("train", "export", "./none", tmp_path / "onnx")
    assert (exported.exit_code, exported.stderr) == (4, "heliograph: no folder ./none; correct MODEL\n")


@pytest.mark.parametrize(
    ("kind", "folder"),
    [*((kind, "out") for kind in KINDS[:3]), ("expansion-retrievers", "out/passages"), (KINDS[3], "out/segments")],
)
def test_a_folder_of_another_training_is_refused_at_once(train, tmp_path: Path, kind: str, folder: str) -> None:
    trained = tmp_path / folder
    trained.mkdir(parents=True)
    (trained / "training.json").write_text('{"kind": "another"}', encoding="utf-8")
    (trained / "training.pt").write_bytes(b"a checkpoint")
    done = train(kind)
    assert (done.exit_code, done.stderr) == (
        2,
        f"heliograph: {trained / 'training.pt'} is of another training (other data, model or schedule); "
        "name another --out, or delete the folder\n",
    )


@pytest.mark.skipif(find_spec("torch") is not None, reason="the extra is installed")
@pytest.mark.parametrize("kind", KINDS)
def test_without_the_extra_a_training_ends_before_the_corpus_is_read(train, cli, tmp_path: Path, kind: str) -> None:
    done = train(kind)
    assert (done.exit_code, done.stderr.count("\n")) == (4, 1)
    assert "PyTorch is not installed" in done.stderr
    assert not (tmp_path / "out").exists()
    fusion = cli("train", "fusion", *FUSION, "--data", tmp_path, "--questions", tmp_path / "none", "--out", tmp_path)
    assert (fusion.exit_code, "PyTorch is not installed" in fusion.stderr) == (4, True)
