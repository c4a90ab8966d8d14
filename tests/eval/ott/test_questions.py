"""Question files: every field, the order of the hashes, and what is wrong with a line."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from eval.ott.questions import AnswerNode, OttQuestion, read_questions
from heliograph.errors import UsageError

NODE = {"node_text": "Holm Light", "row": 2, "col": 1, "passage_id": "/wiki/Holm_Light", "where": "passage"}
CELL = {"node_text": "1889", "row": 1, "col": 0, "passage_id": None, "where": "table"}


def line(name: str = "q", **changed: Any) -> str:
    record = {
        "question_id": name,
        "question": "Which?",
        "answer": "1889",
        "gold_table": "Lights_0",
        "answer_nodes": [CELL, NODE],
    }
    return json.dumps({**record, **changed}) + "\n"


def test_a_question_has_its_gold_table_and_its_nodes(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(line())
    nodes = (AnswerNode("1889", 1, 0, None), AnswerNode("Holm Light", 2, 1, "/wiki/Holm_Light"))
    assert read_questions(tmp_path / "q.jsonl") == (OttQuestion("q", "Which?", ("1889",), "Lights_0", nodes),)


def test_questions_come_in_the_order_of_their_hashes(tmp_path: Path) -> None:
    names = ["a", "b", "c", "d"]
    (tmp_path / "q.jsonl").write_text("".join(map(line, names)) + "\n")
    by_hash = sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    assert [question.id for question in read_questions(tmp_path / "q.jsonl")] == by_hash
    assert [question.id for question in read_questions(tmp_path / "q.jsonl", first=2)] == by_hash[:2]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("prose\n", r"q\.jsonl:2: the line: Invalid JSON.*; a line is a JSON object with question_id, question, "),
        (line(answer=7), r"q\.jsonl:2: answer: Input should be a valid string"),
        (line(answer_nodes=[{**NODE, "row": -1}]), r"q\.jsonl:2: answer_nodes\.0\.row: "),
        (line(answer_nodes=[{**NODE, "passage_id": None}]), r'where is "passage" and passage_id is None'),
        (line(answer_nodes=[{**CELL, "where": "image"}]), r"answer_nodes\.0\.where: "),
    ],
)
def test_a_line_that_is_no_question_is_named_with_what_is_wrong(tmp_path: Path, bad: str, said: str) -> None:
    (tmp_path / "q.jsonl").write_text(line() + bad)
    with pytest.raises(UsageError, match=said):
        read_questions(tmp_path / "q.jsonl")


def test_two_questions_of_one_id_are_refused(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(line("a") + line("b") + line("a", question="When?"))
    with pytest.raises(UsageError, match="two questions of one id, 'a'; give each one of its own"):
        read_questions(tmp_path / "q.jsonl")
