"""AR@k: whether one of the best k units says the answer (HELIOS, section 5.1)."""

from eval.ott.judging import Judged


def answer_recall(judged: Judged, k: int) -> float:
    """Return 1 where any of the first k units says the answer, whether or not it is the gold place."""
    return float(any(judged.says[:k]))
