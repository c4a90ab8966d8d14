"""What is asked of an answer, nothing twice and nothing in vain, and what the measures get of the replies."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from eval.omgqa.judged import Judged, Labels, Statement
from eval.omgqa.judging.answers import (
    Answered,
    answer_cases,
    completeness_case,
    correct_use_case,
    correctness_case,
    judged_of,
    support_cases,
)
from eval.omgqa.judging.cases import Case, Shown, Word
from eval.omgqa.judging.words import Words
from eval.omgqa.measures.citation_precision import citation_precision
from eval.omgqa.measures.citation_recall import citation_recall
from eval.omgqa.pooling import pool, relevancy_case
from eval.omgqa.records import OmgQuestion
from eval.omgqa.runs import CitedClaim, OmgRun
from heliograph.errors import UsageError
from heliograph.types import EvidenceId, PageKey, Usage

P1, P2, T1 = (EvidenceId(f"w:Io@7#s0/{node}") for node in ("p1", "p2", "t1"))
R1, R2 = EvidenceId("w:Io@7#s0/t1/r1"), EvidenceId("w:Io@7#s0/t1/r2")
PAGE = PageKey("w:Io@7")


def shown(evidence: EvidenceId) -> Shown:
    return Shown(evidence, "text", ("Io",), f"words of {evidence}")


RUN = OmgRun(
    system="ours",
    question="q1",
    seed=0,
    run="",
    answer="One. [1] Two. [2][3] Three.",
    abstained=False,
    documents=(PAGE,),
    retrieved=(P2, R1, P1),
    rounds=((P2,), (R1, R2)),
    claims=(
        CitedClaim("One [9].", (P1,), "supported"),
        CitedClaim("Two.", (R1, P1), "supported"),
        CitedClaim("Three.", (), "unsupported"),
    ),
    usage=Usage(),
    seconds=1.0,
)
ANSWERED = Answered(RUN, "What of Io?", shown)


def support(text: str, *evidence: EvidenceId) -> Case:
    return Case("support", "What of Io?", text, tuple(map(shown, evidence)))


def words(yes: Iterable[Case], no: Iterable[Case] = ()) -> Words:
    said = {**{case: Word(True) for case in yes}, **{case: Word(False) for case in no}}
    return said.get


def test_relevancy_is_asked_of_what_was_retrieved_or_cited_by_units() -> None:
    assert [each.unit for each in pool([RUN], "leaf")] == [P2, T1, P1]
    assert [each.unit for each in pool([RUN], "row")] == [P2, R1, P1]
    question = OmgQuestion("q1", "What of Io?", ("hot",), (P2,), ("text",), "test")
    assert relevancy_case(question, T1, shown) == Case("relevancy", "What of Io?", "", (shown(T1),), ("hot",))


def test_the_whole_answer_is_shown_with_markers_in_the_order_of_its_evidence() -> None:
    answer = "One. [1] Two. [2][1] Three."
    assert correct_use_case(ANSWERED) == Case("correct_use", "What of Io?", answer, (shown(P1), shown(R1)))
    assert completeness_case(ANSWERED) == Case("completeness", "What of Io?", answer)


def test_support_is_asked_once_of_each_set_and_never_of_nothing() -> None:
    # of the first claim all and alone are one case; of the second, alone of one is all but the other
    assert support_cases(ANSWERED) == (
        support("One [9].", P1),
        support("Two.", R1, P1),
        support("Two.", R1),
        support("Two.", P1),
    )
    assert len(answer_cases(ANSWERED)) == 6


def test_three_citations_are_asked_about_in_seven_ways() -> None:
    run = replace(RUN, claims=(CitedClaim("One.", (P1, P2, R1), "supported"),))
    assert [len(case.evidence) for case in support_cases(replace(ANSWERED, run=run))] == [3, 1, 1, 1, 2, 2, 2]


def test_words_become_what_is_measured() -> None:
    yes = (support("One [9].", P1), support("Two.", R1, P1), support("Two.", R1))
    no = (support("Two.", P1),)
    whole = [case for case in (correct_use_case(ANSWERED), completeness_case(ANSWERED)) if case]
    labels = Labels(frozenset({P1}), frozenset({P2}))
    judged = judged_of(ANSWERED, labels, words((*yes, whole[0]), (*no, whole[1])))
    assert judged == Judged(
        labels=labels,
        documents=(PAGE,),
        retrieved=(P2, T1, P1),
        cited=(P1, T1),
        supporting=frozenset({P1, T1}),
        statements=(
            Statement(True, (True,), (False,)),
            Statement(True, (True, False), (False, True)),  # the row says it alone; without it the rest does not
            Statement(False),
        ),
        correct_use=True,
        complete=False,
        rounds=((P2,), (T1,)),
        answer=RUN.answer,
    )
    assert citation_recall(judged) == pytest.approx(2 / 3)
    assert citation_precision(judged) == pytest.approx(2 / 3)  # P1 of the second claim neither says it nor is needed


def test_correctness_is_asked_of_an_answer_without_markers_where_answers_are_known() -> None:
    case = Case("correctness", "What of Io?", "One. Two. Three.", accepted=("three", "3"))
    assert correctness_case(RUN, "What of Io?", ("three", "3")) == case
    assert case in answer_cases(replace(ANSWERED, accepted=("three", "3")))
    assert correctness_case(RUN, "What of Io?", ()) is None
    assert correctness_case(replace(RUN, abstained=True), "What of Io?", ("three",)) is None


def test_a_word_on_correctness_is_of_whoever_judged_that() -> None:
    known = replace(ANSWERED, accepted=("three",))
    case = correctness_case(RUN, "What of Io?", ("three",))
    assert case is not None
    others = words(answer_cases(ANSWERED))
    assert judged_of(known, Labels(), others).states_accepted is None
    assert judged_of(known, Labels(), others, words((case,))).states_accepted is True
    assert judged_of(known, Labels(), others, words((), (case,))).states_accepted is False
    assert judged_of(known, Labels(), others).accepted == ("three",)


def test_what_a_claim_cites_that_nothing_supports_supports_nothing() -> None:
    judged = judged_of(ANSWERED, Labels(), words((), support_cases(ANSWERED)))
    assert judged.supporting == frozenset()
    assert (judged.correct_use, judged.complete) == (None, None)


def test_a_claim_that_was_not_judged_is_named() -> None:
    with pytest.raises(UsageError, match=r"a claim of ours on question q1 was not judged: “One \[9\]\.”; judge the"):
        judged_of(ANSWERED, Labels(), lambda _: None)


def test_nobody_is_asked_about_an_answer_that_abstains_or_cites_nothing() -> None:
    abstained = replace(RUN, answer="I cannot say.", abstained=True, claims=())
    uncited = replace(RUN, claims=(CitedClaim("Three.", (), "unsupported"),))
    for run in (abstained, uncited):
        answered = replace(ANSWERED, run=run)
        assert answer_cases(answered) == ()
        judged = judged_of(answered, Labels(), lambda _: None)
        assert (judged.correct_use, judged.complete, judged.cited) == (False, False, ())
        assert judged.statements == tuple(Statement(False) for _ in run.claims)
