"""OTT-QA's gold rows and passages, and MultimodalQA's sources, are found on the pages of their corpora."""

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eval.omgqa.converting.gold import GoldImage, GoldRow, GoldTable, GoldText
from eval.omgqa.converting.mmqa import OUTSIDE as NOT_IN_FOLDER
from eval.omgqa.converting.mmqa import UNSUPPORTED, convert_mmqa
from eval.omgqa.converting.ott import OUTSIDE, UNTRACED, convert_ott
from eval.omgqa.converting.resolving import resolve
from eval.omgqa.records import OmgQuestion
from eval.ott.outcome import gold_node
from eval.ott.questions import AnswerNode
from heliograph.errors import UsageError
from indexers.parser import find_evidence
from tests.eval.omgqa.converting.documents import document
from tests.eval.omgqa.converting.written import CELL, IMAGE, TEXTS, lines, mmqa_question, write_mmqa
from tests.eval.ott.lights import BY_WHOM, WHEN, write_folder, write_questions

SOUND = ("Lights", "List -- Sound", ("Name", "Lit"))
PAGES = (
    document(
        "Lights",
        "<p>Lights of the sound.</p><h2>List -- Sound</h2><table><tr><th>Name</th><th>Lit</th></tr>"
        "<tr><td>Holm Light</td><td>1889</td></tr><tr><td>Skerry Head</td><td>1871</td></tr></table>",
    ),
    document("Skerry Head", "<p>A tower by Ada Brandt.</p><h2>Table</h2><p>Of boats.</p>"),
    document("Holm Light", "<p>A house lit in 1889 .</p>"),
)


def test_gold_of_ott_is_the_rows_and_the_passages_behind_them(tmp_path: Path) -> None:
    questions = write_questions(tmp_path / "q.jsonl", [WHEN, BY_WHOM])
    conversion = convert_ott(questions, write_folder(tmp_path), "OTT-QA")
    assert conversion.questions == (
        OmgQuestion("when", "When?", ("1889",), (), ("text", "table"), "OTT-QA"),
        OmgQuestion("by", "By whom?", ("Ada Brandt",), (), ("text", "table"), "OTT-QA"),
    )
    assert conversion.gold == (
        GoldRow("when", *SOUND, 1, ("Holm Light", "1889")),
        GoldText("when", "Holm Light", "A house lit in 1889 ."),
        GoldRow("by", *SOUND, 2, ("Skerry Head", "1871")),
        GoldText("by", "Skerry Head", "A tower by Ada Brandt ."),
    )
    assert (conversion.pages, conversion.unit) == ((), "row")


def test_what_is_found_of_ott_is_what_the_outcome_of_the_agent_counts_as_gold(tmp_path: Path) -> None:
    conversion = convert_ott(write_questions(tmp_path / "q.jsonl", [WHEN, BY_WHOM]), write_folder(tmp_path), "OTT-QA")
    resolved = resolve(conversion.gold, PAGES, "row")
    assert [(each.question, each.evidence) for each in resolved.judgements] == [
        ("when", "w:Lights@1#s1/t1/r1"),
        ("when", "w:Holm%20Light@1#s0/p1"),
        ("by", "w:Lights@1#s1/t1/r2"),
        ("by", "w:Skerry%20Head@1#s0/p1"),
    ]
    asked, pages = {"when": WHEN, "by": BY_WHOM}, {page.key: page for page in PAGES}
    for each in resolved.judgements:
        piece = find_evidence(pages[each.evidence.partition("#")[0]], each.evidence)  # type: ignore[index]
        assert gold_node(asked[each.question], "Lights", piece)
    leaves = resolve(conversion.gold, PAGES, "leaf").judgements
    assert {each.evidence for each in leaves if each.question == "by"} == {
        "w:Lights@1#s1/t1",
        "w:Skerry%20Head@1#s0/p1",
    }


