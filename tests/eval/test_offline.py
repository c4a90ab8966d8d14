"""Every measure of the offline questions by hand: a missing answer counts as a wrong one and never vanishes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.asking import ask
from eval.offline.dataset import GoldEvidence, GoldQuestion, read_gold
from eval.offline.metrics import (
    Outcome,
    answered_first,
    is_gold,
    normal,
    outcome,
    precision,
    reciprocal_rank,
    says_expected,
)
from eval.offline.report import render_report
from eval.offline.runner import measure
from heliograph.errors import UsageError
from heliograph.types import Answer, Claim
from memory.pages import FilePageStore
from tests.fakes import make_page, make_services, paragraph

ALPHA = make_page("Alpha", "Alpha has 1,250 uses.", "Nothing else.")
GOLD = GoldQuestion(
    "q1", "paragraph", "How many?", ("1250 uses",), ("Alpha",), (GoldEvidence("Alpha", "text", "1,250"),)
)
NONE = GoldQuestion("q2", "none", "Why?", (), (), ())


async def answered(found: str = "Alpha") -> Answer:
    return await ask("How many?", make_services((ALPHA,), {"a": [found]}))


async def measured(question: GoldQuestion, answer: Answer, tmp_path: Path) -> Outcome:
    store = FilePageStore(tmp_path)
    store.put(ALPHA, "1", "Alpha")

    async def give(_question: str) -> Answer:
        return answer

    (result,) = await measure([question], give, store, lambda *_: None)
    return result


async def test_a_right_answer_has_every_measure(tmp_path: Path) -> None:
    result = await measured(GOLD, await answered(), tmp_path)
    assert result == Outcome(GOLD, True, True, True, 1.0, 1.0, False, 0.0)


async def test_an_answer_without_evidence_has_none(tmp_path: Path) -> None:
    result = await measured(GOLD, await answered("Missing"), tmp_path)
    assert result == Outcome(GOLD, False, False, False, 0.0, None, True, 0.0)


async def test_an_unanswerable_question_is_right_when_it_abstains(tmp_path: Path) -> None:
    assert (await measured(NONE, await answered("Missing"), tmp_path)).expected
    assert not (await measured(NONE, await answered(), tmp_path)).expected


@pytest.mark.parametrize(
    ("text", "expected", "says"),
    [
        ("It has 1,250 uses.", "1250", True),
        ("It has 1250 uses.", "1,250", True),
        ("It has 11250 uses.", "1250", False),
        ("It is 1250.5 long.", "1250", False),
        ("It is 1250.", "1250", True),
        ("It is −7 there", "-7", True),
        ("Ada  BRANDT", "ada brandt", True),
        ("Adam", "Ada", False),
    ],
)
async def test_an_expected_string_stands_as_whole_words(text: str, expected: str, says: bool) -> None:
    answer = replace(await answered(), answer=text)
    assert says_expected(answer, replace(GOLD, expected=(expected,))) == says
    assert not says_expected(replace(answer, abstained=True), replace(GOLD, expected=(expected,)))


async def test_precision_is_the_share_of_cited_pieces_that_are_gold() -> None:
    services = make_services((ALPHA,), {"a": ["Alpha"]})
    await ask("How many?", services)
    gold, other = (services.library.evidence(paragraph("Alpha", n)) for n in (1, 2))
    assert precision([], GOLD.evidence) is None
    assert precision([gold, other], GOLD.evidence) == 0.5
    assert not is_gold(gold, GoldEvidence("Beta", "text", "1,250"))
    assert not is_gold(gold, GoldEvidence("Alpha", "table", "1,250"))
    assert not is_gold(other, GoldEvidence("Alpha", "text", "1,250"))


async def test_each_gold_piece_counts_by_its_first_place() -> None:
    services = make_services((ALPHA,), {"a": ["Alpha"]})
    await ask("How many?", services)
    gold, other = (services.library.evidence(paragraph("Alpha", n)) for n in (1, 2))
    assert reciprocal_rank([other, gold, gold], GOLD.evidence) == 0.5
    assert reciprocal_rank([gold], (*GOLD.evidence, GoldEvidence("Beta", "text", "1,250"))) == 0.5
    assert reciprocal_rank([other], GOLD.evidence) == reciprocal_rank([gold], ()) == 0.0


async def test_an_answer_is_measured_by_the_pieces_it_names() -> None:
    services = make_services((ALPHA,), {"a": ["Alpha"]})
    answer = await ask("How many?", services)
    pieces = {paragraph("Alpha", n): services.library.evidence(paragraph("Alpha", n)) for n in (1, 2)}
    assert outcome(GOLD, answer, pieces).evidence


def test_words_are_compared_without_case_blanks_and_signs_of_print() -> None:
    assert normal("  Ada’s\n “1,234,567” – 5 ") == "ada's “1234567” - 5"


@pytest.mark.parametrize(
    ("text", "verdict", "mode", "begins"),
    [
        ("1,250 uses — Alpha: It had 1,250 uses.", "quoted", "extractive", "1,250 uses"),
        ("Alpha: It had 1,250 uses.", "quoted", "extractive", ""),
        ("Alpha had 1,250 uses.", "computed", "extractive", "Alpha had 1,250 uses."),
        ("Alpha had 1,250 uses.", "supported", "llm", "Alpha had 1,250 uses."),
    ],
)
async def test_a_direct_answer_begins_with_it(text: str, verdict, mode, begins: str) -> None:
    answer = replace(await ask("How many?", make_services((ALPHA,), {"a": ["Alpha"]})), mode=mode, abstained=False)
    assert answered_first(replace(answer, claims=(Claim(text, (), verdict),))) == begins
    assert answered_first(replace(answer, claims=())) == ""


def test_the_report_counts_every_question() -> None:
    rows = [
        Outcome(GOLD, True, True, False, 0.25, 0.5, False, 1.0),
        Outcome(NONE, False, True, True, 0.0, None, False, 3.0),
    ]
    assert render_report(rows).splitlines() == [
        "| kind | questions | expected | direct | documents | evidence | rank | citations | abstained | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| paragraph | 1 | 100.0 | 0.0 | 100.0 | 0.0 | 25.0 | 50.0 | 0.0 | 1.0 |",
        "| none | 1 | 0.0 | – | – | – | – | – | 0.0 | 3.0 |",
        "| all | 2 | 50.0 | 0.0 | 100.0 | 0.0 | 25.0 | 50.0 | 0.0 | 3.0 |",
    ]


def test_a_question_file_is_read_and_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    evidence = [{"title": "Alpha", "modality": "text", "contains": "1,250"}]
    record = {"id": "q1", "kind": "paragraph", "question": "How many?", "expected": ["1250 uses"]}
    path.write_text(json.dumps({**record, "documents": ["Alpha"], "evidence": evidence}) + "\n\n")
    assert read_gold(path) == (GOLD,)
    path.write_text(json.dumps(record))
    with pytest.raises(UsageError, match=r"questions.jsonl:1 is not a question"):
        read_gold(path)


def test_the_demo_questions_are_forty_with_eight_that_cannot_be_answered() -> None:
    questions = read_gold(Path(__file__).parents[2] / "demo" / "questions.jsonl")
    assert len(questions) == 40
    assert len([question for question in questions if not question.answerable]) == 8
    assert len({question.id for question in questions}) == 40
