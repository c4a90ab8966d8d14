"""A run that is killed at any moment is finished by `heliograph resume`, on a real wiki and a model server."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.servers.fault_proxy import FaultProxy
from tests.servers.openai_server import openai_server
from tests.servers.scholar import scholar

ROOT = Path(__file__).resolve().parent.parent
KILLS = 100
SEEDS = 7, 8
"""One for each of the processes that share the kills."""
QUESTION = "Which engineer designed the viaduct near Pell Bridge?"
AT_ONCE = 2
"""Requests that may be in flight at the wiki, and calls at the model."""
LONGEST_LINE = 2**24
OWN = {"run", "seconds", "usage"}
"""What two runs of one question may differ in: name, time, and what the page store and the caches had already.

Of the usage, what the model was asked is the same.
"""


def told_of(answer: str) -> dict[str, Any]:
    record = json.loads(answer)
    calls = {name: record["usage"][name] for name in ("llm_calls", "prompt_tokens", "completion_tokens")}
    return {**{name: value for name, value in record.items() if name not in OWN}, **calls}


async def killed_runs(
    folder: Path, seed: int, kills: int, settings: dict[str, Any], warm: Sequence[Path] = ()
) -> AsyncIterator[dict[str, Any]]:
    """Run `tests/killing.py` and yield what it tells, the undisturbed run first."""
    command = ["-m", "tests.killing", str(folder), str(seed), str(kills), QUESTION, json.dumps(settings)]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, *map(str, warm), cwd=ROOT, stdout=pipe, stderr=pipe, limit=LONGEST_LINE
    )
    assert process.stdout and process.stderr
    async for line in process.stdout:
        yield json.loads(line)
    assert await process.wait() == 0, (await process.stderr.read()).decode()


async def killed_beside_servers(
    mediawiki: str, folder: Path, seed: int, kills: int, warm: Sequence[Path] = ()
) -> tuple[list[dict[str, Any]], list[int]]:
    """Return what the runs told, and after each how many requests its own wiki and model server had been sent."""
    runs: list[dict[str, Any]] = []
    requests: list[int] = []
    wiki = FaultProxy(mediawiki)
    with openai_server(scholar) as model:
        async with wiki as url:
            settings = {
                "sources": ["wikipedia"],
                "wiki": f"{url}/w/",
                "contact": "tests@example.org",
                "wiki_at_once": AT_ONCE,
                "pages_per_round": 2,
                "llm": {"base_url": model.url, "model": model.model, "at_once": AT_ONCE},
            }
            async for each in killed_runs(folder, seed, kills, settings, warm):
                runs.append(each)
                requests.append(len(wiki.requests) + len(model.calls) + len(model.proofs))
    return runs, requests


@pytest.mark.mediawiki
@pytest.mark.slow
async def test_a_hundred_runs_killed_at_random_are_finished_with_the_answer_of_an_undisturbed_one(
    mediawiki_cirrus: str, tmp_path: Path
) -> None:
    warm = tmp_path / "warm"
    await killed_beside_servers(mediawiki_cirrus, warm, 0, 0)
    halves = await asyncio.gather(
        *(
            killed_beside_servers(mediawiki_cirrus, tmp_path / str(seed), seed, KILLS // 2, [warm / "whole"])
            for seed in SEEDS
        )
    )
    struck = 0
    for (whole, *killed), requests in halves:
        assert json.loads(whole["answer"])["mode"] == "llm"
        assert len(json.loads(whole["answer"])["rounds"]) == 3
        assert len(killed) == KILLS // 2
        for each in killed:
            assert each["accepted"], each
            assert (each["error"], each["replay"]) == ("", ""), each
            assert told_of(each["answer"]) == told_of(whole["answer"])
            assert max(Counter(each["spans"]).values()) == 1
            assert each["spans"][: len(each["before"])] == each["before"]
        struck += sum(each["killed"] == -9 for each in killed)
        again = [later - earlier - requests[0] for earlier, later in pairwise(requests)]
        assert max(again) <= 2 * AT_ONCE, again
    assert struck > KILLS * 0.8
