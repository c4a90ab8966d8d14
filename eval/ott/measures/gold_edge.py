"""gold_edge@k: whether the answer was traced to one of the best k units; AR@k without chance matches."""

from eval.ott.judging import Judged


def gold_edge(judged: Judged, k: int) -> float:
    """Return 1 where any of the first k units is gold."""
    return float(any(judged.gold[:k]))
