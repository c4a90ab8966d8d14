"""The page by keyboard alone: every control is reached, focus goes into the panel and comes back."""

from typing import Any

import pytest

from tests.web.page.reading import FOLLOW_UP, MOON, PLUME, answered, ask, focused
from tests.web.page.scripted import ScriptedServer


def tab_to(page: Any, name: str, most: int = 60) -> None:
    """Press Tab until something with this name has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if name in focused(page):
            return
    raise AssertionError(f"{name} is not reached by {most} tabs; the focus is on {focused(page)}")


def test_a_question_is_asked_read_and_followed_up_without_a_mouse(page: Any) -> None:
    assert focused(page) == "question"
    page.keyboard.type(MOON)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.locator("article.finished").wait_for()
    assert focused(page) == "question"
    page.keyboard.type(FOLLOW_UP)
    page.keyboard.press("Enter")
    page.locator("article.finished").nth(1).wait_for()


def test_the_first_stop_of_the_page_leads_to_the_question_box(page: Any) -> None:
    page.locator(".brand").focus()
    page.keyboard.press("Shift+Tab")
    assert focused(page) == "skip"
    page.keyboard.press("Enter")
    assert focused(page) == "question"


def test_the_panel_takes_the_focus_and_gives_it_back(page: Any) -> None:
    answered(page, PLUME)
    page.locator("article.turn").focus()
    tab_to(page, "Citation 2: text")
    page.keyboard.press("Enter")
    page.locator("#panel mark").wait_for()
    assert focused(page) == "panel-title"
    tab_to(page, "Next citation", 3)
    page.keyboard.press("Enter")
    page.get_by_text("3 of 4").wait_for()
    assert focused(page) == "panel-title"
    page.keyboard.press("Escape")
    assert not page.locator("#panel").is_visible()
    assert "Citation 2: text" in focused(page)


def test_on_a_narrow_window_the_page_behind_the_panel_is_out_of_reach(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    answered(page, PLUME)
    page.get_by_role("button", name="Citation 4").click()
    dialog = page.get_by_role("dialog", name="Voyager 1")
    dialog.locator("tr.cited").wait_for()
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.closest('#panel') ? 'panel' : document.activeElement.tagName")
        )
    assert reached <= {"panel", "BODY"}
    page.keyboard.press("Escape")
    assert "Citation 4" in focused(page)


def test_single_letters_work_outside_of_text_boxes_only(page: Any) -> None:
    answered(page, PLUME)
    page.keyboard.type("n.?")
    assert page.get_by_label("Your question").input_value() == "n.?"
    page.get_by_label("Your question").fill("")
    page.locator("article.turn").focus()
    page.keyboard.press("e")
    page.locator("#panel mark").wait_for()
    page.keyboard.press("]")
    page.get_by_text("2 of 4").wait_for()
    page.keyboard.press("[")
    page.get_by_text("1 of 4").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.get_by_role("treeitem").first.wait_for()
    page.keyboard.press("t")
    page.locator("article.turn").focus()
    page.keyboard.press("/")
    assert focused(page) == "question"


def test_what_is_typed_at_once_is_a_question(page: Any) -> None:
    page.reload()
    page.get_by_role("heading", name="Ask, and see").wait_for()
    page.keyboard.type("Who discovered Titan?")
    assert page.get_by_label("Your question").input_value() == "Who discovered Titan?"


@pytest.mark.parametrize(
    "words", ["Who discovered Titan?", "name its moons", "jets of Io", "e.g. Titan", "42 years of what?"]
)
def test_a_question_typed_on_an_answer_goes_into_the_box_whole(page: Any, words: str) -> None:
    """Only a letter that stands alone is a key; the clock stands still, so that a slow machine types as fast."""
    answered(page, MOON).locator(".words").first.click()
    assert focused(page) != "question"
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.keyboard.type(words)
    box = page.get_by_label("Your question")
    assert (box.input_value(), page.locator("article.turn").count()) == (words, 1)
    assert page.locator("#panel").is_hidden()


def test_a_letter_that_stands_alone_is_a_key(page: Any) -> None:
    answered(page, MOON).locator(".words").first.click()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.keyboard.press("n")
    assert page.locator("article.turn").count() == 1
    page.clock.run_for(500)
    assert page.locator("article.turn").count() == 0
    assert (focused(page), page.get_by_label("Your question").input_value()) == ("question", "")


def test_what_is_written_stays_where_the_cursor_was(page: Any) -> None:
    answered(page, MOON)
    page.get_by_label("Your question").fill("Who  it?")
    page.get_by_label("Your question").evaluate("box => box.setSelectionRange(4, 4)")
    page.locator("article.turn").focus()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.keyboard.type("named")
    assert page.get_by_label("Your question").input_value() == "Who named it?"


def test_the_keys_are_listed_and_can_be_turned_off(page: Any) -> None:
    answered(page, PLUME)
    page.locator("article.turn").focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    assert "Stop the running question" in dialog.inner_text()
    dialog.get_by_label("Use the single-letter keys").click()
    page.keyboard.press("Escape")
    page.locator("article.turn").focus()
    page.keyboard.press("n")
    assert page.locator("article.turn").count() == 1
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 0


def test_a_running_question_is_stopped_by_a_key(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(PLUME, scripted.story(PLUME, hold=5))
    turn = ask(page, PLUME)
    turn.focus()
    page.keyboard.press(".")
    turn.get_by_role("heading", name="Stopped").wait_for()


def test_j_and_k_go_from_question_to_question(page: Any) -> None:
    answered(page, MOON)
    answered(page, FOLLOW_UP)
    page.locator("article.turn").last.focus()
    page.keyboard.press("k")
    assert MOON in focused_text(page)
    page.keyboard.press("j")
    assert FOLLOW_UP in focused_text(page)


def focused_text(page: Any) -> str:
    return str(page.evaluate("document.activeElement.innerText"))


def test_the_trace_is_walked_by_arrows(page: Any) -> None:
    turn = answered(page, PLUME)
    turn.get_by_role("tab", name="Answer").focus()
    page.keyboard.press("ArrowRight")
    turn.get_by_role("treeitem").first.wait_for()
    page.keyboard.press("Tab")
    rows = turn.get_by_role("treeitem")
    whole = rows.count()
    assert rows.first.evaluate("row => row === document.activeElement")
    page.keyboard.press("ArrowLeft")
    assert (rows.count(), rows.first.get_attribute("aria-expanded")) == (1, "false")
    page.keyboard.press("ArrowRight")
    assert rows.count() == whole
    page.keyboard.press("End")
    assert rows.last.evaluate("row => row === document.activeElement")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    turn.locator(".span-detail").wait_for()
    assert rows.nth(1).evaluate("row => row === document.activeElement")


def test_a_title_is_renamed_while_an_answer_arrives(page: Any, scripted: ScriptedServer) -> None:
    """A list that is drawn anew must not take the words from under the writer's hands."""
    answered(page, MOON)
    scripted.play(FOLLOW_UP, scripted.story(FOLLOW_UP, hold=4))
    ask(page, FOLLOW_UP).locator(".round").wait_for()
    page.get_by_role("button", name="Rename, export or delete").click()
    page.get_by_role("button", name="Rename", exact=True).click()
    page.get_by_label("New title").fill("Half writ")
    scripted.go.set()
    page.locator("article.finished").nth(1).wait_for()
    page.keyboard.type("ten")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Half written").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_seen(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    answered(page, PLUME)
    page.locator("article.turn").focus()
    for _ in range(25):
        page.keyboard.press("Tab")
        width = page.evaluate(
            "(() => { const at = document.activeElement; const shown = at.closest('.box') ?? at;"
            " const style = getComputedStyle(at.matches('textarea') ? shown : at);"
            " return at === document.body ? 9 : Math.max(parseFloat(style.outlineWidth) || 0,"
            " style.boxShadow === 'none' ? 0 : 2); })()"
        )
        assert width >= 2, focused(page)
