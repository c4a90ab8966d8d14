"""CUE: whether the answer uses the evidence that it cites as that evidence says (OMG-QA, section 4.1)."""

from eval.omgqa.judged import Judged


def correct_use(judged: Judged) -> float | None:
    """Return the judge's word as 1 or 0, None where it was not asked; an answer without citations has 0."""
    if not judged.cited:
        return 0.0
    return None if judged.correct_use is None else float(judged.correct_use)
