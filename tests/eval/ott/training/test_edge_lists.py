"""Lists to learn from: what is right is never among what is wrong, and the same seed draws the same lists."""

import random
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ott.corpus import OttCorpus
from eval.ott.judging import gold_of
from eval.ott.matching import matchable, says
from eval.ott.nodes import edge_lines, line_of_passage, segment_line
from eval.ott.postings import OttPostings
from eval.ott.questions import OttQuestion
from eval.ott.training.edge_lists import (
    DEVELOPMENT,
    EdgeLists,
    Retrieved,
    asked_as,
    decontextualised,
    development_lists,
    retrieved,
    told_questions,
)
from eval.ott.training.expansion_lists import NOTHING, passage_pool, segment_pool
from eval.ott.training.node_lists import DEVELOPED_NODES, NodeLists, Pool, seed_pool
from heliograph.errors import UsageError
from indexers.models.training.examples import Example, Examples
from tests.eval.ott.learned import ANSWER, Drawn, drawn_questions, many_questions
from tests.eval.ott.lights import BY_WHOM, WHEN, write_questions

POOLINGS = (seed_pool, passage_pool, segment_pool)
CHANCE = random.Random(0)


def asked(question: OttQuestion, corpus: OttCorpus) -> Retrieved:
    """Return a question whose ranking is that of the corpus."""
    return Retrieved(question, gold_of(question, corpus), corpus.edges)


def every_kind(drawn: Drawn) -> list[Examples]:
    nodes = [NodeLists(drawn.questions, drawn.corpus, partial(pooling, drawn.corpus)) for pooling in POOLINGS]
    return [EdgeLists(drawn.questions, drawn.corpus), *nodes]


@given(drawn_questions(), st.integers(0, 3), st.integers(0, 3))
def test_positives_are_never_among_negatives_and_no_negative_says_the_answer(
    drawn: Drawn, number: int, seed: int
) -> None:
    for lists in every_kind(drawn):
        for example in lists.epoch(number, seed):
            assert example.positives
            assert not set(example.positives) & set(example.negatives)
            said = [matchable(" ".join(candidate)) for candidate in example.negatives]
            assert not any(says(text, matchable(ANSWER)) for text in said)


@given(drawn_questions(), st.integers(0, 3), st.integers(0, 3))
def test_the_same_seed_draws_the_same_lists_for_every_question_with_gold(drawn: Drawn, number: int, seed: int) -> None:
    for lists, again in zip(every_kind(drawn), every_kind(drawn), strict=True):
        found = lists.epoch(number, seed)
        assert found == again.epoch(number, seed)
        assert lists.digest == again.digest
        assert len(found) == len(lists.epoch(number + 1, seed))
    edges, seeds, passages, segments = (lists.epoch(number, seed) for lists in every_kind(drawn))
    golden = [each.gold for each in drawn.questions if each.gold.rows or each.gold.edges]
    assert len(edges) == len(golden)
    assert len(passages) == sum(bool(gold.edges) for gold in golden)
    linking = {row for row, passage in drawn.corpus.edges.tolist() if passage >= 0}
    assert len(segments) == sum(bool(gold.rows & linking) for gold in golden)
    assert len(seeds) == sum(bool(gold.edges or gold.rows & linking) for gold in golden)


def test_an_edge_list_has_gold_edges_and_others_of_its_table_and_elsewhere(corpus: OttCorpus) -> None:
    (example,) = EdgeLists([asked(BY_WHOM, corpus)], corpus).epoch(0, 0)
    assert example.positives == (edge_lines(corpus, 1, 2),)
    assert sorted(example.negatives) == sorted(edge_lines(corpus, *edge) for edge in ((0, 1), (1, 0), (2, -1), (3, 1)))


def test_a_foreign_edge_that_says_the_answer_is_no_negative(corpus: OttCorpus) -> None:
    (example,) = EdgeLists([asked(WHEN, corpus)], corpus).epoch(0, 0)
    assert edge_lines(corpus, 3, 1) not in example.negatives


def test_seeds_are_the_neighbours_of_nodes_with_the_answer(corpus: OttCorpus) -> None:
    assert seed_pool(corpus, asked(BY_WHOM, corpus), CHANCE) == Pool(
        positives=(segment_line(corpus, 1),),
        near=(segment_line(corpus, 0), line_of_passage(corpus, 1), line_of_passage(corpus, 0), segment_line(corpus, 2)),
        far=(segment_line(corpus, 3),),
    )
    by_cell = seed_pool(corpus, asked(WHEN, corpus), CHANCE)
    assert by_cell.positives == (segment_line(corpus, 0), line_of_passage(corpus, 1))
    assert segment_line(corpus, 3) not in by_cell.far  # it links the passage with the answer


