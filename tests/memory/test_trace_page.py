"""A run as one page: whole, without secrets, and what it quotes stays text, in a real browser too."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from heliograph.types import ChatRequest, Prompt, Reply
from memory.trace import Manifest, OpenedRun, TraceRecorder, write_answer, write_manifest
from memory.trace.page import trace_html
from tests.fakes import FakeClock

KEY = "sk-live-0123456789abcdefghij"
HOSTILE = (
    "</script><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\">"
    "<!--<script>\u2028&lt;b&gt; {{constructor}} ${1} ]]>\x00\udc80"
)
DATA = re.compile(r'<script type="application/json" id="trace">(.*?)</script>', re.DOTALL)


async def page(folder: Path, words: str = HOSTILE, most: int = 20_000) -> str:
    """Make a run whose every text is `words`, and its page."""

    async def chat() -> Reply:
        return Reply(words, "stop", 1, 1)

    asked = {"model": words, "request": ChatRequest(Prompt("p", words, (words, f"key {KEY}")), 5)}
    settings = {"home": "/home/alice/h", "contact": "alice@example.org", "sources": ["zim:/home/alice/a.zim"]}
    folder.mkdir()
    write_manifest(folder, Manifest("run-1", words, "0.1.0", 1000.0, settings))
    with TraceRecorder(folder, "run-1", FakeClock(step=1.0)) as recorder:
        async with recorder.span("AGENT", words, {"question": words}) as span:
            await recorder.effect("LLM", "chat", asked, Reply, chat)
            span.result({words: words})
    write_answer(folder, json.dumps({"answer": words}))
    return trace_html(OpenedRun(folder, ["/home/alice"]), most)


async def test_the_page_allows_its_own_script_and_style_and_nothing_else(tmp_path: Path) -> None:
    html = await page(tmp_path / "run")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    (style,), (script,) = (
        re.findall(rf"<{tag}>(.*?)</{tag.split()[0]}>", html, re.DOTALL) for tag in ("style", MODULE)
    )
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"<[^>]+\s(?:on\w+|src|href|style)=", re.sub(DATA, "", html).replace(script, ""))
    assert "http" not in html.replace("http-equiv", "")


MODULE = 'script type="module"'


async def test_what_the_page_quotes_stays_text(tmp_path: Path) -> None:
    html = await page(tmp_path / "run")
    assert html.count("<script") == html.count("</script>") == 2
    assert "<img" not in html
    html.encode("utf8")
    (data,) = DATA.findall(html)
    detail = next(each for each in json.loads(data)["details"].values() if each["kind"] == "LLM")
    assert detail["reply"]["text"] == HOSTILE.replace("\udc80", "?")
    assert not set("<>&") & set(data)


async def test_keys_and_who_somebody_is_are_masked(tmp_path: Path) -> None:
    html = await page(tmp_path / "run", f"my key is {KEY}, my folder /home/alice/notes")
    assert KEY not in html
    assert "alice" not in html
    assert '"home": "***"'.replace('"', "&quot;") in html


async def test_long_texts_are_cut_and_say_so(tmp_path: Path) -> None:
    html = await page(tmp_path / "run", "long " * 1000, most=100)
    assert len(html) < 40_000
    assert "(4,900 characters more)" in html


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs Chromium")
@pytest.mark.slow
async def test_a_browser_draws_the_tree_and_a_span_and_runs_nothing_that_was_quoted(tmp_path: Path) -> None:
    out = tmp_path / "run.html"
    out.write_text(await page(tmp_path / "run"))
    events = OpenedRun(tmp_path / "run").events
    span = next(event.span for event in events if event.kind == "LLM")
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom")
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    command = ["chromium", *flags, profile, f"{out.as_uri()}#{span}"]
    drawn = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert "<title>run-1</title>" in drawn
    assert drawn.count('role="treeitem"') == 2
    assert drawn.count('class="bar"') == 2
    shown = drawn.partition('class="panel"')[2]
    assert [name in shown for name in ("Prompt: system", "Prompt: user", "Reply")] == [True] * 3
    assert "&lt;img src=x onerror" in shown
    assert "<img" not in drawn
