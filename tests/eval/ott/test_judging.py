"""What is gold, by hand, for edges, nodes and stars; and what there is to find."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.ott.corpus import OttCorpus
from eval.ott.judging import Gold, Judged, gold_of, judge
from eval.ott.questions import AnswerNode, OttQuestion
from eval.ott.ranking import CUT, Ranking, Unit, UnitKind
from tests.eval.ott.lights import BY_WHOM, WHEN

EDGES = (Unit.edge(3, 1), Unit.edge(1, 0), Unit.edge(1, 2), Unit.edge(2, -1), Unit.edge(0, 1))
NODES = (Unit(1), Unit(None, (2,)), Unit(None, (1,)), Unit(0), Unit(3))
STARS = (Unit(3, (1,)), Unit(1, (2, 0)), Unit(0, (1,)), Unit(2))


def seen(*said: int) -> tuple[bool, ...]:
    return tuple(map(bool, said))


@pytest.mark.parametrize(
    ("question", "kind", "ranking", "judged"),
    [
        (BY_WHOM, "edge", EDGES, Judged(seen(0, 0, 1, 0, 0), seen(0, 0, 1, 0, 0), seen(0, 1, 1, 1, 1), 1)),
        (BY_WHOM, "node", NODES, Judged(seen(0, 1, 0, 0, 0), seen(0, 1, 0, 0, 0), seen(1, 0, 0, 1, 0), 1)),
        (BY_WHOM, "star", STARS, Judged(seen(0, 1, 0, 0), seen(0, 1, 0, 0), seen(0, 1, 1, 1), 1)),
        (WHEN, "edge", EDGES, Judged(seen(1, 0, 0, 0, 1), seen(0, 0, 0, 0, 1), seen(0, 1, 1, 1, 1), 1)),
        (WHEN, "node", NODES, Judged(seen(0, 0, 1, 1, 0), seen(0, 0, 1, 1, 0), seen(1, 0, 0, 1, 0), 2)),
        (WHEN, "star", STARS, Judged(seen(1, 0, 1, 0), seen(0, 0, 1, 0), seen(0, 1, 1, 1), 1)),
    ],
)
def test_a_ranking_is_judged_unit_by_unit(
    corpus: OttCorpus, question: OttQuestion, kind: UnitKind, ranking: Ranking, judged: Judged
) -> None:
    assert judge(ranking, question, corpus, kind) == judged


@pytest.mark.parametrize(
    ("nodes", "to_find"),
    [
        ((AnswerNode("1871", 1, 1, None),), (2, 1, 1)),
        ((AnswerNode("none", 2, 1, None),), (1, 1, 1)),
        ((AnswerNode("1871", 1, 1, "/wiki/1871"), AnswerNode("Skerry Head", 1, 0, "/wiki/Skerry_Head")), (2, 2, 1)),
        ((AnswerNode("1871", 1, 1, "/wiki/1871"), AnswerNode("none", 2, 1, None)), (2, 2, 2)),
        ((), (0, 0, 0)),
    ],
)
def test_what_there_is_to_find_is_counted_in_edges_nodes_and_stars(
    corpus: OttCorpus, nodes: tuple[AnswerNode, ...], to_find: tuple[int, int, int]
) -> None:
    question = replace(BY_WHOM, answer_nodes=nodes)
    kinds: tuple[UnitKind, ...] = ("edge", "node", "star")
    assert tuple(judge((), question, corpus, kind).to_find for kind in kinds) == to_find


def test_traced_nodes_that_the_corpus_lacks_are_left_out(corpus: OttCorpus) -> None:
    nodes = (AnswerNode("x", 3, 0, None), AnswerNode("x", 0, 0, "/wiki/Gone"), AnswerNode("x", 0, 0, "/wiki/Tower"))
    gold = gold_of(replace(WHEN, answer_nodes=nodes), corpus)
    assert gold == Gold(range(3), frozenset(), frozenset({(0, 3)}))


def test_of_a_gold_table_outside_the_scope_nothing_is_gold_but_a_text_may_say_the_answer(corpus: OttCorpus) -> None:
    question = replace(WHEN, gold_table="Boats_0")
    assert judge(EDGES[-1:], question, corpus, "edge") == Judged((True,), (False,), (False,), 0)


def test_any_item_of_an_answer_is_looked_for(corpus: OttCorpus) -> None:
    judged = judge(EDGES, replace(BY_WHOM, answers=("Nobody", "a year")), corpus, "edge")
    assert judged.says == seen(0, 1, 0, 0, 0)


def test_an_answer_is_not_said_across_a_row_and_its_passage(corpus: OttCorpus) -> None:
    assert judge((Unit(0, (1,)),), replace(WHEN, answers=("1889 Holm",)), corpus, "edge").says == (False,)


def test_a_unit_that_comes_again_is_not_gold_again(corpus: OttCorpus) -> None:
    assert judge((Unit(0, (1,)), Unit(0, (1,))), WHEN, corpus, "edge").gold == (True, False)


def test_units_behind_the_cut_are_not_judged(corpus: OttCorpus) -> None:
    ranking = tuple(Unit.edge(3, number) for number in range(4)) * CUT
    assert len(judge(ranking, WHEN, corpus, "edge").says) == CUT


@given(st.sets(st.sampled_from([(0, 1), (1, 2), (1, 0), (2, -1), (3, 1)])))
def test_linked_edges_are_gold_as_often_as_there_are_to_find(corpus: OttCorpus, chosen: set[tuple[int, int]]) -> None:
    ids = [*corpus.passages.ids, None]
    nodes = tuple(AnswerNode("", row, 0, ids[passage]) for row, passage in sorted(chosen))
    judged = judge(EDGES, replace(WHEN, answer_nodes=nodes), corpus, "edge")
    assert sum(judged.gold) == judged.to_find
