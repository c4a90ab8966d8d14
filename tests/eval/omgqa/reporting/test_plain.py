"""A report in a terminal, as Markdown and as JSON."""

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from eval.omgqa.reporting.figures import Figure
from eval.omgqa.reporting.plain import escaped, printable, report_markdown, report_text, table_markdown, table_text
from eval.omgqa.reporting.record import report_json
from eval.omgqa.reporting.report import report
from eval.omgqa.reporting.tables import Row, Table, count
from eval.omgqa.results import JudgedRun, Results
from tests.eval.omgqa.reporting.moons import DUCK, LARGE, MULTI, RESULTS, RUNS, any_runs

TABLE = Table(
    "moons",
    "Moons (Table 0)",
    ("planet", "moon", "share", "count"),
    (
        Row(("Mars", "Phobos", Figure(0.5, 0.25), count(1200))),
        Row(("Mars", "Dei|mos", Figure(None), count(3))),
    ),
    "No moons.",
    note="Seen by night.",
    grouped=1,
)


def test_text_is_aligned_and_says_a_group_once() -> None:
    assert table_text(TABLE).splitlines() == [
        "Moons (Table 0)",
        "planet  moon      share  count",
        "Mars    Phobos    0.500  1,200",
        "                 ±0.250",
        "        Dei|mos       –      3",
        "Seen by night.",
    ]


def test_markdown_has_deviations_behind_figures_and_no_stray_columns() -> None:
    assert table_markdown(TABLE).splitlines() == [
        "## Moons (Table 0)",
        "",
        "| planet | moon | share | count |",
        "| --- | --- | ---: | ---: |",
        "| Mars | Phobos | 0.500 ±0.250 | 1,200 |",
        r"| Mars | Dei\|mos | – | 3 |",
        "",
        "Seen by night.",
    ]


def test_a_table_without_rows_is_one_line() -> None:
    bare = replace(TABLE, rows=())
    assert table_text(bare) == "Moons (Table 0): No moons."
    assert table_markdown(bare) == "## Moons (Table 0)\n\nNo moons."


def test_a_report_begins_with_what_it_is_of() -> None:
    text = report_text(report(RESULTS))
    assert text.startswith(
        "19 answers of 4 of 5 systems to 4 questions, judged by judge-model\n\nSystems by the average"
    )
    assert f"{LARGE}  [llms.large] base_url: no server is named for it" in text
    assert "Graph of tables and text: No two systems that ran differ in their graph alone." in text


def test_a_report_of_nothing_says_so_in_every_table() -> None:
    nothing = report(Results("nobody", {}, {}, (), ()))
    assert all(not table.rows for table in nothing.tables)
    assert len(report_text(nothing).strip().split("\n\n")) == 1 + len(nothing.tables)


@given(st.text())
def test_what_is_printed_stays_on_its_line(text: str) -> None:
    assert printable(text).isprintable()
    assert escaped(text).count("|") == escaped(text).count("\\|")


def test_json_has_every_figure_of_every_question() -> None:
    record = json.loads(report_json(report(RESULTS)))
    assert record["schema"] == "heliograph.omgqa.report/1"
    assert list(record["systems"])[:2] == [DUCK, MULTI]
    answers = record["systems"][MULTI]["answers"]
    assert [(each["question"], each["seed"]) for each in answers] == [
        (f"m{number}", seed) for number in range(1, 5) for seed in range(2)
    ]
    assert answers[0]["measures"]["PER"] == 1.0
    assert answers[0]["rounds"]["RER"] == [2 / 3, 1.0]
    assert answers[0]["cost"]["seconds"] == 4.5
    assert record["systems"][LARGE]["rank"] is None
    assert record["systems"][LARGE]["lacking"] == ["[llms.large] base_url: no server is named for it"]
    assert record["questions"]["m3"]["relevant"] == 4
    assert record["tables"]["ranking"]["rows"][0]["cells"]["system"] == DUCK
    assert set(record["tables"]["ranking"]["rows"][1]["deviations"]) >= {"Avg", "PER", "bpref"}


@given(any_runs())
@settings(max_examples=25, deadline=None)
def test_any_results_can_be_reported(runs: tuple[JudgedRun, ...]) -> None:
    found = report(replace(RESULTS, runs=runs))
    assert report_text(found) and report_markdown(found) and json.loads(report_json(found))


@given(st.permutations(RUNS), st.permutations(RESULTS.pool))
@settings(max_examples=10, deadline=None)
def test_equal_results_give_equal_text(runs: list[JudgedRun], pool: list) -> None:
    shuffled, plain = report(replace(RESULTS, runs=tuple(runs), pool=tuple(pool))), report(RESULTS)
    assert report_text(shuffled) == report_text(plain)
    assert report_json(shuffled) == report_json(plain)
