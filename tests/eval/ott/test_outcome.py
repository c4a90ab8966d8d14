"""The measures of the agent's answers to OTT-QA questions by hand."""

import pytest

from eval.ott.judging import Verdicts
from eval.ott.outcome import gold_node, judge_evidence, says
from eval.ott.questions import AnswerNode, OttQuestion
from heliograph.types import Cell, EvidenceId, PageKey, Place, TableSegment, TextEvidence

NODES = (AnswerNode("Ada Brandt", 1, 0, None), AnswerNode("Holm Light", 2, 1, "/wiki/Holm_Light"))
QUESTION = OttQuestion("q", "Which?", ("Ada Brandt",), "Lights_0", NODES)


def row(title: str, number: int, cell: str = "Ada Brandt") -> TableSegment:
    place = Place(PageKey(f"w:{title}@1"), title, "s0")
    return TableSegment(EvidenceId("r"), place, EvidenceId("t"), number, "", ("Who",), (Cell(cell),))


def text(title: str, words: str = "words") -> TextEvidence:
    return TextEvidence(EvidenceId("p"), Place(PageKey(f"w:{title}@1"), title, "s0"), "paragraph", words)


def test_gold_is_a_row_of_the_gold_page_counted_from_nought_or_a_passage_of_a_gold_page() -> None:
    numbers = (1, 2, 3, 4)
    assert [gold_node(QUESTION, "Lights", row("Lights", each)) for each in numbers] == [False, True, True, False]
    assert not gold_node(QUESTION, "Lights", row("Towers", 2))
    assert gold_node(QUESTION, "Lights", text("Holm Light"))
    assert not gold_node(QUESTION, "Lights", text("Lights"))


def test_a_row_with_the_answer_in_its_passage_alone_is_gold_and_not_strictly() -> None:
    pieces = (row("Lights", 3, "Holm"), text("Holm Light", "By Ada Brandt."), text("Lights", "Ada Brandt"))
    judged = judge_evidence(QUESTION, "Lights", pieces)
    assert judged == Verdicts(says=(False, True, True), gold=(True, True, False))
    assert judged.strict == (False, True, False)


@pytest.mark.parametrize(
    ("answer", "words", "found"),
    [
        ("Ada Brandt", "It was ADA BRANDT, they say.", True),
        ("Ada Brandt", "Brandt, Ada", False),
        ("Ada", "Adam", False),
        ("1,250", "It has 1,250 uses", True),
        ("", "anything", False),
        ("?!", "anything", False),
    ],
)
def test_an_answer_is_said_where_its_words_stand_together(answer: str, words: str, found: bool) -> None:
    assert says(answer, [text("A", words)]) == found
