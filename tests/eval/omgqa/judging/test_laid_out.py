"""Cases laid out for people: what is asked, what is shown, and nothing that moves a terminal."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.judging.alignment import TASKS
from eval.omgqa.judging.cases import Case, Shown
from eval.omgqa.judging.laid_out import ASKED, KEYS, WIDTH, case_text
from heliograph.types import EvidenceId

ID = EvidenceId("w:Io@7#s0/p1")
PIECE = Shown(ID, "text", ("Io", "Heat"), "Io is hot.")
TABLE = Shown(ID, "table", ("Io", "Plumes"), "Plumes of Io // Plume | Height // Pele | 300 // Loki | 200")


def lines(case: Case) -> list[str]:
    return case_text(case, 1, 1_200).splitlines()


def test_relevancy_shows_a_question_and_a_table_by_its_rows_with_its_header() -> None:
    case = Case("relevancy", "What of Io?", evidence=(TABLE,), accepted=("300 km",))
    assert lines(case) == [
        "1 of 1,200",
        "",
        "Question: What of Io?",
        "",
        "table: Io > Plumes",
        "",
        "  Plumes of Io",
        "  Plume | Height",
        "  Pele | 300",
        "  Loki | 200",
        "",
        "Does the evidence hold something that helps to answer the question?",
        KEYS,
    ]


def test_a_row_is_shown_by_its_cells() -> None:
    row = replace(TABLE, text="Plume: Pele; Height: 300")
    assert lines(Case("relevancy", "What of Io?", evidence=(row,)))[6:8] == ["  Plume: Pele", "  Height: 300"]


def test_correct_use_shows_the_answer_with_the_markers_of_what_is_shown() -> None:
    case = Case("correct_use", "What of Io?", "It is hot. [1] Pele is high. [2] None [7].", (PIECE, TABLE))
    shown = lines(case)
    assert shown[4] == "Answer: It is hot. [1] Pele is high. [2] None (7)."
    assert [line for line in shown if line.startswith("[")] == ["[1] text: Io > Heat", "[2] table: Io > Plumes"]
    assert shown[-2:] == [ASKED["correct_use"], KEYS]


def test_completeness_shows_the_answer_alone() -> None:
    assert lines(Case("completeness", "What of Io?", "It is hot. [1] So it is."))[2:] == [
        "Question: What of Io?",
        "",
        "Answer: It is hot. [1] So it is.",
        "",
        ASKED["completeness"],
        KEYS,
    ]


def test_support_shows_a_claim_and_numbers_several_pieces() -> None:
    assert lines(Case("support", "What of Io?", "Io is hot.", (PIECE,)))[4:9] == [
        "Claim: Io is hot.",
        "",
        "text: Io > Heat",
        "",
        "  Io is hot.",
    ]
    assert "[2] table: Io > Plumes" in lines(Case("support", "What of Io?", "Io is hot.", (PIECE, TABLE)))


def test_behind_long_evidence_question_and_claim_are_shown_once_more() -> None:
    long = replace(PIECE, text="Io is hot. " * 200)
    shown = lines(Case("support", "What of Io?", "Io is warm.", (long,)))
    assert [place for place, line in enumerate(shown) if line == "Claim: Io is warm."] == [4, len(shown) - 4]
    assert shown[-6:-4] == ["Question: What of Io?", ""]


HOSTILE = "fine\x1b]0;title\x07 \x1b[31mred\x9b2J \u202eleft\r\nover\x08\x08 \x1bPq\x1b\\ end"


def test_correctness_shows_what_is_known_to_be_right() -> None:
    shown = lines(Case("correctness", "What of Io?", "It is hot.", accepted=("hot", "warm")))
    assert shown[2:8] == ["Question: What of Io?", "", "Known to be right: hot / warm", "", "Answer: It is hot.", ""]


@pytest.mark.parametrize("task", TASKS)
def test_pages_cannot_move_the_cursor(task: str) -> None:
    piece = Shown(ID, "text", (HOSTILE,), HOSTILE)
    shown = case_text(Case(task, HOSTILE, HOSTILE, (piece,)), 1, 1)  # type: ignore[arg-type]  # a parameter is a str
    assert not [sign for sign in shown if sign != "\n" and unicodedata.category(sign).startswith("C")]
    assert "title" not in shown


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)


def test_lines_of_wide_characters_are_as_wide_as_others() -> None:
    piece = replace(PIECE, text="木星の衛星イオには活火山がある。" * 10)
    shown = lines(Case("relevancy", "What of Io?", evidence=(piece,)))
    assert sorted({columns(line) for line in shown[6:10]}) == [78]
    assert "".join(shown[6:11]).replace(" ", "") == piece.text


@given(st.sampled_from(TASKS), st.text(), st.text(max_size=500), st.sampled_from(["text", "table", "image"]))
def test_whatever_a_page_says_lines_are_short_and_hold_no_control_character(
    task: str, said: str, text: str, modality: str
) -> None:
    piece = Shown(ID, modality, (said, text), text)  # type: ignore[arg-type]  # sampled from what it may be
    shown = case_text(Case(task, said, text, (piece, piece)), 1, 1)  # type: ignore[arg-type]  # likewise
    assert max(map(columns, shown.split("\n"))) <= WIDTH
    assert not [sign for sign in shown if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cf", "Cs")]
    assert shown.endswith(f"{KEYS}\n")
