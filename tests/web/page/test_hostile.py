"""500 hostile texts in every field of the contract: no script runs, and nothing leaves for another server."""

from typing import Any

import pytest

from tests.web.page.canary import LOOK, OPEN_ALL, address
from tests.web.page.hostile import hostile_evidence, hostile_story, payloads
from tests.web.page.reading import PLUME
from tests.web.page.scripted import Script, ScriptedServer

NUMBER, AT_ONCE = 500, 50
LINKED = 5
"""Of each batch so many are opened as a page of evidence, too, which shows what the panel shows."""
DRIVE = """
async (questions) => {
  const turns = () => document.querySelectorAll('article.turn.finished').length;
  for (const question of questions) {
    const before = turns(), end = performance.now() + 20000;
    document.getElementById('question').value = question;
    document.getElementById('composer').requestSubmit();
    while (turns() === before) {
      if (performance.now() > end) throw new Error(`no end of ${question}`);
      await new Promise((done) => setTimeout(done, 4));
    }
  }
}
"""


def test_the_payloads_are_five_hundred_and_the_same_each_time() -> None:
    first = payloads(NUMBER, "http://127.0.0.1:1")
    assert len(set(first)) == NUMBER
    assert first == payloads(NUMBER, "http://127.0.0.1:1")


def test_the_check_would_see_what_it_looks_for(page: Any, canary: Any) -> None:
    """The page's own elements pass, and one of each kind that hostile text could become does not."""
    assert page.evaluate(LOOK) == []
    page.evaluate("document.body.append(document.createElement('iframe'))")
    page.evaluate("document.body.setAttribute('srcset', 'x')")
    page.evaluate("Object.assign(document.body.appendChild(document.createElement('a')), { href: 'javascript:x' })")
    page.evaluate("window.pwned = 1")
    assert len(page.evaluate(LOOK)) == 4
    page.evaluate(f"window.open('{address(canary)}/seen')")
    page.wait_for_timeout(2_000)
    assert "/seen" in canary.seen


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(NUMBER // AT_ONCE))
def test_hostile_text_stays_text(page: Any, scripted: ScriptedServer, canary: Any, batch: int) -> None:
    texts = payloads(NUMBER, address(canary))[batch * AT_ONCE : (batch + 1) * AT_ONCE]
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    prepare(scripted, texts)
    page.reload()
    page.locator(".entry").nth(AT_ONCE - 1).wait_for()
    assert page.evaluate(LOOK) == []
    for number, text in enumerate(texts):
        page.get_by_role("button", name="New conversation").click()
        scripted.prefix = text
        page.evaluate(DRIVE, [f"refused {number}", f"failed {number}", f"hostile {number}"])
        assert text in page.evaluate(OPEN_ALL)
        assert page.evaluate(LOOK) == []
    restored(page, scripted)
    linked(page, scripted, texts[:LINKED])
    assert page.evaluate("window.violations") == []
    assert [line for line in said if "422" not in line] == []
    assert canary.seen == []


def prepare(scripted: ScriptedServer, texts: list[str]) -> None:
    """Put the texts wherever the server speaks: about, the list, stories, evidence, refusals, failures."""
    story, examples = scripted.stories[PLUME], dict(scripted.evidence)
    scripted.about.update(presets=texts, sources=texts, version=texts[0], model=texts[1], mode="llm", preset=texts[2])
    for number, text in enumerate(texts):
        scripted.prefix = text
        told = hostile_story(text, story)
        scripted.evidence.update(hostile_evidence(text, examples))
        scripted.stories[text] = told
        scripted.add_conversation(text, [text])
        failed = ("failed", {"message": text, "code": text, "run": text})
        scripted.play(f"refused {number}", Script((), refusal=(422, text, text, None)))
        scripted.play(f"failed {number}", Script([failed]))
        scripted.play(f"hostile {number}", Script(told["events"], told["answer"]))


def restored(page: Any, scripted: ScriptedServer) -> None:
    """Open every conversation from its kept record, in one that holds them all."""
    turns = [turn for conversation in scripted.conversations.values() for turn in conversation["turns"]]
    scripted.prefix = ""
    name = scripted.add_conversation("all", ())
    scripted.conversations[name]["turns"] = turns
    page.goto(f"{scripted.url}/#/c/{name}")
    page.locator("article.finished").nth(len(turns) - 1).wait_for()
    assert page.evaluate(LOOK) == []


def linked(page: Any, scripted: ScriptedServer, texts: list[str]) -> None:
    """Open pieces of evidence as a program's answer links to them."""
    for text in texts:
        for sha, _ in hostile_evidence(text, scripted.evidence):
            page.evaluate("sha => { location.hash = `#/e/${encodeURIComponent(sha)}`; }", sha)
            page.locator("article.piece-page h2", has_text=text).wait_for()
            assert page.evaluate(LOOK) == []
