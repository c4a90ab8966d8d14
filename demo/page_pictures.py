"""Draw docs/pictures/: the chat page in light, in dark and on a phone, over answers that the demo articles gave.

Run it in an environment with the extra `browser` and Debian's chromium: `python demo/page_pictures.py`. The server is
the scripted one of the tests, so the pictures show kept answers and need no model, archive or network. Fonts are those
of the machine; the ones in docs were drawn with Inter and Charis SIL (fonts-inter, fonts-sil-charis).
"""

import io
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "pictures"
COLOURS = 200
PLUME = "How near to the centre of Jupiter did the probe come whose picture revealed the plume of Pele?"
POLE = "How many years of uninterrupted sunshine does a pole of Uranus get?"
MOON = "Which is the largest moon of Neptune?"
FOLLOW_UP = "Who discovered it, and when?"
APOLLO = "How many kilograms of lunar samples did the six Apollo landings bring home altogether?"
WIDE, PHONE = (1280, 800), (360, 720)


def main() -> None:
    """Write the pictures."""
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright

    from tests.web.page.scripted import ScriptedServer, serving

    OUT.mkdir(exist_ok=True)
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with serving(ScriptedServer()) as server, sync_playwright() as playwright:
        server.add_conversation(APOLLO, [APOLLO])
        server.add_conversation("The largest moon of Neptune", [MOON, FOLLOW_UP])
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        kept(light(opened(browser, server.url, "light", WIDE)), "page-light.png")
        kept(dark(opened(browser, server.url, "dark", WIDE)), "page-dark.png")
        kept(trace(opened(browser, server.url, "light", WIDE)), "page-trace.png")
        kept(phone(opened(browser, server.url, "light", PHONE, 2)), "page-phone.png")
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


def asked(page: Any, question: str) -> None:
    """Ask and wait for the answer."""
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
