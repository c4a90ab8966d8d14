"""The unjudged rate: how much of the retrieved evidence no judge has seen, which makes precision too low."""

from eval.omgqa.judged import Judged
from eval.omgqa.measures.shares import share


def unjudged(judged: Judged) -> float:
    """Return the share of the retrieved units that no label names; 0 where nothing was retrieved."""
    return 1 - share(judged.retrieved, judged.labels.relevant | judged.labels.irrelevant) if judged.retrieved else 0.0
