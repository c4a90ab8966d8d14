"""A run that is killed at any moment is finished by `heliograph resume`, on a real wiki and a model server."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.servers.fault_proxy import FaultProxy, Seen
from tests.servers.openai_server import openai_server
from tests.servers.scholar import scholar

ROOT = Path(__file__).resolve().parent.parent
KILLS = 6
QUESTION = "Which engineer designed the viaduct that carries the Marrowdale Light Railway?"
AT_ONCE = 2
"""Requests that may be in flight at the wiki, and calls at the model."""
OWN = {"run", "seconds", "usage"}
"""What two runs of one question may differ in: name, time, and what the page store and the caches had already."""


def told(answer: str) -> dict[str, Any]:
    return {name: value for name, value in json.loads(answer).items() if name not in OWN}


async def kill_and_resume(folder: Path, kills: int, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Run `tests/killing.py` and return what it tells, the undisturbed run first."""
    command = ["-m", "tests.killing", str(folder), "7", str(kills), QUESTION, json.dumps(settings)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return [json.loads(line) for line in output.splitlines()]


def repeated(seen: Sequence[Seen], begun: float, cut: float, ended: float) -> int:
    """Count the requests of one run that were made again after its kill."""
    before = {(each.method, each.target) for each in seen if begun <= each.started <= cut}
    after = [(each.method, each.target) for each in seen if cut < each.started <= ended]
    return sum(request in before for request in after)


@pytest.mark.mediawiki
@pytest.mark.slow
async def test_a_hundred_runs_killed_at_random_are_finished_with_the_answer_of_an_undisturbed_one(
    mediawiki_cirrus: str, tmp_path: Path
) -> None:
    with openai_server(scholar) as model:
        async with FaultProxy(mediawiki_cirrus) as url:
            settings = {
                "sources": ["wikipedia"],
                "wiki": f"{url}/w/",
                "contact": "tests@example.org",
                "wiki_at_once": AT_ONCE,
                "pages_per_round": 3,
                "llm": {"base_url": model.url, "model": model.model, "at_once": AT_ONCE},
            }
            whole, *killed = await kill_and_resume(tmp_path, KILLS, settings)
    assert len(killed) == KILLS
    for each in killed:
        assert each["accepted"], each
        assert each["error"] == "", each
        assert told(each["answer"]) == told(whole["answer"])
        assert max(Counter(each["spans"]).values()) == 1
        assert each["spans"][: len(each["before"])] == each["before"]
    assert sum(each["killed"] == -9 for each in killed) > KILLS * 0.8
    assert json.loads(whole["answer"])["mode"] == "llm"
    assert len(json.loads(whole["answer"])["rounds"]) == 3
