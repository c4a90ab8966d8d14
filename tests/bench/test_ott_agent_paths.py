"""Questions of linked entities are asked both ways, once each, with the paths that an answer gives."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from bench.ott_agent_paths import draw, known_pairs, path_lines, render, run
from tests.tools.skb.league import PAGES

Cli = Callable[..., Result]
TWO_HOPS = "Which clubs of the league play in grounds opened before 1930?"


def test_a_pair_has_both_answers_and_the_steps_of_the_paths_and_is_asked_once(
    cli: Cli, tmp_path: Path, home: Path
) -> None:
    questions, queries = write_questions(tmp_path)
    folder, zim, out = tmp_path / "league", tmp_path / "league.zim", tmp_path / "out.jsonl"
    folder.mkdir()
    for title, body in PAGES.items():
        (folder / f"{title}.html").write_text(f"<title>{title}</title><h1>{title}</h1>{body}", encoding="utf8")
    assert cli("snapshot", "build", folder, zim).exit_code == 0
    drawn = draw(questions, queries, 60)
    assert [each.id for each in drawn] == ["linked"]
    asyncio.run(run(drawn, zim, home / "bench", out))
    written = out.read_bytes()
    (pair,) = known_pairs(out)
    assert (pair["id"], pair["gold"], pair["without"]["paths"], pair["without"]["plan"]) == (
        "linked",
        "Leeford",
        [],
        "",
    )
    told = pair["with"]
    assert told["right"]
    assert told["paths"][0]["path"] == "Leeford: ground Mill Lane; opened 1912"
    assert {step["title"] for step in told["paths"][0]["steps"]} == {"Vale League", "Mill Lane"}
    assert min(told["cpu"], told["seconds"], pair["without"]["cpu"]) > 0
    out.write_bytes(written + b'{"id": "torn')
    asyncio.run(run(drawn, tmp_path / "gone.zim", home / "bench", out))
    assert out.read_bytes() == written
    assert any("It was opened in 1912." in line for line in path_lines(pair))


def test_a_table_counts_what_is_right_wrong_and_abstained_and_shows_where_both_differ() -> None:
    none = {"right": False, "direct_right": False, "abstained": True, "cpu": 2.0, "first": True, "paths": []}
    right = none | {"right": True, "direct_right": True, "abstained": False, "cpu": 4.0, "answer": "Leeford"}
    wrong = right | {
        "right": False,
        "direct_right": False,
        "answer": "Oxley Town",
        "paths": [{"path": "Oxley Town"}],
        "first": False,
    }
    same = {"id": "a", "question": "Which?", "gold": "Leeford", "without": right, "with": right | {"first": False}}
    other = {"id": "b", "question": "Whose?", "gold": "Leeford", "without": none | {"answer": ""}, "with": wrong}
    lines = render([same, other]).splitlines()
    assert lines[2] == "| without | 2 | 1 | 1 | 0 | 1 | 0, 0 | 3.0 | – |"
    assert lines[3] == "| with | 2 | 1 | 1 | 1 | 0 | 1, 0 | – | 4.0 |"
    assert {line.count("|") for line in lines[:4]} == {10}
    assert lines[5:] == ["b Whose?", "  gold: Leeford", "  without, abstained: ", "  with, wrong: Oxley Town"]


def write_questions(folder: Path) -> tuple[Path, Path]:
    """Write two questions, of which one is answered by a linked entity, and the queries made of them."""
    questions, queries = folder / "questions.jsonl", folder / "queries.jsonl"
    node = {"node_text": "Leeford", "row": 0, "col": 0, "passage_id": None, "where": "table"}
    one = {"question": TWO_HOPS, "answer": "Leeford", "gold_table": "Vale_League_0", "answer_nodes": [node]}
    lines = [json.dumps({"question_id": id, **one}) for id in ("linked", "named")]
    questions.write_text("\n".join(lines), encoding="utf8")
    kinds = {"linked": "cell", "named": "name"}
    asked = [
        json.dumps({"id": id, "query": TWO_HOPS, "answer_ids": ["Leeford"], "kind": kind}) for id, kind in kinds.items()
    ]
    queries.write_text("\n".join(asked), encoding="utf8")
    return questions, queries
