"""ExpertQA's claims as cases, what is left out of them, and a judge compared with the experts."""

import asyncio
import json
from pathlib import Path

import pytest

from eval.omgqa.judging.agreement import Agreement
from eval.omgqa.judging.calibration import compared, drawn_cases
from eval.omgqa.judging.cases import Case, Task, Word
from eval.omgqa.judging.expertqa import half_of, read_claims
from eval.omgqa.judging.words import judge_all, open_words
from heliograph.errors import UsageError

REAL = Path(__file__).resolve().parents[5] / "shared" / "data" / "expertqa" / "claims_public.jsonl.xz"
"""Beside the checkout, where there is one."""
PASSAGE = "[1] https://moons.example/io\n\nIo is hot.\n\nIt has plumes."
ADDRESS = "[2] https://moons.example/io"


def claim(text: str, support: str | None, *evidence: str) -> dict[str, object]:
    return {"claim": text, "evidence": list(evidence), "support": support, "worthiness": "Yes"}


ANSWERS = [
    {
        "question": "What of Io?",
        "claims": [
            claim("Io is hot [1].", "Complete", PASSAGE),
            claim("Io has plumes [1] [2].", "Partial", PASSAGE, PASSAGE),
            claim("Io is cold.", "Incomplete", PASSAGE),
            claim("Io is round.", "Missing", PASSAGE),
            claim("Io is far [2].", "Complete", ADDRESS),
            claim("Io is near [1][2].", "Complete", PASSAGE, ADDRESS),
            claim("In short, see above.", "N/A", PASSAGE),
            claim("Nobody said.", None, PASSAGE),
            claim("Io is small.", "Missing"),
        ],
    },
    {"question": "What of Europa?", "claims": [claim("Europa is icy [1].", "Complete", PASSAGE)], "field": "Moons"},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "claims.jsonl"
    path.write_text("".join(json.dumps(answer) + "\n" for answer in ANSWERS))
    return path


def test_claims_with_text_and_a_label_are_cases_and_the_others_are_counted(path: Path) -> None:
    claims = read_claims(path)
    assert [(each.case.answer, each.said) for each in claims.cases] == [
        ("Io is hot.", "Complete"),
        ("Io has plumes.", "Partial"),
        ("Io is cold.", "Incomplete"),
        ("Io is round.", "Missing"),
        ("Europa is icy.", "Complete"),
    ]
    assert (claims.without_evidence, claims.address_only, claims.not_labelled) == (1, 2, 2)
    case = claims.cases[0].case
    assert (case.task, case.question) == ("support", "What of Io?")
    assert [piece.text for piece in case.evidence] == ["Io is hot.\n\nIt has plumes."]


def test_complete_is_yes_and_partial_is_what_one_asks_for(path: Path) -> None:
    cases = read_claims(path).cases
    assert [each.yes() for each in cases] == [True, False, False, False, True]
    assert [each.yes(partial=True) for each in cases] == [True, True, False, False, True]


def test_an_answer_is_in_one_half_with_all_its_claims(path: Path) -> None:
    claims = read_claims(path)
    # sha256: "What of Io?" begins with 06, "What of Europa?" with 8c
    halves = {each.case.question: each.half for each in claims.cases}
    assert halves == {question: half_of(question) for question in halves}
    assert {*claims.of("development"), *claims.of("report")} == set(claims.cases) == set(claims.of("all"))
    assert not {each.case.question for each in claims.of("development")} & {
        each.case.question for each in claims.of("report")
    }


def test_a_file_without_claims_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text(json.dumps({"question": "What?", "claims": [claim("Io is small.", "Missing")]}))
    with pytest.raises(UsageError, match=r"claims\.jsonl has no claim with evidence and a label; name ExpertQA's"):
        read_claims(path)
    path.write_text('{"question": "What?"}')
    with pytest.raises(UsageError, match=r"claims\.jsonl:1: claims: Field required"):
        read_claims(path)


class Hot:
    """Says yes to what has to do with heat or ice."""

    name = "hot"

    def prompt(self, task: Task) -> str:
        return task

    async def judge(self, case: Case) -> Word:
        return Word(any(word in case.answer for word in ("hot", "icy", "cold", "plumes")))


def test_a_judge_is_compared_with_the_experts_both_ways(path: Path, tmp_path: Path) -> None:
    claims, judge = read_claims(path), Hot()
    drawn = drawn_cases(claims, "all", None)
    with open_words(tmp_path / "words.jsonl") as log:
        asyncio.run(judge_all((each.case for each in drawn), judge, log, 1, lambda _: None))
        found = compared(drawn, judge, log, claims, "all")
    # experts: hot yes, plumes partly, cold no, round no, icy yes; the judge: yes, yes, yes, no, yes
    assert found.strict == Agreement(both_yes=2, only_second=2, both_no=1)
    assert found.lenient == Agreement(both_yes=3, only_second=1, both_no=1)
    assert found.left_out == {"without evidence": 1, "with an address for evidence": 2, "without a label": 2}
    assert json.loads(found.as_json())["lenient"]["agreement"] == 0.8
    assert found.text().splitlines()[:2] == [
        "half: all; left out of the file: 1 without evidence, 2 with an address for evidence, 2 without a label",
        "support, Partial counts as no: 5 cases, agreement 60.0%, kappa 0.286",  # by chance 11/25; (15-11)/(25-11)
    ]


def test_the_first_cases_are_drawn_by_what_is_shown(path: Path) -> None:
    claims = read_claims(path)
    first = drawn_cases(claims, "all", 2)
    assert first == drawn_cases(claims, "all", None)[:2]
    assert [each.case.digest for each in first] == sorted(each.case.digest for each in claims.cases)[:2]


@pytest.mark.skipif(not REAL.exists(), reason="ExpertQA's claims are not here")
def test_the_published_claims_are_counted() -> None:
    claims = read_claims(REAL)
    assert (len(claims.cases), len(claims.of("development")), len(claims.of("report"))) == (1_044, 494, 550)
    assert (claims.without_evidence, claims.address_only, claims.not_labelled) == (273, 304, 52)
