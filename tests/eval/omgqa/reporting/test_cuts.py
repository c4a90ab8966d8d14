"""Cuts of a grid: the paper's Table 2 out of its Table 9, and what is no comparison."""

from dataclasses import replace

import pytest

from eval.omgqa.grid import GRIDS, read_systems
from eval.omgqa.judging.answers import AskedOf
from eval.omgqa.judging.cases import Task, Word
from eval.omgqa.judging.words import Asked, Said
from eval.omgqa.reporting.cost import cost
from eval.omgqa.reporting.cuts import CUTS, cut
from eval.omgqa.reporting.figures import Figure, Scored, Standing, scored
from eval.omgqa.reporting.modalities import modalities
from eval.omgqa.reporting.pool import agreement, judges, statistics
from eval.omgqa.reporting.rounds import rounds
from eval.omgqa.reporting.tables import Table
from tests.eval.omgqa.reporting.moons import DUCK, MODEL, MULTI, POOL, PROMPT, RESULTS, SINGLE, WIKI

PAPER = {each.name: each for each in read_systems(GRIDS / "paper.toml")}
LLAMA = {
    "D TO te-gte llama-3-8b SR": 0.527,
    "D TO te-sfr llama-3-8b SR": 0.463,
    "D TO te-arctic llama-3-8b SR": 0.355,
    "D TO h-gte llama-3-8b SR": 0.502,
    "D TO h-sfr llama-3-8b SR": 0.449,
    "D TO h-arctic llama-3-8b SR": 0.342,
    "D TO g llama-3-8b SR": 0.394,
    "D TO s llama-3-8b SR": 0.377,
    "D TI te-gte+ie-clip llama-3-8b SR": 0.522,
    "D MS te-gte+ie-clip llama-3-8b SR": 0.526,
}
"""PER in the paper's Table 9."""
BY_KEY = {each.key: each for each in CUTS}


def words(table: Table) -> list[tuple[str, ...]]:
    return [tuple(map(str, row.cells)) for row in table.rows]


def column(table: Table, name: str) -> list[str]:
    return [str(row.cells[table.columns.index(name)]) for row in table.rows]


def of_the_paper(values: dict[str, float]) -> Scored:
    standings = tuple(Standing(name, {"PER": Figure(value)}, ()) for name, value in values.items())
    return Scored(replace(RESULTS, systems=PAPER), standings, {})


def test_table_2_is_the_mean_over_text_retrievers_of_table_9() -> None:
    table = cut(BY_KEY["indexing"], of_the_paper(LLAMA))
    assert [(row.cells[1], str(row.cells[2]), str(row.cells[-1])) for row in table.rows] == [
        ("modality-specific", "0.526", "1"),
        ("text-only", "0.426", "8"),  # 0.43 in the paper
        ("textual-visual", "0.522", "1"),
    ]


def test_table_3_has_a_row_for_each_retriever_and_embedding() -> None:
    table = cut(BY_KEY["text-retriever"], of_the_paper(LLAMA))
    assert {row.cells[0] for row in table.rows} == {"duckduckgo text-only llama-3-8b single-round"}
    assert [(row.cells[1], str(row.cells[2])) for row in table.rows] == [
        ("dense arctic", "0.355"),
        ("dense gte", "0.527"),
        ("dense sfr", "0.463"),
        ("generative", "0.394"),
        ("hybrid-generative arctic", "0.342"),
        ("hybrid-generative gte", "0.502"),
        ("hybrid-generative sfr", "0.449"),
        ("sparse", "0.377"),
    ]


def test_a_value_s_mean_is_over_the_comparisons_that_have_all_values() -> None:
    table = cut(
        BY_KEY["documents"],
        of_the_paper(
            {
                "W TO s llama-3-8b SR": 0.2,
                "D TO s llama-3-8b SR": 0.4,
                "W TO s mistral-7b SR": 0.4,
                "D TO s mistral-7b SR": 0.8,
                "D TO s gpt-4 SR": 1.0,  # which no other stands beside
            }
        ),
    )
    (first, second) = (row for row in table.rows if row.summary)
    assert (first.cells[:2], second.cells[:2]) == (("mean of 2", "duckduckgo"), ("mean of 2", "wikipedia"))
    assert len(table.rows) == 4 + 2
    assert first.systems == ("D TO s llama-3-8b SR", "D TO s mistral-7b SR")


def test_document_retrievers_by_hand() -> None:
    table = cut(BY_KEY["documents"], scored(RESULTS))
    assert words(table) == [
        ("text-only sparse little single-round", "duckduckgo", "1.000", "0.889", "0.933", "1"),
        ("text-only sparse little single-round", "wikipedia", "0.889", "0.722", "0.778", "1"),
    ]
    assert [row.systems for row in table.rows] == [(DUCK,), (WIKI,)]


def test_a_cut_without_a_pair_says_so() -> None:
    table = cut(BY_KEY["llm"], scored(RESULTS))
    assert (table.rows, table.empty) == ((), "No two systems that ran differ in their language model alone.")


def test_strategies_keep_the_deviation_of_their_seeds() -> None:
    several, single = cut(BY_KEY["strategy"], scored(RESULTS)).rows
    assert (several.cells[1], several.systems, single.systems) == ("multi-round", (MULTI,), (SINGLE,))
    per = several.cells[5]
    assert isinstance(per, Figure) and per.deviation == pytest.approx((1 / 6) / 2**0.5)


