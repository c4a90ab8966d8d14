"""The commands of people and of calibration, from their options to what they print."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from eval.cli.labelling import calibrate_command, label_command
from eval.omgqa.dataset import judgement_line, question_line, read_judgements
from eval.omgqa.folder import EvaluationFolder
from eval.omgqa.judging.cases import Case, Shown, Word
from eval.omgqa.judging.words import open_words, read_words
from eval.omgqa.records import AUTHORS, Judgement, OmgQuestion
from eval.omgqa.shelf import write_shown
from heliograph.config import Endpoint, Settings
from heliograph.errors import ModelUnreachable, UsageError
from heliograph.types import EvidenceId
from tests.eval.omgqa.judging.judges import WrittenJudge
from tests.servers.openai_server import Call, openai_server, unused_address

WORD = Word(True)
UNITS = (EvidenceId("w:Io@7#s0/p1"), EvidenceId("w:Io@7#s0/t1"))
POOL = (Judgement("q1", UNITS[0], True, AUTHORS), Judgement("q1", UNITS[1], False, AUTHORS))


@dataclass(frozen=True)
class Root:
    """A composition root with settings."""

    given: Settings

    def settings(self) -> Settings:
        return self.given


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = EvaluationFolder(tmp_path)
    question = OmgQuestion("q1", "What of Io?", ("hot",), UNITS[:1], ("text",), "demo")
    files.questions.write_text(question_line(question))
    files.pool.write_text("".join(map(judgement_line, POOL)))
    text = Shown(UNITS[0], "text", ("Io", "Heat"), "Io is hot.")
    table = Shown(UNITS[1], "table", ("Io",), "Plumes // Plume | Height // Pele | 300")
    write_shown(files.evidence, (text, table))
    return tmp_path


def run(command: Any, *args: object, **more: Any) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args], catch_exceptions=False, **more)


def test_a_person_labels_by_keys_and_goes_on_later(folder: Path) -> None:
    first = run(label_command, folder, "--judge", "anna", input="y")
    assert first.exit_code == 0
    assert first.stderr == "1 labelled by anna, 1 left\n"
    assert "Question: What of Io?" in first.stdout
    second = run(label_command, folder, "--judge", "anna", input="n\n")
    assert second.stderr == "1 labelled by anna, 0 left\n"
    shown = first.stdout + second.stdout
    assert "text: Io > Heat\n\n  Io is hot.\n" in shown
    assert "table: Io\n\n  Plumes\n  Plume | Height\n  Pele | 300\n" in shown
    words = [each for each in read_judgements(folder / "pool.jsonl", ["q1"]) if each.judge == "anna"]
    assert sorted(each.evidence for each in words) == sorted(UNITS)
    assert [each.relevant for each in words] == [True, False]


def test_nobody_at_the_keys_ends_it(folder: Path) -> None:
    assert run(label_command, folder, "--judge", "anna", input="").stderr == "0 labelled by anna, 2 left\n"


def test_agreement_is_printed_task_by_task(folder: Path) -> None:
    run(label_command, folder, "--judge", "anna", input="yy")
    case = Case("completeness", "What of Io?", "It is hot.")
    with open_words(folder / "words.jsonl") as log:
        for judge in (WrittenJudge(name="anna"), WrittenJudge(name=AUTHORS)):
            log.keep(case, judge, WORD)
    told = run(label_command, folder, "--judge", "anna", "--against", AUTHORS)
    assert [line for line in told.stdout.splitlines() if not line.startswith(" ")] == [
        "relevancy: 2 cases, agreement 50.0%, kappa 0.000",
        "completeness: 1 case, agreement 100.0%, kappa undefined, as both only ever say one word",
    ]
    record = json.loads(run(label_command, folder, "--judge", "anna", "--against", AUTHORS, "--json").stdout)
    assert record["relevancy"] == {
        "cases": 2,
        "agreement": 0.5,
        "kappa": 0.0,
        "both_yes": 1,
        "only_first": 1,
        "only_second": 0,
        "both_no": 0,
    }


def test_a_judge_that_is_not_in_the_pool_is_named(folder: Path) -> None:
    with pytest.raises(UsageError, match="bert has no word in this pool; name one of its judges: authors"):
        run(label_command, folder, "--judge", "bert", "--against", AUTHORS)


CLAIMS = [
    {
        "question": f"What of moon {n}?",
        "claims": [
            {"claim": f"It is moon {n}.", "evidence": [f"[1] https://m.example\n\nMoon {n} is far."], "support": said}
        ],
    }
    for n, said in enumerate(("Complete", "Complete", "Partial", "Missing"))
]


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    path = tmp_path / "claims.jsonl"
    path.write_text("".join(json.dumps(answer) + "\n" for answer in CLAIMS))
    return path


def calibrated(claims: Path, url: str, *more: object) -> Result:
    endpoint = Endpoint(base_url=url, model="test-model", at_once=1)
    settings = Settings(home=claims.parent / "home", judge=endpoint)
    return run(calibrate_command, "--claims", claims, "--judge", "llm", "--half", "all", *more, obj=Root(settings))


def test_a_model_is_compared_with_the_experts_and_asked_once(claims: Path) -> None:
    def reply(call: Call) -> str:
        return "no" if "moon 0" in call.user else "yes"

    with openai_server(reply) as told:
        result = calibrated(claims, told.url)
        again = json.loads(calibrated(claims, told.url, "--json").stdout)
    assert result.exit_code == 0
    assert len(told.calls) == 4
    # experts: yes, yes, partial, no; the model: no, yes, yes, yes
    assert result.stdout.splitlines()[:2] == [
        "half: all; left out of the file: 0 without evidence, 0 with an address for evidence, 0 without a label",
        "support, Partial counts as no: 4 cases, agreement 25.0%, kappa -0.500",
    ]
    assert again["judge"] == "test-model"
    assert (again["lenient"]["both_yes"], again["lenient"]["only_second"]) == (2, 1)


def test_a_model_that_is_down_ends_it_and_keeps_what_was_said(claims: Path) -> None:
    words = claims.parent / "words.jsonl"
    with openai_server("yes") as told:
        calibrated(claims, told.url, "--first", 2, "--words", words)
    with pytest.raises(ModelUnreachable):
        calibrated(claims, unused_address(), "--words", words)
    assert len(read_words(words)) == 2


def test_no_model_is_said_before_anything_is_done(claims: Path) -> None:
    settings = Settings(home=claims.parent / "home")
    with pytest.raises(UsageError, match="set HELIOGRAPH_JUDGE__BASE_URL"):
        run(calibrate_command, "--claims", claims, "--judge", "llm", obj=Root(settings))
    assert not settings.home.exists()
