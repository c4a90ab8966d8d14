"""F1-ER: evidence precision and recall in one figure (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged
from eval.omgqa.measures.evidence_precision import evidence_precision
from eval.omgqa.measures.evidence_recall import evidence_recall
from eval.omgqa.measures.shares import harmonic


def evidence_f1(judged: Judged) -> float:
    """Return the harmonic mean of PER and RER of the question."""
    return harmonic(evidence_precision(judged), evidence_recall(judged))
