"""One conversation in several pages, and replies that come late, out of order or not at all."""

from typing import Any

from tests.web.page.reading import MOON, PLUME, ask
from tests.web.page.scripted import Script, ScriptedServer

BROKEN = Script([("failed", {"message": "It broke.", "code": "store"})])
QUESTIONS = "**/api/questions"
MOVED_ON = "was not asked again: meanwhile it was answered, or asked again, elsewhere"


def failed(page: Any, scripted: ScriptedServer) -> str:
    """Ask what fails, wait until it has, and return the address of its conversation."""
    scripted.play(MOON, BROKEN)
    ask(page, MOON).get_by_role("heading", name="The store could not be used").wait_for()
    return str(page.url)


def again(page: Any) -> None:
    """Ask the only question without an answer again."""
    page.get_by_role("button", name="Ask again").click()


def held_back(page: Any, path: str) -> list[Any]:
    """Have requests to a path reach the server, and keep their replies with what gives them."""
    held: list[Any] = []
    page.route(path, lambda route: held.append((route, route.fetch())), times=1)
    return held


def give(held: list[Any]) -> None:
    """Let the reply come that was kept."""
    route, reply = held[0]
    route.fulfill(response=reply)


def open_in_list(page: Any, place: str) -> None:
    """Follow the link of the list to a conversation."""
    page.locator(f"#conversations a[href$='{place.rsplit('/', 1)[1]}']").click()


def wait_until_kept(page: Any) -> None:
    """Wait until the server has a conversation, though the page may have no reply that says so.

    `wait_for_function` takes the promise of an async function for true, so it would look once.
    """
    for _ in range(500):
        if page.evaluate("async () => (await (await fetch('/api/conversations')).json()).conversations.length"):
            return
        page.wait_for_timeout(20)


def many_running(scripted: ScriptedServer, number: int) -> str:
    """Have another page ask questions that run on in one conversation; return its place."""
    name = scripted.add_conversation("Many", [])
    for count in range(number):
        scripted.play(f"{count}?", scripted.story(PLUME, hold=5))
        scripted.ask(f"{count}?", name, None)
    return f"{scripted.url}/#/c/{name}"


def follow_four(page: Any, scripted: ScriptedServer) -> None:
    """Ask four questions that run on, each in a conversation of its own."""
    for number in range(4):
        page.get_by_role("button", name="New conversation").click()
        scripted.play(f"mine {number}?", scripted.story(PLUME, hold=5))
        ask(page, f"mine {number}?").locator(".round").wait_for()


def test_a_question_asked_again_whose_reply_was_lost_is_shown_as_it_runs(page: Any, scripted: ScriptedServer) -> None:
    failed(page, scripted)
    scripted.play(MOON, scripted.story(MOON, hold=3))
    page.route(QUESTIONS, lambda route: (route.fetch(), route.abort()), times=1)
    again(page)
    page.get_by_role("heading", name="The server does not answer").wait_for()
    again(page)
    page.get_by_text(MOVED_ON).wait_for()
    assert page.locator("article.turn").count() == 1
    scripted.go.set()
    page.locator("article.finished .claim").first.wait_for()
    assert [asked["instead"] for asked in scripted.asked] == [None, "job-1", "job-1"]
    assert len(scripted.jobs) == 2


def test_what_another_page_asked_again_is_shown_with_its_answer(page: Any, scripted: ScriptedServer) -> None:
    place = failed(page, scripted)
    other = page.context.new_page()
    other.goto(place)
    again(other)
    other.locator("article.finished .claim").first.wait_for()
    again(page)
    page.get_by_text(MOVED_ON).wait_for()
    assert "Triton" in page.locator("article.turn .claims").inner_text()
    assert page.locator("article.turn").count() == 1
    page.reload()
    page.locator("article.finished .claim").first.wait_for()
    assert page.get_by_text(MOVED_ON).count() == 0


def test_what_another_page_asked_again_is_not_shown_as_failed_once_it_is_opened_again(
    page: Any, scripted: ScriptedServer
) -> None:
    place = failed(page, scripted)
    other = page.context.new_page()
    other.goto(place)
    again(other)
    other.locator("article.finished .claim").first.wait_for()
    page.get_by_role("button", name="New conversation").click()
    open_in_list(page, place)
    page.locator("article.finished .claim").first.wait_for()
    assert page.locator("article.turn").count() == 1


def test_a_question_without_a_reply_is_not_shown_beside_the_one_that_it_began(
    page: Any, scripted: ScriptedServer
) -> None:
    other = scripted.add_conversation("Other", [PLUME])
    place = failed(page, scripted)
    page.route(QUESTIONS, lambda route: (route.fetch(), route.abort()), times=1)
    again(page)
    page.get_by_role("heading", name="The server does not answer").wait_for()
    open_in_list(page, f"/{other}")
    page.locator("article.turn", has_text=PLUME).wait_for()
    open_in_list(page, place)
    page.locator("article.turn", has_text=MOON).locator(".claim").first.wait_for()
    assert page.locator("article.turn").count() == 1


