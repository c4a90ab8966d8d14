"""Ask one `heliograph serve` more questions at once than it has places for; then hang up on it in the middle.

usage: python -m bench.many_at_once [--asked 208] [--alone 20] [--leaving 24] [--call 0.3]

A server process answers from the demo archive (make build/demo.zim) in a home folder of its own, by a model server on
loopback that knows the gold answers and takes `--call` seconds a call. Every question begins with a mark of its own,
which its answer has to bear, and no other; the answer has to say what the gold expects, too. Taken are the questions
of which one passage is the answer, and which were answered as expected when they were asked first. The peer of the
same run are `--alone` of the questions asked one after the other of the same server. Pages are warm for both: each
question was asked once before.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from typing import Any

import httpx

from bench.many_at_once_model import Knowing, known_questions
from eval.offline.dataset import GoldQuestion
from memory.trace import RunSummary, list_runs
from tests.servers.openai_server import OpenAIServer, openai_server

COLOURS = re.findall(r"\w+", "amber azure beige black brown coral green grey ivory lilac mauve ochre olive pearl white")
BIRDS = re.findall(
    r"\w+", "avocet bittern curlew dipper dunlin egret fulmar gannet godwit heron lapwing merlin osprey petrel plover"
)
MARKS = tuple(f"{colour} {bird}" for colour, bird in product(COLOURS, BIRDS))
MARK = re.compile(r"\b(?:" + "|".join(COLOURS) + r") (?:" + "|".join(BIRDS) + r")\b")
QUIET = httpx.Limits(max_connections=None, max_keepalive_connections=None)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question under a mark, and what came of it: the status, and the reply's body."""

    gold: GoldQuestion
    mark: str
    status: int = 0
    body: Any = None

    @property
    def text(self) -> str:
        """What is sent."""
        return f"The {self.mark} asks: {self.gold.question}"

    @property
    def answer(self) -> str:
        """What was answered; the message of an error."""
        if self.status != 200:
            return str(self.body["error"]["message"])
        return str(self.body["choices"][0]["message"]["content"])

    @property
    def crossed(self) -> bool:
        """Whether the answer, or the record of its run, belongs to another question."""
        return bool(set(MARK.findall(self.answer)) - {self.mark}) or self.body["heliograph"]["question"] != self.text

    @property
    def own(self) -> bool:
        """Whether the answer bears its mark and says what is expected."""
        return self.mark in self.answer and any(each in self.answer for each in self.gold.expected)


@dataclass(slots=True)
class Watched:
    """The most that the server's health told of."""

    accepted: int = 0
    at_work: int = 0
    seen: list[dict[str, Any]] = field(default_factory=list)

    async def watch(self, client: httpx.AsyncClient) -> None:
        """Look until cancelled."""
        while True:
            now = (await client.get("/health")).json()
            self.accepted, self.at_work = max(self.accepted, now["accepted"]), max(self.at_work, now["at_work"])
            await asyncio.sleep(0.1)


