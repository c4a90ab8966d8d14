"""`heliograph train` on the small corpus with a tiny BERT: what each kind leaves, going on, and a teacher."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from eval.ott.results import read_results
from eval.ott.training.edge_lists import DEVELOPMENT
from tests.eval.ott.learned import interrupted_after_an_epoch, many_questions
from tests.eval.ott.lights import BY_WHOM, WHEN, write_folder, write_questions
from tests.indexers.models.conftest import extra  # noqa: F401 - skips all where the extra is missing

WORDS = ("Holm", "Light", "Lights", "Skerry", "Head", "tower", "Ada", "Brandt", "1871", "1889", "By", "whom", "When")
PLACES = ("Holm Light", "Skerry Head", "Gull Rock", "Ferry", "Tower", "tower by Ada Brandt", "house lit in 1889")
pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("ignore:.*LeafSpec:FutureWarning")]  # torch.onnx's own


@pytest.fixture(scope="module")
def given(extra: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:  # noqa: F811
    """Data, questions, a start, and a schedule that is over soon."""
    from tests.indexers.models.tiny import save_tiny_bert

    folder = tmp_path_factory.mktemp("given")
    questions = write_questions(folder / "questions.jsonl", many_questions(learned=12))
    start = save_tiny_bert(folder / "start", WORDS, longest=96)
    files = ("--data", write_folder(folder), "--questions", questions, "--start", start)
    return (*files, "--batch", 4, "--learning-rate", 0.001, "--warmup", 0)


@pytest.fixture
def train(cli, given):
    def run(kind: str, out: Path, *more: object) -> Result:
        return cli("train", kind, *given, "--out", out, *more)

    return run


def ended(done: Result) -> str:
    """Return what a command that did well printed."""
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("kind", ["edge-reranker", "node-reranker"])
def test_a_reranker_is_left_as_a_folder_with_its_card(train, tmp_path: Path, kind: str) -> None:
    printed = ended(train(kind, tmp_path / "out"))
    assert printed.startswith(f"{tmp_path / 'out' / 'model'}: nDCG@50 of the development lists ")
    card = (tmp_path / "out" / "model" / "README.md").read_text(encoding="utf-8")
    assert f"Trained by `heliograph train {kind}`" in card
    assert "Learned from 12 questions; the first 300 by sha256 of their ids held out" in card


def test_both_retrievers_of_expanded_queries_are_left_and_go_on_by_themselves(train, tmp_path: Path) -> None:
    from indexers.models.multi_vector import load_multi_vector

    first = ended(train("expansion-retrievers", tmp_path))
    assert [line.partition(":")[0] for line in first.splitlines()] == [
        str(tmp_path / name / "model") for name in ("passages", "segments")
    ]
    weights = [(tmp_path / name / "model" / "model.safetensors").read_bytes() for name in ("passages", "segments")]
    assert weights[0] != weights[1]
    for name in ("passages", "segments"):
        load_multi_vector(str(tmp_path / name / "model"))
    assert ended(train("expansion-retrievers", tmp_path)) == first


@pytest.fixture(scope="module")
def expanding(cli, given, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A node reranker, both retrievers of expanded queries, and what these are exported to."""
    folder = tmp_path_factory.mktemp("expanding")
    for kind in ("node-reranker", "expansion-retrievers"):
        ended(cli("train", kind, *given, "--out", folder / kind))
    for name in ("passages", "segments"):
        ended(cli("train", "export", folder / "expansion-retrievers" / name / "model", folder / "onnx" / name))
    return folder


def test_what_was_trained_for_expansion_decides_what_is_added(cli, given, expanding: Path, tmp_path: Path) -> None:
    asked = [replace(WHEN, id=str(at), question=f"{words} of the Lights?") for at, words in enumerate(PLACES)]
    questions = write_questions(tmp_path / "questions.jsonl", asked)
    options = {
        "neither": (),
        "reranker": ("--node-reranker", expanding / "node-reranker" / "model"),
        "retrievers": ("--expansion-retrievers", expanding / "expansion-retrievers"),
        "exported": ("--expansion-retrievers", expanding / "onnx"),
    }
    added = {}
    for name, models in options.items():
        out = tmp_path / f"{name}.jsonl"
        files = ("--data", given[1], "--questions", questions, "--tier", "full", "--beam-width", 1, "--out", out)
        ended(cli("eval", "ott", *files, *models))
        added[name] = {result.id: set(result.ranking) for result in read_results(out)}
    assert all(each != added["neither"] for name, each in added.items() if name != "neither")
    assert added["reranker"] != added["retrievers"]


