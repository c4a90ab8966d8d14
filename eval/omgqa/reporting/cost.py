"""What an answer costs: calls and tokens of language models, seconds, pages, embedded texts, requests."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from statistics import fmean

from eval.omgqa.reporting.figures import Scored, ScoredRun, Standing, over_seeds
from eval.omgqa.reporting.tables import Row, Table, count
from eval.omgqa.runs import OmgRun

COSTS: Mapping[str, Callable[[OmgRun], float]] = {
    "LLM calls": lambda run: run.usage.llm_calls,
    "prompt tokens": lambda run: run.usage.prompt_tokens,
    "cached tokens": lambda run: run.usage.cached_tokens,
    "completion tokens": lambda run: run.usage.completion_tokens,
    "seconds": lambda run: run.seconds,
    "pages": lambda run: run.usage.pages_read,
    "embedded": lambda run: run.usage.embedded,
    "requests": lambda run: run.usage.http_requests,
}
"""Of one answer, by name; cached tokens are among those of the prompt."""
DIGITS: Mapping[str, int] = {"seconds": 2}
"""After the point, where it is not 1."""


def cost(scored: Scored) -> Table:
    """Return the mean cost of an answer of each system."""
    return Table(
        "cost",
        "Cost of an answer, on average",
        ("system", *COSTS, "answers"),
        tuple(map(_row, scored.standings)),
        "No system has answered a question yet.",
        note="Cached tokens are among those of the prompt.",
    )


def costs_of(run: OmgRun) -> dict[str, float]:
    """Return what one answer cost, by name."""
    return {name: float(of(run)) for name, of in COSTS.items()}


def _row(standing: Standing) -> Row:
    found = over_seeds(standing.runs, _means)
    cells = (replace(found[name], digits=DIGITS.get(name, 1)) for name in COSTS)
    return Row((standing.system, *cells, count(len(standing.runs))), (standing.system,))


def _means(runs: list[ScoredRun]) -> dict[str, float]:
    return {name: fmean(of(each.run) for each in runs) for name, of in COSTS.items()}
