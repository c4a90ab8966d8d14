"""Bad input, each kind with its exit code and its message; none ends in a traceback, a hang or silence."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import Result

Cli = Callable[..., Result]

QUESTION = "Who designed Skerry Head Light?"


def complaint(result: Result) -> str:
    """Return the last line on stderr, which is the error; nothing may stand on stdout, and nothing be a traceback."""
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "the question is empty; write one, such as"),
        (" \t\n ", "the question is empty; write one, such as"),
        ("?!…", "the question is empty; write one, such as"),
        ("why " * 25_000, "the question has 100,000 characters and 4,000 are accepted; ask one question"),
        ("Who\x00 built it?", "the question has the control character U+0000 at place 4; remove it"),
        ("Who \x1b[31mbuilt it?", "the question has the control character U+001B at place 5; remove it"),
        ("Who built \u202eti?", "the question has the control character U+202E at place 11; remove it"),
        ("Who built \udcff?", "the question has the control character U+DCFF at place 11; remove it"),
    ],
)
def test_a_question_that_cannot_be_asked_is_2(cli: Cli, archive: Path, question: str, message: str) -> None:
    result = cli("ask", "--source", f"zim:{archive}", "--", question)
    assert (result.exit_code, complaint(result).startswith(f"heliograph: {message}")) == (2, True)


def test_no_question_at_all_is_2(cli: Cli, archive: Path) -> None:
    assert "the question is empty" in complaint(cli("ask", "--source", f"zim:{archive}"))


def test_a_report_of_another_form_is_2(cli: Cli, archive: Path) -> None:
    result = cli("report", "--source", f"zim:{archive}", QUESTION, "--form", "short")
    assert (result.exit_code, complaint(result)) == (
        2,
        "Error: Invalid value for --form: a report has one form; use heliograph ask --form for others",
    )


@pytest.mark.parametrize(
    "question",
    [
        "Wer hat den Leuchtturm Skerry Head entworfen?",
        "Кто построил маяк?",
        "誰がスケリーヘッド灯台を設計しましたか？",
        "من صمم منارة سكيري هيد؟",
        "स्केरी हेड लाइट किसने डिज़ाइन किया?",
        "🏝️ 🗼 7 ?",
    ],
)
def test_a_question_in_another_language_is_answered_or_declined(cli: Cli, archive: Path, question: str) -> None:
    result = cli("ask", "--source", f"zim:{archive}", "--json", question)
    record = json.loads(result.stdout)
    assert result.exit_code == (3 if record["abstained"] else 0)
    assert record["question"] == question


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no source: name one with --source zim:PATH, or try --preset demo or --preset live"),
        (["--source", "bing"], "unknown source 'bing'; known are zim:PATH, skb:PATH, wikipedia, duckduckgo"),
        (["--source", "zim:"], "unknown source 'zim:'; known are zim:PATH, skb:PATH, wikipedia, duckduckgo"),
        (["--source", "skb:"], "unknown source 'skb:'; known are zim:PATH, skb:PATH, wikipedia, duckduckgo"),
        (["--preset", "turbo"], "unknown preset 'turbo'; known are demo, fast, full, live"),
        (["--graph", "huge"], "setting 'graph' (a flag or HELIOGRAPH_…): Input should be 'off', 'light' or 'full'"),
        (["--citations", "maybe"], "setting 'citations' (a flag or HELIOGRAPH_…): Input should be 'flag', 'drop'"),
        (["--rounds", "0"], "setting 'rounds' (a flag or HELIOGRAPH_…): Input should be greater than or equal to 1"),
        (["--rounds", "4"], "setting 'rounds' (a flag or HELIOGRAPH_…): Input should be less than or equal to 3"),
        (["--max-seconds", "0"], "setting 'max_seconds' (a flag or HELIOGRAPH_…): Input should be greater than 0"),
        (["--max-seconds", "nan"], "setting 'max_seconds' (a flag or HELIOGRAPH_…): "),
        (["--max-pages", "-1"], "setting 'max_pages' (a flag or HELIOGRAPH_…): Input should be greater than or equal"),
        (["--pages-per-round", "0"], "setting 'pages_per_round' (a flag or HELIOGRAPH_…): Input should be greater"),
        (["--max-calls", "0"], "setting 'max_calls' (a flag or HELIOGRAPH_…): Input should be greater"),
        (["--max-tokens", "0"], "setting 'max_tokens' (a flag or HELIOGRAPH_…): Input should be greater"),
        (["--config", "missing.toml"], "cannot read missing.toml: No such file or directory; name a readable file"),
    ],
)
def test_a_setting_that_cannot_be_used_is_2_and_says_why(cli: Cli, arguments: list[str], message: str) -> None:
    result = cli("ask", *arguments, QUESTION)
    assert complaint(result).startswith(f"heliograph: {message}")
    assert result.exit_code == 2


@pytest.mark.parametrize("arguments", [["ask", "--tempo", "5", "x"], ["ask", "--rounds", "two", "x"], ["fly"]])
def test_an_unknown_option_or_command_is_2(cli: Cli, arguments: list[str]) -> None:
    result = cli(*arguments)
    assert result.exit_code == 2
    assert complaint(result).startswith(("Error: No such", "Error: Invalid value"))


@pytest.mark.parametrize("name", ["verify"])
@pytest.mark.parametrize("arguments", [[], ["--port", "80", "run"], ["--help"]])
def test_a_command_of_a_later_release_is_2_and_says_what_to_do(cli: Cli, name: str, arguments: list[str]) -> None:
    result = cli(name, *arguments)
    assert (result.exit_code, complaint(result).startswith(f"heliograph: {name}: ")) == (2, True)
    assert re.search(r"not (?:built|fetched again) yet", complaint(result))


@pytest.mark.parametrize("role", ["llm", "rewrite", "rerank", "reflect", "answer", "judge"])
def test_a_model_server_that_is_half_named_is_never_believed_active(cli: Cli, archive: Path, role: str) -> None:
    for part, value, lacking in (("BASE_URL", "http://127.0.0.1:9/v1", "model"), ("MODEL", "big", "base_url")):
        result = cli("ask", "--source", f"zim:{archive}", QUESTION, **{f"HELIOGRAPH_{role.upper()}__{part}": value})
        assert complaint(result).startswith(f"heliograph: {role}.{lacking} is not set")
        assert result.exit_code == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("rounds = ", "is not valid TOML"),
        ("colour = 'red'", "unknown setting 'colour'"),
        ("rounds = 'many'", "setting 'rounds'"),
        ("[llm]\nmodel = 'big'", "llm.base_url is not set"),
        ("[llm]\nspeed = 3", "unknown setting 'llm.speed'"),
        ("llm = 5", "setting 'llm'"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_a_settings_file_that_cannot_be_used_is_2(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, message: str, named: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / ("mine.toml" if named else "heliograph.toml")
    path.write_text(content)
    result = cli("ask", *(["--config", path] if named else []), QUESTION)
    assert message in complaint(result)
    assert result.exit_code == 2


def test_a_settings_file_that_is_no_text_is_2(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert "is not valid TOML" in complaint(cli("ask", "--config", path, QUESTION))


def test_an_unknown_setting_in_the_environment_is_2(cli: Cli, archive: Path) -> None:
    result = cli("ask", "--source", f"zim:{archive}", QUESTION, HELIOGRAPH_ROUND="1")
    assert complaint(result) == (
        "heliograph: unknown setting HELIOGRAPH_ROUND in the environment; heliograph config show lists all"
    )
    assert result.exit_code == 2


@pytest.mark.parametrize("section", ["llm", "judge", "embed", "rerank"])
@pytest.mark.parametrize("content", ["base_url = 'https://evil.example/v1'", "api_key = 'stolen'"])
def test_a_file_of_the_current_folder_may_not_send_a_key_elsewhere(
    cli: Cli, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, section: str, content: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("heliograph.toml").write_text(f"[{section}]\n{content}\n")
    result = cli("ask", "--source", f"zim:{archive}", QUESTION)
    assert result.exit_code == 2
    assert f"heliograph.toml of the current folder sets [{section}] and could send your key" in complaint(result)
    assert "--config heliograph.toml" in complaint(result)


def test_the_same_file_is_read_when_it_is_named(
    cli: Cli, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("heliograph.toml").write_text("[llm]\napi_key = 'mine'\n")
    result = cli("ask", "--source", f"zim:{archive}", "--config", "heliograph.toml", QUESTION)
    assert result.exit_code == 0


def test_an_archive_that_cannot_be_read_is_5(cli: Cli, archive: Path, tmp_path: Path) -> None:
    text, cut, stub = tmp_path / "notes.zim", tmp_path / "cut.zim", tmp_path / "stub.zim"
    text.write_text("no archive, but a text that is long enough to hold a header " * 5)
    cut.write_bytes(archive.read_bytes()[:-1000])
    stub.write_bytes(archive.read_bytes()[:40])
    expected = {
        tmp_path / "missing.zim": f"no archive at {tmp_path / 'missing.zim'}; name an existing one",
        tmp_path: f"{tmp_path} is a folder; heliograph snapshot build",
        text: f"{text} is not a ZIM archive; heliograph snapshot build makes one",
        cut: f"{cut} is cut: ",
        stub: f"{stub} is cut: it ends within its header; fetch it again",
    }
    for path, message in expected.items():
        result = cli("ask", "--source", f"zim:{path}", QUESTION)
        assert complaint(result).startswith(f"heliograph: {message}")
        assert result.exit_code == 5


def test_the_demo_preset_without_its_archive_says_how_to_build_it(cli: Cli) -> None:
    result = cli("ask", "--preset", "demo", QUESTION)
    assert (result.exit_code, complaint(result).endswith("; make demo builds it")) == (5, True)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["trace", "show", "nothing"],
            2,
            "no run is named 'nothing': there is none yet in ",
        ),
        (["trace", "show", "last"], 2, "no run is named 'last'"),
        (["replay", "last"], 2, "no run is named 'last'"),
        (["replay", "../../etc"], 2, "no run is named '../../etc'"),
        (["show", "nonsense"], 2, ""),
        (["show", "varn:Nowhere@1#s0/p1"], 2, "no page varn:Nowhere@1 is kept"),
        (["store", "purge"], 2, "nothing is chosen; add --indexes, --pages, --runs or --eval"),
        (["snapshot", "build", "no-such-folder", "out.zim"], 2, "no-such-folder"),
    ],
)
def test_what_is_not_there_is_said(cli: Cli, arguments: Sequence[str], code: int, message: str) -> None:
    result = cli(*arguments)
    assert message in complaint(result)
    assert result.exit_code == code


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("HELIOGRAPH_SOURCES", "demo", "lists are written as JSON"),
        ("HELIOGRAPH_CLIP", "x", "lists are written as JSON"),
        ("HELIOGRAPH_LLM__BASE_URL", "http://[::1/v1", "is no address of a server"),
        ("HELIOGRAPH_LLM__BASE_URL", "http://127.0.0.1:99999/v1", "is no address of a server"),
        ("HELIOGRAPH_EMBED__BASE_URL", "http://u:geheim@127.0.0.1:1/v1", "holds a password or a query"),
        ("HELIOGRAPH_LLM__BASE_URL", "http://127.0.0.1:1/v1?key=geheim", "holds a password or a query"),
        ("HELIOGRAPH_LLM__API_KEY", "schl\u00fcssel", "llm.api_key holds signs that no key has"),
        ("HELIOGRAPH_CLIP__MODEL", "ViT-B-32", "clip.model and clip.pretrained belong together"),
    ],
)
def test_a_variable_that_cannot_be_used_is_2_before_anything_is_written(
    cli: Cli, archive: Path, home: Path, variable: str, value: str, message: str
) -> None:
    result = cli("ask", "--source", f"zim:{archive}", QUESTION, **{variable: value})
    assert result.exit_code == 2
    assert message in complaint(result) and "geheim" not in result.stderr
    assert not home.exists()


def test_a_run_of_another_version_is_2_for_resume_and_replay(cli: Cli, archive: Path, home: Path) -> None:
    cli("ask", "--source", f"zim:{archive}", QUESTION)
    (manifest,) = home.glob("runs/*/run.json")
    manifest.write_text(manifest.read_text().replace('"rounds"', '"roundz"'))
    trace = manifest.with_name("trace.jsonl")
    trace.write_text("\n".join(trace.read_text().splitlines()[:-2]) + "\n")
    for command in ("resume", "replay"):
        result = cli(command, "last")
        assert result.exit_code == 2
        assert "the run was begun by another version: its setting 'roundz'" in complaint(result)
