"""What people are shown of a verdict: an extract is called quoted, also in records that call it supported."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

import pytest

from heliograph.types import (
    VERDICT_WORDS,
    Citation,
    CitedMarker,
    Claim,
    ClaimVerdict,
    EvidenceId,
    VerdictWords,
    shown_verdict,
)

ROW = "Probe: Voyager 1; Planet: Jupiter"
PAGE_WORDS = Path(__file__).resolve().parents[2] / "web" / "static" / "words.js"
TEXT = Citation(
    1, EvidenceId("w:Io@1#s0/p1"), "text", "Io", "Volcanoes", "1", "u", "Io is a moon. It  has volcanoes.", "", ""
)


def claim(text: str, verdict: ClaimVerdict = "supported") -> Claim:
    return Claim(text, (CitedMarker(1, verdict),), verdict)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Io is a moon. It has volcanoes.", "quoted"),
        ("It has volcanoes.", "quoted"),
        ("Io: Io is a moon. It has volcanoes.", "quoted"),
        ("Volcanoes: Io is a moon. It has volcanoes.", "quoted"),
        ("As is well known: Io is a moon. It has volcanoes.", "supported"),
        ("Io has volcanoes.", "supported"),
        ("o is a moo", "supported"),
        ("", "supported"),
    ],
)
def test_a_claim_in_the_words_of_its_quote_is_quoted(text: str, shown: str) -> None:
    assert shown_verdict(claim(text), [TEXT]) == shown


def test_a_row_is_quoted_under_its_caption() -> None:
    row = replace(TEXT, modality="table", quote=ROW)
    assert shown_verdict(claim(f"Flybys: {ROW}"), [row]) == "quoted"
    assert shown_verdict(claim(f"Flybys: {ROW}"), [replace(row, marker=2)]) == "supported"
    assert shown_verdict(claim(f"Flybys: {ROW}"), [replace(row, quote="")]) == "supported"


@pytest.mark.parametrize(("mode", "shown"), [("extractive", "quoted"), ("llm", "supported"), (None, "supported")])
def test_without_a_language_model_what_is_supported_is_an_extract(
    mode: Literal["llm", "extractive"] | None, shown: str
) -> None:
    assert shown_verdict(claim("Io is round."), [TEXT], mode) == shown


@pytest.mark.parametrize("verdict", sorted({*get_args(ClaimVerdict)} - {"supported"}))
def test_any_other_verdict_is_shown_as_it_is(verdict: ClaimVerdict) -> None:
    assert shown_verdict(claim("It has volcanoes.", verdict), [TEXT], "extractive") == verdict


def test_each_verdict_has_words_of_its_own_and_the_page_has_the_same() -> None:
    assert set(VERDICT_WORDS) == set(get_args(ClaimVerdict))
    assert len({words.word for words in VERDICT_WORDS.values()}) == len(VERDICT_WORDS)
    table = re.search(r"const VERDICTS = \{\n(.*?)\n\};", PAGE_WORDS.read_text("utf8"), re.DOTALL)
    assert table is not None
    rows = re.findall(r'^  (\w+): \{ word: (".*?"), .* says: (".*?") \},$', table[1], re.MULTILINE)
    page = {verdict: VerdictWords(json.loads(word), json.loads(says)) for verdict, word, says in rows}
    assert list(page.items()) == list(VERDICT_WORDS.items())
