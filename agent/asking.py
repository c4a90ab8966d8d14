"""One question through the graph, recorded from the first instant to the answer."""

from langchain_core.runnables import RunnableConfig

from agent.graph import RECURSION_LIMIT, build_graph
from agent.question import valid_question
from agent.services import Services
from agent.state import State
from heliograph.types import Answer


async def ask(question: str, services: Services) -> Answer:
    """Run the state machine on one question.

    Raises:
        InvalidQuestion: the question is empty, too long or not text.
        SearchUnavailable: no source could be asked.
        StoreError: the home folder cannot be used.
    """
    state = State(question=valid_question(question), started=services.recorder.now())
    async with services.recorder.span("AGENT", "ask", {"question": state["question"]}) as span:
        config = RunnableConfig(recursion_limit=RECURSION_LIMIT)
        final = await build_graph().ainvoke(state, config=config, context=services)
        answer: Answer = final["answer"]
        span.result(answer)
    return answer
