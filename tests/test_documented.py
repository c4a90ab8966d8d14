"""What the documents show is run: the examples of docstrings, and the Python and the commands of the README."""

import asyncio
import doctest
import json
import re
import shlex
import shutil
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

import app
from heliograph import Heliograph, sync
from heliograph.types import Progressed

ROOT = Path(__file__).resolve().parent.parent
GUIDES = [ROOT / "docs" / "tutorial" / "first-answer.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))]


def blocks(document: Path, *languages: str) -> list[str]:
    """Return the blocks of a document that are of some languages, also those that stand in a list."""
    text = document.read_text(encoding="utf8")
    found = re.findall(r"^( *)```(\w*)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for _, language, block in found if language in languages]


def commands(document: Path) -> list[str]:
    """Return the commands of a document that are ours."""
    lines = [line.removeprefix("$ ") for block in blocks(document, "", "bash") for line in block.splitlines()]
    return [line for line in lines if line.startswith("heliograph ")]


PYTHON = blocks(ROOT / "README.md", "python")
COMMANDS = commands(ROOT / "README.md")
GUIDED = [(guide, block) for guide in GUIDES for block in blocks(guide, "python")]
QUESTION = "Who discovered Titan?"
MEANT = {"…": QUESTION, "RUN": "last", "FILE": "report.html"}
"""What a reader would put for a word that stands for another."""
REFUSED = {
    "wikipedia ": "contact",
    "--preset live": "contact",
    "snapshot fetch": "contact",
    "--with llm.": "base_url is not set",
}
"""What commands are refused for that need a live wiki or a model server, once their options were understood."""
ELSEWHERE = ("heliograph chat", "heliograph serve", "heliograph mcp", "heliograph eval", "heliograph memory")
"""Commands that wait for somebody, or take minutes; tests of their own run them."""

Cli = Callable[..., Result]


@pytest.fixture(scope="module")
def workplace(cli: Cli, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has what the documents speak of: the demo archive at home, notes, an archive, questions."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "home").mkdir()
    built = cli("snapshot", "build", ROOT / "demo" / "articles", folder / "home" / "demo.zim")
    assert built.exit_code == 0, built.stderr
    shutil.copy(folder / "home" / "demo.zim", folder / "wikipedia_en_all_maxi.zim")
    (folder / "notes").mkdir()
    (folder / "notes" / "Titan.md").write_text("# Titan\n\nTitan was discovered by Christiaan Huygens in 1655.\n")
    (folder / "questions.jsonl").write_text(json.dumps({"id": "1", "question": QUESTION}) + "\n")
    shutil.copy(archive, folder / "varn.zim")
    return folder


@pytest.fixture
def here(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(workplace)
    monkeypatch.setenv("HELIOGRAPH_HOME", str(workplace / "home"))
    yield workplace


def examples() -> list[doctest.DocTest]:
    names = {"asyncio": asyncio, "Heliograph": Heliograph, "sync": sync, "Progressed": Progressed}
    found = doctest.DocTestFinder(recurse=True).find(app, "app", extraglobs=names)
    from agent import api

    return [each for each in (*found, *doctest.DocTestFinder().find(api, "api", extraglobs=names)) if each.examples]


@pytest.mark.parametrize("example", examples(), ids=lambda each: each.name)
def test_the_examples_of_docstrings_say_what_comes(example: doctest.DocTest, here: Path) -> None:
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(example, out=said.append, clear_globs=False)
    assert runner.failures == 0, "".join(said)


def test_there_are_examples() -> None:
    assert len(examples()) >= 3
    assert len(PYTHON) >= 2
    assert len(COMMANDS) >= 10


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_the_python_of_the_readme_runs(number: int, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PYTHON[number], f"README.md, block {number}", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert "Titan" in printed and "demo:" in printed


def test_the_commands_of_the_readme_run_in_their_order(cli: Cli, here: Path) -> None:
    run = []
    for command in COMMANDS:
        words = [MEANT.get(word, word) for word in shlex.split(command, comments=True)]
        if command.startswith(ELSEWHERE):
            continue
        result = cli(*words[1:])
        told = f"{command}\n{result.stdout[-500:]}\n{result.stderr[-500:]}"
        lacking = [lack for sign, lack in REFUSED.items() if sign in f"{command} " and "zim:" not in command]
        if lacking:
            assert result.exit_code == 2 and lacking[0] in result.stderr.lower(), told
        else:
            assert result.exit_code in (0, 3), told
        run.append(words[1])
    assert {"ask", "snapshot", "show", "doctor", "trace", "replay", "resume"} <= set(run)


@pytest.fixture(scope="module")
def harbour(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the tutorial makes, and its archive."""
    folder = tmp_path_factory.mktemp("guided")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        exec(blocks(GUIDES[0], "python")[0], {})
        built = cli(*shlex.split(commands(GUIDES[0])[0])[1:])
    assert built.exit_code == 0, built.stderr
    return folder


@pytest.fixture
def at_harbour(harbour: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(harbour)
    monkeypatch.setenv("HELIOGRAPH_HOME", str(harbour / "home"))
    return harbour


def test_the_tutorial_comes_to_what_it_says(cli: Cli, at_harbour: Path) -> None:
    said = {}
    for command in commands(GUIDES[0])[1:]:
        if not command.startswith("heliograph show"):
            said[command] = cli(*shlex.split(command)[1:])
    assert len(said) == 5
    ends = {command.split('"')[1]: result for command, result in said.items() if '"' in command}
    assert "Ines Hallow" in ends["Who designed the ferry Petrel?"].stdout
    most = ends["Which ferry of Port Alder has the most passengers?"].stdout
    assert "Turnstone" in most and "1 computed (worked out from its source, and once more to check)" in most
    assert ends["Who painted the breakwater of Port Alder?"].exit_code == 3
    assert "byte-identical" in said["heliograph replay last"].stdout
    assert {result.exit_code for result in said.values()} == {0, 3}


@pytest.mark.parametrize(("guide", "block"), GUIDED, ids=lambda each: each.stem if isinstance(each, Path) else "")
def test_the_python_of_the_guides_runs(guide: Path, block: str, at_harbour: Path) -> None:
    exec(compile(block, str(guide), "exec"), {"__name__": "__main__"})


def test_the_commands_of_the_guide_to_knowledge_bases_run(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = ROOT / "docs" / "how-to" / "build-a-knowledge-base.md"
    monkeypatch.chdir(tmp_path)
    entities, relations, *_ = blocks(guide, "text")
    Path("entities.csv").write_text(entities, encoding="utf8")
    Path("relations.csv").write_text(relations, encoding="utf8")
    results = {command: cli(*shlex.split(command)[1:]) for command in commands(guide)}
    assert {result.exit_code for result in results.values()} == {0}
    assert len(results) == 7
    assert results['heliograph skb neighbours lights.skb varn --relation "stands on"'].stdout.count("lighthouse") == 2


def test_the_guide_to_asking_a_base_comes_to_the_answer_that_it_shows(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = ROOT / "docs" / "how-to" / "ask-your-own-knowledge-base.md"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELIOGRAPH_HOME", str(tmp_path / "home"))
    entities, relations, entity, plan, citation, _ = blocks(guide, "text")
    Path("entities.csv").write_text(entities, encoding="utf8")
    Path("relations.csv").write_text(relations, encoding="utf8")
    build, _, show, understood, ask = (
        cli(*shlex.split(command)[1:]).stdout for command in commands(guide) if "serve" not in command
    )
    assert build.strip() in guide.read_text(encoding="utf8")
    assert show == entity and understood.startswith(plan)
    assert "\n".join(citation.splitlines()[2:]) in ask
