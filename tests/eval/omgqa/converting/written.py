"""Small data sets in the formats in which they are released, in words of our own."""

import json
from pathlib import Path
from typing import Any


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf8")
    return path


def paragraph(title: str, text: str, supporting: bool = False) -> dict[str, Any]:
    return {"idx": 0, "title": title, "paragraph_text": text, "is_supporting": supporting}


BEAM = {
    "id": "2hop__1",
    "question": "Who built the light of Holm?",
    "answer": "Ada Brandt",
    "answer_aliases": ["Brandt", "Ada Brandt", ""],
    "answerable": True,
    "paragraphs": [
        paragraph("Holm", "Holm is an  island.", True),
        paragraph("Holm", "Its light is old."),
        paragraph("Ada Brandt", "She built on Holm.", True),
        paragraph("Holm", "Holm is an island."),
    ],
    "question_decomposition": [],
}
MINK = {
    "_id": "5a",
    "question": "Is the mink older than the & sign?",
    "answer": "yes",
    "type": "comparison",
    "level": "easy",
    "supporting_facts": [["Mink", 1], ["Mink", 0], ["A &amp; B", 7], ["Mink", 1]],
    "context": [["Mink", ["A mink swims.", " It is <old>."]], ["A &amp; B", ["A sign."]], ["Owl", ["It hoots."]]],
}

TABLE = {
    "id": "lights",
    "title": "Lights",
    "url": "https://wiki.example/Lights",
    "table": {
        "table_rows": [
            [{"text": "Holm", "links": [{"wiki_title": "Holm Light"}]}, {"text": "1889"}],
            [{"text": ""}, {"text": ""}],
            [{"text": "Skerry"}, {"text": "1871"}],
        ],
        "table_name": "List",
        "header": [{"column_name": "Name"}, {"column_name": "Lit"}],
    },
}
TEXTS = (
    {"id": "t1", "title": "Holm Light", "url": "https://wiki.example/Holm_Light", "text": "A house ."},
    {"id": "t2", "title": "Holm Light", "url": "https://wiki.example/Holm_Light", "text": "Its beam."},
)
IMAGE = {"id": "i1", "title": "Holm Light", "url": "https://wiki.example/Holm_Light", "path": "holm light.jpg"}
CELL = {"answer": 1871, "type": "string", "modality": "table", "table_indices": [[2, 1]]}
SHAPE = {"answer": "round", "modality": "image", "table_indices": []}


def mmqa_question(name: str, *context: tuple[str, str], answers: tuple[Any, ...] = (SHAPE,)) -> dict[str, Any]:
    return {
        "qid": name,
        "question": f"{name}?",
        "answers": list(answers),
        "metadata": {"modalities": ["image", "text"], "table_id": "lights"},
        "supporting_context": [{"doc_id": source, "doc_part": part} for source, part in context],
    }


def write_mmqa(folder: Path, *questions: Any) -> Path:
    """Write the folder, and return the file of questions."""
    lines(folder / "MMQA_tables.jsonl", TABLE)
    lines(folder / "MMQA_texts.jsonl", *TEXTS)
    lines(folder / "MMQA_images.jsonl", IMAGE)
    return lines(folder / "MMQA_dev.jsonl", *questions)
