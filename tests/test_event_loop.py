"""No question, page or message holds the event loop: what serves others in between goes on."""

import time
from asyncio.events import Handle
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from agent.chat.extractive import ExtractiveStandAlone
from agent.chat.understanding import understand
from heliograph import Heliograph
from memory.conversations import Turn

LONGEST = 0.5
"""Seconds of the processor that one step of the loop may take; of its thread's own, whatever else the machine does."""
SUPERLATIVES = f"Which has the {'largest smallest highest ' * 170}"[:3_980] + " diameter?"
ROWS = "".join(f"<tr><td>Moon {row}</td><td>{row * 7}</td><td>Town {row % 50}, Land</td></tr>" for row in range(300))
PAGE = (
    "<html><head><title>Long</title></head><body><h1>Long</h1><p>Long is a page of moons. It was written in 1980.</p>"
    f"<p>{'St. ' * 60_000}</p><p>{'Moon A is larger than moon B. ' * 1_000}</p>"
    f"<table><caption>Moons</caption><tr><th>Name</th><th>Diameter (km)</th><th>Place</th></tr>{ROWS}</table>"
    f"<table><tr><th>Name</th><th>Said</th></tr><tr><td>Io</td><td>{'in 1980 7 km and ' * 3_000}</td></tr></table>"
    "</body></html>"
)


Held = dict[str, float]
"""The longest time of the processor that a step of the loop took, by what it ran."""


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    """Measure every step of the loop."""
    run = Handle._run
    found: Held = defaultdict(float)

    def measured(handle: Handle) -> None:
        began = time.thread_time()
        run(handle)
        spent = time.thread_time() - began
        if spent >= LONGEST:
            found[repr(handle)] = spent

    monkeypatch.setattr(Handle, "_run", measured)
    return found


@pytest.fixture(scope="module")
def long_page(cli: Callable[..., Result], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of one page with all that a page may hold too much of."""
    folder = tmp_path_factory.mktemp("long")
    (folder / "pages").mkdir()
    (folder / "pages" / "Long.html").write_text(PAGE, encoding="utf8")
    built = cli("snapshot", "build", str(folder / "pages"), str(folder / "long.zim"))
    assert built.exit_code == 0, built.stderr
    return folder / "long.zim"


async def test_no_question_and_no_page_holds_the_loop(long_page: Path, archive: Path, held: Held) -> None:
    async with Heliograph(sources=[f"zim:{archive}"], rounds=1) as first:
        await first.ask("When was Holm Light first lit?")  # imports what a process imports once, whatever it is asked
    held.clear()
    async with Heliograph(sources=[f"zim:{long_page}"], rounds=1) as heliograph:
        heliograph.check()  # opens sources and the home folder, before anybody is served
        plain = await heliograph.ask("When was Long written?")
        computed = await heliograph.ask("Which moon has the third largest diameter of the moons of Long?")
        superlatives = await heliograph.ask(f"{SUPERLATIVES} Long"[-4_000:])
    assert held == {}
    assert "It was written in 1980." in plain.answer
    assert "nothing was computed: the question has more than 1,000 characters" in superlatives.notes
    assert computed.rounds


@pytest.mark.parametrize("part", ["St. Io [1] it discovered the Name of ", " ", "Is he it "])
async def test_no_message_holds_the_loop(held: Held, part: str) -> None:
    long = Turn(1, "Who discovered Io?", "Who discovered Io?", "", "a" + part * (198_000 // len(part)), False)
    for question in ("How large is it?", (part * 4_000)[:4_000]):
        await understand(question, [long] * 6, ExtractiveStandAlone())
    assert held == {}
