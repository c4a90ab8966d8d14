"""Stop, retry, reload, and what the page says when something goes wrong."""

from typing import Any

from tests.web.page.reading import FOLLOW_UP, MOON, PLUME, answered, ask, begun
from tests.web.page.scripted import Script, ScriptedServer, serving


def test_stopping_ends_the_work_and_the_question_can_be_asked_again(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(PLUME, scripted.story(PLUME, hold=5))
    turn = ask(page, PLUME)
    turn.locator(".round").wait_for()
    page.get_by_role("button", name="Stop").click()
    turn.get_by_role("heading", name="Stopped").wait_for()
    assert scripted.jobs["job-1"].events[-1] == ("stopped", {})
    assert page.get_by_role("button", name="Stop").count() == 0
    turn.get_by_role("button", name="Ask again").click()
    page.locator(".turn.finished .claim").first.wait_for()
    assert [asked["question"] for asked in scripted.asked] == [PLUME, PLUME]
    assert page.locator("article.turn").count() == 1


def test_that_a_question_is_running_is_said_until_it_has_ended(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(PLUME, scripted.story(PLUME, hold=5))
    ask(page, PLUME).locator(".round").wait_for()
    page.get_by_label("Your question").fill(MOON)
    page.keyboard.press("Enter")
    said = page.locator("#composer-says")
    assert said.inner_text() == "A question is running: stop it, or wait for its answer."
    scripted.go.set()
    page.locator("article.finished").wait_for()
    assert said.inner_text() == ""
    assert page.get_by_label("Your question").input_value() == MOON


def test_a_question_can_be_stopped_as_soon_as_it_is_asked(page: Any, long_question: str) -> None:
    turn = ask(page, long_question)
    page.get_by_role("button", name="Stop").click()
    turn.locator("xpath=self::*[contains(@class, 'finished')]").wait_for()
    assert turn.get_by_role("button", name="Ask again").count() == 1


def test_an_answered_question_is_asked_again_as_a_further_turn(page: Any, scripted: ScriptedServer) -> None:
    turn = answered(page, MOON)
    turn.get_by_role("button", name="Ask again").click()
    page.locator("article.finished").nth(1).wait_for()
    (conversation,) = scripted.conversations.values()
    assert [turn["typed"] for turn in conversation["turns"]] == [MOON, MOON]


def test_a_reload_restores_the_conversation(page: Any) -> None:
    answered(page, MOON)
    before = answered(page, FOLLOW_UP).locator(".claims").inner_text()
    page.reload()
    page.locator("article.finished").nth(1).wait_for()
    assert page.locator("article.turn h2").all_inner_texts()[0].endswith(MOON)
    assert page.locator("article.turn").last.locator(".claims").inner_text() == before
    assert "Understood as: Who discovered Triton, and when?" in page.locator("article.turn").last.inner_text()


def test_a_reload_in_the_middle_goes_on_with_the_running_question(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(PLUME, scripted.story(PLUME, hold=6))
    ask(page, PLUME).locator(".round").wait_for()
    page.reload()
    turn = page.locator("article.turn")
    turn.get_by_text("44 pieces; the best:").wait_for()
    assert turn.locator("h2").inner_text().endswith(PLUME)
    assert page.get_by_role("button", name="Stop").is_visible()
    scripted.go.set()
    page.locator("article.finished").wait_for()
    assert turn.locator(".claim").count() == 4
    assert len(scripted.asked) == 1


def test_a_reload_in_the_middle_of_a_follow_up_shows_earlier_turns_and_goes_on(
    page: Any, scripted: ScriptedServer
) -> None:
    answered(page, MOON)
    scripted.play(FOLLOW_UP, scripted.story(FOLLOW_UP, hold=4))
    ask(page, FOLLOW_UP).locator(".round").wait_for()
    page.reload()
    page.locator("article.turn").nth(1).locator(".round").wait_for()
    scripted.go.set()
    page.locator("article.finished").nth(1).wait_for()
    assert page.locator("article.turn").count() == 2


def test_a_broken_connection_goes_on_behind_the_last_event(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(PLUME, scripted.story(PLUME, drop=9))
    turn = answered(page, PLUME)
    assert scripted.resumed == ["9"]
    assert turn.locator(".claim").count() == 4


def test_leaving_a_running_question_and_coming_back_loses_nothing(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(PLUME, scripted.story(PLUME, hold=6))
    ask(page, PLUME).locator(".round").wait_for()
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("heading", name="Ask, and see").wait_for()
    other = answered(page, MOON)
    assert "Triton" in other.locator(".claims").inner_text()
    page.get_by_role("link", name="being answered").click()
    scripted.go.set()
    page.locator("article.finished", has_text="348,890").wait_for()
    assert page.locator("article.turn").count() == 1


def test_a_page_follows_four_questions_at_once_and_stays_usable(page: Any, scripted: ScriptedServer) -> None:
    """A browser opens six connections to a server: a fifth question must not take what the rest of the page needs."""
    for number in range(5):
        page.get_by_role("button", name="New conversation").click()
        scripted.play(f"{number}?", scripted.story(PLUME, hold=5))
        turn = ask(page, f"{number}?")
        turn.locator(".round" if number < 4 else ".notice").wait_for()
    assert "4 questions of this page are running" in turn.inner_text()
    page.get_by_role("link", name="2?").click()
    page.locator("article.turn .piece, article.turn .step").first.wait_for()
    scripted.go.set()
    page.locator("article.finished", has_text="348,890").wait_for()
    assert len(scripted.asked) == 4


def test_a_full_server_is_asked_again_after_the_wait(page: Any, scripted: ScriptedServer) -> None:
    refusal = (429, "full", "200 questions are waiting.", 2)
    scripted.play(MOON, Script((), refusal=refusal), Script((), refusal=(429, "full", "Still full.", 0)))
    turn = ask(page, MOON)
    turn.get_by_role("heading", name="Too many questions at once").wait_for()
    assert "200 questions are waiting." in turn.inner_text()
    again = turn.get_by_role("button", name="Ask again")
    assert again.is_disabled()
    assert "Possible in" in turn.get_by_role("timer").inner_text()
    page.locator(".notice .again:enabled").wait_for()
    again.click()
    page.get_by_text("Still full.").wait_for()
    page.get_by_role("button", name="Ask again").click()
    page.locator("article.finished .claim").first.wait_for()
    assert len(scripted.asked) == 3


def test_a_failed_question_says_what_to_do_and_keeps_its_trace(page: Any, scripted: ScriptedServer) -> None:
    run = scripted.story(PLUME).answer or {}
    failed = ("failed", {"message": "demo.zim is gone.", "code": "search_unavailable", "run": run["run"]})
    scripted.play(PLUME, Script((("queued", {"before": 0}), failed)))
    turn = ask(page, PLUME)
    turn.get_by_role("heading", name="No source could be searched").wait_for()
    assert "demo.zim is gone." in turn.inner_text()
    assert "an archive serves without a network" in turn.inner_text()
    turn.get_by_role("tab", name="Trace").click()
    turn.get_by_role("treeitem").first.wait_for()


def test_each_failure_has_a_heading_of_its_own(page: Any, scripted: ScriptedServer) -> None:
    headings = []
    for code in ("model_unavailable", "store", "usage", "internal", "never heard of"):
        question = f"What fails with {code}?"
        scripted.play(question, Script([("failed", {"message": "It broke.", "code": code, "run": None})]))
        headings.append(ask(page, question).locator(".notice h3").inner_text())
    assert headings[-1] == headings[-2] == "Something went wrong on the server"
    assert len(set(headings)) == 4


def test_an_answer_that_cannot_be_read_ends_the_question(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(MOON, Script([("queued", {"before": 0}), ("answer", {"answer": "Triton"})], hold=1))
    turn = ask(page, MOON)
    page.get_by_role("link", name="being answered").wait_for()
    scripted.go.set()
    turn.get_by_text("The answer could not be read.").wait_for()
    assert page.get_by_role("button", name="Stop").count() == 0


def test_a_question_that_is_refused_is_kept_with_the_reason(page: Any, scripted: ScriptedServer) -> None:
    scripted.play("?", Script((), refusal=(422, "usage", "A question needs a word.", None)))
    turn = ask(page, "?")
    turn.get_by_text("A question needs a word.").wait_for()
    assert turn.locator("h2").inner_text().endswith("?")


def test_an_ended_session_asks_to_load_the_page_again(page: Any, scripted: ScriptedServer) -> None:
    scripted.session_over = True
    turn = ask(page, MOON)
    turn.get_by_role("heading", name="This session has ended").wait_for()
    scripted.session_over = False
    turn.get_by_role("button", name="Load again").click()
    page.get_by_role("heading", name="Ask, and see").wait_for()


def test_a_server_that_is_gone_is_named_and_the_question_asked_once_it_is_back(page: Any) -> None:
    server = ScriptedServer()
    with serving(server):
        page.goto(server.url + "/")
        page.get_by_role("heading", name="Ask, and see").wait_for()
    turn = ask(page, MOON)
    turn.get_by_role("heading", name="The server does not answer").wait_for()
    assert "heliograph serve" in turn.inner_text()
    with serving(server, int(server.url.rsplit(":", 1)[1])):
        page.get_by_role("button", name="Ask again").click()
        page.locator("article.finished .claim").first.wait_for()


def test_a_server_that_goes_in_the_middle_is_waited_for(page: Any) -> None:
    server = ScriptedServer()
    with serving(server):
        begun(page, server)
    page.get_by_text("The connection broke. Trying again; nothing is lost.").wait_for()
    job = server.jobs["job-1"]
    job.events.extend(server.story(PLUME).events[5:])
    server.scripts.clear()
    with serving(server, int(server.url.rsplit(":", 1)[1])):
        server._tell(job, ("failed", {"message": "It was restarted.", "code": "internal", "run": None}))
        page.get_by_text("It was restarted.").wait_for()
    assert page.locator(".claim").count() == 4


def test_a_conversation_that_does_not_exist_says_so(page: Any, url: str) -> None:
    page.goto(url + "/#/c/0123456789abcdef")
    page.get_by_role("heading", name="There is no such conversation here").wait_for()


def test_evidence_that_cannot_be_fetched_says_so_and_can_be_tried_again(page: Any, scripted: ScriptedServer) -> None:
    turn = answered(page, PLUME)
    kept, scripted.evidence = scripted.evidence, {}
    turn.get_by_role("button", name="Citation 1").click()
    page.locator("#panel").get_by_text("The evidence could not be fetched.").wait_for()
    scripted.evidence = kept
    page.locator("#panel").get_by_role("button", name="Try again").click()
    page.locator("#panel mark").wait_for()
