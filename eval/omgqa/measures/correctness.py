"""Correctness where answers are known, over all questions and over those that were answered, with coverage.

Not of OMG-QA, whose ten measures give a wrong answer with good citations more than an abstention.
"""

from eval.accepted import states
from eval.omgqa.judged import Judged


def coverage(judged: Judged) -> float:
    """Return 1 where an answer was given, whether or not the question has one."""
    return float(not judged.abstained)


def correct(judged: Judged) -> float | None:
    """Return 1 where the answer states an accepted one; an abstention has 0, and None where none is known."""
    return float(_is_right(judged)) if judged.accepted else None


def correct_by_judge(judged: Judged) -> float | None:
    """Return the judge's word as 1 or 0; an abstention has 0, and None where none is known or nobody was asked."""
    if not judged.accepted or judged.states_accepted is None:
        return None
    return float(judged.states_accepted and not judged.abstained)


def selective_accuracy(judged: Judged) -> float | None:
    """Return `correct` of an answer that was given; 0 where the question has no answer, and None of an abstention.

    The mean over questions is the accuracy over the answers that were given (El-Yaniv and Wiener 2010, section 2:
    one less the selective risk).
    """
    if judged.abstained or judged.accepted is None:
        return None
    return float(_is_right(judged))


def selective_accuracy_by_judge(judged: Judged) -> float | None:
    """Return the same by the judge's word; of a question without an answer nobody is asked, and it has 0."""
    if judged.abstained or judged.accepted is None or judged.states_accepted is None:
        return None
    return float(judged.states_accepted)


def _is_right(judged: Judged) -> bool:
    return not judged.abstained and states(judged.answer, judged.accepted or ())
