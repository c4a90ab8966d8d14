"""Hostile pages of an archive, asked for by way of Heliograph itself and shown in Chromium."""

import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heliograph import Heliograph
from tests.web.page.canary import LOOK, OPEN_ALL, address
from tests.web.page.hostile import payloads
from tests.web.page.reading import answered
from tests.web.researchers import served
from tools.zim import build_snapshot
from web.desk import Desk
from web.office import Office
from web.researcher import Staff, about
from web.security import Guard, hosts
from web.sessions import Sessions

PAGES, A_PAGE = 10, 50
KEEPERS = ("Orm", "Ansa", "Brede", "Tove", "Ketil", "Signe", "Halvor", "Ragna", "Steen", "Ylva")
QUESTIONS = (
    *(f"Who built Beacon {name}, and what does its board say?" for name in KEEPERS),
    *(f"What did the keeper of Beacon {name} write in 1941?" for name in KEEPERS),
    "What is <img src=x onerror=globalThis.pwned=1> of Beacon Tove?",
    "Who built Beacon Steen? </h2><script>globalThis.pwned=1</script>",
    "When was Beacon Ylva built? ![x](javascript:globalThis.pwned=1)",
)


def page_of(number: int, texts: list[str]) -> dict[str, str]:
    """Write a page whose every sentence, cell and caption has a hostile text: as text on one, as markup on the next."""
    said = [html.escape(text) if number % 2 else text for text in texts]
    name, keeper = f"Beacon {KEEPERS[number]}", KEEPERS[number - 1]
    lead = f"<p>{name} is a beacon that {keeper} Dahl built in 18{number + 40}; its board says {said[0]}.</p>"
    rows = "".join(
        f"<tr><td>18{n + 40}</td><td>{keeper} {n}</td><td>{text}</td></tr>" for n, text in enumerate(said[1:20])
    )
    table = f"<h2>Keepers</h2><table><tr><th>Year</th><th>Keeper</th><th>Notice {said[20]}</th></tr>{rows}</table>"
    notices = "".join(f"<p>In 19{n + 10} the keeper of {name} wrote: {text}.</p>" for n, text in enumerate(said[21:]))
    title = f"{name} {' '.join(texts[1].split())}"[:200] if number % 3 == 0 else name
    return {"title": title, "html": f"{lead}{table}<h2>Notices</h2>{notices}"}


@pytest.fixture
def url(tmp_path: Path, canary: Any) -> Iterator[str]:
    """Serve an archive of hostile pages by Heliograph."""
    texts = [text.replace("\x00", "") for text in payloads(PAGES * A_PAGE, address(canary))]
    pages = [page_of(n, texts[n * A_PAGE : (n + 1) * A_PAGE]) for n in range(PAGES)]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf8")
    build_snapshot([tmp_path / "pages.jsonl"], tmp_path / "hostile.zim", name="hostile")
    heliograph = Heliograph(sources=[f"zim:{tmp_path / 'hostile.zim'}"], home=tmp_path / "home", rounds=1)
    settings = heliograph.settings
    staff = Staff(settings.home, {"heliograph": heliograph}, {"heliograph": about(settings)}, heliograph.close)
    parts = Office(staff, Desk(1, 8, 15.0), Sessions(settings.home), Guard(hosts("127.0.0.1", ())))
    with served(parts) as served_at:
        yield served_at


@pytest.mark.slow
def test_hostile_pages_stay_text_from_the_archive_to_the_panel(page: Any, canary: Any) -> None:
    page.set_default_timeout(150_000)
    shown = []
    for question in QUESTIONS:
        page.get_by_role("button", name="New conversation").click()
        answered(page, question)
        assert page.evaluate(LOOK) == []
        shown.append(page.evaluate(OPEN_ALL))
        assert page.evaluate(LOOK) == []
    texts = [" ".join(text.replace("\x00", "").split()) for text in payloads(PAGES * A_PAGE, address(canary))]
    everything = " ".join(" ".join(shown).split())
    assert sum(text in everything for text in texts) > len(texts) / 4
    page.reload()
    page.locator(".entry").first.wait_for()
    assert page.evaluate(LOOK) == []
    assert page.evaluate("window.violations") == []
    assert canary.seen == []
