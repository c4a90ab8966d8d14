"""`heliograph graph`: an archive or a folder becomes a graph that is searched and checked."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from indexers.lock import WriterLock
from tests.conftest import PAGES
from tests.indexers.offline.worlds import sums

Cli = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The pages of the Varn Islands as Markdown files, one of them twice."""
    pages = tmp_path / "varn"
    pages.mkdir()
    for title, text in PAGES.items():
        (pages / f"{title.replace(' ', '_')}.md").write_text(text, encoding="utf8")
    (pages / "Z_copy.md").write_text(PAGES["Torvik"], encoding="utf8")
    return pages


def results(cli: Cli, graph: Path, question: str, *options: object) -> list[dict[str, object]]:
    found = cli("graph", "search", graph, question, "--json", *options)
    assert found.exit_code == 0, found.stderr
    return json.loads(found.stdout)["results"]


def test_an_archive_and_a_folder_make_the_same_edges(cli: Cli, archive: Path, folder: Path, tmp_path: Path) -> None:
    for source, out in ((f"zim:{archive}", tmp_path / "a"), (folder, tmp_path / "b")):
        made = cli("graph", "build", source, "--out", out)
        assert made.exit_code == 0, made.stderr
        assert "5 pages, 1 tables, 3 segments, 5 passages, 3 edges (2 given, 0 found)" in made.stdout
        assert "peak memory of a process: " in made.stderr
        assert "pages parsed: 5 of 5" in made.stderr
    assert "left out: page 'Torvik': stands twice, the first one counts" in made.stderr
    question = "Which lighthouse stands on the island with 930 inhabitants?"
    first, second = (results(cli, tmp_path / name, question) for name in "ab")
    assert [each["passage"] and each["passage"]["text"] for each in first] == [
        each["passage"] and each["passage"]["text"] for each in second
    ]
    top = first[0]
    assert top["segment"]["id"].startswith("varn:Varn%20Islands@")
    assert top["segment"]["id"].endswith("#s1/t1/r1")
    assert top["passage"]["text"].startswith("Skerry Head Light | Skerry Head Light is a lighthouse on Storholm")


def test_edges_are_shown_to_people(cli: Cli, archive: Path, tmp_path: Path) -> None:
    cli("graph", "build", f"zim:{archive}", "--out", tmp_path / "varn")
    shown = cli("graph", "search", tmp_path / "varn", "Who lives on Gull Rock?", "--k", "1").stdout
    assert shown.startswith("1. ")
    assert "Island : Gull Rock ; Area (km²) : 3 ; Inhabitants : 0 ; Lighthouse : none" in shown
    nothing = cli("graph", "search", tmp_path / "varn", "zebra")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert "nothing in this graph says a word of the question" in nothing.stderr
    idle = cli("graph", "search", tmp_path / "varn", "Gull Rock", "--encoder", "shipped")
    assert (idle.exit_code, "has no token vectors that --encoder could compare" in idle.stderr) == (2, True)


