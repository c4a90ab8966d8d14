"""A knowledge base of the pages read, from the command line: an answer by paths that replays without its archive."""

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from tests.tools.skb.league import PAGES

Cli = Callable[..., Result]
TWO_HOPS = "Which clubs of the league play in grounds opened before 1930?"


def test_a_question_of_two_hops_is_answered_by_paths_over_the_pages_and_replays(
    cli: Cli, tmp_path: Path, home: Path
) -> None:
    folder = tmp_path / "league"
    folder.mkdir()
    for title, body in PAGES.items():
        (folder / f"{title}.html").write_text(f"<title>{title}</title><h1>{title}</h1>{body}", encoding="utf8")
    assert cli("snapshot", "build", folder, tmp_path / "league.zim").exit_code == 0
    source = ("--source", f"zim:{tmp_path / 'league.zim'}", "--memory", "off")
    asked = cli("ask", *source, "--skb-from-pages", "--json", TWO_HOPS)
    told = json.loads(asked.stdout)
    assert {claim["verdict"] for claim in told["claims"]} <= {"quoted", "supported"}
    assert [claim["text"] for claim in told["claims"]] == [
        "Leeford: ground Mill Lane; opened 1912",
        "Harrow Bridge: ground The Dell; opened August 1926",
    ]
    assert {cited["title"] for cited in told["citations"]} == {"Vale League", "Mill Lane", "The Dell"}
    (tmp_path / "league.zim").unlink()
    assert [path.name for path in home.iterdir() if path.name == "runs"]
    replayed = cli("replay", "last")
    assert replayed.exit_code == 0
    assert replayed.stdout.endswith("trace events are byte-identical\n")
