"""Runs, comparisons and sets of queries in words."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from eval.bootstrap import Interval
from eval.stark.base_statistics import BaseStatistics
from eval.stark.description import TOKENS, QueryStatistics, proportions
from eval.stark.evaluation import Comparison, StarkSummary
from eval.stark.measures import NAMES

WIDTH = 8
ALL_QUERIES = "all"
WORD_BOUNDS = (0, 5, 10, 15, 20, 25, 30, 40, 50)
ANSWER_BOUNDS = (-1, 0, 1, 2, 3, 4, 5, 10, 20, 30)
"""Where the bins of Figure 4's histograms end; the last one has no end."""
COUNTED = f"entropy (bits) and type-token ratio: on {TOKENS:,} words of each split"


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
    return "\n".join([*table_lines(table), COUNTED])


def base_text(found: BaseStatistics) -> str:
    """Return Table 2 for one base, and how its columns are counted."""
    heads = ("entity types", "relation types", "average degree", "entities", "relations", "tokens")
    cells = (
        *(f"{each:,}" for each in (found.entity_types, found.relation_types)),
        f"{found.average_degree:.1f}",
        *(f"{each:,}" for each in (found.entities, found.relations, found.tokens)),
    )
    counted = (
        f"relations: {found.triples:,} triples, in both directions; average degree: 2 * relations / entities; "
        "tokens: words of names and documents"
    )
    return "\n".join([f"Table 2: {found.name}", *table_lines([heads, cells]), counted])


def description_text(found: Sequence[QueryStatistics]) -> str:
    """Return Tables 3 and 4 and the data of Figures 4 and 5, a line or a column per split."""
    shares = proportions(found)
    divided = [f"{' / '.join(shares)}: {' / '.join(f'{each:.2f}' for each in shares.values())}"] if shares else []
    heads = ("split", "queries", "several answers", "answers", "> 20 %", "best R@20", "repeated", "duplicates")
    counted = [(*heads, "outside", "unanswerable"), *map(_counted_cells, found)]
    varied = [("split", "words", "entropy", "TTR"), *map(_varied_cells, found)]
    parts = (
        ["Table 3: queries and answers", *table_lines(counted), *divided],
        ["Table 4: variety of words", *table_lines(varied), COUNTED],
        ["Figure 4: % of the queries by number of words", *_histogram(found, "words", WORD_BOUNDS)],
        ["Figure 4: % of the queries by number of answers", *_histogram(found, "answers", ANSWER_BOUNDS)],
        ["Figure 5: % of the words that state requirements", *_composition(found)],
    )
    return "\n\n".join("\n".join(lines) for lines in parts)


def table_lines(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return rows, the head first, as lines of columns; those that are empty but for their head are left out."""
    columns = [column for column in zip(*rows, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    kept = zip(*columns, strict=True)
    return ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in kept]


def _percents(measures: Mapping[str, float]) -> str:
    return "".join(f"{100 * measures[name]:>{WIDTH}.2f}" for name in NAMES)


def _difference(name: str, each: Interval) -> str:
    mark = "" if each.low <= 0 <= each.high else " *"
    mean, low, high = (100 * value for value in (each.mean, each.low, each.high))
    return f"{name:16}{mean:>+{WIDTH}.2f}{low:>+{WIDTH + 2}.2f}{high:>+{WIDTH}.2f}{mark}"


def _cells(each: QueryStatistics) -> tuple[str, ...]:
    """Return the cells of a split; what is not known is empty."""
    split, queries, _, *counts, outside, unanswerable = _counted_cells(each)
    return (split, queries, *counts, *_varied_cells(each)[1:], outside, unanswerable)


def _counted_cells(each: QueryStatistics) -> tuple[str, ...]:
    return (
        each.split,
        f"{each.queries:,}",
        f"{each.several:,}",
        f"{each.answers:.2f}",
        f"{100 * each.many:.1f}",
        f"{100 * each.best_recall:.1f}",
        f"{each.repeated:,}",
        f"{each.duplicates:,}",
        "" if each.outside is None else f"{each.outside:,}",
        "" if each.unanswerable is None else f"{each.unanswerable:,}",
    )


def _varied_cells(each: QueryStatistics) -> tuple[str, ...]:
    return (
        each.split,
        f"{each.words:.1f}",
        "" if each.entropy is None else f"{each.entropy:.2f}",
        "" if each.type_token_ratio is None else f"{each.type_token_ratio:.3f}",
    )


def _histogram(found: Sequence[QueryStatistics], what: str, bounds: Sequence[int]) -> list[str]:
    """Return a line per bin that any split has queries in, and a column per split."""
    bins = [*pairwise(bounds), (bounds[-1], None)]
    names = [f"> {low}" if high is None else f"{low + 1}-{high}" if high > low + 1 else f"{high}" for low, high in bins]
    counts = [each.word_counts if what == "words" else each.answer_counts for each in found]
    rows = [
        (name, [_share_between(several, low, high) for several in counts])
        for name, (low, high) in zip(names, bins, strict=True)
    ]
    shown = [(what, *(each.split for each in found))]
    shown += [(name, *(f"{100 * share:.1f}" for share in shares)) for name, shares in rows if any(shares)]
    return table_lines(shown)


def _share_between(counts: Mapping[int, int], low: int, high: int | None) -> float:
    within = sum(count for value, count in counts.items() if value > low and (high is None or value <= high))
    return within / sum(counts.values())


def _composition(found: Sequence[QueryStatistics]) -> list[str]:
    rows = [
        (each.split, f"{each.composed:,}", f"{100 * each.relational:.1f}", f"{100 * (1 - each.relational):.1f}")
        for each in found
        if each.relational is not None
    ]
    if not rows:
        return ['no query has a "composition"']
    return table_lines([("split", "queries", "relational", "textual"), *rows])
