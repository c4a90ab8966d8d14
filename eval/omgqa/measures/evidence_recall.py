"""RER: how much of the relevant evidence is retrieved (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged
from eval.omgqa.measures.shares import share


def evidence_recall(judged: Judged) -> float:
    """Return the retrieved share of the units that the pool has as relevant."""
    return share(judged.labels.relevant, judged.retrieved)