def test_a_passage_is_found_from_the_gold_row_that_links_it(corpus: OttCorpus) -> None:
    assert passage_pool(corpus, asked(BY_WHOM, corpus), CHANCE) == Pool(
        positives=(line_of_passage(corpus, 2),),
        near=(line_of_passage(corpus, 0), line_of_passage(corpus, 1)),
        far=(),
        seed=segment_line(corpus, 1),
    )


def test_a_row_is_found_from_a_passage_that_it_links(corpus: OttCorpus) -> None:
    assert segment_pool(corpus, asked(WHEN, corpus), CHANCE) == Pool(
        positives=(segment_line(corpus, 0),),
        near=(segment_line(corpus, 1), segment_line(corpus, 2)),
        far=(segment_line(corpus, 3),),
        seed=line_of_passage(corpus, 1),
    )
    assert segment_pool(corpus, asked(BY_WHOM, corpus), CHANCE) == NOTHING  # its answer is in no cell


def test_an_expanded_query_is_the_question_with_the_line_of_the_node(corpus: OttCorpus) -> None:
    lists = NodeLists([asked(BY_WHOM, corpus)], corpus, partial(passage_pool, corpus))
    (whole,) = lists.whole()
    assert whole == Example(
        f"By whom in Lights List -- Sound ? | {segment_line(corpus, 1)}",
        ((line_of_passage(corpus, 2),),),
        ((line_of_passage(corpus, 0),), (line_of_passage(corpus, 1),)),
    )


def test_a_development_question_has_all_right_nodes_and_the_hardest_wrong_ones(corpus: OttCorpus) -> None:
    right, near, far = (tuple(f"{name} {number}" for number in range(50)) for name in ("right", "near", "far"))
    lists = NodeLists([asked(BY_WHOM, corpus)], corpus, lambda _asked, _draw: Pool(right, near, far))
    (whole,) = lists.whole()
    assert whole.positives == tuple((line,) for line in right)
    assert whole.negatives == tuple((line,) for line in (*near[:DEVELOPED_NODES], *far[:DEVELOPED_NODES]))


def test_development_lists_are_the_ranking_with_gold_first(corpus: OttCorpus) -> None:
    (found,) = development_lists([asked(BY_WHOM, corpus)], corpus, depth=3)
    assert found == Example(
        "By whom in Lights List -- Sound ?",
        (edge_lines(corpus, 1, 2),),
        (edge_lines(corpus, 0, 1), edge_lines(corpus, 1, 0)),
    )


def test_questions_are_asked_in_three_ways(corpus: OttCorpus) -> None:
    drawn = {asked_as(BY_WHOM, corpus, random.Random(seed)) for seed in range(30)}
    assert drawn == {"By whom?", "By whom in Lights ?", "By whom in Lights List -- Sound ?"}
    elsewhere = OttQuestion("q", "By whom?", ("x",), "Nowhere_0", ())
    assert decontextualised(elsewhere, corpus, section=True) == "By whom?"


def test_questions_are_ranked_as_they_are_asked_of_all_tables(corpus: OttCorpus) -> None:
    bm25 = OttPostings.of(corpus, lambda _: None).over(corpus)
    (found,) = retrieved([BY_WHOM], corpus, bm25)
    assert found.gold == gold_of(BY_WHOM, corpus)
    assert found.edges[-1] == (3, 1)  # of the other table
    assert sorted(found.edges) == [(0, 1), (1, 0), (1, 2), (2, -1), (3, 1)]


def test_a_teacher_scores_what_is_drawn_and_names_the_lists(corpus: OttCorpus) -> None:
    class Teacher:
        name = "counting"

        def scores(self, question, edges, among=()):
            assert set(edges) <= set(among)
            return tuple(float(row) for row, _ in edges)

    plain, taught = (EdgeLists([asked(BY_WHOM, corpus)], corpus, teacher) for teacher in (None, Teacher()))
    (example,), (same,) = taught.epoch(0, 0), plain.epoch(0, 0)
    assert (example.positives, example.negatives) == (same.positives, same.negatives)
    rows = {edge_lines(corpus, row, passage): float(row) for row, passage in corpus.edges.tolist()}
    assert example.teacher == tuple(rows[candidate] for candidate in example.candidates)
    assert same.teacher == ()
    assert taught.digest != plain.digest


def test_a_training_needs_questions_behind_those_held_out(tmp_path: Path) -> None:
    path = write_questions(tmp_path / "questions.jsonl", many_questions(learned=2))
    assert len(told_questions(path, held_out=1)) == DEVELOPMENT + 2
    with pytest.raises(UsageError, match="has 302 questions; the first 302 are held out, so none is left"):
        told_questions(path, held_out=2)
