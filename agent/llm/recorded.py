"""A model whose every raw reply is recorded and counted, so that a replay needs no server."""

from agent.llm.wording import Constraint
from agent.meter import Meter
from heliograph.protocols import ChatModel, Recorder
from heliograph.types import ChatRequest, Reply


class RecordedModel:
    """A chat model whose every call is an effect and whose every reply is counted, in a replay, too.

    `asker` says for what: a role, or the start of the run. `constraint` is part of the call's identity: the same
    request under another constraint is another call.
    """

    def __init__(
        self, model: ChatModel, recorder: Recorder, meter: Meter, asker: str, constraint: Constraint = "none"
    ) -> None:
        self.name = model.name
        self._model = model
        self._recorder = recorder
        self._meter = meter
        self._asker = asker
        self._constraint = constraint

    async def chat(self, request: ChatRequest) -> Reply:
        """Ask, or give back what was said.

        Raises:
            ModelError: as the model, or as it did.
        """
        given = {
            "model": self.name,
            "role": self._asker,
            "prompt": request.prompt.name,
            "structured": self._constraint,
            "request": request,
        }
        reply = await self._recorder.effect("LLM", "chat", given, Reply, lambda: self._model.chat(request))
        self._meter.spend(reply)
        return reply
