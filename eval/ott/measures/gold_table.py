"""gold_table@k: whether one of the best k units is of the table that the question was written for."""

from eval.ott.judging import Judged


def gold_table(judged: Judged, k: int) -> float:
    """Return 1 where any of the first k units has a row of the gold table."""
    return float(any(judged.in_table[:k]))
