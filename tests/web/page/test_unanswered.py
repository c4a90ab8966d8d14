"""Questions without an answer stand where they were asked; evidence that a program links to is a page."""

from typing import Any

from tests.web.page.reading import FOLLOW_UP, MOON, PLUME, answered, ask, begun
from tests.web.page.scripted import Script, ScriptedServer, serving


def test_a_server_that_is_started_anew_says_what_it_did_not_answer(page: Any) -> None:
    server = ScriptedServer()
    with serving(server):
        begun(page, server)
    page.get_by_text("The connection broke. Trying again; nothing is lost.").wait_for()
    server.jobs.clear()
    (conversation,) = server.conversations.values()
    conversation["turns"][0]["job"] = None
    with serving(server, int(server.url.rsplit(":", 1)[1])):
        page.get_by_role("heading", name="This question has no answer").wait_for()
        server.scripts.clear()
        page.get_by_role("button", name="Ask again").click()
        page.locator("article.finished .claim").first.wait_for()
    assert page.locator("article.turn").count() == 1
    assert [turn["typed"] for turn in conversation["turns"]] == [PLUME]


def test_what_failed_and_what_was_stopped_is_shown_after_a_reload(page: Any, scripted: ScriptedServer) -> None:
    run = str((scripted.story(PLUME).answer or {})["run"])
    started = ("started", {"run": run, "typed": "Why?", "asked": "Why Triton?", "open_words": ""})
    failed = ("failed", {"message": "demo.zim is gone.", "code": "search_unavailable", "run": run})
    scripted.play("Why?", Script((started, failed)))
    ask(page, "Why?").locator(".notice").wait_for()
    answered(page, MOON)
    scripted.play(PLUME, scripted.story(PLUME, hold=5))
    ask(page, PLUME).locator(".round").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("heading", name="Stopped").wait_for()
    page.reload()
    page.get_by_role("heading", name="Stopped").wait_for()
    turns = page.locator("article.turn")
    assert turns.locator("h2.question bdi").all_inner_texts() == ["Why?", MOON, PLUME]
    assert "Understood as: Why Triton?" in turns.first.inner_text()
    assert "demo.zim is gone." in turns.first.inner_text()
    turns.first.get_by_role("tab", name="Trace").click()
    turns.first.get_by_role("treeitem").first.wait_for()
    assert page.locator("#conversations .entry-about").inner_text().startswith("3 questions")
    turns.last.get_by_role("button", name="Ask again").click()
    page.locator("article.finished", has_text="348,890").wait_for()
    page.reload()
    page.locator("article.finished", has_text="348,890").wait_for()
    assert turns.count() == 3


def test_what_is_refused_in_place_of_a_failed_question_stands_once(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(MOON, Script([("failed", {"message": "It broke.", "code": "store"})]))
    other = scripted.add_conversation("Other", [PLUME])
    ask(page, MOON).locator(".notice").wait_for()
    page.reload()
    scripted.play(MOON, Script((), refusal=(429, "full", "Full.", 0)))
    page.get_by_role("button", name="Ask again").click()
    page.get_by_text("Full.").wait_for()
    for conversation in (other, *scripted.conversations.keys() - {other}):
        page.locator(f"#conversations a[href$='{conversation}']").click()
        page.locator("article.turn", has_text=scripted.conversations[conversation]["turns"][0]["typed"]).wait_for()
    page.get_by_text("Full.").wait_for()
    assert page.locator("article.turn").count() == 1
    page.get_by_role("button", name="Ask again").click()
    page.locator("article.finished .claim").first.wait_for()
    assert [each["instead"] for each in scripted.asked] == [None, "job-1", "job-1"]


def test_evidence_that_a_program_links_to_is_shown_as_a_page(page: Any, scripted: ScriptedServer) -> None:
    sha, piece = next((sha, piece) for sha, piece in scripted.evidence.items() if piece["modality"] == "table")
    page.goto(f"{scripted.url}/#/e/{sha}")
    article = page.get_by_role("article", name="Evidence")
    article.locator("tr.cited").wait_for()
    assert article.locator("h2").inner_text() == piece["title"]
    assert page.title() == f"{piece['title']} · Heliograph"
    answered(page, MOON)
    assert article.count() == 0
    page.goto(f"{scripted.url}/#/e/{'0' * 64}")
    page.get_by_role("heading", name="There is no such evidence here").wait_for()


def test_a_question_that_is_opened_again_before_it_was_accepted_stands_once(
    page: Any, scripted: ScriptedServer
) -> None:
    """The reply to the asking is slower than the conversation that names the question."""
    answered(page, MOON)
    other = scripted.add_conversation("Other", [PLUME])
    page.reload()
    page.locator("article.finished").wait_for()
    (conversation,) = scripted.conversations.keys() - {other}
    held: list[Any] = []
    page.route("**/api/questions", lambda route: held.append((route, route.fetch())))
    scripted.play(FOLLOW_UP, scripted.story(FOLLOW_UP, hold=4))
    ask(page, FOLLOW_UP)
    for name, turns in ((other, 1), (conversation, 3)):
        page.locator(f"#conversations a[href$='{name}']").click()
        page.locator("article.turn").nth(turns - 1).wait_for()
    route, reply = held[0]
    route.fulfill(response=reply)
    page.wait_for_function("document.querySelectorAll('article.turn').length === 2")
    scripted.go.set()
    page.locator("article.finished").nth(1).wait_for()
    assert page.locator("article.turn").count() == 2
    assert page.locator("#conversations").get_by_text("being answered").count() == 0


def test_a_list_that_is_late_does_not_hide_what_was_asked_since(page: Any, scripted: ScriptedServer) -> None:
    held: list[Any] = []
    page.route("**/api/conversations", lambda route: held.append((route, route.fetch())), times=1)
    page.reload()
    page.get_by_role("heading", name="Ask, and see").wait_for()
    answered(page, MOON)
    page.locator("#conversations .entry-about").get_by_text("1 question").wait_for()
    route, reply = held[0]
    route.fulfill(response=reply)
    page.wait_for_load_state("networkidle")
    assert page.locator("#conversations .entry").count() == 1


def test_what_runs_elsewhere_is_no_longer_said_to_once_the_server_forgot_it(page: Any) -> None:
    server = ScriptedServer()
    with serving(server):
        begun(page, server)
        page.get_by_role("button", name="New conversation").click()
        page.locator("#conversations").get_by_text("being answered").wait_for()
    server.jobs.clear()
    with serving(server, int(server.url.rsplit(":", 1)[1])):
        page.locator("#conversations .entry-about").get_by_text("1 question").wait_for()


def test_a_server_that_is_ended_says_so(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(MOON, Script([("stopped", {"by_server": True})]))
    turn = ask(page, MOON)
    turn.get_by_role("heading", name="This question has no answer").wait_for()
    assert "The server was ended while it was being answered." in turn.inner_text()
