"""The list of conversations, and what can be done with an answer."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.web.page.reading import MOON, PLUME, POLE, answered
from tests.web.page.scripted import ScriptedServer


def tools(page: Any) -> Any:
    """Open the tools of the first conversation of the list and return its entry."""
    entry = page.locator("#conversations .entry").first
    entry.get_by_role("button", name="Rename, export or delete").click()
    return entry


def test_the_header_and_the_question_asked_last_stay_in_sight(page: Any) -> None:
    for question in (PLUME, MOON, PLUME, MOON):
        answered(page, question).locator(".references > summary").click()
    page.locator("article.turn").last.get_by_role("button", name="Citation").first.click()
    page.locator("#panel .origin").wait_for()
    higher = "[document.scrollingElement.scrollTop, document.documentElement.scrollHeight - innerHeight]"
    assert page.evaluate(higher) == [0, 0]
    assert page.locator("#top").bounding_box()["y"] == 0
    page.keyboard.press("Escape")
    asked = answered(page, MOON).locator("h2").bounding_box()
    assert 52 <= asked["y"] < 160


def test_conversations_are_listed_latest_first_and_opened(page: Any, scripted: ScriptedServer) -> None:
    scripted.add_conversation("Older", [MOON])
    scripted.add_conversation("Later", [PLUME, POLE])
    page.reload()
    titles = page.locator("#conversations .entry-title")
    titles.first.wait_for()
    assert titles.all_inner_texts() == ["Later", "Older"]
    page.get_by_role("link", name="Later").click()
    page.locator("article.finished").nth(1).wait_for()
    assert page.get_by_role("link", name="Later").get_attribute("aria-current") == "page"
    assert page.title() == "Later · Heliograph"
    page.go_back()
    page.get_by_role("heading", name="Ask, and see").wait_for()


def test_a_conversation_is_renamed(page: Any) -> None:
    answered(page, MOON)
    entry = tools(page)
    entry.get_by_role("button", name="Rename", exact=True).click()
    page.get_by_label("New title").fill("Neptune and its moons")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Neptune and its moons").wait_for()
    assert page.get_by_role("heading", level=1).inner_text() == "Neptune and its moons"
    page.reload()
    page.get_by_role("link", name="Neptune and its moons").wait_for()


def test_renaming_is_given_up_by_escape(page: Any) -> None:
    answered(page, MOON)
    title = page.locator(".entry-title").first.inner_text()
    tools(page).get_by_role("button", name="Rename", exact=True).click()
    page.get_by_label("New title").fill("Never mind")
    page.keyboard.press("Escape")
    assert page.locator(".entry-title").first.inner_text() == title


def test_a_conversation_is_deleted_only_after_it_was_confirmed(page: Any) -> None:
    answered(page, MOON)
    page.locator("#conversations .entry").first.wait_for()
    listed = page.locator("#conversations .entry").count()
    tools(page).get_by_role("button", name="Delete", exact=True).click()
    dialog = page.get_by_role("dialog", name="Delete this conversation?")
    dialog.get_by_role("button", name="Keep it").click()
    assert page.locator("#conversations .entry").count() == listed
    page.locator("#conversations .entry").first.get_by_role("button", name="Delete", exact=True).click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("heading", name="Ask, and see").wait_for()
    assert page.locator("#conversations .entry").count() == listed - 1


@pytest.mark.parametrize("kind", ["Markdown", "JSON"])
def test_a_conversation_is_exported(page: Any, kind: str, tmp_path: Path) -> None:
    answered(page, MOON)
    with page.expect_download() as waiting:
        tools(page).get_by_role("link", name=kind).click()
    saved = tmp_path / "saved"
    waiting.value.save_as(saved)
    text = saved.read_text(encoding="utf8")
    assert "Triton" in (json.dumps(json.loads(text)) if kind == "JSON" else text)


def test_an_answer_is_copied_as_markdown_with_references(page: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    turn = answered(page, PLUME)
    turn.get_by_role("button", name="Copy as Markdown").click()
    turn.get_by_text("Copied", exact=True).wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "348,890" in copied
    assert "[4]" in copied
    assert "Voyager 1" in copied


def test_where_copying_is_not_allowed_the_markdown_is_shown_to_be_copied_by_hand(page: Any) -> None:
    turn = answered(page, PLUME)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    turn.get_by_role("button", name="Copy as Markdown").click()
    area = page.get_by_label("The answer as Markdown")
    assert "348,890" in area.input_value()
    assert area.evaluate("area => area.selectionEnd - area.selectionStart === area.value.length")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.classList.contains('copy')")


def test_a_thumb_is_sent_kept_and_taken_back(page: Any, scripted: ScriptedServer) -> None:
    turn = answered(page, MOON)
    good = turn.get_by_role("button", name="Good answer")
    good.click()
    turn.get_by_text("Noted").wait_for()
    page.reload()
    page.locator("article.finished").wait_for()
    assert good.get_attribute("aria-pressed") == "true"
    good.click()
    turn.get_by_text("Taken back").wait_for()
    assert [thumb for _, thumb in scripted.rated] == ["up", None]


def test_no_thumb_is_offered_where_runs_are_not_remembered(page: Any, scripted: ScriptedServer) -> None:
    scripted.about["remembers"] = False
    page.reload()
    turn = answered(page, MOON)
    assert turn.get_by_role("button", name="Ask again").is_visible()
    assert turn.get_by_role("button", name="Good answer").count() == 0


def test_references_name_place_and_rights_and_open_the_evidence(page: Any) -> None:
    turn = answered(page, PLUME)
    turn.get_by_text("4 references").click()
    last = turn.locator(".references ol > li").last
    assert "Voyager 1 › Encounters" in last.inner_text()
    assert "CC0-1.0" in last.inner_text()
    last.get_by_role("button").click()
    page.locator("#panel tr.cited").wait_for()


def test_the_panel_goes_from_citation_to_citation(page: Any) -> None:
    turn = answered(page, PLUME)
    turn.get_by_role("button", name="Citation 1").click()
    page.get_by_text("1 of 4").wait_for()
    page.get_by_role("button", name="Previous citation").click()
    page.locator("#panel tr.cited").wait_for()
    assert page.get_by_text("4 of 4").is_visible()
    page.get_by_role("button", name="Next citation").click()
    page.locator("#panel mark").wait_for()


def test_the_trace_is_a_tree_over_a_time_line_with_the_words_of_each_span(page: Any, scripted: ScriptedServer) -> None:
    turn = answered(page, POLE)
    turn.get_by_role("tab", name="Trace").click()
    rows = turn.get_by_role("treeitem")
    rows.first.wait_for()
    model = rows.filter(has_text="is the evidence enough?")
    assert "843 tokens · 1 retried" in model.inner_text()
    assert model.locator("rect.stretch").count() == 1
    model.click()
    detail = turn.locator(".span-detail")
    detail.get_by_text("Prompt: system").wait_for()
    assert "42 years of sunlight" in detail.inner_text()
    assert "sufficient: yes" in detail.inner_text()
    rows.filter(has_text="Uranus (mythology)").click()
    detail.get_by_text('no page "Uranus (mythology)" in demo').wait_for()
    turn.get_by_role("tab", name="Answer").click()
    assert turn.locator(".claim").first.is_visible()


def test_documents_of_a_span_are_shown(page: Any, scripted: ScriptedServer) -> None:
    turn = answered(page, PLUME)
    turn.get_by_role("tab", name="Trace").click()
    turn.get_by_role("treeitem").filter(has_text="probe → 21 hits").click()
    turn.locator(".span-detail").get_by_text("Documents").wait_for()
    assert turn.locator(".span-detail ol > li").count() == 5


def test_the_theme_is_switched_and_kept(page: Any) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    switch = page.get_by_role("button", name="Theme")
    switch.click()
    assert (switch.get_attribute("aria-label"), page.evaluate(paper)) == ("Theme: light", light)
    switch.click()
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    page.locator("html[data-theme=dark]").wait_for()
    assert page.evaluate(paper) == dark
    page.get_by_role("button", name="Theme: dark").click()
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(paper) == dark


def test_a_question_that_is_too_long_is_not_sent(page: Any, scripted: ScriptedServer) -> None:
    box = page.get_by_label("Your question")
    box.fill("x" * 2001)
    page.keyboard.press("Enter")
    assert "at most 2,000 characters" in page.locator("#composer-says").inner_text()
    assert (len(box.input_value()), scripted.asked) == (2001, [])


def test_a_preset_is_chosen_sent_and_kept(page: Any, scripted: ScriptedServer) -> None:
    scripted.about = {**scripted.about, "presets": ["demo", "fast"]}
    page.reload()
    page.get_by_label("Preset").select_option("fast")
    page.reload()
    page.locator("#preset option:checked", has_text="fast").wait_for(state="attached")
    answered(page, MOON)
    assert [asked["preset"] for asked in scripted.asked] == ["fast"]


def test_what_is_asked_right_behind_a_new_conversation_is_in_it(page: Any, scripted: ScriptedServer) -> None:
    """Both in one task of the browser, before any event that it owes for a changed address."""
    answered(page, MOON)
    page.evaluate(
        "(question) => { document.getElementById('new').click(); "
        "document.getElementById('question').value = question; document.getElementById('composer').requestSubmit(); }",
        PLUME,
    )
    page.locator("article.finished", has_text=PLUME).wait_for()
    assert page.locator("article.turn").count() == 1
    assert [asked["conversation"] for asked in scripted.asked] == [None, None]
    page.go_back()
    page.locator("article.finished", has_text=MOON).wait_for()


def test_a_turn_whose_record_is_gone_is_shown_by_its_text(page: Any, scripted: ScriptedServer) -> None:
    name = scripted.add_conversation("Purged", [MOON, PLUME])
    turn = scripted.conversations[name]["turns"][0]
    turn.update(answer=None, text="Triton is its largest moon.", problem="no run is kept")
    page.goto(f"{scripted.url}/#/c/{name}")
    page.locator("article.finished").nth(1).wait_for()
    first = page.locator("article.turn").first
    assert first.get_by_role("heading", name="The record of this answer is gone").is_visible()
    assert "Triton is its largest moon." in first.inner_text() and "no run is kept" in first.inner_text()
    assert page.locator("article.turn").last.locator(".claim").count() > 0
