"""What is reused of pages, vectors and judgements, counted by hand."""

from dataclasses import replace

import pytest

from eval.omgqa.records import AUTHORS
from eval.omgqa.reporting.figures import Figure, scored
from eval.omgqa.reporting.reuse import COLUMNS, UNTOLD, Reuse, reuse, reuse_by_system
from eval.omgqa.reporting.tables import Table
from eval.omgqa.results import JudgedRun, Results
from heliograph.types import Usage, VectorUse
from tests.eval.omgqa.reporting.moons import DUCK, QUESTIONS, RESULTS, WIKI, answered


def told(name: str, each: JudgedRun, pages_read: int, embedded: int, vectors: VectorUse | None) -> JudgedRun:
    usage = Usage(pages_read=pages_read, embedded=embedded, vectors=vectors)
    return replace(each, run=replace(each.run, run=name, usage=usage))


FIRST = told("8:01", answered(WIKI, "m1", "Io/p1 Io/p2", "Io/p1"), 1, 8, VectorUse(10, 10))
SECOND = told("8:02", answered(DUCK, "m1", "Io/p1 Loki/p2", "Io/p1"), 1, 5, VectorUse(15, 5))
THIRD = told("8:03", answered(DUCK, "m2", "Iapetus/i1", "Iapetus/i1"), 0, 0, VectorUse(4, 4))
SHARED = replace(RESULTS, runs=(FIRST, SECOND, THIRD))


def cells(table: Table, system: str) -> dict[str, float | None]:
    row = next(row for row in table.rows if row.cells[0] == system)
    return {
        column: cell.value for column, cell in zip(table.columns, row.cells, strict=True) if isinstance(cell, Figure)
    }


def test_an_answer_reuses_what_an_earlier_one_fetched_embedded_and_had_judged() -> None:
    table = reuse(scored(SHARED))
    assert cells(table, WIKI) == dict(
        zip(COLUMNS[1:], (1, 1, 0, 10, 0, 2, 8, pytest.approx(0.2), 5, 5, 0), strict=True)
    )
    duck = (3, 1, pytest.approx(2 / 3), 19, 10, 4, 5, pytest.approx(14 / 19), 9, 5, pytest.approx(4 / 9))
    assert cells(table, DUCK) == dict(zip(COLUMNS[1:], duck, strict=True))
    every = (4, 2, 0.5, 29, 10, 6, 13, pytest.approx(16 / 29), 14, 10, pytest.approx(4 / 14))
    assert cells(table, "all") == dict(zip(COLUMNS[1:], every, strict=True))
    assert sorted(table.rows[-1].systems) == sorted((WIKI, DUCK))


def test_who_came_first_is_told_by_the_names_of_the_runs() -> None:
    late = told("8:04", FIRST, 1, 8, VectorUse(10, 10))
    found = reuse_by_system(replace(SHARED, runs=(late, THIRD, SECOND)))
    assert found[WIKI] == Reuse(1, 1, 10, 10, 8, cases=5, judged=1)
    assert found[DUCK] == Reuse(3, 1, 19, 9, 5, cases=9, judged=9)


def test_evidence_that_authors_labelled_needs_no_word_of_the_judge() -> None:
    labelled = replace(SHARED, pool=tuple(each for each in SHARED.pool if each.judge == AUTHORS))
    found = reuse_by_system(labelled)
    assert (found[WIKI].cases, found[WIKI].judged) == (3, 3)
    assert (found[DUCK].cases, found[DUCK].judged) == (6, 3)


def test_answers_that_do_not_tell_of_vectors_leave_their_figures_empty() -> None:
    table = reuse(scored(replace(SHARED, runs=(told("8:01", FIRST, 1, 8, None), SECOND))))
    vectors = COLUMNS[4:9]
    assert [cells(table, WIKI)[column] for column in vectors] == [None] * 5
    assert [cells(table, "all")[column] for column in vectors] == [None] * 5
    assert [cells(table, DUCK)[column] for column in vectors] == [15, 10, 0, 5, pytest.approx(2 / 3)]
    assert table.note.endswith(UNTOLD)


def test_an_answer_that_read_nothing_needed_no_vectors() -> None:
    nothing = told("", answered(WIKI, "m4", "", abstained=True), 0, 0, None)
    assert reuse_by_system(replace(SHARED, runs=(nothing,))) == {WIKI: Reuse()}
    assert cells(reuse(scored(replace(SHARED, runs=(nothing,)))), "all")["embeddings reused"] is None


def test_a_page_that_was_fetched_and_not_read_takes_no_share_below_nothing() -> None:
    redirected = told("", FIRST, 3, 8, VectorUse(10, 10))
    assert cells(reuse(scored(replace(SHARED, runs=(redirected,)))), "all")["pages reused"] == 0


def test_without_answers_the_table_says_so() -> None:
    table = reuse(scored(Results("code", {}, QUESTIONS, (), ())))
    assert (table.rows, table.empty) == ((), "No system has answered a question yet.")
