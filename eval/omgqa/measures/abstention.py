"""Abstention: whether a question without an answer gets none, and one with an answer gets one."""

from eval.omgqa.judged import Judged


def true_abstention(judged: Judged) -> float | None:
    """Return 1 where an unanswerable question is left unanswered; None for an answerable one."""
    return None if judged.answerable else float(judged.abstained)


def false_abstention(judged: Judged) -> float | None:
    """Return 1 where an answerable question is left unanswered; None for an unanswerable one."""
    return float(judged.abstained) if judged.answerable else None
