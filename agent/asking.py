"""One question through the graph, recorded and checkpointed from the first instant to the answer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from agent.checkpoints import checkpoints
from agent.graph import RECURSION_LIMIT, Graph, build_graph
from agent.question import valid_question
from agent.selection import final_evidence
from agent.services import Services
from agent.state import State
from heliograph.types import Answer, JudgedRound, Past


async def ask(question: str, services: Services, folder: Path | None = None) -> Answer:
    """Run the state machine on one question, from where its checkpoints in `folder` end; without it none are kept.

    Raises:
        InvalidQuestion: the question is empty, too long or not text.
        SearchUnavailable: no source could be asked.
        StoreError: the home folder cannot be used.
    """
    state = State(question=valid_question(question), started=services.recorder.now())
    async with services.recorder.span("AGENT", "ask", {"question": state["question"]}) as span:
        await services.prepare()
        async with _checkpoints(folder) as saver:
            final = await _run(build_graph(saver), state, services)
        answer: Answer = final["answer"]
        span.result(answer)
    return answer


def restore(begun: dict[str, Any], services: Services) -> None:
    """Tell services what the steps before the cut have done."""
    services.meter.restore(begun.get("spent", ()))
    seen = tuple(begun.get("observations", ()))
    rounds = tuple(
        JudgedRound(record, final_evidence([each for each in seen if each.round <= record.number], services))
        for record in begun.get("rounds", ())
    )
    for service in services.remembering:
        service.restore(Past(begun["question"], rounds, seen))


async def _run(graph: Graph, state: State, services: Services) -> dict[str, Any]:
    """Begin, or go on after the last step that was completed; a run whose every step was completed is read."""
    config = RunnableConfig(recursion_limit=RECURSION_LIMIT, configurable={"thread_id": services.recorder.run})
    if not graph.checkpointer:
        return await graph.ainvoke(state, config, context=services)
    begun: dict[str, Any] = (await graph.aget_state(config)).values
    if "answer" in begun:
        return begun
    if begun:
        restore(begun, services)
    # A checkpoint is written before the next step begins, so that no step that was completed is done again.
    return await graph.ainvoke(None if begun else state, config, context=services, durability="sync")


@asynccontextmanager
async def _checkpoints(folder: Path | None) -> AsyncIterator[BaseCheckpointSaver[Any] | None]:
    if folder is None:
        yield None
        return
    async with checkpoints(folder) as saver:
        yield saver
