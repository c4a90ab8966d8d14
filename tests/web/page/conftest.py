"""What tests of the page have: Chromium, a page that reports what goes wrong, and a server to talk to.

`PAGE_URL` names a running `heliograph serve --preset demo`; the tests that need no script then run against it, and
those that do are skipped. `BROWSER_REQUIRED=1` makes a missing Chromium or Playwright a failure.
"""

import os
import shutil
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.web.page.canary import Canary
from tests.web.page.reading import POLE
from tests.web.page.scripted import ScriptedServer, serving

NAMES = ("chromium", "chromium-browser", "google-chrome")
MOST_MS = 150_000 if os.environ.get("PAGE_URL") else 30_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for a page."""
    for item in items:
        if {"page", "chromium"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Start Chromium without a window; a module's own, since Playwright's loop may not outlive it."""
    found = next((path for path in map(shutil.which, NAMES) if path), None)
    if found is None:
        _without("there is no chromium: apt-get install chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        _without("needs the extra: pip install 'heliograph[browser]'")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def scripted() -> Iterator[ScriptedServer]:
    """Serve scripts; a test that asks for this needs no other server."""
    if os.environ.get("PAGE_URL"):
        pytest.skip("needs a scripted server")
    with serving(ScriptedServer()) as server:
        yield server


@pytest.fixture
def canary() -> Iterator[Any]:
    """Listen on another port; `seen` are the paths of requests."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Canary) as server:
        server.seen = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def url(request: pytest.FixtureRequest) -> str:
    """Give the address of the page: `PAGE_URL`, else a scripted server's."""
    given = os.environ.get("PAGE_URL", "").rstrip("/")
    return given or request.getfixturevalue("scripted").url


@pytest.fixture
def long_question(request: pytest.FixtureRequest) -> str:
    """Give a question that runs until it is stopped: three rounds of a real server, or a script that waits."""
    if not os.environ.get("PAGE_URL"):
        server = request.getfixturevalue("scripted")
        server.play(POLE, server.story(POLE, hold=1))
    return POLE


@pytest.fixture
def page(chromium: Any, url: str, tmp_path: Path) -> Iterator[Any]:
    """Open the page in a session of its own; an error or a violation of the policy in it fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(MOST_MS)
    context.add_init_script(
        "window.violations = []; document.addEventListener('securitypolicyviolation', "
        "(event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`))"
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(url + "/")
    page.get_by_role("heading", name="Ask, and see what the answer rests on").wait_for()
    yield page
    violations = page.evaluate("window.violations")
    context.close()
    assert (wrong, violations) == ([], [])


def _without(reason: str) -> NoReturn:
    if os.environ.get("BROWSER_REQUIRED"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