def test_questions_that_teach_one_of_the_models_nothing_are_refused_before_either_learns(train, tmp_path: Path) -> None:
    alike = [replace(BY_WHOM, id=f"q{at}") for at in range(DEVELOPMENT + 4)]
    done = train("expansion-retrievers", tmp_path / "out", "--questions", write_questions(tmp_path / "alike", alike))
    assert (done.exit_code, f"teaches {tmp_path / 'out'}" in done.stderr.splitlines()[-1]) == (2, True)
    assert "training " not in done.stderr


def test_another_training_in_the_folder_is_refused(train, tmp_path: Path) -> None:
    ended(train("node-reranker", tmp_path))
    for other in (("edge-reranker",), ("node-reranker", "--seed", 1), ("node-reranker", "--held-out", 4)):
        kind, *more = other
        done = train(kind, tmp_path, *more)
        assert (done.exit_code, "is of another training" in done.stderr) == (2, True)
        assert "reading the corpus" not in done.stderr
    ended(train("node-reranker", tmp_path))


def test_a_start_that_is_nowhere_ends_before_questions_are_ranked(train, tmp_path: Path) -> None:
    for nowhere in ("/nowhere", tmp_path):
        done = train("edge-retriever", tmp_path / "out", "--start", nowhere)
        assert (done.exit_code, str(nowhere) in done.stderr.splitlines()[-1]) == (4, True)
        assert "indexing" not in done.stderr


def test_an_interrupted_training_goes_on_to_the_same_weights(train, given, tmp_path: Path) -> None:
    whole = ended(train("edge-retriever", tmp_path / "whole", "--epochs", 5))
    files = (*given, "--epochs", 5, "--out", tmp_path / "cut")
    assert interrupted_after_an_epoch("train", "edge-retriever", *files) == 130
    resumed = ended(train("edge-retriever", tmp_path / "cut", "--epochs", 5))
    assert resumed.partition(": ")[2] == whole.partition(": ")[2]
    weights = [(tmp_path / name / "model" / "model.safetensors").read_bytes() for name in ("whole", "cut")]
    assert weights[0] == weights[1]


@pytest.fixture(scope="module")
def shipped(cli, given, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A retriever that was trained, exported and fused: the way of the model that ships."""
    folder = tmp_path_factory.mktemp("shipped")
    ended(cli("train", "edge-retriever", *given, "--out", folder / "trained", "--held-out", 4))
    ended(cli("train", "export", folder / "trained" / "model", folder / "onnx"))
    files = (*given[:4], "--retriever", folder / "onnx", "--out", folder / "onnx", "--held-out", 4)
    assert "fused:     positive in 2: " in ended(cli("train", "fusion", *files))
    return folder / "onnx"


def test_a_trained_retriever_is_exported_fused_and_evaluated(cli, given, shipped: Path) -> None:
    files = (*given[:4], "--retriever", shipped, "--reranker", "fused", "--first", 2, "--json")
    assert '"AR@2"' in ended(cli("eval", "ott", *files))


def test_weights_are_fitted_to_as_many_questions_as_were_held_out(cli, given, shipped: Path) -> None:
    files = (*given[:4], "--retriever", shipped, "--out", shipped)
    done = cli("train", "fusion", *files, "--held-out", 13)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "has 312 questions, 313 are to be held out; lower --held-out" in done.stderr


def test_the_edge_retriever_learns_from_a_fused_teacher_that_is_better(train, shipped: Path, tmp_path: Path) -> None:
    from indexers.models.training.card import CARD

    ended(train("edge-retriever", tmp_path / "alone"))
    done = train("edge-retriever", tmp_path / "taught", "--teacher", shipped)
    ended(done)
    assert "student: positive in 2: " in done.stderr
    cards = [(tmp_path / name / "model" / CARD).read_text(encoding="utf-8") for name in ("alone", "taught")]
    assert cards[0] != cards[1]
