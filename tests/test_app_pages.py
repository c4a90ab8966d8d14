"""Hostile pages of an archive, all the way through: named or harmless, and the sound page still answers."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from tools.zim import build_snapshot

Cli = Callable[..., Result]

HIDDEN = "The secret word is zanzibarium."


def hostile_pages() -> Iterator[dict[str, str]]:
    """Yield pages that all speak of the Orm beacon; one of them says who built it."""
    yield page("Orm beacon", "<p>The Orm beacon was built by Signe Dahl in 1790.</p>")
    yield page("Orm beacon wide", "<p>Orm beacon.</p><table><tr><td colspan=10000000 rowspan=10000000>Orm</table>")
    yield page("Orm beacon deep", "<p>Orm beacon.</p>" + "<table><tr><td>" * 2000 + "Orm")
    yield page("Orm beacon broken", "<p>The Orm beacon <b>is <i>red</b><table><tr><td>a<p></div></html><p>&#0;&bogus;")
    yield page("Orm beacon huge", f"<p>Orm beacon.</p><p>{'dust ' * 2_000_000}</p>")
    hiding = ("style='display:none'", "hidden", "style='visibility: hidden'", "aria-hidden=true")
    hidden = "".join(f"<p {how}>{HIDDEN} Signe Dahl built the Orm beacon.</p>" for how in hiding)
    yield page("Orm beacon hidden", f"<p>The Orm beacon is small.</p>{hidden}<script>'{HIDDEN}'</script>")
    yield page("Orm beacon empty", "<p hidden>Orm beacon</p>")
    yield page("Orm beacon loop", moved_to("Orm beacon ring"))
    yield page("Orm beacon ring", moved_to("Orm beacon loop"))


def page(title: str, body: str) -> dict[str, str]:
    return {"title": title, "html": f"<html><head><title>{title}</title></head><body>{body}</body></html>"}


def moved_to(title: str) -> str:
    return f"<p>Orm beacon</p><meta http-equiv='refresh' content='0;url={title.replace(' ', '_')}'>"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    lines = folder / "pages.jsonl"
    lines.write_text("".join(json.dumps(each) + "\n" for each in hostile_pages()))
    build_snapshot([lines], folder / "orm.zim")
    return folder / "orm.zim"


@pytest.fixture(scope="module")
def beaten(cli: Cli, hostile: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Ask the hostile archive; return the home folder and the result."""
    home = tmp_path_factory.mktemp("beaten") / "home"
    arguments = ("ask", "--source", f"zim:{hostile}", "--rounds", "1", "--json", "Who built the Orm beacon?")
    return home, cli(*arguments, HELIOGRAPH_HOME=str(home))


def test_hostile_pages_are_named_and_the_sound_one_answers(beaten: tuple[Path, Result]) -> None:
    record = json.loads(beaten[1].stdout)
    assert beaten[1].exit_code == 0
    assert "Signe Dahl" in record["answer"]
    assert {citation["title"] for citation in record["citations"]} == {"Orm beacon"}
    notes = "\n".join(record["notes"])
    assert 'page "Orm beacon deep" of orm has elements nested deeper, over the cap of' in notes
    assert 'page "Orm beacon empty" of orm is empty' in notes
    read = " ".join(record["rounds"][0]["documents"])
    assert [name for name in ("huge", "broken", "wide", "loop", "ring") if name in read] == ["huge", "broken", "wide"]


def test_hidden_text_reaches_neither_answer_nor_evidence(beaten: tuple[Path, Result], cli: Cli) -> None:
    home, result = beaten
    record = json.loads(result.stdout)
    assert any("hidden" in key for key in record["rounds"][0]["documents"])
    assert "zanzibarium" not in result.stdout
    for seen in record["evidence"]:
        assert "zanzibarium" not in cli("show", seen["id"], HELIOGRAPH_HOME=str(home)).stdout


def test_a_hostile_run_replays(beaten: tuple[Path, Result], cli: Cli) -> None:
    assert cli("replay", "last", HELIOGRAPH_HOME=str(beaten[0])).exit_code == 0
