"""Judges compared by task, from the pool and from words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.judging.agreement import Agreement
from eval.omgqa.judging.alignment import TASKS, Alignment, Spoken, aligned, alignments, alignments_of_two, spoken
from eval.omgqa.judging.cases import Task, Word
from eval.omgqa.judging.words import Asked, Said
from eval.omgqa.records import AUTHORS, Judgement, Pair
from heliograph.errors import UsageError
from heliograph.types import EvidenceId

P1, P2 = EvidenceId("w:Io@7#s0/p1"), EvidenceId("w:Io@7#s0/p2")
POOL = (
    Judgement("q1", P1, True, AUTHORS),
    Judgement("q1", P2, False, AUTHORS),
    Judgement("q1", P1, False, "code", "hash"),
    Judgement("q2", P1, True, "code", "hash"),
)


def said(task: Task, judge: str, prompt: str, words: str) -> dict[Asked, Said]:
    """Say y or n of the cases 0, 1, … of a task; nothing of those with a blank."""
    every = ((Asked(f"{task} {n}", judge, prompt), Said(task, Word(word == "y"))) for n, word in enumerate(words))
    return {asked: each for (asked, each), word in zip(every, words, strict=True) if word != " "}


WORDS = spoken(
    POOL,
    {
        **said("correct_use", "code", "p1", "yyyy"),
        **said("correct_use", "code", "p2", "yyn"),
        **said("correct_use", "anna", "", "yn ny"),
        **said("support", "anna", "", "y"),
        **said("relevancy", "code", "hash", "yyyy"),  # the same words as in the pool, by case
    },
)


def test_relevancy_is_compared_by_pairs_of_the_pool_and_all_else_by_cases() -> None:
    assert alignments(WORDS) == (
        Alignment("relevancy", AUTHORS, "code", Agreement(only_first=1), (Pair("q1", P1),)),
        # of the two that both decided under the last instructions of code
        Alignment("correct_use", "anna", "code", Agreement(both_yes=1, only_second=1), ("correct_use 1",)),
    )


def test_of_a_pool_the_words_under_the_last_instructions_count() -> None:
    older = (Judgement("q1", P2, True, "code", "older"), Judgement("q2", P2, True, "code", "older"))
    assert spoken((*POOL, *older), {}) == spoken(POOL, {})


def test_two_judges_are_compared_on_each_task_that_both_decided() -> None:
    assert [each.task for each in alignments_of_two(WORDS, "code", "anna")] == ["correct_use"]
    (found,) = alignments_of_two(WORDS, "code", "anna", "correct_use")
    assert found.agreement == Agreement(both_yes=1, only_first=1)


def test_two_judges_of_one_task_without_a_case_in_common_have_no_figures() -> None:
    words = spoken((), {**said("support", "anna", "", "y"), **said("support", "bert", "", " y")})
    (found,) = alignments_of_two(words, "anna", "bert")
    assert (found.agreement, alignments(words)) == (Agreement(), ())


@pytest.mark.parametrize(
    ("first", "second", "task", "complaint"),
    [
        ("bert", "code", None, "bert has no word in this folder; name one of its judges: anna, authors, code"),
        ("anna", "code", "support", "code has no word on support; name one of its judges: anna"),
        ("anna", "code", "completeness", "anna has no word on completeness; heliograph eval omgqa judge comes first"),
        (
            "anna",
            AUTHORS,
            None,
            "anna and authors decided no task both: anna has correct use 4, support 1; authors has relevancy 2; ",
        ),
    ],
)
def test_judges_that_cannot_be_compared_are_told(first: str, second: str, task: Task | None, complaint: str) -> None:
    with pytest.raises(UsageError) as refused:
        alignments_of_two(WORDS, first, second, task)
    assert str(refused.value).startswith(complaint)


JUDGES = ("anna", "bert", "code")
CASES = st.dictionaries(st.sampled_from("abcdef"), st.booleans())
ANY = st.fixed_dictionaries({task: st.dictionaries(st.sampled_from(JUDGES), CASES) for task in TASKS})


@given(ANY, st.sampled_from(TASKS), st.sampled_from(JUDGES), st.sampled_from(JUDGES))
def test_a_comparison_does_not_mind_who_is_named_first(words: Spoken, task: Task, first: str, second: str) -> None:
    one, other = aligned(words, task, first, second), aligned(words, task, second, first)
    ours, theirs = one.agreement, other.agreement
    assert theirs == Agreement(ours.both_yes, ours.only_second, ours.only_first, ours.both_no)
    assert (ours.kappa, ours.agreement) == (theirs.kappa, theirs.agreement)
    assert sorted(map(str, one.disputed)) == sorted(map(str, other.disputed))
    assert len(one.disputed) == ours.only_first + ours.only_second
    assert first != second or ours.agreement in (None, 1.0)


@given(ANY)
def test_every_row_rests_on_cases_and_each_two_judges_stand_once_a_task(words: Spoken) -> None:
    found = alignments(words)
    assert all(each.agreement.cases and each.first < each.second for each in found)
    assert len({(each.task, each.first, each.second) for each in found}) == len(found)
