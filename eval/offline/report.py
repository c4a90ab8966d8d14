"""The table of a measured question set."""

from collections.abc import Iterable, Sequence

from eval.offline.metrics import Outcome

HEADER = (
    "kind",
    "questions",
    "expected",
    "direct",
    "documents",
    "evidence",
    "rank",
    "citations",
    "abstained",
    "seconds",
)


def render_report(outcomes: Sequence[Outcome]) -> str:
    """Return a Markdown table, one row a kind and one for all; shares in %.

    `direct`, `documents`, `evidence` and `rank` count answerable questions only; `citations` is the mean precision of
    the answers that cite; `seconds` is the median.
    """
    kinds = dict.fromkeys(outcome.question.kind for outcome in outcomes)
    rows = [_row(kind, [outcome for outcome in outcomes if outcome.question.kind == kind]) for kind in kinds]
    rows.append(_row("all", outcomes))
    lines = [HEADER, tuple("---" for _ in HEADER), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    answerable = [outcome for outcome in outcomes if outcome.question.answerable]
    return (
        name,
        str(len(outcomes)),
        _share(outcome.expected for outcome in outcomes),
        _share(outcome.direct for outcome in answerable),
        _share(outcome.documents for outcome in answerable),
        _share(outcome.evidence for outcome in answerable),
        _share(outcome.rank for outcome in answerable),
        _share(outcome.cited for outcome in answerable if outcome.cited is not None),
        _share(outcome.abstained for outcome in outcomes),
        f"{sorted(outcome.seconds for outcome in outcomes)[len(outcomes) // 2]:.1f}",
    )


def _share(values: Iterable[float]) -> str:
    each = list(values)
    return f"{100 * sum(each) / len(each):.1f}" if each else "–"
