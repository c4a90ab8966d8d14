"""What the tests of the page ask, and how they wait for what it shows."""

from typing import Any

from tests.web.page.scripted import ScriptedServer

PLUME = "How near to the centre of Jupiter did the probe come whose picture revealed the plume of Pele?"
POLE = "How many years of uninterrupted sunshine does a pole of Uranus get?"
MOON = "Which is the largest moon of Neptune?"
FOLLOW_UP = "Who discovered it, and when?"
NOWHERE = "On what date did Huygens touch down on Enceladus?"


def ask(page: Any, question: str) -> Any:
    """Ask by keyboard and return the turn."""
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    return page.locator("article.turn").last


def begun(page: Any, server: ScriptedServer) -> Any:
    """Open the page of a server, ask what it does not finish, and return the turn in its first round."""
    page.goto(server.url + "/")
    server.play(PLUME, server.story(PLUME, hold=5))
    turn = ask(page, PLUME)
    turn.locator(".round").wait_for()
    return turn


def answered(page: Any, question: str) -> Any:
    """Ask, wait for the end, and return the turn."""
    before = page.locator("article.finished").count()
    ask(page, question)
    page.locator("article.finished").nth(before).wait_for()
    return page.locator("article.turn").last


def open_chip(page: Any, turn: Any, kind: str) -> Any:
    """Open the first citation of a kind ("text", "table", "picture") and return the panel."""
    turn.get_by_role("button", name=f": {kind}, ").first.click()
    panel = page.locator("#panel")
    panel.locator(".origin").wait_for()
    return panel


def focused(page: Any) -> str:
    """Return the accessible name, the text or the id of what has the focus."""
    return str(
        page.evaluate(
            "(() => { const at = document.activeElement;"
            " return at.getAttribute('aria-label') || at.id || at.textContent.trim(); })()"
        )
    )
