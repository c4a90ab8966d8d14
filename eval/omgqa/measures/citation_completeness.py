"""CCM: whether all that the answer says and that needs evidence cites it (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged


def citation_completeness(judged: Judged) -> float | None:
    """Return the judge's word as 1 or 0, None where it was not asked; to abstain has 0, as nothing is answered."""
    if judged.abstained:
        return 0.0
    return None if judged.complete is None else float(judged.complete)
