"""`heliograph train reader` and `checker` on a small corpus with a tiny BERT: what they leave, and what is refused."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from eval.ott.training.parser_training import ParserTraining
from eval.ott.training.stages import Curriculum, averaged, start_name
from indexers.models.checker import Checker
from indexers.models.reader import Candidate, Reader, row_piece
from tests.eval.ott.learned import interrupted_after_an_epoch, many_questions
from tests.eval.ott.lights import BY_WHOM, PASSAGES, TABLES, write_folder, write_questions
from tests.indexers.models.conftest import extra  # noqa: F401 - skips all where the extra is missing

WORDS = (
    *("Holm", "Light", "Lights", "Skerry", "Head", "tower", "Ada", "Brandt", "1871", "1889", "By", "whom", "When"),
    *("Port", "Ost", "Vest", "Ferry", "1840", "1841", "was", "opened", "in"),
)
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
ASKED = (
    ("who built the quay in vest", "passage", "/wiki/Vest", "Nils Lund", 1),
    ("when was Port Syd opened", "cell", None, "1843", 3),
    ("was Port Ost opened in 1840", "yes_no", None, "yes", 0),
    ("how deep is the water at nord", "unanswerable", "/wiki/Nord", "", 2),
)
CLAIMS = (
    ("Port Ost opened in 1840.", "supported", "none", True, "Ports_0", 0, None),
    ("Port Ost opened in 1843.", "contradicted", "date", True, "Ports_0", 0, None),
    ("Nils Lund built the quay of Vest.", "supported", "offpoint", False, "Ports_0", 1, "/wiki/Vest"),
    ("Port Ost was the first to open, in 1840.", "partial", "overclaim", True, "Ports_0", 0, None),
    ("The ferry is a boat.", "supported", "none", True, "Boats_0", 0, None),
    ("The ferry sank in a storm.", "unrelated", "none", False, "Boats_0", 0, None),
)
KINDS = ("reader", "checker")
FILES = {"reader": ("questions", "composed"), "checker": ("claims", "judged", "questions", "composed")}
LEARNING = ("--pretrained", 16, "--batch", 4, "--epochs", 2, "--learning-rate", 0.001, "--warmup", 0)
MEASURED = {"reader": "exact answers", "checker": "balanced accuracy"}
TOLD = {
    "reader": ("on 12 questions, 4 of them composed; 300 by sha256 of their ids held out",),
    "checker": (
        "of 4 composed claims with evidence and question",
        "2 claims of one table in 8 by sha256 of their ids",
        "reading 12 questions",
    ),
}
IN_CARD = {
    "reader": (
        "Licence: apache-2.0, as tiny-start (start-",
        "Composed questions, 4 in all",
        "over the 2 tables of reported and development questions",
        " in int8; both give the same answer to ",
        "16 needs made of the corpus, without the rows of 2 tables",
        "heliograph train reader --data OTT --questions OTT/questions.jsonl \\\n  --composed OTT/composed.jsonl \\\n",
    ),
    "checker": (
        "Questions, claims, labels and ids alone",
        "Claims that experts judged",
        "in int8: balanced accuracy",
        "both say the same of",
        "16 claims made of the corpus, without the rows of 3 tables",
        "Answers of the reader that ships, right and wrong ones",
        "heliograph train checker --data OTT \\\n  --claims OTT/claims.jsonl \\\n  --judged OTT/judged.jsonl \\\n"
        "  --questions OTT/questions.jsonl \\\n  --composed OTT/composed.jsonl \\\n",
    ),
}
Train = Callable[..., Result]
pytestmark = pytest.mark.models


def write_lines(path: Path, names: str, *lines: tuple[object, ...], **more: object) -> Path:
    records = [dict(zip(names.split(), line, strict=True)) | more for line in lines]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def write_judged(path: Path) -> Path:
    said = [
        ({"claim": "It is so.", "evidence": ["[1] here\n\nIt is."], "support": support},)
        for support in ("Complete", "Incomplete")
    ]
    return write_lines(path, "question claims", *((f"What, {at}?", claims) for at in range(30) for claims in said))


@pytest.fixture(scope="module")
def folder(extra: None, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """Data, what both kinds learn from, and a start."""
    from tests.indexers.models.tiny import save_tiny_bert

    folder = write_folder(tmp_path_factory.mktemp("given"), (*TABLES, PORTS), (*PASSAGES, *QUAYS))
    write_questions(folder / "questions.jsonl", many_questions(learned=8))
    reported = replace(BY_WHOM, gold_table="Towers_0", answer_nodes=())
    write_questions(folder / "questions" / "ott_dev_public.jsonl", [reported])
    of_ports = {"style": "short", "table": "Ports_0"}
    write_lines(folder / "composed.jsonl", "question kind passage answer row", *ASKED, **of_ports)
    names = "claim label change answers table row passage"
    write_lines(folder / "claims.jsonl", names, *CLAIMS, question="what is told of it")
    write_judged(folder / "judged.jsonl")
    start = save_tiny_bert(folder / "start", WORDS, longest=256)
    (start / "README.md").write_text("---\nlicense: apache-2.0\n---\n# tiny-start\n", encoding="utf-8")
    return folder


def arguments(kind: str, folder: Path) -> tuple[object, ...]:
    """Return the options of a training that is over soon."""
    files = [each for name in FILES[kind] for each in (f"--{name}", folder / f"{name}.jsonl")]
    return ("train", kind, "--data", folder, *files, "--start", folder / "start", *LEARNING)


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def train(cli: Callable[..., Result], folder: Path) -> Train:
    def run(kind: str, out: Path, *more: object) -> Result:
        return cli(*arguments(kind, folder), "--out", out, *more)

    return run


@pytest.fixture(scope="module")
def left(cli: Callable[..., Result], kind: str, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a training left."""
    out = tmp_path_factory.mktemp("left") / kind
    done = cli(*arguments(kind, folder), "--out", out)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"{out / 'model'}: {MEASURED[kind]} ")
    assert all(told in done.stderr for told in TOLD[kind])
    return out


