"""What graph, checkpoints and trace cost a step, beside the same steps as bare functions and as a bare LangGraph.

usage: python -m bench.step_overhead [--repeat 7]

Services are fakes that answer at once; pages are of real length, so that states and events are of real size. A run has
three rounds. Printed are medians in milliseconds a step, and the ratio to a LangGraph of as many empty nodes.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypedDict

from langgraph.graph import END, START, StateGraph

from agent.asking import ask
from agent.services import Services
from memory.trace import SystemClock, TraceRecorder
from tests.fakes import FakeRecorder, FakeRewriter, make_page, make_services

PAGES_A_ROUND = 10
PARAGRAPHS = 20
STEPS = 1 + 3 * 7 + 2
"""Recalling, three rounds of seven steps, answering and checking."""
QUESTION = "Which letters are there?"


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=7)
    repeat = parser.parse_args().repeat
    empty = _median(_empty_graph, repeat)
    rows = {
        "a LangGraph of empty nodes": empty,
        "steps, no record and no checkpoints": _median(_unrecorded, repeat),
        "steps, recorded": _median(lambda: _recorded(checkpointed=False), repeat),
        "steps, recorded and checkpointed": _median(lambda: _recorded(checkpointed=True), repeat),
    }
    print("| a run of three rounds | ms a step, median | times the empty nodes |\n| --- | --- | --- |")
    for name, milliseconds in rows.items():
        print(f"| {name} | {milliseconds:.2f} | {milliseconds / empty:.1f} |")
    own = rows["steps, recorded and checkpointed"] - rows["steps, no record and no checkpoints"] + empty
    print(f"\ngraph, checkpoint and trace: {own:.2f} ms a step")


def _median(run: Callable[[], Awaitable[object]], repeat: int) -> float:
    asyncio.run(_timed(run))
    return statistics.median(asyncio.run(_timed(run)) for _ in range(repeat))


async def _timed(run: Callable[[], Awaitable[object]]) -> float:
    started = time.perf_counter()
    await run()
    return (time.perf_counter() - started) * 1000 / STEPS


class _Count(TypedDict):
    steps: int


async def _empty_graph() -> object:
    async def step(state: _Count) -> _Count:
        return {"steps": state["steps"] + 1}

    graph = StateGraph(_Count)
    names = [f"step {number}" for number in range(STEPS)]
    for name in names:
        graph.add_node(name, step)
    for earlier, later in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(earlier, later)
    return await graph.compile().ainvoke({"steps": 0}, {"recursion_limit": STEPS + 5})


def _services(recorder: TraceRecorder | FakeRecorder) -> Services:
    titles = [f"Letter {number}" for number in range(3 * PAGES_A_ROUND)]
    pages = [
        make_page(title, *(f"{title} has a history of {place} parts. " * 5 for place in range(PARAGRAPHS)))
        for title in titles
    ]
    found = {f"round {round}": titles[round * PAGES_A_ROUND : (round + 1) * PAGES_A_ROUND] for round in range(3)}
    return make_services(pages, found, recorder=recorder, rewriter=FakeRewriter([[query] for query in found]))


async def _unrecorded() -> object:
    return await ask(QUESTION, _services(FakeRecorder()))


async def _recorded(checkpointed: bool) -> object:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with TraceRecorder(folder, "run", SystemClock()) as recorder:
            return await ask(QUESTION, _services(recorder), folder if checkpointed else None)


if __name__ == "__main__":
    main()
