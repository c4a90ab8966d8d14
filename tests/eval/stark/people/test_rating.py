"""`heliograph eval stark rate`: line by line, by a form, and in figures."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app import main
from eval.stark.people.rating import Rating, query_cases, rating_line, read_ratings, set_case
from eval.stark.queries import StarkQuery
from heliograph.errors import UsageError

QUERIES = tuple(StarkQuery(str(number), f"Which moon is number {number}?", (), "test") for number in range(3))


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    path = tmp_path / "q.jsonl"
    path.write_text("".join(f'{{"query": "{each.text}", "answer_ids": [], "id": {each.id}}}\n' for each in QUERIES))
    return path


def rate(queries: Path, *options: object, lines: str = "") -> Result:
    given = ["eval", "stark", "rate", queries, "--out", queries.with_name("r.jsonl"), *options]
    return CliRunner().invoke(main, list(map(str, given)), input=lines, prog_name="heliograph")


def figures(queries: Path) -> list[tuple[str, tuple[int, int, int]]]:
    return [(each.rater, each.values) for each in read_ratings(queries.with_name("r.jsonl"))]


def test_ratings_are_kept_taken_back_and_gone_on_with(queries: Path) -> None:
    first = rate(queries, "--rater", "anna", lines="4 3 5\n111\nu\ns\n")
    assert "1 rated by anna, 2 left" in first.stderr
    second = rate(queries, "--rater", "anna", lines="9 9 9\n2,2,2\n333\nu\n555\nq\n4 4 4\n")
    assert "'9 9 9' is no rating\n1 of 2" in second.stdout
    assert "2 rated by anna, 0 left" in second.stderr
    assert figures(queries) == [("anna", (4, 3, 5)), ("anna", (2, 2, 2)), ("anna", (5, 5, 5))]
    assert rate(queries, "--rater", "anna", lines="111\n").stdout == ""


def test_raters_are_summarised_together(queries: Path) -> None:
    for rater, line in (("anna", "5 3 1\n"), ("bert", "4 4 2\n")):
        rate(queries, "--rater", rater, "--first", 1, lines=line)
    told = json.loads(rate(queries, "--json").stdout)
    assert told["aspects"]["naturalness"] == {"mean": 4.5, "positive": 1.0, "non_negative": 1.0}
    assert [each["aspect"] for each in told["agreements"]] == ["naturalness", "diversity", "practicality"]
    assert "anna, bert     diversity" in rate(queries, "--summary").stdout


def test_a_form_is_written_filled_and_read_once(queries: Path) -> None:
    form = queries.with_name("form.csv")
    assert f"{form}: 3 rows" in rate(queries, "--form", form).stdout
    assert rate(queries, "--form", form).exit_code == 2
    form.write_text(form.read_text(encoding="utf8").replace(",,,", ",5,4,3"), encoding="utf8")
    assert "3 ratings of cleo are new, 0 were there" in rate(queries, "--rater", "cleo", "--read", form).stderr
    assert "0 ratings of cleo are new, 3 were there" in rate(queries, "--rater", "cleo", "--read", form).stderr
    form.write_text(form.read_text(encoding="utf8").replace(",5,4,3", ",1,4,3"), encoding="utf8")
    refused = rate(queries, "--rater", "cleo", "--read", form)
    assert (refused.exit_code, "has rated" in refused.stderr) == (2, True)
    assert figures(queries) == [("cleo", (5, 4, 3))] * 3


def test_a_set_is_rated_as_a_whole(queries: Path) -> None:
    shown = rate(queries, "--rater", "anna", "--set", lines="4 4 4\n")
    assert all(each.text in shown.stdout for each in QUERIES)
    assert "1 ratings of 1 of 1 cases (unit: set), by anna" in rate(queries, "--set", "--summary").stdout
    assert "0 ratings of 0 of 3 cases (unit: query), by nobody" in rate(queries, "--summary").stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "say who rates with --rater"),
        (("--summary",), "no ratings at"),
        (("--summary", "--form", "f.csv"), "give one of them"),
    ],
)
def test_what_cannot_be_rated_is_refused(queries: Path, options: tuple[str, ...], said: str) -> None:
    done = rate(queries, *options)
    assert (done.exit_code, said in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("notes\n", "r.jsonl"),
        (rating_line(Rating("q0", "anna", 1, 2, 3)) * 2, "r.jsonl:2: anna has rated this case above"),
        (rating_line(Rating("q0", "anna", 1, 2, 6)), "r.jsonl:1: practicality"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "r.jsonl").write_text(content)
    with pytest.raises(UsageError, match=said):
        read_ratings(tmp_path / "r.jsonl")


def test_everybody_gets_the_same_cases() -> None:
    assert query_cases(QUERIES) == query_cases(QUERIES[::-1])
    assert len(query_cases((*QUERIES, StarkQuery("9", QUERIES[0].text, (), "")))) == 3
    assert set_case(QUERIES, 2) != set_case(QUERIES)
