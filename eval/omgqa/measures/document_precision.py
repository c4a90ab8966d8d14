"""PDR: how many of the retrieved documents hold relevant evidence (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged
from eval.omgqa.measures.shares import share


def document_precision(judged: Judged) -> float:
    """Return the share of the documents read that hold relevant evidence; 0 where none was read."""
    return share(judged.documents, judged.labels.documents)
