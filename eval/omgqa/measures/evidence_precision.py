"""PER: how much of the retrieved evidence is relevant (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged
from eval.omgqa.measures.shares import share


def evidence_precision(judged: Judged) -> float:
    """Return the relevant share of the retrieved units; an unjudged unit counts as irrelevant, no units as 0."""
    return share(judged.retrieved, judged.labels.relevant)
