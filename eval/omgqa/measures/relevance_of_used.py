"""RUE: how much of the cited evidence is relevant (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged
from eval.omgqa.measures.shares import share


def relevance_of_used(judged: Judged) -> float:
    """Return the relevant share of the cited units; 0 where nothing is cited."""
    return share(judged.cited, judged.labels.relevant)