def card_of(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


def test_the_form_without_pytorch_has_a_card_that_names_files_data_loss_and_command(
    kind: str, left: Path, folder: Path
) -> None:
    card = card_of(left / "onnx")
    for name in ("model.onnx", "tokenizer.json"):
        content = (left / "onnx" / name).read_bytes()
        assert f"| `{name}` | {len(content):,} | {hashlib.sha256(content).hexdigest()} |" in card
    for path in (folder / f"{name}.jsonl" for name in FILES[kind]):
        assert f"`{path.name}` (sha256 {hashlib.sha256(path.read_bytes()).hexdigest()})" in card
    assert f"license: apache-2.0\ntags: [heliograph, {kind}, onnx, int8]" in card
    assert f"## {kind} pretraining" in card and "## What int8 loses" in card
    assert f"--start tiny-start --out {kind} --pretrained 16 --epochs 2 \\\n  --batch 4 --learning-rate 0.001" in card
    assert all(told in card for told in IN_CARD[kind])
    assert str(left) not in card and str(folder) not in card


def test_what_a_training_leaves_reads_or_checks(kind: str, left: Path) -> None:
    if kind == "checker":
        assert Checker(left / "onnx").answers([("what", "Port Ost")])[0] == pytest.approx(0.5, abs=0.5)
        return
    reader = Reader(left / "onnx")
    assert reader.name.startswith("reader-")
    (reading,) = reader.read("When", [Candidate(row_piece(("Lights",), ("Lit",), ("1871",)))])
    assert reading.answers


def test_a_start_that_a_training_of_ours_left_is_named_by_its_weights(left: Path) -> None:
    assert start_name(str(left / "model")).startswith("model-")
    assert start_name("some/model") == "some/model"


def test_the_same_command_again_ends_the_same_and_another_one_is_refused(train: Train, kind: str, left: Path) -> None:
    card = card_of(left / "onnx")
    again = train(kind, left)
    assert (again.exit_code, "step " in again.stderr) == (0, False)
    assert card_of(left / "onnx").partition("Trained in ")[0] == card.partition("Trained in ")[0]
    for other in (("--seed", 1), ("--pretrained", 20), ("--epochs", 3)):
        done = train(kind, left, *other)
        assert (done.exit_code, "is of another training" in done.stderr) == (2, True)
        assert "reading the corpus" not in done.stderr


def test_a_model_is_exported_again_with_its_card(cli: Callable[..., Result], left: Path, tmp_path: Path) -> None:
    done = cli("train", "export", left / "model", tmp_path / "onnx")
    assert (done.exit_code, "fusion" in done.stderr) == (0, False), done.output
    assert (tmp_path / "onnx" / "model.onnx").read_bytes() == (left / "onnx" / "model.onnx").read_bytes()
    card = card_of(tmp_path / "onnx")
    assert "## Files" in card and "## Data" in card and "What int8 loses" not in card


def test_a_start_that_is_nowhere_ends_before_the_corpus_is_read(train: Train, kind: str, tmp_path: Path) -> None:
    done = train(kind, tmp_path / "out", "--start", "/nowhere")
    assert (done.exit_code, "/nowhere" in done.stderr) == (4, True)
    assert "reading the corpus" not in done.stderr


def test_an_interrupted_training_goes_on_to_the_same_weights(
    train: Train, kind: str, left: Path, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / kind
    assert interrupted_after_an_epoch(*arguments(kind, folder), "--out", out) == 130
    done = train(kind, out)
    assert done.exit_code == 0, done.output
    files = [(each / "onnx" / "model.onnx").read_bytes() for each in (left, out)]
    assert files[0] == files[1]


@pytest.mark.parametrize("kind", KINDS)
def test_what_people_wrote_teaches_alone(train: Train, kind: str, tmp_path: Path) -> None:
    done = train(kind, tmp_path, "--pretrained", 0, "--epochs", 1)
    assert done.exit_code == 0, done.output
    assert not (tmp_path / "pretraining").exists()


def test_composed_questions_over_development_tables_are_refused(train: Train, tmp_path: Path) -> None:
    line = ("when was it lit", "cell", "short", "Lights_0", 1, None, "1871")
    path = write_lines(tmp_path / "wrong.jsonl", "question kind style table row passage answer", line)
    done = train("reader", tmp_path / "out", "--composed", path)
    assert (done.exit_code, "nothing is learned from the table 'Lights_0'" in done.stderr) == (2, True)


def test_questions_that_teach_nothing_are_refused_before_anything_is_learned(
    cli: Callable[..., Result], folder: Path, tmp_path: Path
) -> None:
    nowhere = [replace(each, answer_nodes=()) for each in many_questions(learned=8)]
    questions = write_questions(tmp_path / "nowhere.jsonl", nowhere)
    files = ("--data", folder, "--questions", questions, "--start", folder / "start", "--out", tmp_path / "out")
    done = cli("train", "reader", *files, *LEARNING)
    assert (done.exit_code, "teaches a reader: none has a gold node" in done.stderr) == (2, True)
    assert "training " not in done.stderr


def test_claims_of_too_few_tables_are_refused(cli: Callable[..., Result], folder: Path, tmp_path: Path) -> None:
    few = write_lines(
        tmp_path / "few.jsonl", "claim label change answers table row passage", *CLAIMS[:4], question="what is told"
    )
    files = ("--data", folder, "--claims", few, "--start", folder / "start", "--out", tmp_path / "out")
    done = cli("train", "checker", *files, *LEARNING)
    assert (done.exit_code, "has claims of too few tables" in done.stderr) == (2, True)


class Half:
    """A student of one weight that is that of its folder's name."""

    def __init__(self, weight: float) -> None:
        torch = pytest.importorskip("torch")
        self.module = torch.nn.Linear(1, 1)
        torch.nn.init.constant_(self.module.weight, weight)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "weight").write_text(f"{self.module.weight.item():.3f}")


def test_a_share_of_the_start_stays_in_the_mean(extra: None, folder: Path, tmp_path: Path) -> None:  # noqa: F811
    given = Curriculum(lambda name, seed: Half(float(Path(name).name == "start")), None, [], "", (), ())  # type: ignore[arg-type]
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "README.md").write_text("---\ntags: [heliograph]\n---\n# parser\n", encoding="utf-8")
    training = ParserTraining(
        out=tmp_path, start=str(folder / "start"), schedule=ParserTraining.second_stage, start_share=0.25,
        data=folder, tables=folder, planned=folder,
    )  # fmt: skip
    mean = averaged(training, given)
    assert (mean / "weight").read_text() == "0.250"
    assert "25% of each weight is that of tiny-start" in card_of(mean)
    assert averaged(replace(training, start_share=0.0), given) == tmp_path / "model"
    assert training.command.endswith("--start-share 0.25")
