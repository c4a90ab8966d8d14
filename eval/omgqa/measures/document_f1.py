"""F1-DR: document precision and recall in one figure (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged
from eval.omgqa.measures.document_precision import document_precision
from eval.omgqa.measures.document_recall import document_recall
from eval.omgqa.measures.shares import harmonic


def document_f1(judged: Judged) -> float:
    """Return the harmonic mean of PDR and RDR of the question."""
    return harmonic(document_precision(judged), document_recall(judged))
