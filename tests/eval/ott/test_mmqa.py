"""MultimodalQA's files, made up, in the nouns of OTT-QA."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from eval.drawing import ALL
from eval.ott.corpus import OttCorpus, OttTable
from eval.ott.mmqa import MmqaQuestions, read_mmqa_corpus, read_mmqa_questions
from eval.ott.questions import AnswerNode, OttQuestion
from heliograph.errors import UsageError


def cell(text: str, *titles: str) -> dict[str, Any]:
    links = [{"text": title, "wiki_title": title, "url": f"wiki/{title}"} for title in titles]
    return {"text": text, "links": links}


LIGHTS = {
    "id": "lights",
    "title": "Lights",
    "url": "wiki/Lights",
    "table": {
        "table_rows": [
            [cell("Holm", "Holm Light"), cell("1889")],
            [cell("Skerry", "Skerry_Head", "Skerry Head", "Gone")],
            [cell("Gull"), cell("none"), cell("extra", "Holm Light")],
        ],
        "table_name": "List",
        "header": [{"column_name": "Name", "metadata": {"type": "text"}}, {"column_name": "Lit", "metadata": {}}],
    },
}
TEXTS = [
    {"id": "t3", "title": "Holm Light", "url": "u", "text": "A house."},
    {"id": "t1", "title": "Skerry Head", "url": "u", "text": "By Ada Brandt."},
    {"id": "t2", "title": "Skerry Head", "url": "u", "text": "Its beam."},
]
CELLS = {"answer": "1889", "type": "string", "modality": "table", "text_instances": [], "table_indices": [[0, 1]]}
WORDS = {
    "answer": "Ada Brandt",
    "type": "string",
    "modality": "text",
    "text_instances": [{"doc_id": "t1", "part": "text", "start_byte": 3, "text": "Ada Brandt"}],
    "table_indices": [],
    "image_instances": [],
}


def question(name: str, *answers: dict[str, Any], modalities: tuple[str, ...] = ("table",), part: str = "table") -> Any:
    return {
        "qid": name,
        "question": f"{name}?",
        "answers": list(answers),
        "metadata": {"type": "TableQ", "modalities": list(modalities), "table_id": "lights", "image_doc_ids": []},
        "supporting_context": [{"doc_id": "lights", "doc_part": part}],
    }


QUESTIONS = [
    question("when", CELLS),
    question("whom", WORDS, modalities=("table", "text")),
    question("seen", CELLS, modalities=("image", "table")),
    question("shown", CELLS, part="image"),
    question("both", {**CELLS, "answer": 1889, "table_indices": None}, {"answer": "Ada Brandt"}),
]


def write(folder: Path, name: str, *records: Any) -> None:
    (folder / f"MMQA_{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture
def corpus(tmp_path: Path) -> OttCorpus:
    write(tmp_path, "tables", LIGHTS)
    write(tmp_path, "texts", *TEXTS)
    return read_mmqa_corpus(tmp_path)


def test_a_table_is_filled_to_a_rectangle_under_its_name(corpus: OttCorpus) -> None:
    rows = (("Holm", "1889", ""), ("Skerry", "", ""), ("Gull", "none", "extra"))
    assert corpus.tables == (OttTable("lights", "wiki/Lights", "Lights", "List", ("Name", "Lit", ""), rows),)


def test_every_text_is_a_passage_and_a_link_leads_to_all_texts_of_its_title(corpus: OttCorpus) -> None:
    assert corpus.passages.ids == ("t1", "t2", "t3")
    assert corpus.passage_text(0) == "Skerry Head By Ada Brandt."
    assert corpus.links.tolist() == [[0, 0, 2], [1, 0, 0], [1, 0, 1], [2, 2, 2]]
    assert corpus.edges.tolist() == [[0, 2], [1, 0], [1, 1], [2, 2]]


def test_questions_that_need_images_are_left_out_and_counted(tmp_path: Path, corpus: OttCorpus) -> None:
    write(tmp_path, "dev", *QUESTIONS)
    when = OttQuestion("when", "when?", ("1889",), "lights", (AnswerNode("1889", 0, 1, None),))
    whom = OttQuestion("whom", "whom?", ("Ada Brandt",), "lights", (AnswerNode("Skerry Head", 1, 0, "t1"),))
    both = OttQuestion("both", "both?", ("1889", "Ada Brandt"), "lights", ())
    ordered = ALL.of((when, whom, both), lambda question: question.id)
    assert read_mmqa_questions(tmp_path, "dev", corpus) == MmqaQuestions(ordered, left_out=2)
    assert read_mmqa_questions(tmp_path, "dev", corpus, first=1) == MmqaQuestions(ordered[:1], left_out=2)
    assert both.answer == "1889, Ada Brandt"


def test_the_files_may_be_packed_as_they_are_released(tmp_path: Path, corpus: OttCorpus) -> None:
    write(tmp_path, "dev", *QUESTIONS)
    plain = read_mmqa_questions(tmp_path, "dev", corpus)
    for path in tmp_path.glob("MMQA_*.jsonl"):
        path.with_suffix(".jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    packed = read_mmqa_corpus(tmp_path)
    assert (packed.tables, packed.edges.tolist()) == (corpus.tables, corpus.edges.tolist())
    assert read_mmqa_questions(tmp_path, "dev", packed) == plain


@pytest.mark.parametrize(
    ("name", "records", "said"),
    [
        (
            "tables",
            [{**LIGHTS, "table": {"table_rows": [["a"]], "table_name": "", "header": []}}],
            r":1: table\.table_",
        ),
        ("tables", [LIGHTS, LIGHTS], "has an id twice"),
        ("texts", [TEXTS[0], {"id": "t"}], r":2: title: Field required"),
        ("texts", [TEXTS[0], TEXTS[0]], "has an id twice"),
        ("dev", [question("none")], r":1: answers: "),
        ("dev", [question("heard", CELLS, modalities=("sound",))], r":1: metadata\.modalities\.0: "),
        ("dev", [question("where", {**CELLS, "table_indices": [[-1, 0]]})], r":1: answers\.0\.table_indices\.0\.0: "),
    ],
)
def test_a_line_of_another_shape_is_named(
    tmp_path: Path, corpus: OttCorpus, name: str, records: list[Any], said: str
) -> None:
    write(tmp_path, name, *records)
    with pytest.raises(UsageError, match=rf"MMQA_{name}\.jsonl.*{said}"):
        read_mmqa_questions(tmp_path, "dev", read_mmqa_corpus(tmp_path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no file .*MMQA_tables\.jsonl; "):
        read_mmqa_corpus(tmp_path)
