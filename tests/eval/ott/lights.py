"""A corpus in the format of the release, small enough to reckon with by hand: two tables of `mini`, one more of `full`.

Rows 0 to 2 are those of Lights_0, row 3 is that of Towers_0; passages are 0 "1871", 1 "Holm Light", 2 "Skerry Head"
and 3 "Tower". Edges are (0, 1), (1, 2), (1, 0), (2, none) and (3, 1).
"""

import json
import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eval.ott.corpus import OttCorpus
from eval.ott.questions import AnswerNode, OttQuestion
from eval.ott.reading import read_corpus

LIGHTS = {
    "table_id": "Lights_0",
    "url": "wiki/Lights",
    "title": "Lights",
    "section_title": "List -- Sound",
    "header": ["Name", "Lit"],
    "rows": [["Holm Light", "1889"], ["Skerry Head", "1871"], ["Gull Rock", "none"]],
    "links": [[[0, "/wiki/Holm_Light"]], [[0, "/wiki/Skerry_Head"], [1, "/wiki/1871"]], []],
    "header_links": [],
}
TOWERS = {
    "table_id": "Towers_0",
    "url": "wiki/Towers",
    "title": "Towers",
    "section_title": "",
    "header": ["Tower"],
    "rows": [["Holm Light"]],
    "links": [[[0, "/wiki/Holm_Light"], [0, "/wiki/Holm_Light"]]],
    "header_links": [[0, "/wiki/Tower"]],
}
BOATS = {**TOWERS, "table_id": "Boats_0", "title": "Boats", "rows": [["Ferry"]], "links": [[[0, "/wiki/F%C3%A6rry"]]]}
TABLES = (LIGHTS, BOATS, TOWERS)
PASSAGES = (
    {"passage_id": "/wiki/Skerry_Head", "text": "A tower by Ada Brandt ."},
    {"passage_id": "/wiki/F%C3%A6rry", "text": "Ада Брандт sailed it ."},
    {"passage_id": "/wiki/Holm_Light", "text": "A house lit in 1889 ."},
    {"passage_id": "/wiki/1871", "text": "A year ."},
    {"passage_id": "/wiki/Tower", "text": "Tall ."},
    {"passage_id": "/wiki/Unlinked", "text": "Nothing links here ."},
)
SUBSETS = {"mini": ["Lights_0", "Towers_0"]}

BY_WHOM = OttQuestion(
    "by", "By whom?", ("Ada Brandt",), "Lights_0", (AnswerNode("Skerry Head", 1, 0, "/wiki/Skerry_Head"),)
)
WHEN = OttQuestion(
    "when",
    "When?",
    ("1889",),
    "Lights_0",
    (AnswerNode("1889", 0, 1, None), AnswerNode("Holm Light", 0, 0, "/wiki/Holm_Light")),
)


def write_folder(
    folder: Path, tables: Iterable[dict[str, Any]] = TABLES, passages: Iterable[dict[str, Any]] = PASSAGES
) -> Path:
    (folder / "questions").mkdir(exist_ok=True)
    (folder / "questions" / "corpus_subsets.json").write_text(json.dumps(SUBSETS))
    for name, records in (("tables", tables), ("passages", passages)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl.xz").write_bytes(lzma.compress(lines.encode()))
    return folder


def write_questions(path: Path, questions: Iterable[OttQuestion]) -> Path:
    """Write questions as the release has them, one JSON object a line."""
    path.write_text("".join(json.dumps(_question_record(question)) + "\n" for question in questions))
    return path


def _question_record(question: OttQuestion) -> dict[str, Any]:
    nodes = [
        {
            "node_text": node.text,
            "row": node.row,
            "col": node.column,
            "passage_id": node.passage_id,
            "where": "table" if node.passage_id is None else "passage",
        }
        for node in question.answer_nodes
    ]
    named = {"question_id": question.id, "question": question.question, "answer": question.answer}
    return {**named, "gold_table": question.gold_table, "answer_nodes": nodes}


def mini(folder: Path) -> OttCorpus:
    return read_corpus(write_folder(folder), "mini")
