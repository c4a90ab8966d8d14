"""ERU: how much of the retrieved evidence is relevant and rightly used in the answer (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged
from eval.omgqa.measures.shares import share


def effective_use(judged: Judged) -> float:
    """Return the share of the retrieved units that are relevant and cited by a claim that they support."""
    return share(judged.retrieved, judged.labels.relevant & judged.supporting)
