"""Draw docs/pictures/: the chat page in light, in dark and on a phone, over answers that the demo articles gave.

The report in two of them was put together by hand from the demo articles: only a language model writes one.

Run it in an environment with the extra `browser` and Debian's chromium: `python demo/page_pictures.py`. The server is
the scripted one of the tests, so the pictures show kept answers and need no model, archive or network. Fonts are those
of the machine; the ones in docs were drawn with Inter and Charis SIL (fonts-inter, fonts-sil-charis).
"""

import io
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

if TYPE_CHECKING:
    from heliograph.types import Answer

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "pictures"
COLOURS = 200
PLUME = "How near to the centre of Jupiter did the probe come whose picture revealed the plume of Pele?"
POLE = "How many years of uninterrupted sunshine does a pole of Uranus get?"
MOON = "Which is the largest moon of Neptune?"
FOLLOW_UP = "Who discovered it, and when?"
APOLLO = "How many kilograms of lunar samples did the six Apollo landings bring home altogether?"
SATURN = "Write a report on the moons of Saturn"
WIDE, TALL, PHONE = (1280, 800), (1280, 1100), (360, 720)


def main() -> None:
    """Write the pictures."""
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright

    from tests.reports import ENCELADUS, FINALE, REPORT
    from tests.web.page.scripted import Script, ScriptedServer, serving
    from web.page_json import answer_json
    from web.sessions import sha_of

    OUT.mkdir(exist_ok=True)
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with serving(ScriptedServer()) as server, sync_playwright() as playwright:
        server.add_conversation(APOLLO, [APOLLO])
        server.add_conversation("The largest moon of Neptune", [MOON, FOLLOW_UP])
        server.images[sha_of(ENCELADUS)] = "demo/images/enceladus_plumes.png"
        server.images[sha_of(FINALE)] = "demo/images/grand_finale.png"
        for _ in range(2):
            server.play(SATURN, Script([], answer_json(made_up(REPORT))))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        kept(light(opened(browser, server.url, "light", WIDE)), "page-light.png")
        kept(dark(opened(browser, server.url, "dark", WIDE)), "page-dark.png")
        kept(trace(opened(browser, server.url, "light", WIDE)), "page-trace.png")
        kept(phone(opened(browser, server.url, "light", PHONE, 2)), "page-phone.png")
        kept(report(opened(browser, server.url, "light", TALL)), "page-report.png")
        kept(left_out(opened(browser, server.url, "light", WIDE)), "page-left-out.png")
        browser.close()


def opened(browser: Any, url: str, scheme: str, size: tuple[int, int], scale: int = 1) -> Any:
    """Open the page in a window of this size (CSS pixels) and scale."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        device_scale_factor=scale,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(url + "/")
    page.locator(".entry").nth(1).wait_for(state="attached")
    return page


def light(page: Any) -> Any:
    """Show an answer with the table row that its last claim cites."""
    asked(page, PLUME)
    page.get_by_role("button", name="Citation 4").click()
    page.locator("#panel tr.cited").wait_for()
    return page


def dark(page: Any) -> Any:
    """Show the steps of a question's rounds above its answer, with the picture that it cites."""
    asked(page, POLE)
    page.get_by_role("button", name="Citation 1").first.click()
    page.locator("#panel img").evaluate("image => image.decode()")
    page.locator(".steps > summary").click()
    return page


def trace(page: Any) -> Any:
    """Show the trace of an answer with one of its spans."""
    asked(page, PLUME)
    page.get_by_role("tab", name="Trace").click()
    page.get_by_role("treeitem").first.wait_for()
    return page


def phone(page: Any) -> Any:
    """Show a follow-up and its answer."""
    asked(page, MOON)
    asked(page, FOLLOW_UP)
    page.locator("article.turn").last.evaluate("turn => turn.scrollIntoView()")
    return page


def made_up(report: "Answer") -> "Answer":
    """Return the report of the tests as one that read the pages which it cites, and has no note."""
    from indexers.parser import page_of

    read = tuple(dict.fromkeys(page_of(citation.evidence) for citation in report.citations))
    return replace(report, rounds=tuple(replace(each, documents=read) for each in report.rounds), notes=())


def report(page: Any) -> Any:
    """Show how a report begins: its title, paragraphs, and a table with citations in its cells."""
    asked(page, SATURN, "report")
    page.locator("article.turn").evaluate("turn => turn.scrollIntoView()")
    return page


def left_out(page: Any) -> Any:
    """Show how a report ends: what was not found, the needs, and what was not said and why."""
    asked(page, SATURN, "report")
    page.locator("details.needs > summary").click()
    page.locator("details.unsaid > summary").click()
    page.locator("details.unsaid").evaluate("unsaid => unsaid.scrollIntoView({block: 'end'})")
    return page


def asked(page: Any, question: str, form: str = "") -> None:
    """Ask and wait for the answer."""
    page.get_by_label("Length of the answer").select_option(form)
    before = page.locator("article.finished").count()
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    page.locator("article.finished").nth(before).wait_for()


def kept(page: Any, name: str) -> None:
    """Write what the page shows as a small PNG."""
    page.wait_for_timeout(300)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(OUT / name, optimize=True)
    page.context.close()
    sys.stdout.write(f"{OUT / name}\n")


if __name__ == "__main__":
    main()
