"""`heliograph eval omgqa generate`, from pages to files, with a model server that says what is written down for it."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from agent.cli.group import Commands
from app import Root
from eval.cli.generating import generate_command
from eval.omgqa.dataset import read_documents, read_omg_questions
from eval.omgqa.generation.folder import read_rejected
from tests.eval.omgqa.generation.lights import FIRST, KEEPERS, LIGHTS, QUESTION, SECOND
from tests.servers.openai_calls import Call, Raw, Say
from tests.servers.openai_server import OpenAIServer, openai_server, unused_address

Command = Callable[..., Result]


@click.group(cls=Commands)
@click.pass_context
def heliograph(context: click.Context) -> None:
    """The command by itself, its errors as exit codes."""
    context.obj = Root()


heliograph.add_command(generate_command)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "varn"
    folder.mkdir()
    (folder / "Lights.html").write_text(LIGHTS, encoding="utf8")
    (folder / "Keepers.html").write_text(KEEPERS, encoding="utf8")
    return folder


def said(call: Call) -> str:
    """Write the questions of the other tests, and read as they do; handles are in the order of titles here."""
    if "a quiz question from rows of two tables" in call.system:
        return FIRST.model_dump_json()
    if "You rewrite a quiz question" in call.system:
        return SECOND.model_copy(update={"pieces": ["E1", "E2", "E5"]}).model_dump_json()
    if "You write quiz questions about a page" in call.system:
        return '{"questions": [{"question": "Red?", "nodes": []}]}'
    needed = ("Born: 1871", "wrote songs about")
    return json.dumps({"answer": "1871" if all(words in call.user for words in needed) else ""})


def environment(server: OpenAIServer | None) -> Mapping[str, str]:
    address = server.url if server else unused_address()
    return {"HELIOGRAPH_LLM__BASE_URL": address, "HELIOGRAPH_LLM__MODEL": "test-model"}


def generated(out: Path, source: object, server: OpenAIServer | None, *more: str, pipeline: str = "pairs") -> Result:
    arguments = ["generate", "--source", str(source), "--pipeline", pipeline, "--out", str(out), *more]
    return CliRunner().invoke(heliograph, arguments, env=environment(server))


def test_a_folder_of_pages_becomes_questions_and_the_same_again_asks_nothing(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with openai_server(said) as server:
        made = generated(out, pages, server)
        assert made.exit_code == 0, made.stderr
        calls = len(server.calls)
        again = generated(out, pages, server, "--at-once", "4")
        assert again.stdout == made.stdout == f"1 questions; they are in {out}\n"
        assert len(server.calls) == calls == 6
    (question,) = read_omg_questions(out / "questions.jsonl")
    assert (question.question, question.answers, question.source) == (QUESTION, ("1871",), "pairs, test-model")
    assert question.modalities == ("text", "table")
    assert {document.title for document in read_documents(out / "documents.jsonl").values()} == {
        "Lights of Varn",
        "Keepers of Varn",
    }


def test_rejected_drafts_have_their_reasons(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with openai_server(said) as server:
        made = generated(out, pages, server, "--limit", "1", pipeline="contents")
    assert (made.exit_code, made.stdout) == (0, f"0 questions, 1 drafts rejected: 1 at wording; they are in {out}\n")
    (rejected,) = read_rejected(out / "rejected.jsonl")
    assert (rejected.question, rejected.refusal.reason) == ("Red?", "it is no whole question")


def test_what_is_no_json_twice_rejects_the_draft(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with openai_server(lambda call: Say("I would rather not."), keeps=()) as server:
        made = generated(out, pages, server)
        assert len(server.calls) == 2
    assert made.exit_code == 0, made.stderr
    (rejected,) = read_rejected(out / "rejected.jsonl")
    assert rejected.refusal.gate == "reply"
    assert "no usable reply to prompt 'draw_question'" in rejected.refusal.reason


def test_what_no_model_wrote_is_no_reply_and_the_same_command_goes_on(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with openai_server(Raw("<html>a proxy</html>")) as server:
        stopped = generated(out, pages, server)
    assert (stopped.exit_code, "sent no chat completion" in stopped.stderr) == (4, True)
    with openai_server(said) as server:
        assert generated(out, pages, server).exit_code == 0
    assert len(read_omg_questions(out / "questions.jsonl")) == 1


def test_a_server_that_is_down_ends_with_exit_code_4_and_the_same_command_goes_on(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    down = generated(out, pages, None)
    assert (down.exit_code, "cannot be reached" in down.stderr) == (4, True)
    assert "Traceback" not in down.stderr
    with openai_server(said) as server:
        assert generated(out, pages, server).exit_code == 0
    assert len(read_omg_questions(out / "questions.jsonl")) == 1


@pytest.mark.parametrize(
    ("source", "code", "complaint"),
    [
        ("zim:{tmp}/none.zim", 5, "no archive at {tmp}/none.zim"),
        ("demo", 5, "make demo builds it"),
        ("zim:", 2, "unknown source 'zim:'; known are zim:PATH, demo and folders of pages"),
        ("wikipedia", 2, "unknown source 'wikipedia'; known are zim:PATH, demo and folders of pages"),
        ("{tmp}", 2, "{tmp} has nothing to make pairs from; name a source whose articles have tables"),
    ],
)
def test_a_source_that_cannot_be_used_is_refused(source: str, code: int, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "One.md").write_text("# One\n\nA page with few words.\n", encoding="utf8")
    with openai_server(said) as server:
        refused = generated(tmp_path / "out", source.format(tmp=tmp_path), server)
    assert (refused.exit_code, "Traceback" in refused.stderr) == (code, False)
    assert complaint.format(tmp=tmp_path) in refused.stderr


def test_without_a_model_nothing_is_begun(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["generate", "--source", str(pages), "--pipeline", "pairs", "--out", str(out)]
    refused = CliRunner().invoke(heliograph, arguments)
    assert refused.exit_code == 2
    assert "no language model is set; set HELIOGRAPH_LLM__BASE_URL" in refused.stderr
    assert not out.exists()


def test_pages_that_changed_are_not_mixed_with_those_of_before(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with openai_server(said) as server:
        assert generated(out, pages, server).exit_code == 0
        (pages / "Lights.html").write_text(LIGHTS.replace("red", "blue"), encoding="utf8")
        refused = generated(out, pages, server)
    assert refused.exit_code == 2
    assert f"the pages of {pages} have changed since; name another folder with --out" in refused.stderr
    assert not (out / "pages.fresh.zim").exists()


@pytest.mark.slow
def test_a_process_that_is_killed_is_gone_on_with(pages: Path, tmp_path: Path, home: Path) -> None:
    out, asked = tmp_path / "out", list[str]()

    def slowly(call: Call) -> Say:
        asked.append(call.user)
        return Say(said(call), after=30 if len(asked) == 4 else 0)

    with openai_server(slowly) as server:
        killed = subprocess.Popen(
            [sys.executable, "-c", STARTED, "generate", "--source", pages, "--pipeline", "pairs", "--out", out],
            env={**environment(server), "HELIOGRAPH_HOME": str(home), "OMP_WAIT_POLICY": "PASSIVE"},
            cwd=Path(__file__).parents[4],
        )
        began = time.monotonic()
        while len(asked) < 4 and time.monotonic() - began < 120 and killed.poll() is None:
            time.sleep(0.05)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        assert len(asked) == 4
        made = generated(out, pages, server)
    assert made.exit_code == 0, made.stderr
    assert len(asked) == 7
    assert len(set(asked)) == 6
    assert len(read_omg_questions(out / "questions.jsonl")) == 1


STARTED = (
    "import sys; from tests.eval.omgqa.generation.test_generate_command import heliograph; heliograph(sys.argv[1:])"
)