def test_a_conversation_opened_before_its_first_question_was_accepted_goes_on(
    page: Any, scripted: ScriptedServer
) -> None:
    held = held_back(page, QUESTIONS)
    scripted.play(PLUME, scripted.story(PLUME, hold=5))
    ask(page, PLUME)
    wait_until_kept(page)
    (conversation,) = scripted.conversations
    page.evaluate("(id) => { location.hash = `#/c/${id}`; }", conversation)
    page.locator("article.turn .round").wait_for()
    with page.expect_request("**/events"):
        give(held)
    page.locator("article.turn .round").wait_for()
    assert page.get_by_role("button", name="Stop").is_visible()
    scripted.go.set()
    page.locator("article.finished .claim").first.wait_for()
    assert page.locator("article.turn").count() == 1


def test_a_question_asked_while_evidence_is_fetched_stays(page: Any, scripted: ScriptedServer) -> None:
    sha = next(iter(scripted.evidence))
    held = held_back(page, "**/evidence/*")
    page.evaluate("(sha) => { location.hash = `#/e/${sha}`; }", sha)
    page.get_by_text("Fetching the evidence…").wait_for()
    scripted.play(PLUME, scripted.story(PLUME, hold=5))
    ask(page, PLUME).locator(".round").wait_for()
    with page.expect_response("**/evidence/*"):
        give(held)
    scripted.go.set()
    page.locator("article.finished .claim").first.wait_for()
    assert page.get_by_role("article", name="Evidence").count() == 0
    page.get_by_role("heading", level=1, name=PLUME).wait_for()


def test_a_question_asked_while_its_conversation_cannot_be_fetched_stays(page: Any, scripted: ScriptedServer) -> None:
    name = scripted.add_conversation("Earlier", [MOON])
    held = held_back(page, "**/api/conversations/*")
    page.evaluate("(id) => { location.hash = `#/c/${id}`; }", name)
    page.get_by_text("Fetching the conversation…").wait_for()
    scripted.play(PLUME, scripted.story(PLUME, hold=5))
    ask(page, PLUME).locator(".round").wait_for()
    held[0][0].abort()
    page.get_by_role("heading", name="The conversation could not be fetched").wait_for()
    assert page.locator("article.turn .round").is_visible()
    page.get_by_role("button", name="Try again").click()
    page.locator("article.turn").nth(1).locator(".round").wait_for()
    scripted.go.set()
    page.locator("article.finished").nth(1).wait_for()


def test_a_question_on_its_way_is_not_forgotten_for_a_new_conversation(page: Any, scripted: ScriptedServer) -> None:
    followed: list[str] = []
    page.on("request", lambda request: "/events" in request.url and followed.append(request.url))
    held = held_back(page, QUESTIONS)
    scripted.play(PLUME, scripted.story(PLUME, hold=5))
    ask(page, PLUME)
    wait_until_kept(page)
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("heading", name="Ask, and see").wait_for()
    give(held)
    page.get_by_role("link", name="being answered").click()
    page.locator("article.turn .round").wait_for()
    scripted.go.set()
    page.locator("article.finished .claim").first.wait_for()
    assert len(followed) == 1


def test_a_page_takes_up_four_questions_of_another_and_the_rest_as_these_end(
    page: Any, scripted: ScriptedServer
) -> None:
    page.goto(many_running(scripted, 7))
    turns = page.locator("article.turn")
    for number in range(4):
        turns.nth(number).locator(".round").wait_for()
    assert turns.locator(".summary-words").all_inner_texts()[4:] == ["Being answered"] * 3
    page.reload()  # needs a connection
    turns.nth(3).locator(".round").wait_for()
    page.get_by_role("button", name="Stop").click()
    turns.nth(4).locator(".round").wait_for()
    assert turns.nth(5).locator(".waiting").is_visible()
    scripted.go.set()
    page.locator("article.finished .claims:has(.claim)").nth(5).wait_for()
    assert page.locator("article.finished").count() == 7
    assert page.locator(".waiting").count() == 0


def test_a_question_that_is_held_can_be_stopped(page: Any, scripted: ScriptedServer) -> None:
    follow_four(page, scripted)
    page.goto(many_running(scripted, 1))
    turn = page.locator("article.turn")
    turn.locator(".waiting").wait_for()
    page.get_by_role("button", name="Stop").click()
    turn.get_by_role("heading", name="Stopped").wait_for()


def test_a_held_question_that_was_answered_elsewhere_is_shown_with_its_answer(
    page: Any, scripted: ScriptedServer
) -> None:
    follow_four(page, scripted)
    place = many_running(scripted, 1)
    page.goto(place)
    page.locator("article.turn .waiting").wait_for()
    job = scripted.jobs["job-5"]
    scripted._keep(job.conversation, job.question, job.script.answer or {}, job.name)
    page.get_by_role("button", name="New conversation").click()
    page.evaluate("(place) => { location.href = place; }", place)
    page.locator("article.finished .claim").first.wait_for()
    assert page.locator("article.turn").count() == 1
