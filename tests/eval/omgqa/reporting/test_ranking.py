"""The ranking by hand, and what holds of the figures of any results."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.omgqa.measures import AVERAGE, means, measures_of
from eval.omgqa.reporting.figures import Figure, scored
from eval.omgqa.reporting.ranking import MEASURED, UNASKED, beside, correctness, lacking, ranking
from eval.omgqa.reporting.tables import Table, count
from eval.omgqa.results import JudgedRun, Results
from tests.eval.omgqa.reporting.moons import (
    DUCK,
    LARGE,
    MULTI,
    QUESTIONS,
    RESULTS,
    RUNS,
    SINGLE,
    SYSTEMS,
    WIKI,
    any_runs,
)


def figures(table: Table, system: str, *columns: str) -> list[str]:
    (row,) = (row for row in table.rows if system in row.cells)
    return [str(row.cells[table.columns.index(column)]) for column in columns]


def test_systems_stand_by_the_average_of_the_ten() -> None:
    table = ranking(scored(RESULTS))
    assert [row.cells[1] for row in table.rows] == [DUCK, MULTI, SINGLE, WIKI]
    assert figures(table, DUCK, "rank", AVERAGE) == ["1", "0.776"]


def test_the_unjudged_rate_and_bpref_stand_beside_precision() -> None:
    columns = ranking(scored(RESULTS)).columns
    at = columns.index("PER")
    assert columns[at : at + 3] == ("PER", "unjudged", "bpref")


def test_figures_of_a_system_by_hand() -> None:
    # m1 retrieves one relevant of two, m2 one irrelevant, m3 one relevant and one unjudged of three
    assert figures(ranking(scored(RESULTS)), WIKI, "PER", "unjudged", "RER") == ["0.278", "0.111", "0.194"]
    # of one claim a question, m1's is supported, m2 has none, m3's is not
    assert figures(beside(scored(RESULTS)), WIKI, "citation recall", "true abstention", "false abstention") == [
        "0.333",
        "–",  # it was not asked what has no answer
        "0.333",
    ]


def test_correctness_by_hand() -> None:
    table = correctness(scored(RESULTS))
    columns = ("correct", "coverage", "selective accuracy", "correct by judge", "answers", "questions")
    # of m1 to m3 it answers two, one of them rightly
    assert figures(table, WIKI, *columns) == ["0.333", "0.667", "0.500", "–", "2", "3"]
    # it abstains where there is no answer
    assert figures(table, DUCK, *columns) == ["1.000", "0.750", "1.000", "–", "3", "4"]
    # it answers m4, which has no answer, and is wrong there and on m3
    assert figures(table, SINGLE, *columns) == ["0.667", "1.000", "0.500", "–", "4", "4"]
    assert table.note.endswith(UNASKED)


def test_correctness_by_a_judge_stands_beside_that_by_strings() -> None:
    runs = tuple(replace(each, judged=replace(each.judged, states_accepted=each.run.question == "m3")) for each in RUNS)
    table = correctness(scored(replace(RESULTS, runs=runs, correctness="qwen")))
    assert figures(table, WIKI, "correct by judge", "selective accuracy by judge") == ["0.333", "0.500"]
    assert table.note.endswith("The judge is qwen.")


def test_what_all_systems_lack_is_said_once() -> None:
    lacking_all = {name: replace(each, lacking=("a server",)) for name, each in SYSTEMS.items()}
    table = lacking(scored(replace(RESULTS, systems=lacking_all, runs=())))
    assert [row.cells for row in table.rows] == [("all 5 systems", "a server", count(0))]


def test_seeds_have_a_mean_and_a_deviation() -> None:
    (standing,) = (each for each in scored(RESULTS).standings if each.system == MULTI)
    # seed 0 has 1, 1, 1 and seed 1 has 1, 1/2, 1
    assert standing.figures["PER"] == Figure(pytest.approx(11 / 12), pytest.approx((1 / 6) / 2**0.5))
    assert (standing.seeds, standing.questions) == ((0, 1), ("m1", "m2", "m3", "m4"))


def test_a_single_seed_has_no_deviation() -> None:
    assert all(figure.deviation is None for figure in scored(RESULTS).standings[0].figures.values())


def test_what_a_system_lacks_is_listed() -> None:
    (row,) = lacking(scored(RESULTS)).rows
    assert row.cells == (LARGE, "[llms.large] base_url: no server is named for it", count(0))


def test_a_system_that_did_not_run_is_listed_though_it_lacks_nothing() -> None:
    table = lacking(scored(replace(RESULTS, systems={SINGLE: SYSTEMS[SINGLE]}, runs=())))
    assert [row.cells for row in table.rows] == [(SINGLE, "nothing: it has not run yet", count(0))]


def test_a_system_whose_answers_were_not_judged_in_all_of_the_ten_comes_last() -> None:
    unasked = tuple(
        replace(each, judged=replace(each.judged, correct_use=None)) if each.run.system == DUCK else each
        for each in RUNS
    )
    table = ranking(scored(replace(RESULTS, runs=unasked)))
    assert [row.cells[1] for row in table.rows] == [MULTI, SINGLE, WIKI, DUCK]
    assert figures(table, DUCK, AVERAGE, "CUE", "PER") == ["–", "–", "0.833"]


@given(any_runs())
@settings(max_examples=50, deadline=None)
def test_the_ranking_is_by_the_average(runs: tuple[JudgedRun, ...]) -> None:
    averages = [each.figures.get(AVERAGE, Figure(-1.0)).value for each in scored(replace(RESULTS, runs=runs)).standings]
    assert averages == sorted(averages, key=lambda each: -(each or 0.0))


@given(any_runs())
@settings(max_examples=50, deadline=None)
def test_every_figure_of_one_seed_is_a_mean_over_its_questions(runs: tuple[JudgedRun, ...]) -> None:
    once = tuple(each for each in runs if each.run.seed == 0)
    table = ranking(scored(replace(RESULTS, runs=once)))
    for row in table.rows:
        expected = means(measures_of(each.judged) for each in once if each.run.system == row.cells[1])
        assert row.cells[2:] == tuple(
            Figure(pytest.approx(expected[name]) if name in expected else None) for name in MEASURED
        )


@given(st.permutations(RUNS), st.permutations(RESULTS.pool), st.permutations(list(SYSTEMS.items())))
@settings(max_examples=15, deadline=None)
def test_no_order_makes_a_difference(runs: list[JudgedRun], pool: list, systems: list) -> None:
    shuffled = Results(RESULTS.judge, dict(systems), QUESTIONS, tuple(pool), tuple(runs))
    assert scored(shuffled).standings == scored(RESULTS).standings
