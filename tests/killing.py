"""Kill runs at random instants and resume them: a process that imports everything once and forks for each run.

Run as a script: `python -m tests.killing FOLDER SEED KILLS QUESTION SETTINGS [WARM]`. SETTINGS is JSON for
`Heliograph`, WARM the home folder of a run of the same question, whose vectors are taken over. Prints one line of JSON
for the undisturbed run and one a kill: when it struck, what the run had recorded by then and in the end, its answer.
"""

import asyncio
import json
import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from agent.replaying import replay
from app import Heliograph, Root
from memory.trace import find_run, load_trace, read_answer

IMPORTED = ("agent.assembly", "indexers.chroma", "indexers.ingestion", "langchain_openai")
"""Imported before the fork, so that a run spends its time on its work."""
MOST_SECONDS = 120.0
LATEST = 0.05
"""Seconds after an event within which the kill strikes, so that it also strikes between two."""


def forked(work: Callable[[], None], log: Path) -> int:
    """Do `work` in a child of its own and return its process id; its errors go to `log`."""
    child = os.fork()
    if child == 0:
        _live(work, log)
    return child


def _live(work: Callable[[], None], log: Path) -> NoReturn:
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        log.write_text(traceback.format_exc())
        raise
    finally:
        os._exit(code)


def ended(child: int) -> int:
    """Wait for a child; return its exit code, or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def ask(home: Path, question: str, settings: dict[str, Any]) -> None:
    """Ask in this process."""
    with closing(Heliograph(home=home, **settings)) as heliograph:
        asyncio.run(heliograph.ask(question))


def resume(home: Path, settings: dict[str, Any]) -> None:
    """Resume the last run of a home folder in this process."""
    with closing(Heliograph(home=home, **settings)) as heliograph:
        asyncio.run(heliograph.resume("last"))


def replay_last(home: Path) -> None:
    """Replay the last run of a home folder in this process."""
    os.environ["HELIOGRAPH_HOME"] = str(home)
    asyncio.run(replay(home, "last", Root().replay_services))


def undisturbed(home: Path, question: str, settings: dict[str, Any]) -> float:
    """Let a run finish; return its seconds."""
    started = time.monotonic()
    log = home.with_suffix(".log")
    if ended(forked(lambda: ask(home, question, settings), log)):
        sys.exit(f"the undisturbed run failed:\n{log.read_text()}")
    return time.monotonic() - started


def killed(home: Path, question: str, settings: dict[str, Any], events: int, later: float) -> dict[str, Any]:
    """Kill a run some seconds after it has recorded so many events, resume it, and tell what came of it."""
    log = home.with_suffix(".log")
    child = forked(lambda: ask(home, question, settings), log)
    deadline = time.monotonic() + MOST_SECONDS
    while lines(home) < events and not any(home.glob("runs/*/answer.json")) and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(later)
    os.kill(child, signal.SIGKILL)
    told: dict[str, Any] = {"events": events, "killed": ended(child), "at": time.time()}
    run = next((home / "runs").glob("*/run.json"), None)
    told["accepted"] = run is not None
    if run is None:
        return told
    told["before"] = spans(run.parent)
    code = ended(forked(lambda: resume(home, settings), log))
    told["error"] = log.read_text() if code else ""
    code = code or ended(forked(lambda: replay_last(home), log))
    told["replay"] = log.read_text() if code else ""
    told["spans"], told["answer"] = spans(run.parent), read_answer(run.parent)
    return told


def lines(home: Path) -> int:
    """Count what a run has recorded."""
    trace = next(home.glob("runs/*/trace.jsonl"), None)
    return trace.read_bytes().count(b"\n") if trace else 0


def spans(folder: Path) -> list[str]:
    """Return the keys of what a run has recorded, in order, as often as they stand there."""
    return [event.span for event in load_trace(folder)] if (folder / "trace.jsonl").exists() else []


def copy_vectors(home: Path, to: Path) -> None:
    """Take over what the vectors of texts are, which no run changes."""
    for vectors in home.glob("*.sqlite"):
        shutil.copy(vectors, to)


def main() -> None:
    """Run once undisturbed, then kill and resume."""
    for name in IMPORTED:
        import_module(name)
    folder, seed, kills, question = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    settings = json.loads(sys.argv[5])
    chance = random.Random(seed)
    whole = folder / "whole"
    whole.mkdir(parents=True)
    for warm in sys.argv[6:]:
        copy_vectors(Path(warm), whole)
    seconds = undisturbed(whole, question, settings)
    print(json.dumps({"seconds": seconds, "answer": read_answer(find_run(whole, "last"))}), flush=True)
    events = lines(whole)
    for number in range(kills):
        home = folder / f"home-{number}"
        home.mkdir()
        copy_vectors(whole, home)
        when = chance.randrange(events), chance.uniform(0.0, LATEST)
        print(json.dumps(killed(home, question, settings, *when)), flush=True)
        shutil.rmtree(home)


if __name__ == "__main__":
    main()
