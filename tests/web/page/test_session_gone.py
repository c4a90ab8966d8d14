"""The page on the application itself, whose sessions are removed under it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.page.reading import ask
from tests.web.researchers import failing, office, served
from web.sessions import FILE


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with served(office(tmp_path, failing)[0]) as address:
        yield address


def test_a_page_whose_session_is_gone_says_so_and_is_well_when_it_was_loaded_again(page: Any, tmp_path: Path) -> None:
    (tmp_path / FILE).unlink()
    ask(page, "What is Orvo?")
    page.get_by_role("heading", name="This session has ended").wait_for()
    page.get_by_role("button", name="Load again").first.click()
    page.get_by_role("heading", name="Ask, and see what the answer rests on").wait_for()
    ask(page, "What is Orvo?")
    page.locator("article.finished .claim").first.wait_for()
