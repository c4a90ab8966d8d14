"""What keeps a run from asking a dead server for ever, and from spending more than it may."""

from collections.abc import Iterator
from contextlib import contextmanager

from agent.llm.counting import count_request
from agent.meter import Meter
from heliograph.errors import ModelBudgetSpent, ModelError, ModelTimeout, ModelUnreachable
from heliograph.protocols import ChatModel
from heliograph.types import ChatRequest, Reply

FAILURES = 3
"""How many calls in a row may find a server dead or silent before the role stops asking."""


class Circuit:
    """The health of one server as one role of one run sees it; once open it stays open."""

    def __init__(self, failures: int = FAILURES) -> None:
        self._left = self._failures = failures
        self._last: ModelError | None = None

    def check(self) -> None:
        """Raise the kind of error that opened the circuit, without a call."""
        if self._last is not None and self._left <= 0:
            raise type(self._last)(f"not asked again in this run after {self._failures} failures: {self._last}")

    def fail(self, error: ModelError) -> None:
        """Count a call that found nobody."""
        self._left -= 1
        self._last = error

    def succeed(self) -> None:
        """Start again: the server is alive. A circuit that opened while the call was out stays open."""
        if self._left > 0:
            self._left = self._failures


class Budget:
    """What a run may spend, all roles together; calls that are out count with all they may take.

    Tokens are counted before the call, so high: a run ends below its budget, never above.
    """

    def __init__(self, meter: Meter, max_calls: int | None = None, max_tokens: int | None = None) -> None:
        self._meter = meter
        self._max_calls = max_calls
        self._max_tokens = max_tokens
        self._calls_out = 0
        self._tokens_out = 0

    @contextmanager
    def reserved(self, request: ChatRequest) -> Iterator[None]:
        """Hold what a call may take until its reply is counted.

        Raises:
            ModelBudgetSpent: the call could go past the budget.
        """
        tokens = count_request(request)
        self._check(tokens)
        self._calls_out += 1
        self._tokens_out += tokens
        try:
            yield
        finally:
            self._calls_out -= 1
            self._tokens_out -= tokens

    def _check(self, tokens: int) -> None:
        calls = self._meter.calls + self._calls_out
        if self._max_calls is not None and calls >= self._max_calls:
            raise ModelBudgetSpent(f"{calls} of {self._max_calls} model calls are spent; raise --max-calls")
        spent = self._meter.tokens + self._tokens_out
        if self._max_tokens is not None and spent + tokens > self._max_tokens:
            raise ModelBudgetSpent(
                f"{spent} of {self._max_tokens} tokens are spent and the next call may take {tokens}; "
                "raise --max-tokens"
            )


class GuardedModel:
    """A model that is asked only while it answers and the budget lasts.

    It stands inside the recorded effect: which of several calls at once met the limit is part of the record.
    """

    def __init__(self, model: ChatModel, circuit: Circuit, budget: Budget) -> None:
        self.name = model.name
        self._model = model
        self._circuit = circuit
        self._budget = budget

    async def chat(self, request: ChatRequest) -> Reply:
        """Ask once.

        Raises:
            ModelBudgetSpent: the call could go past the budget.
            ModelError: as the model; after failures in a row the same kind at once.
        """
        self._circuit.check()
        with self._budget.reserved(request):
            try:
                reply = await self._model.chat(request)
            except (ModelUnreachable, ModelTimeout) as err:
                self._circuit.fail(err)
                raise
            except ModelError:
                self._circuit.succeed()
                raise
        self._circuit.succeed()
        return reply
