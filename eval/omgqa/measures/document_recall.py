"""RDR: how many of the documents that hold relevant evidence are retrieved (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged
from eval.omgqa.measures.shares import share


def document_recall(judged: Judged) -> float:
    """Return the share that was read of the documents with relevant evidence."""
    return share(judged.labels.documents, judged.documents)