def main() -> None:
    """Print what was seen."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--asked", type=int, default=208)
    parser.add_argument("--alone", type=int, default=20)
    parser.add_argument("--leaving", type=int, default=24)
    parser.add_argument("--call", type=float, default=0.3)
    args = parser.parse_args()
    gold = known_questions()
    knowing = Knowing(gold)
    with tempfile.TemporaryDirectory() as name, openai_server(knowing, delay=args.call) as model:
        home = Path(name)
        with serving(home, model) as address:
            asyncio.run(measure(address, home, knowing, model, gold, args))


@contextmanager
def serving(home: Path, model: OpenAIServer) -> Iterator[str]:
    """Start the server as its users do, on a free port; yield its address."""
    archive = Path("build/demo.zim").resolve()
    command = (sys.executable, "-m", "app", "serve", "--source", f"zim:{archive}", "--port", "0")
    settings = {
        "HELIOGRAPH_HOME": str(home),
        "HELIOGRAPH_LLM__BASE_URL": model.url,
        "HELIOGRAPH_LLM__MODEL": model.model,
    }
    log = home / "serve.log"
    with log.open("wb") as out, subprocess.Popen(command, env={**os.environ, **settings}, stderr=out) as process:
        try:
            while not (found := re.search(r"http://127\S+", log.read_text())):
                assert process.poll() is None, log.read_text()
                time.sleep(0.2)
            yield found[0]
        finally:
            process.terminate()


async def measure(
    address: str,
    home: Path,
    knowing: Knowing,
    model: OpenAIServer,
    gold: Sequence[GoldQuestion],
    args: argparse.Namespace,
) -> None:
    """Ask all, one after the other and at once, then leave; print a line for each figure."""
    async with httpx.AsyncClient(base_url=address, timeout=3600, limits=QUIET) as client:
        first = await asyncio.gather(*(ask(client, Asked(each, mark)) for each, mark in zip(gold, MARKS, strict=False)))
        known = [each.gold for each in first if each.own]
        print(f"{len(known)} of {len(gold)} questions are answered as expected when they are asked first\n", flush=True)
        asked = [Asked(known[place % len(known)], mark) for place, mark in enumerate(MARKS[: args.asked])]
        begun = time.perf_counter()
        for each in islice(asked, args.alone):
            assert (await ask(client, each)).own, each.text
        one = (time.perf_counter() - begun) / args.alone
        before = len(list_runs(home))
        watched = Watched()
        watching = asyncio.create_task(watched.watch(client))
        begun = time.perf_counter()
        replies = await asyncio.gather(*(ask(client, each) for each in asked))
        wall = time.perf_counter() - begun
        watching.cancel()
        tell_many(replies, watched, list_runs(home)[before:], wall, one)
        await leave(client, home, knowing, model, asked[: args.leaving])
        last = await ask(client, asked[-1])
        print(f"| a question asked then | {last.status}, its own answer: {last.own} |")


async def ask(client: httpx.AsyncClient, asked: Asked) -> Asked:
    """Ask one question and return it with what came."""
    body = {"model": "heliograph", "messages": [{"role": "user", "content": asked.text}]}
    reply = await client.post("/v1/chat/completions", json=body)
    return Asked(asked.gold, asked.mark, reply.status_code, reply.json())


def tell_many(replies: Sequence[Asked], watched: Watched, runs: Sequence[RunSummary], wall: float, one: float) -> None:
    """Print what came of questions asked at once."""
    finished = [each for each in replies if each.status == 200]
    refused = Counter(f"{each.status}: {each.answer}" for each in replies if each.status != 200)
    ratio = wall / (one * len(finished))
    rows = {
        "asked at once": len(replies),
        "accepted, the most that health told of": watched.accepted,
        "at work, the most that health told of": watched.at_work,
        "at work, the most by the records of the runs": most_together(runs),
        "runs made": len(runs),
        "answered": len(finished),
        "bear their mark and say what is expected": sum(each.own for each in finished),
        "belong to another question, or have its record": sum(each.crossed for each in finished),
        "different runs named": len({each.body["heliograph"]["run"] for each in finished}),
        "seconds, all": f"{wall:.1f}",
        "seconds, one alone": f"{one:.2f}",
        "ratio to as many one after the other": f"{ratio:.2f} (an eighth, were only the model waited for)",
    }
    print("| what | figure |\n| --- | --- |")
    for name, figure in rows.items():
        print(f"| {name} | {figure} |")
    for message, times in refused.items():
        print(f"| refused | {times} times {message} |")


def most_together(runs: Sequence[RunSummary]) -> int:
    """Return how many runs had begun and not ended at one time, by their records."""
    begun = [(run.started, 1) for run in runs]
    ended = [(run.started + run.seconds, -1) for run in runs if run.seconds is not None]
    most = now = 0
    for _, step in sorted(begun + ended):
        now += step
        most = max(most, now)
    return most


async def leave(
    client: httpx.AsyncClient, home: Path, knowing: Knowing, model: OpenAIServer, asked: Sequence[Asked]
) -> None:
    """Ask while the model says nothing, hang up on all, and print how soon the places are free again."""
    before, hung_up = len(list_runs(home)), model.disconnects
    knowing.silent = True
    asking = [asyncio.create_task(ask(client, each)) for each in asked]
    health = await when(client, lambda now: now["accepted"] == len(asked) and knowing.kept_waiting >= now["running"])
    print(f"| clients that will hang up | {health['accepted']} accepted, {health['at_work']} at work |")
    left = time.perf_counter()
    for each in asking:
        each.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    health = await when(client, lambda now: now["accepted"] == 0)
    soon = time.perf_counter() - left
    knowing.silent = False
    ends = Counter(run.status for run in list_runs(home)[before:])
    print(f"| after they hung up | {health['accepted']} accepted, {health['at_work']} at work, {soon:.2f} s later |")
    print(f"| their runs | {dict(ends)}; calls given up at the model server: {model.disconnects - hung_up} |")


async def when(client: httpx.AsyncClient, holds: Any) -> Any:
    """Return the server's health as soon as something holds of it."""
    while not holds(now := (await client.get("/health")).json()):
        await asyncio.sleep(0.02)
    return now


if __name__ == "__main__":
    main()
