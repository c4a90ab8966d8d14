"""Wall time of a three-round question on slow servers, beside a LangGraph that does the same steps one call at a time.

usage: python -m bench.overlap --wiki http://127.0.0.1:8766 [--fetch 0.2] [--call 0.3] [--repeat 7] [--at-once 8]

The wiki is that of tests/servers/mediawiki.sh behind a proxy that waits `--fetch` seconds a request; the model server
of tests/servers waits `--call` seconds. Every run has a home folder of its own, in which only the vectors of texts are
known already: they cost both the same. The peer has no record, no checkpoints and no overlap: a loop for each list.
Both run in turn, and each pair gives one ratio. Wikimedia's hosts are never asked side by side: that is `--at-once 1`.
"""

import argparse
import asyncio
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from agent.asking import ask
from agent.assembly import Backends, build_backends, build_services
from agent.checking import check_answer
from agent.llm import ChatServers
from agent.selection import final_evidence, known_evidence
from agent.services import Services
from heliograph.config import Settings, load_settings
from heliograph.types import (
    MODALITIES,
    Brief,
    Draft,
    EvidenceId,
    Hit,
    Need,
    Observation,
    PageKey,
    Query,
    RoundRecord,
    SearchResult,
    StopReason,
)
from memory.trace import SystemClock, TraceRecorder
from tests.fakes import FakeRecorder
from tests.servers.fault_proxy import FaultProxy
from tests.servers.openai_server import openai_server
from tests.servers.scholar import scholar
from tools.search import DEPTH

QUESTION = "Which engineer designed the viaduct near Pell Bridge?"
NEEDS = (Need(QUESTION),)
ROUNDS = 3
PAGES = 5


class Plain(TypedDict, total=False):
    """The state of the peer."""

    round: int
    queries: tuple[Query, ...]
    results: tuple[SearchResult, ...]
    hits: tuple[Hit, ...]
    read: tuple[PageKey, ...]
    found: tuple[EvidenceId, ...]
    seen: tuple[Observation, ...]
    rounds: tuple[RoundRecord, ...]
    draft: Draft
    text: str