def test_a_run_that_ended_keeps_its_evidence_in_later_rounds() -> None:
    table = rounds(scored(RESULTS))
    mine = [words(table)[place] for place, row in enumerate(table.rows) if row.cells[0] == MULTI]
    assert [row[1:] for row in mine] == [
        ("1", "0.639", "0.678", "6"),  # RER of seed 0: 2/3, 1, 1/4; of seed 1: 2/3, 1, 1/4
        ("2", "0.778", "0.800", "3"),  # 1, 1, 1/2 and 2/3, 1, 1/2
        ("3", "0.819", "0.832", "1"),
    ]


def test_questions_are_cut_by_how_many_modalities_they_need() -> None:
    table = modalities(scored(RESULTS))
    mine = [row for row in table.rows if row.cells[0] == SINGLE]
    assert [(str(row.cells[1]), str(row.cells[3]), str(row.cells[-1])) for row in mine] == [
        ("1", "1.000", "2"),  # m2; of m4 nothing is relevant
        ("2", "0.667", "1"),
        ("3", "0.500", "1"),
    ]
    assert [row.modalities for row in mine] == [1, 2, 3]


def test_costs_are_means_of_an_answer() -> None:
    table = cost(scored(RESULTS))
    at = column(table, "system").index(WIKI)
    assert words(table)[at] == (WIKI, "4.0", "1,200.0", "0.0", "90.0", "3.50", "2.0", "40.0", "0.0", "3")


def test_two_judges_agree_on_three_of_four() -> None:
    (row,) = agreement(scored(RESULTS)).rows
    # both relevant 2, only authors 1, both irrelevant 1: expected (3 * 2 + 1 * 2) / 16 = 1/2, kappa (3/4 - 1/2) / (1/2)
    assert tuple(map(str, row.cells)) == ("relevancy", "authors", MODEL, "4", "0.750", "0.500", "1", "0")
    assert row.disputed == ("m1",)


def said(task: Task, judge: str, prompt: str, words: str) -> dict[Asked, Said]:
    return {
        Asked(f"{task} of m{n}", judge, prompt): Said(task, Word(word == "y", 0.5 if prompt else None))
        for n, word in enumerate(words, 1)
    }


PEOPLE = replace(
    RESULTS,
    said={
        **said("relevancy", MODEL, "p1", "yn"),
        **said("correct_use", MODEL, "p2", "yyyn"),
        **said("correct_use", "anna", "", "yny"),
        **said("support", "anna", "", "yy"),
        **said("support", "bert", "", "yy"),
    },
    asked={f"correct_use of m{n}": AskedOf("correct_use", f"m{n}") for n in (1, 2)},
)


def test_every_task_that_two_judges_decided_has_its_row_with_the_cases_that_it_rests_on() -> None:
    table = agreement(scored(PEOPLE))
    assert words(table) == [
        ("relevancy", "authors", MODEL, "4", "0.750", "0.500", "1", "0"),
        # of three both say yes to two, and anna alone says no to one: 2/3; by chance (2 * 3 + 1 * 0) / 9 = 2/3
        ("correct use", "anna", MODEL, "3", "0.667", "0.000", "0", "1"),
        ("support", "anna", "bert", "2", "1.000", "–", "0", "0"),
    ]
    assert [row.disputed for row in table.rows] == [("m1",), ("m2",), ()]
    assert "A row rests on the cases that both decided" in table.note


def test_a_dispute_on_a_case_of_no_answer_at_hand_leads_nowhere() -> None:
    stale = replace(PEOPLE, asked={})
    assert [row.disputed for row in agreement(scored(stale)).rows] == [("m1",), (), ()]


def test_one_judge_agrees_with_nobody() -> None:
    alone = replace(RESULTS, pool=tuple(each for each in POOL if each.judge == MODEL))
    assert agreement(scored(alone)).rows == ()


def test_judges_are_listed_with_their_prompts() -> None:
    table = judges(scored(PEOPLE))
    assert words(table) == [
        ("relevancy", "authors", "–", "4", "0.750", "–"),
        ("relevancy", MODEL, PROMPT, "15", "0.533", "0.750"),  # 8 of them relevant
        ("correct use", "anna", "–", "3", "0.667", "–"),
        ("correct use", MODEL, "p2", "4", "0.750", "0.500"),
        ("support", "anna", "–", "2", "1.000", "–"),
        ("support", "bert", "–", "2", "1.000", "–"),
    ]
    assert f"The measures are by the words of {MODEL} alone" in table.note


def test_the_questions_in_figures() -> None:
    found = {str(row.cells[0]): str(row.cells[1]) for row in statistics(scored(RESULTS)).rows}
    assert found["questions"] == "4"
    assert found["questions with relevant evidence"] == "3"
    assert found["relevant pieces of evidence of an answerable question"] == "2.7"  # 3, 1 and 4
    assert found["relevant documents of an answerable question"] == "2.0"  # 2, 1 and 3
    assert found["share of questions that need 1 modality"] == "0.500"
    assert found["share of relevant evidence that is table"] == "0.250"
