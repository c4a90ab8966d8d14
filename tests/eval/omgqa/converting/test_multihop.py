"""MuSiQue and HotpotQA become questions, facts, and one page for each title with all its paragraphs."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.drawing import Draw
from eval.omgqa.converting.conversion import Conversion
from eval.omgqa.converting.gold import GoldText
from eval.omgqa.converting.multihop import (
    UNANSWERABLE,
    UNFOUND,
    UNSUPPORTED,
    convert_hotpotqa,
    convert_musique,
)
from eval.omgqa.records import OmgQuestion
from heliograph.errors import UsageError
from tests.eval.omgqa.converting.documents import read_back
from tests.eval.omgqa.converting.written import BEAM, MINK, lines, paragraph

TEXT = st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: any(map(str.isalnum, text)))


def texts(conversion: Conversion) -> dict[str, list[str]]:
    """The leaves of the pages, as a run would read them."""
    return {page.title: [leaf.text for leaf in read_back(page).leaves] for page in conversion.pages}  # type: ignore[union-attr]


def test_a_question_of_musique_has_its_aliases_and_supporting_paragraphs(tmp_path: Path) -> None:
    conversion = convert_musique(lines(tmp_path / "m.jsonl", BEAM))
    assert conversion.questions == (
        OmgQuestion("2hop__1", BEAM["question"], ("Ada Brandt", "Brandt"), (), ("text",), "MuSiQue"),
    )
    assert conversion.gold == (
        GoldText("2hop__1", "Holm", "Holm is an island."),
        GoldText("2hop__1", "Ada Brandt", "She built on Holm."),
    )
    assert texts(conversion) == {
        "Holm": ["Holm is an island.", "Its light is old."],
        "Ada Brandt": ["She built on Holm."],
    }
    assert conversion.checked().summary == "2 of 2 supporting facts found"
    assert not any(conversion.left_out.values())


def test_a_question_of_hotpotqa_has_its_supporting_sentences(tmp_path: Path) -> None:
    (tmp_path / "h.json").write_text(json.dumps([MINK]))
    conversion = convert_hotpotqa(tmp_path / "h.json")
    assert conversion.questions == (OmgQuestion("5a", MINK["question"], ("yes",), (), ("text",), "HotpotQA"),)
    assert conversion.gold == (
        GoldText("5a", "Mink", "It is <old>."),
        GoldText("5a", "Mink", "A mink swims."),
        GoldText("5a", "A & B", "A sign."),  # of a sentence that is not there the paragraph
    )
    assert texts(conversion) == {"Mink": ["A mink swims. It is <old>."], "A & B": ["A sign."], "Owl": ["It hoots."]}
    assert [each.evidence for each in conversion.checked().judgements] == [
        "pages:Mink@0#s0/p1",
        "pages:A%20%26%20B@0#s0/p1",
    ]


def test_questions_without_gold_are_left_out_by_why(tmp_path: Path) -> None:
    lone = {**BEAM, "id": "lone", "paragraphs": [paragraph("Owl", "It hoots.")]}
    twin = {**BEAM, "answerable": False, "paragraphs": [paragraph("Fox", "It barks.")]}
    conversion = convert_musique(lines(tmp_path / "m.jsonl", BEAM, twin, lone))
    assert conversion.left_out == {UNANSWERABLE: ["2hop__1"], UNSUPPORTED: ["lone"]}
    assert [question.id for question in conversion.questions] == ["2hop__1"]
    assert list(texts(conversion)) == ["Holm", "Ada Brandt", "Fox", "Owl"]

    none = {**MINK, "_id": "none", "supporting_facts": []}
    gone = {**MINK, "_id": "gone", "supporting_facts": [["Owl", 0], ["Gone", 0]]}
    conversion = convert_hotpotqa(lines(tmp_path / "h.jsonl", MINK, none, gone))
    assert conversion.left_out == {UNSUPPORTED: ["none"], UNFOUND: ["gone"]}
    assert [question.id for question in conversion.questions] == ["5a"]


def test_a_corpus_beside_the_questions_makes_the_pages(tmp_path: Path) -> None:
    corpus = lines(
        tmp_path / "c.jsonl",
        {"title": "Holm", "text": "Holm is an island."},
        {"title": "A &amp; B", "sentences": ["Far off.", " A sign."]},
        {"title": "Mink", "sentences": ["A mink swims.", " It is <old>."]},
    )
    conversion = convert_musique(lines(tmp_path / "m.jsonl", BEAM), corpus)
    assert list(texts(conversion)) == ["Holm", "A & B", "Mink"]
    assert [each.reason for each in conversion.checked().unresolved] == ["page"]

    open_ended = {**MINK, "supporting_facts": [["A &amp; B", 1], ["Mink", 0]], "context": []}
    conversion = convert_hotpotqa(lines(tmp_path / "h.jsonl", open_ended), corpus)
    assert [fact.text for fact in conversion.gold if isinstance(fact, GoldText)] == ["A sign.", "A mink swims."]
    assert conversion.checked().summary == "2 of 2 supporting facts found"


def test_the_first_questions_are_a_sample_asked_of_the_pages_of_all(tmp_path: Path) -> None:
    many = [{**BEAM, "id": f"q{n}", "paragraphs": [paragraph(f"P{n}", f"Number {n}.", True)]} for n in range(9)]
    path = lines(tmp_path / "m.jsonl", *many)
    ordered = convert_musique(path).questions
    some = convert_musique(path, draw=Draw(first=2))
    assert (some.questions, len(some.pages)) == (ordered[:2], 9)
    assert [question.id for question in ordered] != [f"q{n}" for n in range(9)]
    assert {fact.question for fact in some.gold} == {question.id for question in some.questions}


@given(st.lists(st.tuples(st.sampled_from(["Holm", "holm", "Holm_", "Owl"]), TEXT, st.booleans()), min_size=1))
def test_every_supporting_paragraph_is_found_on_the_page_of_its_title(
    tmp_path_factory: pytest.TempPathFactory, paragraphs: list[tuple[str, str, bool]]
) -> None:
    record = {**BEAM, "paragraphs": [paragraph(*each) for each in paragraphs]}
    conversion = convert_musique(lines(tmp_path_factory.mktemp("musique") / "m.jsonl", record))
    assert bool(conversion.questions) == any(supporting for _, _, supporting in paragraphs)
    assert conversion.checked().unresolved == ()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"paragraphs": [{"title": "a"}]}, r"m\.jsonl:2: paragraphs\.0\.paragraph_text: Field required"),
        ({"answer": " "}, r"m\.jsonl:2: answer: Value error, is blank"),
        ({"answerable": "no"}, r"m\.jsonl:2: answerable: Input should be a valid boolean"),
        ({"id": "2hop__1"}, r"m\.jsonl has two questions of one id, '2hop__1'"),
    ],
)
def test_a_wrong_question_of_musique_is_named(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        convert_musique(lines(tmp_path / "m.jsonl", BEAM, {**BEAM, "id": "other"} | change))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"supporting_facts": [["Mink", -1]]}, r"h\.json: record 1: supporting_facts\.0\.1: "),
        ({"context": [["Mink", "A mink swims."]]}, r"h\.json: record 1: context\.0\.1: "),
        ({"_id": 3}, r"h\.json: record 1: _id: .* a record is a JSON object with _id, question"),
    ],
)
def test_a_wrong_question_of_hotpotqa_is_named(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    (tmp_path / "h.json").write_text(json.dumps([MINK | change]))
    with pytest.raises(UsageError, match=complaint):
        convert_hotpotqa(tmp_path / "h.json")


def test_a_wrong_paragraph_of_a_corpus_is_named(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "c.jsonl", {"title": "Holm", "text": "a", "sentences": ["a"]})
    with pytest.raises(UsageError, match=r"c\.jsonl:1: the line: Value error, it has either text or sentences"):
        convert_musique(lines(tmp_path / "m.jsonl", BEAM), corpus)
