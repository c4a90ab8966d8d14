"""The sentences around a quote that it cannot be understood without."""

import re
from collections.abc import Sequence

from agent.extractive.coverage import Match, Run

OPENING = 6
"""Words at the beginning of a sentence among which one that points back is looked for."""
LONGEST = 4
"""Sentences of a quote with its context."""

_POINTS_BACK = re.compile(
    r"\b(?:it|its|itself|he|his|him|she|her|they|their|them|this|these|those|such|some|both|others?|latter|former)\b",
    re.I,
)

_SUBJECT = re.compile(r"it|its|he|his|she|her|they|their|this|these", re.I)


def with_context(run: Run, matches: Sequence[Match]) -> Run:
    """Add the sentence before a quote that points back, and the sentence after it that goes on about the same.

    A pronoun for the page itself points back too; the sentence before does no harm there.
    """
    piece = [match for match in matches if match.unit.evidence.id == run.evidence.id]
    if not run.matches[0].unit.continuous:
        return run
    start, end = run.matches[0].unit.number, run.matches[-1].unit.number + 1
    while start > 0 and end - start < LONGEST and points_back(piece[start].unit.quote):
        start -= 1
    if end < len(piece) and end - start < LONGEST and points_back(piece[end].unit.quote):
        end += 1
    return Run(tuple(piece[start:end]))


def continues(sentence: str) -> bool:
    """Tell whether a sentence speaks of what the one before was about: a pronoun stands early in it for its subject."""
    return _opens_with(_SUBJECT, sentence)


def points_back(sentence: str) -> bool:
    """Tell whether a sentence begins with a word that stands for something said before."""
    return _opens_with(_POINTS_BACK, sentence)


def _opens_with(word: re.Pattern[str], sentence: str) -> bool:
    return any(word.fullmatch(each) for each in re.findall(r"\w+", sentence)[:OPENING])
