"""gold_edge@k: whether the answer was traced to one of the best k units; AR@k without chance matches.

gold_strict@k asks besides that it stands in that unit: traces match strings, and a unit may be gold by another cell.
"""

from eval.ott.judging import Judged


def gold_edge(judged: Judged, k: int) -> float:
    """Return 1 where any of the first k units is gold."""
    return float(any(judged.gold[:k]))


def gold_strict(judged: Judged, k: int) -> float:
    """Return 1 where any of the first k units is gold and says the answer."""
    return float(any(judged.strict[:k]))
