"""Runs in words: the figures of one, the differences of two, and the questions that lost most."""

from collections.abc import Mapping, Sequence

from eval.ott.bootstrap import Difference
from eval.ott.measures import CUTS
from eval.ott.questions import OttQuestion
from eval.ott.results import QuestionResult, Summary

WIDTH = 8
RECALLS = ("AR", "gold_edge", "gold_strict", "gold_table")


def summary_text(summary: Summary, questions: int) -> str:
    """Return the figures of a run in percent, and its seconds a question by stage."""
    head = f"{'percent':12}" + "".join(f"{f'@{k}':>{WIDTH}}" for k in CUTS)
    recalls = [_line(name, [summary.metrics[f"{name}@{k}"] for k in CUTS]) for name in RECALLS]
    known = {f"{name}@{k}" for name in RECALLS for k in CUTS}
    others = [_line(name, [value]) for name, value in summary.metrics.items() if name not in known]
    seconds = [f"{stage:12}{value:>{WIDTH}.3f} s" for stage, value in summary.seconds.items()]
    return "\n".join([f"{questions:,} questions", *_outside(summary), head, *recalls, *others, *seconds])


def _outside(summary: Summary) -> list[str]:
    """Say of how many questions no gold can be found, whatever searches."""
    many = summary.outside_scope
    return [f"{many:,} of them with a gold table outside the scope: theirs is never found"] if many else []


def differences_text(differences: Sequence[Difference]) -> str:
    """Return differences in percentage points; a star marks an interval that does not hold 0."""
    head = f"{'first - second':16}{'mean':>{WIDTH}}{'95% from':>{WIDTH + 2}}{'to':>{WIDTH}}"
    return "\n".join([head, *map(_difference_line, differences)])


def losses(
    first: Mapping[str, QuestionResult], second: Mapping[str, QuestionResult], metric: str
) -> tuple[tuple[str, float], ...]:
    """Return the questions in which the first run is worse, by how much, the greatest loss first."""
    lost = ((id, _value(first, id, metric) - _value(second, id, metric)) for id in sorted({*first, *second}))
    return tuple(sorted(((id, loss) for id, loss in lost if loss < 0), key=lambda each: each[1]))


def losses_text(lost: Sequence[tuple[str, float]], asked: Sequence[OttQuestion], metric: str) -> str:
    """Return lost questions one a line: the loss in points, the id and the question."""
    texts = {question.id: question.question for question in asked}
    return "\n".join([f"worse in {metric}:", *(f"{100 * loss:+7.1f}  {id}  {texts[id]}" for id, loss in lost)])


def _line(name: str, values: Sequence[float]) -> str:
    return f"{name:12}" + "".join(f"{100 * value:>{WIDTH}.2f}" for value in values)


def _difference_line(each: Difference) -> str:
    mark = "" if each.low <= 0 <= each.high else " *"
    mean, low, high = (100 * value for value in (each.mean, each.low, each.high))
    return f"{each.metric:16}{mean:>+{WIDTH}.2f}{low:>+{WIDTH + 2}.2f}{high:>+{WIDTH}.2f}{mark}"


def _value(run: Mapping[str, QuestionResult], id: str, metric: str) -> float:
    return run[id].metrics.get(metric, 0.0) if id in run else 0.0
