"""What a run spends on models and asks of live sources, from the call to the answer record."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from heliograph.errors import ModelError
from heliograph.types import ModelFailure, ModelRole, Reply


@dataclass(frozen=True, slots=True)
class Spending:
    """What one step of the graph spent; a checkpoint keeps it with the step."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    http_requests: int = 0
    failures: tuple[ModelFailure, ...] = ()


@dataclass(slots=True)
class Meter:
    """Counts what one run asks of others; the graph takes the counts out after each step.

    `calls` and `tokens` are the totals of the run, by which its budgets are kept.
    """

    calls: int = 0
    tokens: int = 0
    _step: list[Spending] = field(default_factory=list)

    def spend(self, reply: Reply) -> None:
        """Count one reply."""
        spent = Spending(1, reply.prompt_tokens, reply.cached_tokens, reply.completion_tokens)
        self.calls += 1
        self.tokens += reply.prompt_tokens + reply.completion_tokens
        self._step.append(spent)

    def request(self) -> None:
        """Count one thing asked of a live source: a search, a page, a picture."""
        self._step.append(Spending(http_requests=1))

    def fail(self, role: ModelRole, error: ModelError) -> None:
        """Count a task that the model failed at and another implementation did."""
        self._step.append(Spending(failures=(ModelFailure(role, type(error).__name__),)))

    def take(self) -> tuple[Spending, ...]:
        """Return what was spent since the last taking."""
        taken, self._step = tuple(self._step), []
        return (total(taken),) if taken else ()


def total(spent: Iterable[Spending]) -> Spending:
    """Add up; failures of one role and kind are counted together, in the order of the first."""
    spent = tuple(spent)
    failures: Counter[tuple[ModelRole, str]] = Counter()
    for failure in (failure for each in spent for failure in each.failures):
        failures[failure.role, failure.kind] += failure.count
    return Spending(
        llm_calls=sum(each.llm_calls for each in spent),
        prompt_tokens=sum(each.prompt_tokens for each in spent),
        cached_tokens=sum(each.cached_tokens for each in spent),
        completion_tokens=sum(each.completion_tokens for each in spent),
        http_requests=sum(each.http_requests for each in spent),
        failures=tuple(ModelFailure(role, kind, count) for (role, kind), count in failures.items()),
    )