class Sequential:
    """The steps of a question as anybody would write them first: each waits for the one before it."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def rewrite(self, state: Plain) -> Plain:
        """Make queries."""
        queries = await self._services.rewriter.rewrite(QUESTION, state.get("rounds", ()))
        return {"round": state.get("round", 0) + 1, "queries": queries}

    async def search(self, state: Plain) -> Plain:
        """Search for one query after the other."""
        found = [await source.search(query, DEPTH) for query in state["queries"] for source in self._services.searches]
        return {"results": (*state.get("results", ()), *found)}

    async def rerank(self, state: Plain) -> Plain:
        """Choose pages."""
        asked, library = self._services.document_reranker, self._services.library
        return {"hits": await asked.rerank(QUESTION, state["results"], library.asked, PAGES)}

    async def read(self, state: Plain) -> Plain:
        """Fetch and index one page after the other."""
        read = list(state.get("read", ()))
        for hit in state["hits"]:
            document = await self._services.library.add(await self._services.pages.read(hit), hit)
            await self._services.index.add([document])
            read.append(document.key)
        return {"read": tuple(dict.fromkeys(read))}

    async def retrieve(self, state: Plain) -> Plain:
        """Search each index."""
        found = [
            scored.item
            for modality in MODALITIES
            for scored in await self._services.index.retrieve(QUESTION, modality, 20, state["read"])
        ]
        return {"found": tuple(dict.fromkeys(found))}

    async def score(self, state: Plain) -> Plain:
        """Judge one piece after the other: the model has one connection."""
        services, seen = self._services, state.get("seen", ())
        pieces = tuple(map(services.library.evidence, state["found"]))
        known = known_evidence(seen, services.library)
        scored = await services.evidence_reranker.rerank(QUESTION, pieces, known, state["round"])
        return {"seen": (*seen, *scored)}

    async def reflect(self, state: Plain) -> Plain:
        """Judge the round."""
        ranked = final_evidence(state["seen"], self._services)
        rounds, queries = state.get("rounds", ()), tuple(query.text for query in state["queries"])
        verdict = await self._services.reflector.reflect(NEEDS, ranked, rounds, state["read"], queries)
        record = RoundRecord(state["round"], queries, state["read"], state["found"], verdict)
        return {"rounds": (*rounds, record)}

    async def answer(self, state: Plain) -> Plain:
        """Write claims."""
        ranked = final_evidence(state["seen"], self._services)
        return {"draft": await self._services.answerer.answer(Brief("short", NEEDS), ranked)}

    async def verify(self, state: Plain) -> Plain:
        """Check one claim after the other: the model has one connection."""
        services = self._services
        ranked = final_evidence(state["seen"], services)
        verifier, shelf = services.verifier(QUESTION), services.library.shelf
        checked = await check_answer(state["draft"], services.policy, verifier, services.answerer, ranked, shelf)
        return {"text": checked.text}

    async def run(self) -> str:
        """Go through three rounds and return the answer."""
        graph = StateGraph(Plain)
        steps = (self.rewrite, self.search, self.rerank, self.read, self.retrieve, self.score, self.reflect)
        for step in (*steps, self.answer, self.verify):
            graph.add_node(step.__name__, step)
        graph.add_edge(START, "rewrite")
        for earlier, later in pairwise(steps):
            graph.add_edge(earlier.__name__, later.__name__)
        graph.add_conditional_edges("reflect", _again, ["rewrite", "answer"])
        graph.add_edge("answer", "verify")
        graph.add_edge("verify", END)
        state = await graph.compile().ainvoke({}, {"recursion_limit": 50})
        return str(state["text"])


def _again(state: Plain) -> str:
    return "rewrite" if state["round"] < ROUNDS else "answer"


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--wiki", required=True)
    parser.add_argument("--fetch", type=float, default=0.2)
    parser.add_argument("--call", type=float, default=0.3)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--at-once", type=int, action="append")
    args = parser.parse_args()
    asyncio.run(_measure(args))


async def _measure(args: argparse.Namespace) -> None:
    print("| requests at once | sequential LangGraph, s | Heliograph, s | ratio, median | ratios |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder, openai_server(scholar, delay=args.call) as model:
        async with FaultProxy(args.wiki, delay=args.fetch) as url:
            llm = {"base_url": model.url, "model": model.model, "structured": "json_schema"}
            warm = Path(folder) / "warm"
            await _ours(_settings(url, warm, llm, 8))
            for at_once in args.at_once or [8, 1]:
                pairs = [
                    (
                        await _plain(_settings(url, _home(warm, f"plain-{at_once}-{turn}"), llm, 1)),
                        await _ours(_settings(url, _home(warm, f"ours-{at_once}-{turn}"), llm, at_once)),
                    )
                    for turn in range(args.repeat)
                ]
                print(_row(at_once, pairs), flush=True)


def _row(at_once: int, pairs: Sequence[tuple[float, float]]) -> str:
    ratios = sorted(ours / plain for plain, ours in pairs)
    plain, ours = (statistics.median(each) for each in zip(*pairs, strict=True))
    told = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return f"| {at_once} | {plain:.1f} | {ours:.1f} | {statistics.median(ratios):.2f} | {told} |"


def _home(warm: Path, name: str) -> Path:
    """Make a home folder in which only vectors are known."""
    home = warm.with_name(name)
    home.mkdir()
    for vectors in warm.glob("*.sqlite"):
        shutil.copy(vectors, home)
    return home


def _settings(wiki: str, home: Path, llm: dict[str, Any], at_once: int) -> Settings:
    return load_settings(
        {
            "home": home,
            "sources": ("wikipedia",),
            "wiki": f"{wiki}/w/",
            "contact": "bench@example.org",
            "wiki_at_once": at_once,
            "pages_per_round": PAGES,
            "rounds": ROUNDS,
            "llm": {**llm, "at_once": 32 if at_once > 1 or home.name.startswith("ours") else 1},
        }
    )


async def _ours(settings: Settings) -> float:
    backends = build_backends(settings)
    folder = settings.home / "runs" / "run"
    started = time.perf_counter()
    with TraceRecorder(folder, "run", SystemClock()) as recorder:
        async with ChatServers() as servers:
            services = build_services(settings, backends, recorder, lambda _: None, servers)
            answer = await ask(QUESTION, services, folder)
    seconds = time.perf_counter() - started
    reason: StopReason = "rounds_exhausted"
    if (answer.mode, answer.stop_reason, len(answer.rounds)) != ("llm", reason, ROUNDS) or answer.model_failures:
        raise SystemExit(f"not three rounds by the model: {answer}")
    return _closed(backends, seconds)


async def _plain(settings: Settings) -> float:
    backends = build_backends(settings)
    started = time.perf_counter()
    async with ChatServers() as servers:
        services = build_services(settings, backends, FakeRecorder(), lambda _: None, servers)
        if not await Sequential(services).run():
            raise SystemExit("the peer came to no answer")
    return _closed(backends, time.perf_counter() - started)


def _closed(backends: Backends, seconds: float) -> float:
    backends.close()
    return seconds


if __name__ == "__main__":
    main()