@pytest.mark.parametrize(
    "change",
    [
        {"gold_table": "Gone_0"},
        {"answer_nodes": (AnswerNode("x", 3, 0, None),)},
        {"answer_nodes": (AnswerNode("x", 0, 0, "/wiki/Gone"),)},
    ],
)
def test_questions_of_another_corpus_are_left_out(tmp_path: Path, change: Any) -> None:
    other = replace(WHEN, id="other", **change)
    untraced = replace(WHEN, id="untraced", answer_nodes=())
    questions = write_questions(tmp_path / "q.jsonl", [other, untraced, BY_WHOM])
    conversion = convert_ott(questions, write_folder(tmp_path), "HybridQA")
    assert conversion.left_out == {UNTRACED: ["untraced"], OUTSIDE: ["other"]}
    assert [(question.id, question.source) for question in conversion.questions] == [("by", "HybridQA")]


def test_sources_of_mmqa_are_texts_tables_rows_and_images(tmp_path: Path) -> None:
    context = (("t1", "text"), ("lights", "table"), ("i1", "image"))
    path = write_mmqa(tmp_path, mmqa_question("all", *context, answers=(CELL, {"answer": "round"})))
    conversion = convert_mmqa(path, tmp_path)
    assert conversion.questions == (
        OmgQuestion("all", "all?", ("1871, round",), (), ("text", "image"), "MultimodalQA"),
    )
    assert conversion.gold == (
        GoldText("all", "Holm Light", "A house ."),
        GoldTable("all", "Lights", "List", ("Name", "Lit"), ("Holm", "1889")),
        GoldImage("all", "Holm Light", "holm light.jpg"),
        GoldRow("all", "Lights", "List", ("Name", "Lit"), 3, ("Skerry", "1871")),
    )
    assert [(page.title, page.url) for page in conversion.pages] == [
        ("Holm Light", "https://wiki.example/Holm_Light"),
        ("Lights", "https://wiki.example/Lights"),
    ]
    assert [each.evidence for each in conversion.checked().judgements] == [
        "pages:Holm%20Light@0#s0/p1",
        "pages:Lights@0#s1/t1",
        "pages:Holm%20Light@0#s0/i1",
    ]


def test_questions_whose_sources_are_not_there_are_left_out(tmp_path: Path) -> None:
    lost = {**CELL, "table_indices": [[3, 0]]}
    path = write_mmqa(
        tmp_path,
        mmqa_question("none"),
        mmqa_question("text", ("t9", "text"), ("t1", "text")),
        mmqa_question("row", ("lights", "table"), answers=(lost,)),
        mmqa_question("found", ("t2", "text")),
    )
    conversion = convert_mmqa(path, tmp_path)
    assert [question.id for question in conversion.questions] == ["found"]
    assert conversion.left_out[UNSUPPORTED] == ["none"]
    assert sorted(conversion.left_out[NOT_IN_FOLDER]) == ["row", "text"]


def test_files_of_mmqa_may_be_packed_and_have_each_id_once(tmp_path: Path) -> None:
    path = write_mmqa(tmp_path, mmqa_question("seen", ("i1", "image")))
    plain = convert_mmqa(path, tmp_path)
    for file in tmp_path.glob("MMQA_*.jsonl"):
        file.with_suffix(".jsonl.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert convert_mmqa(tmp_path / "MMQA_dev.jsonl.gz", tmp_path) == plain
    (tmp_path / "MMQA_texts.jsonl.gz").unlink()
    lines(tmp_path / "MMQA_texts.jsonl", *TEXTS, TEXTS[0])
    with pytest.raises(UsageError, match=r"MMQA_texts\.jsonl:3: id: 't1' stands twice"):
        convert_mmqa(tmp_path / "MMQA_dev.jsonl.gz", tmp_path)


def test_an_image_without_a_file_is_named(tmp_path: Path) -> None:
    path = write_mmqa(tmp_path, mmqa_question("seen", ("i1", "image")))
    lines(tmp_path / "MMQA_images.jsonl", {**IMAGE, "path": ""})
    with pytest.raises(UsageError, match=r"MMQA_images\.jsonl:1: path: Value error, is blank"):
        convert_mmqa(path, tmp_path)
