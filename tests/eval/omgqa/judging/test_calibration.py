"""The command of calibration, from its options to what it prints."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from eval.cli.labelling import calibrate_command
from eval.omgqa.judging.words import read_words
from heliograph.config import Endpoint, Settings
from heliograph.errors import ModelUnreachable, UsageError
from tests.servers.openai_server import Call, openai_server, unused_address


@dataclass(frozen=True)
class Root:
    """A composition root with settings."""

    given: Settings

    def settings(self) -> Settings:
        return self.given


def run(command: Any, *args: object, **more: Any) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args], catch_exceptions=False, **more)


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
