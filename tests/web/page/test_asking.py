"""A question in the page: rounds as they happen, the answer claim by claim, and what each claim cites."""

from typing import Any

from tests.web.page.reading import FOLLOW_UP, MOON, NOWHERE, PLUME, POLE, answered, ask, open_chip
from tests.web.page.scripted import ScriptedServer


def test_a_question_gets_claims_with_verdicts_and_citations(page: Any) -> None:
    turn = answered(page, PLUME)
    claims = turn.locator(".claims .claim")
    assert claims.count() >= 1
    for claim in claims.all():
        assert claim.locator(".verdict").inner_text() in {"Quoted", "Supported", "Computed", "Partly supported"}
        assert claim.locator(".verdict svg").count() == 1
        assert claim.get_by_role("button", name="Citation").count() >= 1
    assert "348,890" in turn.locator(".claims").inner_text()


def test_each_round_shows_queries_sources_pages_evidence_and_verdict(page: Any) -> None:
    turn = answered(page, PLUME)
    turn.locator(".steps > summary").click()
    first = turn.locator(".round").first
    labels = first.locator(".step h4").all_inner_texts()
    assert set(labels) >= {"Searched for", "Sources", "Read", "Evidence", "Verdict"}
    assert first.locator(".query").count() >= 1
    assert "answered" in first.locator(".source").first.inner_text()
    assert "pieces" in first.get_by_text("the best:").inner_text()


def test_steps_appear_while_the_question_runs_and_what_is_missing_is_named(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(POLE, scripted.story(POLE, hold=7))
    turn = ask(page, POLE)
    turn.get_by_text("Not enough yet. Missing:").wait_for()
    assert turn.locator(".missing li").all_inner_texts() == ["uninterrupted", "get"]
    assert turn.locator(".round h3").all_inner_texts() == ["Round 1"]
    assert turn.locator(".claim").count() == 0
    assert page.get_by_role("button", name="Stop").is_visible()
    scripted.go.set()
    turn.locator(".claim").first.wait_for()


def test_claims_appear_one_by_one(page: Any, scripted: ScriptedServer) -> None:
    script = scripted.story(PLUME)
    scripted.play(PLUME, scripted.story(PLUME, hold=len(script.events) - 2))
    turn = ask(page, PLUME)
    turn.locator(".claim").nth(1).wait_for()
    assert turn.locator(".claim").count() == 2
    assert "finished" not in turn.get_attribute("class")
    turn.get_by_role("button", name="Citation 1").click()
    page.locator("#panel mark").wait_for()
    scripted.go.set()
    page.locator("article.finished").wait_for()
    assert turn.locator(".claim").count() == 4


def test_a_waiting_question_says_how_many_come_first(page: Any, scripted: ScriptedServer) -> None:
    script = scripted.story(MOON, hold=1)
    scripted.play(MOON, scripted.story(MOON, hold=1))
    scripted.scripts[MOON][0].events = [("queued", {"before": 3}), *script.events]
    turn = ask(page, MOON)
    turn.get_by_text("Waiting: 3 questions come first").wait_for()
    scripted.go.set()
    page.locator("article.finished").wait_for()


def test_a_text_citation_marks_the_quote_in_its_paragraph(page: Any) -> None:
    turn = answered(page, PLUME)
    panel = open_chip(page, turn, "text")
    assert panel.get_by_role("heading", level=2).inner_text() == "Io (moon)"
    marked = panel.locator("p.cited mark").inner_text()
    assert marked.startswith("On 9 March 1979")
    assert marked in turn.inner_text()
    assert panel.locator("mark").evaluate("mark => mark.getBoundingClientRect().top < window.innerHeight")
    assert "CC0-1.0" in panel.inner_text()


def test_a_table_citation_marks_the_cited_row_and_scrolls_to_it(page: Any, scripted: ScriptedServer) -> None:
    sha = next(
        sha for sha, e in scripted.evidence.items() if e["id"].startswith("demo:Voyager%201@") and "/r1" in e["id"]
    )
    table = scripted.evidence[sha]["table"]
    rows = [{"number": n, "cells": [f"row {n}"] * 5, "cited": n == 60} for n in range(1, 81)]
    scripted.evidence[sha]["table"] = {**table, "rows": rows, "left_out": 120}
    panel = open_chip(page, answered(page, PLUME), "table")
    row = panel.locator("tr[aria-current=true]")
    assert row.locator("th").inner_text() == "cited 60"
    inside = "row => { const r = row.getBoundingClientRect(), s = row.closest('.scroll').getBoundingClientRect();"
    assert row.evaluate(inside + " return r.top >= s.top && r.bottom <= s.bottom && r.bottom <= innerHeight; }")
    assert "120 other rows are left out here." in panel.inner_text()


def test_a_table_citation_shows_caption_header_and_row(page: Any) -> None:
    panel = open_chip(page, answered(page, PLUME), "table")
    assert "Planetary flybys of the Voyager probes" in panel.locator("caption").inner_text()
    assert "348,890" in panel.locator("tr.cited").inner_text()
    assert panel.locator("thead th").count() == 5


def test_a_picture_citation_shows_the_picture_with_its_caption(page: Any) -> None:
    panel = open_chip(page, answered(page, POLE), "picture")
    image = panel.get_by_role("img")
    image.evaluate("image => image.decode()")
    assert image.evaluate("image => image.naturalWidth") > 100
    assert "42 years of sunlight" in panel.locator("figcaption").inner_text()


def test_a_computed_answer_says_how_it_was_computed(page: Any) -> None:
    turn = answered(page, MOON)
    assert turn.locator(".claims .verdict").first.inner_text() == "Computed"
    panel = open_chip(page, turn, "table")
    assert "Computed: max of column “Diameter (km)”" in panel.inner_text()


def test_an_answer_says_what_it_may_lack(page: Any) -> None:
    assert answered(page, MOON).get_by_text("perhaps not answered").count() == 0
    turn = answered(page, POLE)
    said = turn.get_by_text("Asked for and perhaps not answered: uninterrupted, get")
    assert said.is_visible()


def test_a_follow_up_is_asked_in_the_same_conversation_and_says_how_it_was_understood(page: Any) -> None:
    answered(page, MOON)
    place = page.url
    second = answered(page, FOLLOW_UP)
    assert "Understood as: Who discovered Triton, and when?" in second.inner_text()
    assert "10 October 1846" in second.inner_text()
    assert page.url == place
    page.get_by_text("2 questions").wait_for()


def test_the_permalink_opens_elsewhere_and_tells_nothing(page: Any, scripted: ScriptedServer) -> None:
    for evidence in scripted.evidence.values():
        evidence["url"] = "https://en.wikipedia.org/w/index.php?oldid=1"
    panel = open_chip(page, answered(page, PLUME), "text")
    link = panel.get_by_role("link", name="Open this revision on en.wikipedia.org")
    found = [link.get_attribute(name) for name in ("href", "target", "rel")]
    assert found == ["https://en.wikipedia.org/w/index.php?oldid=1", "_blank", "noopener noreferrer"]


def test_an_abstention_says_why_and_what_to_do(page: Any, scripted: ScriptedServer) -> None:
    turn = answered(page, NOWHERE)
    assert turn.locator(".claim").count() == 0
    assert "nothing in them carries an answer" in turn.inner_text()
    assert "Ask it in other words" in turn.inner_text()
    assert turn.locator(".round").first.is_visible()
