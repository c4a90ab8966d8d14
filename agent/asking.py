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
from agent.services import Services
from agent.state import State
from heliograph.types import Answer


async def ask(question: str, services: Services, folder: Path | None = None) -> Answer:
    """Run the state machine on one question, with checkpoints in `folder`; without it none are kept.

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


async def _run(graph: Graph, state: State, services: Services) -> dict[str, Any]:
    """Go through the graph; a run whose every step was completed is read from its last checkpoint.

    Any other run is gone through from its beginning: its recorder gives back what the steps before a cut have done, so
    that services remember what they asked, and each step writes its checkpoint anew.
    """
    config = RunnableConfig(recursion_limit=RECURSION_LIMIT, configurable={"thread_id": services.recorder.run})
    if not isinstance(graph.checkpointer, BaseCheckpointSaver):
        return await graph.ainvoke(state, config, context=services)
    begun: dict[str, Any] = (await graph.aget_state(config)).values
    if "answer" in begun:
        return begun
    await graph.checkpointer.adelete_thread(services.recorder.run)
    return await graph.ainvoke(state, config, context=services, durability="sync")


@asynccontextmanager
async def _checkpoints(folder: Path | None) -> AsyncIterator[BaseCheckpointSaver[Any] | None]:
    if folder is None:
        yield None
        return
    async with checkpoints(folder) as saver:
        yield saver
