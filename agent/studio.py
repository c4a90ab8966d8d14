"""The graph that `langgraph dev` serves (langgraph.json): a question in, the answer record out, the steps on the way.

A question is asked by a process of its own, `heliograph ask --jsonl`. The server watches its event loop for calls that
block, in every thread; a run writes its record before it goes on, and is made to survive a kill. So a cancelled request
kills its process, and `heliograph resume` finishes the run.
"""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from heliograph.config import load_settings

ANSWERED, ABSTAINED = 0, 3
COMMAND = "from heliograph.starting import main; main()"
LONGEST_LINE = 2**26
"""Bytes of one event or record."""


class Asked(TypedDict):
    """What goes in."""

    question: str


class Answered(TypedDict, total=False):
    """What comes out: the answer with its markers, and the record that `heliograph ask --json` prints."""

    answer: str
    record: dict[str, Any]


class Exchange(Asked, Answered):
    """The state of the one step."""


@dataclass(frozen=True)
class Choices:
    """What may be chosen for a question; what is not follows the settings in force, and the demo archive."""

    preset: str = ""
    rounds: int | None = None
    graph: str = ""


Studio = CompiledStateGraph[Exchange, Choices, Asked, Answered]


def make_graph() -> Studio:
    """Return the graph; the server adds its own checkpoints."""
    graph = StateGraph(Exchange, context_schema=Choices, input_schema=Asked, output_schema=Answered)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile(name="heliograph")


async def ask(state: Exchange, runtime: Runtime[Choices]) -> Answered:
    """Ask one question in a process of its own; its progress and its steps go to the custom stream.

    Raises:
        RuntimeError: the process ended in an error, in its words; the server keeps words of no class of ours.
    """
    flags = await asyncio.to_thread(flags_of, runtime.context or Choices())
    async with _asking(*flags, "--jsonl", "--", state["question"]) as process:
        assert process.stdout and process.stderr, "both are pipes"
        lines, said = await asyncio.gather(
            _read(process.stdout, lambda line: runtime.stream_writer(_step(line))),
            _read(process.stderr, lambda line: runtime.stream_writer({"progress": line})),
        )
        code = await process.wait()
    if code not in (ANSWERED, ABSTAINED):
        raise RuntimeError(said or f"heliograph ask ended with code {code}; ask there to see why")
    record: dict[str, Any] = json.loads(lines)
    return Answered(answer=record["answer"], record=record)


def flags_of(choices: Choices) -> tuple[str, ...]:
    """Return the flags of `heliograph ask` for what was chosen; without any source set, those of the demo archive."""
    preset = choices.preset or ("" if load_settings({}).sources else "demo")
    given = {"--preset": preset, "--rounds": choices.rounds, "--graph": choices.graph}
    return tuple(word for name, value in given.items() if value for word in (name, str(value)))


@asynccontextmanager
async def _asking(*words: str) -> AsyncIterator[Process]:
    """Start the process, and end it with the request that it belongs to."""
    command = (sys.executable, "-c", COMMAND, "ask", *words)
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, limit=LONGEST_LINE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _read(stream: asyncio.StreamReader, hear: Callable[[str], None]) -> str:
    """Hear every line and return the last."""
    line = ""
    async for each in stream:
        line = each.decode("utf8", "replace").rstrip("\n")
        hear(line)
    return line


def _step(line: str) -> dict[str, Any]:
    """Return what is streamed of an event: which step ended, when and how; its payload stays in the run."""
    event = json.loads(line)
    if "span" not in event:
        return {"run": event["run"]}
    names = ("run", "span", "parent", "kind", "name", "start", "end", "error")
    return {"step": {name: event[name] for name in names}}
