"""The answer record as a person reads it and as JSON, whole."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.answer_files.html_page import html_page
from agent.markdown_answer import markdown_answer
from agent.record import answer_fields, answer_json, merged_reports
from agent.rendering import render_answer, render_rounds, verdicts_line, width
from agent.terminal import Output, evidence_text, show_answer
from heliograph.errors import UnknownName
from heliograph.types import (
    ANSWER_SCHEMA,
    PERHAPS_BELOW,
    Answer,
    Block,
    BlockCell,
    Citation,
    CitedMarker,
    Claim,
    Observation,
    RoundRecord,
    SourceReport,
    Usage,
    VectorUse,
    Verdict,
)
from memory.pages import FilePageStore
from memory.trace.decoding import Decoder
from tests.fakes import key_of, make_page, paragraph
from tests.reports import REPORT

ANSWER = Answer(
    schema=ANSWER_SCHEMA,
    run="run-1",
    question="Which letter?",
    answer="Alpha is first. [1]",
    abstained=False,
    mode="extractive",
    stop_reason="rounds_exhausted",
    citations=(
        Citation(
            1, paragraph("Alpha"), "text", "Alpha", "Uses", "1", "zim://varn/Alpha", "Alpha is first.", "CC0", "us"
        ),
    ),
    claims=(Claim("Alpha is first.", (CitedMarker(1, "supported"),), "supported"),),
    rounds=(
        RoundRecord(
            1, ("alpha", '"first letter"'), (key_of("Alpha"),), (paragraph("Alpha"),), Verdict(False, ("beta",))
        ),
        RoundRecord(2, ("beta",), (), (), Verdict(False)),
    ),
    evidence=(Observation(paragraph("Alpha"), "text", 0.5, 1),),
    sources=(SourceReport("varn", "ok"),),
    notes=("a note",),
    model_failures=(),
    usage=Usage(embedded=3, pages_read=1),
    seconds=1.25,
)


def test_an_answer_is_text_references_and_a_footer() -> None:
    assert render_answer(ANSWER) == (
        "Alpha is first. [1]\n"
        "\n"
        "[1] Alpha > Uses (varn:Alpha@1#s0/p1)\n"
        '    "Alpha is first."\n'
        "\n"
        "1 claim: 1 quoted (in the words of its source)\n"
        "2 rounds, stopped: rounds exhausted; 1.2 s\n"
        "a note\n"
        "run run-1"
    )


def test_the_footer_counts_claims_by_their_verdicts() -> None:
    told = ("quoted", "computed", "supported", "supported", "partial")
    claims = tuple(Claim(f"Claim {n}.", (CitedMarker(1, verdict),), verdict) for n, verdict in enumerate(told))
    assert verdicts_line(replace(ANSWER, mode="llm", claims=claims)) == (
        "5 claims: 1 quoted (in the words of its source),"
        " 2 supported (a paraphrase, checked against the words of its source),"
        " 1 computed (worked out from its source, and once more to check),"
        " 1 partly supported (its source says some of it)"
    )


def test_markdown_says_the_verdicts_and_what_may_be_missing() -> None:
    missed = replace(ANSWER, rounds=ANSWER.rounds[:1])
    assert markdown_answer(missed) == (
        "**Which letter?**\n\nAlpha is first. [1]\n\n1. Alpha › Uses: “Alpha is first.” (us, CC0)\n\n"
        "Asked for and perhaps not answered: beta\n\n1 claim: 1 quoted (in the words of its source)\n"
    )
    abstained = replace(missed, answer="I found no answer.", abstained=True, claims=(), citations=())
    assert markdown_answer(abstained) == "**Which letter?**\n\nI found no answer.\n"


def test_rounds_say_what_was_asked_read_found_and_missing() -> None:
    assert render_rounds(ANSWER) == (
        "round 1\n"
        '  asked    alpha; "first letter"\n'
        "  read     Alpha\n"
        "  evidence 1 pieces\n"
        "  missing  beta\n"
        "round 2\n"
        "  asked    beta\n"
        "  read     nothing new\n"
        "  evidence 0 pieces"
    )


def test_an_abstention_has_no_references_and_no_claims() -> None:
    abstained = Answer(**{**fields_of(ANSWER), "answer": "I found no answer.", "citations": (), "claims": ()})
    assert render_answer(abstained).splitlines()[:3] == ["I found no answer.", "", "0 claims"]


def fields_of(answer: Answer) -> dict[str, object]:
    return {name: getattr(answer, name) for name in answer.__slots__}


def test_the_record_leaves_out_what_nobody_counted() -> None:
    counted = replace(ANSWER, usage=replace(ANSWER.usage, vectors=VectorUse(needed=7, asked=5)))
    told = json.loads(answer_json(counted))["usage"]
    assert told.pop("vectors") == {"needed": 7, "asked": 5}
    assert json.loads(answer_json(ANSWER))["usage"] == told


def test_the_json_record_is_one_line_that_says_everything() -> None:
    line = answer_json(ANSWER)
    assert "\n" not in line
    assert json.loads(line) == json.loads(json.dumps(answer_fields(ANSWER)))
    assert list(json.loads(line)) == list(ANSWER.__slots__)
    assert json.loads(line)["evidence"] == [
        {"id": "varn:Alpha@1#s0/p1", "modality": "text", "score": 0.5, "round": 1, "via": None}
    ]


@pytest.mark.parametrize(
    ("statuses", "worst"),
    [
        (["ok", "empty"], "ok"),
        (["empty", "ok"], "ok"),
        (["ok", "rate_limited"], "rate_limited"),
        (["failed", "ok"], "failed"),
    ],
)
def test_a_source_has_the_worst_report_of_its_rounds(statuses: list[str], worst: str) -> None:
    reports = [SourceReport("varn", status) for status in statuses]
    assert merged_reports(reports) == (SourceReport("varn", worst),)


def test_output_is_for_people_unless_json_is_asked_for(tmp_path: Path) -> None:
    assert show_answer(ANSWER, Output(), tmp_path) == f"{render_rounds(ANSWER)}\n\n{render_answer(ANSWER)}"
    assert show_answer(ANSWER, Output(as_json=True), tmp_path) == answer_json(ANSWER)
    assert show_answer(ANSWER, Output(stream=True), tmp_path) == answer_json(ANSWER)


def test_evidence_is_shown_with_its_place_and_exact_words(tmp_path: Path) -> None:
    store = FilePageStore(tmp_path)
    store.put(make_page("Alpha", "Alpha is first."), "1", "Alpha")
    assert evidence_text(paragraph("Alpha"), store) == (
        "varn:Alpha@1#s0/p1\nzim://varn/Alpha\nfetched 2026-11-21T00:00:00+00:00\n\nAlpha: Alpha is first."
    )
    with pytest.raises(UnknownName, match="no page varn:Beta@1 is kept"):
        evidence_text(paragraph("Beta"), store)
    with pytest.raises(UnknownName, match="no evidence"):
        evidence_text(paragraph("Alpha", 7), store)


def test_what_the_last_round_missed_is_said_beside_an_answer_and_not_beside_an_abstention() -> None:
    missed = replace(ANSWER, rounds=ANSWER.rounds[:1])
    said = "asked for and perhaps not answered: beta"
    assert said in render_answer(missed).splitlines()
    for answer in (ANSWER, replace(missed, abstained=True), replace(missed, rounds=())):
        assert said not in render_answer(answer)


def test_an_answer_of_low_confidence_is_told_as_one_that_is_perhaps_right() -> None:
    plain = replace(ANSWER, confidence=0.4)
    assert markdown_answer(plain).splitlines()[2] == "Perhaps: Alpha is first. [1]"
    parts = replace(REPORT, confidence=0.4)
    assert "Perhaps:" in render_answer(parts).splitlines()
    assert "Perhaps:" in markdown_answer(parts).splitlines()
    for answer in (replace(REPORT, confidence=PERHAPS_BELOW), replace(REPORT, confidence=None)):
        assert "Perhaps" not in render_answer(answer) + markdown_answer(answer)
    assert not replace(plain, abstained=True).unsure


def test_a_report_is_headed_text_with_tables_pictures_and_what_was_left_out() -> None:
    lines = render_answer(REPORT).splitlines()
    assert lines[:2] == ["The moons of Saturn: atmospheres, oceans and their exploration", "=" * 62]
    assert "Kraken Mare   | Sea  | 400,000    | North [4]" in lines
    assert "[picture] Enceladus in section, with the four main cracks [8] (the authors of Heliograph, CC0-1.0)" in lines
    computed = (
        "    computed: Greatest by Mean diameter (km) over 19 rows, of Titan (List of moons of Saturn): 5,150 km."
    )
    assert lines.count(computed) == 1
    assert "Of the 274 moons most are irregular and only a few kilometres across. (partly supported) [1]" in lines
    assert "Not found: what the orbits of the irregular moons have in common" in lines
    assert lines[lines.index("Not said: 2 claims did not pass the check") + 1].startswith("  - Titan was discovered")
    assert not any(line.startswith("asked for and perhaps") for line in lines)


def test_a_short_answer_of_parts_has_no_title() -> None:
    assert render_answer(replace(REPORT, form="short")).startswith(REPORT.claims[0].text)


def test_what_is_computed_stands_in_no_quotation_marks() -> None:
    plain = replace(REPORT, form="short", blocks=())
    for told in (markdown_answer(plain), markdown_answer(REPORT), render_answer(plain)):
        assert "omputed: Greatest by Mean diameter" in told
        assert not any(f"{mark}Greatest by" in told for mark in '“"')


def test_a_table_wider_than_a_window_is_told_row_by_row() -> None:
    row = (BlockCell("word " * 10, (1,)), BlockCell("word " * 12))
    wide = Block("table", header=("One", "Other"), rows=(row,))
    told = render_answer(replace(REPORT, blocks=(wide,)))
    assert f"- One: {'word ' * 10}[1]; Other: {'word ' * 11}word" in told.splitlines()


def test_the_widths_of_wide_and_of_combining_characters_are_those_of_a_terminal() -> None:
    assert [width(text) for text in ("abc", "月", "e\u0301")] == [3, 2, 1]


@pytest.mark.parametrize("blocks", [(), (Block("paragraph", (0,)),)])
def test_an_answer_of_one_paragraph_is_told_as_one_without_parts(blocks: tuple[Block, ...]) -> None:
    answer = replace(ANSWER, blocks=blocks)
    assert render_answer(answer).splitlines()[0] == "Alpha is first. [1]"
    assert markdown_answer(answer).startswith("**Which letter?**\n\nAlpha is first. [1]\n\n1. Alpha › Uses: “Alpha is")


OLD = """{"schema": "heliograph.answer/1", "run": "run-0", "question": "Which letter?", "answer": "Alpha is first. [1]",
"abstained": false, "mode": "extractive", "stop_reason": "sufficient", "citations": [{"marker": 1,
"evidence": "varn:Alpha@1#s0/p1", "modality": "text", "title": "Alpha", "section": "", "revision": "1",
"url": "zim://varn/Alpha", "quote": "Alpha is first.", "licence": "", "attribution": "", "computation": null}],
"claims": [{"text": "Alpha is first.", "citations": [{"marker": 1, "verdict": "supported"}], "verdict": "supported"}],
"rounds": [{"number": 1, "queries": ["alpha"], "documents": [], "evidence": [],
"verdict": {"sufficient": true, "missing": [], "leads": [], "feedback": ""}}], "evidence": [], "sources": [],
"notes": [], "model_failures": [], "usage": {"llm_calls": 0, "prompt_tokens": 0, "cached_tokens": 0,
"completion_tokens": 0, "http_requests": 0, "embedded": 1, "pages_read": 1}, "seconds": 0.5}"""


def test_a_record_of_the_first_schema_is_read_and_told_in_every_form(tmp_path: Path) -> None:
    answer: Answer = Decoder(lambda _: b"").decode(Answer, json.loads(OLD))
    assert (answer.form, answer.needs, answer.blocks, answer.confidence) == ("short", (), (), None)
    assert render_answer(answer).startswith("Alpha is first. [1]\n\n[1] Alpha (varn:Alpha@1#s0/p1)")
    assert "Alpha is first." in html_page(answer, {})


def test_the_record_is_of_the_second_schema_and_keeps_every_field_of_the_first() -> None:
    fields = answer_fields(REPORT)
    assert fields["schema"] == "heliograph.answer/2"
    assert set(json.loads(OLD)) < set(fields)
    assert set(fields) - set(json.loads(OLD)) == {"form", "needs", "blocks", "not_found", "not_said", "confidence"}
