"""`heliograph eval omgqa judge` and `calibrate` with judges that fail, and Ctrl-C: words stay, and the work goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import Result

from eval.omgqa.judging.words import read_words
from tests.eval.omgqa.converting.written import lines
from tests.eval.omgqa.judging.test_expertqa import ANSWERS
from tests.evaluations import Evaluation, refused
from tests.killed import count_lines
from tests.servers.openai_calls import Call, Cut, Hang, Outcome, Raw, Say, Status
from tests.servers.openai_server import openai_server, unused_address

Cli = Callable[..., Result]
PATIENCE = 5  # seconds for one that hangs; the three replies before it take milliseconds
YES = Say("yes", first={"yes": 0.9, "no": 0.1})
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Judging:
    """A command with a language model for a judge, and its file of words."""

    arguments: tuple[object, ...]
    words: Path
    cases: int

    @property
    def kept(self) -> int:
        return len(read_words(self.words)) if self.words.exists() else 0


@pytest.fixture(params=["judge", "calibrate"])
def judging(request: pytest.FixtureRequest, evaluation: Evaluation, tmp_path: Path) -> Judging:
    folder, words = evaluation.folder, tmp_path / "words.jsonl"
    decided = len(read_words(folder / "words.jsonl"))
    runs = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    right = len({(run["question"], run["answer"]) for run in runs if not run["abstained"]})
    for name in ("words", "pool", "evidence", "documents"):
        (folder / f"{name}.jsonl").unlink()
    if request.param == "judge":
        return Judging(("eval", "omgqa", "judge", folder, "--judge", "llm"), folder / "words.jsonl", decided + right)
    claims = lines(tmp_path / "claims.jsonl", *ANSWERS)
    options = ("--judge", "llm", "--half", "all", "--words", words)
    return Judging(("eval", "omgqa", "calibrate", "--claims", claims, *options), words, 5)


def settings(url: str, seconds: int = 60) -> dict[str, str]:
    """A judge at ``url`` that is waited for so long, which a busy machine does not use up."""
    names = {"BASE_URL": url, "MODEL": "test-model", "SECONDS": str(seconds)}
    return {f"HELIOGRAPH_JUDGE__{name}": value for name, value in names.items()}


def after(count: int, then: Outcome) -> Callable[[Call], Outcome]:
    """Answer so many calls, and then otherwise."""
    seen: list[Call] = []

    def reply(call: Call) -> Outcome:
        seen.append(call)
        return YES if len(seen) <= count else then

    return reply


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        (Say("I would rather not say."), "wrote no usable reply to prompt 'assess_"),
        (Status(500, "it broke"), "has too much to do (500): it broke; ask again later"),
        (Status(401, "who are you"), "refuses (401): who are you; check api_key"),
        (Raw("<html>"), "sent no chat completion"),
        (Cut(), "cannot be reached"),
        (Hang(), f"gave no reply in {PATIENCE} s"),
    ],
)
def test_a_judge_that_fails_is_4_and_the_same_command_asks_only_what_has_no_word(
    cli: Cli, judging: Judging, fault: Outcome, complaint: str
) -> None:
    with openai_server(after(3, fault), keeps=()) as server:
        said = refused(cli(*judging.arguments, **settings(server.url, PATIENCE)), 4)
    assert said.startswith("heliograph: test-model gave no word on the ")
    assert complaint in said
    assert said.endswith("; words that it gave are kept")
    assert judging.kept == 3
    with openai_server(YES) as server:
        assert cli(*judging.arguments, **settings(server.url)).exit_code == 0
        assert len(server.calls) == judging.cases - 3
    assert judging.kept == judging.cases


def test_a_judge_that_is_down_is_4(cli: Cli, judging: Judging) -> None:
    said = refused(cli(*judging.arguments, **settings(unused_address())), 4)
    assert "is the server running, is base_url right?" in said
    assert judging.kept == 0


def test_an_interrupt_is_130_and_the_same_command_goes_on(cli: Cli, judging: Judging) -> None:
    slow = Say("yes", first={"yes": 0.9, "no": 0.1}, after=3.0)
    with openai_server(after(2, slow)) as server:
        environment = {**os.environ, **settings(server.url), "PYTHONPATH": str(ROOT)}
        command = (sys.executable, "-m", "app", *map(str, judging.arguments))
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
            began = time.monotonic()
            while count_lines(judging.words) < 2:
                assert process.poll() is None and time.monotonic() - began < 120
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "heliograph: interrupted; give the same command again: what " in said.splitlines()[-1]
        assert "Traceback" not in said
        kept = judging.kept
        assert 2 <= kept < judging.cases
    with openai_server(YES) as server:
        assert cli(*judging.arguments, **settings(server.url)).exit_code == 0
    assert judging.kept == judging.cases


def test_a_model_is_asked_which_answers_are_right_and_the_report_of_another_judge_has_its_words(
    cli: Cli, evaluation: Evaluation
) -> None:
    command = ("eval", "omgqa", "correctness", evaluation.folder)
    assert "no judge is set; set HELIOGRAPH_JUDGE__BASE_URL" in refused(cli(*command), 2)
    before = json.loads(cli("eval", "omgqa", "report", evaluation.folder, "--format", "json").stdout)
    assert before["correctness"] == ""
    with openai_server(YES) as server:
        assert cli(*command, **settings(server.url)).exit_code == 0
        asked = len(server.calls)
        assert asked and cli(*command, **settings(server.url)).exit_code == 0
        assert len(server.calls) == asked
    after = json.loads(cli("eval", "omgqa", "report", evaluation.folder, "--format", "json").stdout)
    assert (after["correctness"], after["judge"]) == ("test-model", "extractive")
    for row in after["tables"]["correctness"]["rows"]:
        assert row["cells"]["selective accuracy by judge"] == 1.0
