"""Use and citation of evidence, by hand-computed examples, and the average that ranks systems."""

from dataclasses import replace

import pytest

from eval.omgqa.judged import Judged, Labels, Statement
from eval.omgqa.measures import AVERAGE, TEN, average, means, measures_of
from heliograph.types import EvidenceId

P1, P2, P3, P4 = (EvidenceId(f"w:Io@1#s1/p{number}") for number in range(1, 5))
ANSWER = Judged(
    Labels(frozenset({P1, P2, P4}), frozenset({P3})),
    retrieved=(P1, P2, P3, P4),
    cited=(P1, P3),
    supporting=frozenset({P1, P3}),
    correct_use=True,
    complete=False,
)


def test_use_of_evidence_by_hand() -> None:
    measures = measures_of(ANSWER)
    assert measures["ERU"] == 1 / 4  # of four retrieved, P1 is relevant and rightly used; P3 is not relevant
    assert measures["RUE"] == 1 / 2
    assert (measures["CUE"], measures["CCM"]) == (1, 0)


def test_what_is_cited_by_an_unsupported_claim_is_not_used() -> None:
    assert measures_of(replace(ANSWER, supporting=frozenset({P3})))["ERU"] == 0


def test_an_answer_without_citations_has_used_nothing() -> None:
    measures = measures_of(replace(ANSWER, cited=(), supporting=frozenset(), complete=True))
    assert (measures["ERU"], measures["RUE"], measures["CUE"], measures["CCM"]) == (0, 0, 0, 1)


def test_an_abstention_completes_nothing() -> None:
    assert measures_of(replace(ANSWER, cited=(), abstained=True, complete=True))["CCM"] == 0


def test_what_no_judge_was_asked_is_not_measured() -> None:
    measures = measures_of(replace(ANSWER, correct_use=None, complete=None))
    assert "CUE" not in measures and "CCM" not in measures


STATEMENTS = (
    Statement(True, (True, False), (False, True)),  # the second says nothing, and the first suffices
    Statement(True, (False, False), (False, False)),  # neither suffices, so both are needed
    Statement(False, (False,), (False,)),
    Statement(False),  # cites nothing
)


def test_citations_of_claims_by_hand() -> None:
    measures = measures_of(replace(ANSWER, statements=STATEMENTS))
    assert measures["citation recall"] == 2 / 4
    assert measures["citation precision"] == 3 / 5


def test_a_claim_is_not_supported_by_no_citation() -> None:
    assert measures_of(replace(ANSWER, statements=(Statement(True),)))["citation recall"] == 0


def test_an_answer_without_claims_has_no_precise_citations() -> None:
    measures = measures_of(ANSWER)
    assert (measures["citation recall"], measures["citation precision"]) == (0, 0)


def test_the_average_is_that_of_the_papers_first_row() -> None:
    gpt4 = (0.859, 0.3, 0.417, 0.616, 0.158, 0.226, 0.656, 0.759, 0.681, 0.472)
    assert average(dict(zip(TEN, gpt4, strict=True))) == pytest.approx(0.514, abs=5e-4)


def test_means_are_over_the_questions_that_have_a_measure() -> None:
    questions = [{"PER": 1.0, "CUE": 1.0}, {"PER": 0.0}, {"true abstention": 1.0}]
    assert means(questions) == {"PER": 0.5, "CUE": 1.0, "true abstention": 1.0}
    assert means([dict.fromkeys(TEN, 0.5)])[AVERAGE] == 0.5
