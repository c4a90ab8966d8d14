"""The measures of OTT-QA questions by hand."""

import hashlib
import json
from pathlib import Path

import pytest

from eval.ott.dataset import AnswerNode, OttQuestion, read_questions
from eval.ott.metrics import gold_node, says
from heliograph.errors import UsageError
from heliograph.types import Cell, EvidenceId, PageKey, Place, TableSegment, TextEvidence

QUESTION = OttQuestion("q", "Which?", "Ada Brandt", "Lights", (AnswerNode(1, None), AnswerNode(2, "Holm Light")))


def row(title: str, number: int) -> TableSegment:
    place = Place(PageKey(f"w:{title}@1"), title, "s0")
    return TableSegment(EvidenceId("r"), place, EvidenceId("t"), number, "", ("Who",), (Cell("Ada Brandt"),))


def text(title: str, words: str = "words") -> TextEvidence:
    return TextEvidence(EvidenceId("p"), Place(PageKey(f"w:{title}@1"), title, "s0"), "paragraph", words)


def test_gold_is_a_row_of_the_gold_page_counted_from_nought_or_a_passage_of_a_gold_page() -> None:
    assert [gold_node(QUESTION, row("Lights", number)) for number in (1, 2, 3, 4)] == [False, True, True, False]
    assert not gold_node(QUESTION, row("Towers", 2))
    assert gold_node(QUESTION, text("Holm Light"))
    assert not gold_node(QUESTION, text("Lights"))


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


def test_questions_come_in_the_order_of_their_hashes(tmp_path: Path) -> None:
    names = ["a", "b", "c"]
    path = tmp_path / "questions.jsonl"
    nodes = [{"row": 1, "passage_id": None}, {"row": 2, "passage_id": "/wiki/Holm_Light"}]
    path.write_text(
        "".join(
            json.dumps(
                {"question_id": name, "question": "Which?", "answer": "x", "gold_table": "t", "answer_nodes": nodes}
            )
            + "\n"
            for name in names
        )
    )
    questions = read_questions(path, {"t": "Lights"}, first=2)
    by_hash = sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    assert [question.id for question in questions] == by_hash[:2]
    assert questions[0].nodes == QUESTION.nodes
    assert questions[0].page == "Lights"


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "prose").write_text("prose")
    for name in ("prose", "missing"):
        with pytest.raises(UsageError, match=f"{name} is not a file of OTT-QA questions"):
            read_questions(tmp_path / name, {})