def test_pages_that_changed_are_not_mixed_with_those_of_before(cli: Cli, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "graph"
    assert cli("graph", "build", folder, "--out", out).exit_code == 0
    segments = sums(out / "segments")
    (folder / "Torvik.md").touch()
    assert cli("graph", "build", folder, "--out", out).exit_code == 0
    assert sums(out / "segments") == segments
    before = sums(out)
    (folder / "Torvik.md").write_text("# Torvik\n\nTorvik burned.\n", encoding="utf8")
    changed = cli("graph", "build", folder, "--out", out)
    assert changed.exit_code == 2
    told = r"another edition \((\w{12}) there, (\w{12}) asked for\); name another --out, or delete that folder"
    ((there, asked),) = re.findall(told, changed.stderr)
    assert there != asked
    assert sums(out) == before


def test_a_refused_build_leaves_every_byte_as_it_was(cli: Cli, folder: Path, tmp_path: Path) -> None:
    out, other, wiki = tmp_path / "graph", tmp_path / "other", tmp_path / "norn"
    other.mkdir()
    (other / "model.onnx").write_bytes(b"weights")
    (other / "tokenizer.json").write_bytes(b"{}")
    shutil.copytree(folder, wiki)
    assert cli("graph", "build", folder, "--out", out, "--encoder", "shipped").exit_code == 0
    before = sums(out)
    assert {"encoder.json", "pages.json", "pages/html.txt", "tokens/store/codes"} <= before.keys()
    (folder / "Torvik.md").touch()
    for source, options, named in (
        (folder, ("--encoder", other), "encoder"),
        (folder, ("--encoder", "shipped", "--links", "given"), "links"),
        (wiki, ("--encoder", "shipped"), "wiki"),
    ):
        refused = cli("graph", "build", source, "--out", out, *options)
        assert (refused.exit_code, f"holds a build of another {named} (" in refused.stderr) == (2, True), refused.stderr
        assert sums(out) == before
    assert results(cli, out, "Gull Rock")
    assert cli("graph", "build", folder, "--out", out, "--encoder", "shipped").exit_code == 0
    after = sums(out)
    assert {name for name in after if after[name] != before[name]} == {"pages.json"}


def test_a_damaged_plan_is_mended_by_its_own_source_alone(
    cli: Cli, archive: Path, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "graph"
    assert cli("graph", "build", folder, "--out", out).exit_code == 0
    whole = sums(out)
    (out / "plan" / "identity.json").unlink()
    damaged = sums(out)
    (tmp_path / "norn").mkdir()
    (tmp_path / "norn" / "Norn.md").write_text("# Norn\n\nNorn is an island.\n", encoding="utf8")
    for source in (f"zim:{archive}", tmp_path / "norn"):
        refused = cli("graph", "build", source, "--out", out)
        assert refused.exit_code == 2
        assert re.search("holds a build of another .*edition.*; name another --out", refused.stderr)
        assert sums(out) == damaged
    assert cli("graph", "build", folder, "--out", out).exit_code == 0
    assert sums(out) == whole


def test_damage_is_named_with_its_remedy_and_mended(cli: Cli, archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "graph"
    cli("graph", "build", f"zim:{archive}", "--out", out)
    whole = sums(out)
    (out / "segments" / "lines.txt").write_bytes(b"")
    checked = cli("graph", "check", out)
    assert checked.exit_code == 6
    assert "BAD  " in checked.stdout
    assert "lines.txt has 0 bytes where" in checked.stdout
    assert "give the command that built it again" in checked.stderr
    assert cli("graph", "search", out, "Gull Rock").exit_code == 6
    mended = cli("graph", "build", f"zim:{archive}", "--out", out)
    assert (mended.exit_code, "it is made again" in mended.stderr) == (0, True)
    assert sums(out) == whole
    assert cli("graph", "check", out).exit_code == 0


def test_a_build_that_was_stopped_is_said_to_be_unfinished_and_how_to_go_on(
    cli: Cli, archive: Path, tmp_path: Path
) -> None:
    out = tmp_path / "graph"
    command = ("graph", "build", f"zim:{archive}", "--out", out, "--encoder", "shipped", "--proposals", "all")
    assert cli(*command).exit_code == 0
    whole = sums(out)
    shutil.rmtree(out / "centroids")
    (out / "centroids.part").mkdir()
    checked = cli("graph", "check", out)
    assert (checked.exit_code, "BAD" in checked.stdout) == (6, False)
    assert "miss centroids: is not there: the build was stopped before it" in checked.stdout
    assert "is not finished, and nothing of it is damaged; give the same command again" in checked.stderr
    searched = cli("graph", "search", out, "Gull Rock")
    assert searched.exit_code == 0
    assert f"the centroids of {out} are missing, so words alone propose edges; give the same" in searched.stderr
    assert "centroids" not in cli("graph", "search", out, "Gull Rock", "--encoder", "none").stderr
    assert cli(*command).exit_code == 0
    assert sums(out) == whole
    assert cli("graph", "check", out).exit_code == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("build", "", "--out", "out"), 2, "the source is empty; name zim:FILE, a folder of pages"),
        (("build", "zim:", "--out", "out"), 2, "the source is empty; name zim:FILE, a folder of pages"),
        (("build", "nowhere", "--out", "out"), 2, "no such folder or file"),
        (("build", "wiki.zim", "--out", "out"), 2, "name it zim:wiki.zim"),
        (("build", "zim:wiki.zim", "--out", "out", "--proposals", "all"), 2, "add --encoder shipped"),
        (("build", "zim:nowhere.zim", "--out", "out"), 5, "no archive at"),
        (("build", "zim:wiki.zim", "--out", "out", "--encoder", ""), 2, "it is empty; give a name"),
        (("build", "zim:wiki.zim", "--out", "out", "--ray", " "), 2, "it is empty; give a name"),
        (("build", "zim:wiki.zim", "--out", "x" * 300), 2, "cannot be written (File name too long); name another"),
        (("build", "~no-such-user/pages", "--out", "out"), 2, "no such folder or file"),
        (("build", "zim:~no-such-user/wiki.zim", "--out", "out"), 5, "no archive at"),
        (
            ("build", "zim:wiki.zim", "--out", "out", "--encoder", "~no-such-user/m"),
            4,
            "no folder ~no-such-user/m; correct --encoder",
        ),
        (("search", "nowhere", "moon", "--encoder", ""), 2, "it is empty; give a name"),
        (("search", "nowhere", "moon"), 2, "no graph in nowhere; build one"),
        (("check", "nowhere"), 2, "no graph in nowhere; build one"),
    ],
)
def test_what_cannot_be_done_is_said(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = cli("graph", *words)
    assert (done.exit_code, said in done.stderr) == (code, True), done.stderr
    assert code != 2 or list(tmp_path.iterdir()) == []


def test_links_in_a_circle_lead_nowhere(cli: Cli, tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    for words, code, said in (
        ((circle, "--out", tmp_path / "graph"), 2, "no such folder or file"),
        ((f"zim:{circle}", "--out", tmp_path / "graph"), 5, "Too many levels of symbolic links"),
        ((tmp_path, "--out", circle), 6, "cannot write"),
    ):
        done = cli("graph", "build", *words)
        assert (done.exit_code, said in done.stderr) == (code, True), done.stderr


def test_a_graph_that_another_process_builds_names_its_folder_and_another_out(
    cli: Cli, archive: Path, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "graph"
    with WriterLock(out):
        for source in (f"zim:{archive}", folder):
            refused = cli("graph", "build", source, "--out", out)
            assert refused.exit_code == 6
            assert f"the folder {out} is being written by process" in refused.stderr
            assert "or name another --out" in refused.stderr


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("", "the question is empty"),
        (" \t ", "the question is empty"),
        ("?!", "the question is empty"),
        ("why " * 2_000, "8,000 characters and 4,000"),
    ],
)
def test_a_question_that_cannot_be_asked_is_not_searched_either(cli: Cli, question: str, said: str) -> None:
    refused = cli("graph", "search", "nowhere", question)
    assert (refused.exit_code, said in refused.stderr) == (2, True), refused.stderr


def test_a_missing_model_is_said_before_any_page_is_read(cli: Cli, archive: Path, tmp_path: Path) -> None:
    done = cli("graph", "build", f"zim:{archive}", "--out", tmp_path / "graph", "--encoder", "./no/such/model")
    assert done.exit_code == 4
    assert "no folder ./no/such/model; correct --encoder" in done.stderr
    assert not (tmp_path / "graph" / "shards").exists()
