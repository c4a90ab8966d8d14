"""A report on the page: its parts in their order, with chips, the picture, and what was left out."""

from typing import Any

from tests.reports import ENCELADUS, REPORT
from tests.web.page.reading import MOON, ask
from tests.web.page.scripted import Script, ScriptedServer
from web.page_json import answer_json, claim_json
from web.sessions import sha_of


def script() -> Script:
    """Return the events of a report: its claims one by one, then the record."""
    claims = [
        ("claim", claim_json(number, claim, REPORT.citations, "llm"))
        for number, claim in enumerate(REPORT.claims, start=1)
    ]
    started = ("started", {"run": REPORT.run, "typed": MOON, "asked": MOON, "open_words": ""})
    return Script([started, *claims, ("answer", {"number": 1, "conversation": "", "answer": answer_json(REPORT)})])


def test_the_record_of_a_report_takes_the_place_of_the_claims_that_were_streamed(
    page: Any, scripted: ScriptedServer
) -> None:
    played = script()
    played.hold = len(played.events) - 1
    scripted.play(MOON, played)
    turn = ask(page, MOON)
    turn.locator(".claim").nth(12).wait_for()
    assert turn.locator(".part").count() == 0
    scripted.go.set()
    page.locator("article.finished").wait_for()
    assert turn.locator(".part").count() == len(REPORT.blocks)
    assert turn.locator(".answer > .claims .claim").count() == 0
    assert turn.locator(".parts .claim").count() == len(REPORT.claims)
    assert turn.locator(".part-title").all_inner_texts() == [
        block.text for block in REPORT.blocks if block.kind == "heading"
    ]


def test_parts_show_tables_pictures_calculations_and_what_was_left_out(page: Any, scripted: ScriptedServer) -> None:
    scripted.play(MOON, script())
    turn = ask(page, MOON)
    page.locator("article.finished").wait_for()
    assert turn.locator(".part-table tbody tr").count() == 3
    assert turn.locator(".part-table tbody tr").first.locator(".chip").count() == 1
    assert turn.locator(".part-figure img").count() + turn.locator(".part-figure .aside").count() == 2
    assert "the authors of Heliograph, CC0-1.0" in turn.locator(".part-figure").first.inner_text()
    assert "Mean diameter (km)" in turn.locator(".part-calculation .computation").inner_text()
    assert "irregular moons" in turn.locator(".lacking").inner_text()
    needs = turn.locator("details.needs")
    assert needs.locator("summary").inner_text() == "4 needs, 1 open"
    unsaid = turn.locator("details.unsaid")
    assert not unsaid.locator("li").first.is_visible()
    unsaid.locator("summary").click()
    assert "Galileo Galilei" in unsaid.locator("li").first.inner_text()
    assert sha_of(ENCELADUS) in answer_json(REPORT)["blocks"][7]["figure"]["src"]  # type: ignore[index]


def test_a_hostile_report_shows_text(page: Any, scripted: ScriptedServer, canary: Any) -> None:
    evil = f'<img src="http://127.0.0.1:{canary.server_port}/x" onerror="globalThis.pwned=1">'
    played = script()
    answer: Any = played.events[-1][1]["answer"]
    for block in answer["blocks"]:
        block["text"] = evil
        block["header"] = [evil for _ in block["header"]]
        for row in block["rows"]:
            for cell in row:
                cell["text"] = evil
        if block["figure"]:
            block["figure"] |= {"caption": evil, "licence": evil, "src": f"http://127.0.0.1:{canary.server_port}/y"}
    answer["not_found"], answer["needs"] = [evil], [{"text": evil, "met": evil}] * 2
    answer["not_said"] = [{"text": evil, "verdict": evil, "reason": evil}]
    scripted.play(MOON, played)
    turn = ask(page, MOON)
    page.locator("article.finished").wait_for()
    assert turn.locator("img").count() == 0
    assert evil in turn.locator(".part-table td").first.inner_text()
    assert page.evaluate("globalThis.pwned") is None
    assert canary.seen == []
