"""One question through the graph, recorded and checkpointed from the first instant to the answer."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver

from agent.checkpoints import StateSerializer, checkpoints
from agent.graph import RECURSION_LIMIT, Graph, build_graph
from agent.question import valid_question
from agent.remembering import remember
from agent.services import Services
from agent.state import State
from heliograph.errors import ReplayMiss
from heliograph.types import Answer


async def ask(question: str, services: Services, folder: Path | None = None) -> Answer:
    """Run the state machine on one question, with checkpoints in `folder`; without it none are kept.

    Where the services turn into others on the way, so does the run.

    Raises:
        InvalidQuestion: the question is empty, too long or not text.
        SearchUnavailable: no source could be asked.
        StoreError: the home folder cannot be used.
    """
    state = State(question=valid_question(question), started=services.recorder.now())
    async with aclosing(services), services.recorder.span("AGENT", "ask", {"question": state["question"]}) as span:
        await services.prepare()
        async with _checkpoints(folder, bool(services.turns)) as saver:
            final = await _run(build_graph(saver), state, services)
        await remember(final, services)
        answer: Answer = final["answer"]
        span.result(answer)
    return answer


async def _run(graph: Graph, state: State, services: Services) -> State:
    """Go through the graph; a run whose every step was completed is read from its last checkpoint.

    Any other run is gone through from its beginning: its recorder gives back what the steps before a cut have done, so
    that services remember what they asked, and each step writes its checkpoint anew.
    """
    config = RunnableConfig(recursion_limit=RECURSION_LIMIT, configurable={"thread_id": services.recorder.run})
    if not isinstance(graph.checkpointer, BaseCheckpointSaver):
        return _ended(await graph.ainvoke(state, config, context=services))
    begun: dict[str, Any] = (await graph.aget_state(config)).values
    if "answer" in begun:
        return _ended(begun)
    await graph.checkpointer.adelete_thread(services.recorder.run)
    entered: State | None = state
    if services.turns:
        services, entered = await _turned(graph, state, config, services), None
    return _ended(await graph.ainvoke(entered, config, context=services, durability="sync"))


async def _turned(graph: Graph, state: State, config: RunnableConfig, services: Services) -> Services:
    """Go on to the last turn of the services, and return those that take over there.

    Raises:
        ReplayMiss: the run never came to a turn.
    """
    turns = services.turns
    come: Counter[str] = Counter()
    entered: State | None = state
    for turn in turns:
        while come[turn.node] < turn.time:
            stops = sorted({each.node for each in turns})
            await graph.ainvoke(entered, config, context=services, interrupt_before=stops, durability="sync")
            entered, ahead = None, (await graph.aget_state(config)).next
            if not ahead:
                raise ReplayMiss(f"the run ended before it came to {turn.node} for the {turn.time}. time; ask again")
            come.update(ahead)
        await turn.begin()
        services = turn.services
    return services


def _ended(final: dict[str, Any]) -> State:
    """Return the state that LangGraph hands over, which has the fields of ours."""
    return cast(State, final)


@asynccontextmanager
async def _checkpoints(folder: Path | None, turning: bool) -> AsyncIterator[BaseCheckpointSaver[Any] | None]:
    """Open the checkpoints of a run; one that turns needs some to stop at, if only in memory."""
    if folder is None:
        yield InMemorySaver(serde=StateSerializer()) if turning else None
        return
    async with checkpoints(folder) as saver:
        yield saver
