"""Runs, comparisons and sets of queries in words."""

from collections.abc import Mapping, Sequence

from eval.bootstrap import Interval
from eval.stark.description import TOKENS, QueryStatistics
from eval.stark.evaluation import Comparison, StarkSummary
from eval.stark.measures import NAMES

WIDTH = 8
ALL_QUERIES = "all"


def summary_text(summary: StarkSummary) -> str:
    """Return the figures of a run in percent, over all queries and by kind, and its seconds per query."""
    rows = [(ALL_QUERIES, summary.queries, summary.measures)]
    rows += [(kind, each.queries, each.measures) for kind, each in summary.kinds.items()]
    first = max(len("percent"), *(len(name) for name, _, _ in rows))
    head = f"{'percent':{first}}{'queries':>{WIDTH + 2}}" + "".join(f"{name:>{WIDTH}}" for name in NAMES)
    lines = [f"{name:{first}}{count:>{WIDTH + 2},}{_percents(measures)}" for name, count, measures in rows]
    if summary.unanswerable:
        lines.append(f"without an answer among the base's candidates, so that they count 0: {summary.unanswerable:,}")
    lines.append(f"seconds per query: {summary.seconds_p50:.3f} (p50), {summary.seconds_p95:.3f} (p95)")
    return "\n".join([head, *lines])


def comparison_text(found: Comparison) -> str:
    """Return differences in percentage points; a star marks an interval that does not hold 0."""
    head = f"{'first - second':16}{'mean':>{WIDTH}}{'95% from':>{WIDTH + 2}}{'to':>{WIDTH}}"
    lines = [_difference(name, each) for name, each in found.differences.items()]
    return "\n".join([f"{found.queries:,} queries", head, *lines])


def statistics_text(found: Sequence[QueryStatistics]) -> str:
    """Return what queries are like, a line per split, and what the columns are where that is not plain."""
    heads = ("queries", "answers", "> 20 %", "best R@20", "repeated", "duplicates", "words", "entropy", "TTR")
    table = [("split", *heads, "outside", "unanswerable"), *map(_cells, found)]
    columns = [column for column in zip(*table, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    rows = zip(*columns, strict=True)
    lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([*lines, f"entropy (bits) and type-token ratio: on {TOKENS:,} words of each split"])


def _percents(measures: Mapping[str, float]) -> str:
    return "".join(f"{100 * measures[name]:>{WIDTH}.2f}" for name in NAMES)


def _difference(name: str, each: Interval) -> str:
    mark = "" if each.low <= 0 <= each.high else " *"
    mean, low, high = (100 * value for value in (each.mean, each.low, each.high))
    return f"{name:16}{mean:>+{WIDTH}.2f}{low:>+{WIDTH + 2}.2f}{high:>+{WIDTH}.2f}{mark}"


def _cells(each: QueryStatistics) -> tuple[str, ...]:
    """Return the cells of a split; what is not known is empty."""
    return (
        each.split,
        f"{each.queries:,}",
        f"{each.answers:.1f}",
        f"{100 * each.many:.1f}",
        f"{100 * each.best_recall:.1f}",
        f"{each.repeated:,}",
        f"{each.duplicates:,}",
        f"{each.words:.1f}",
        "" if each.entropy is None else f"{each.entropy:.2f}",
        "" if each.type_token_ratio is None else f"{each.type_token_ratio:.3f}",
        "" if each.outside is None else f"{each.outside:,}",
        "" if each.unanswerable is None else f"{each.unanswerable:,}",
    )
