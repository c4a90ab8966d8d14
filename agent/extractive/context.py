"""The sentences around a quote that it cannot be understood without."""

import re
from collections.abc import Sequence
from itertools import accumulate

from agent.extractive.coverage import Match, Run
from agent.extractive.units import units_of
from heliograph.types import Evidence, ReadAnswer, Scored, TableSegment, TextEvidence

OPENING = 6
"""Words at the beginning of a sentence among which one that points back is looked for."""
LONGEST = 3
"""Sentences of a quote with its context."""

_POINTS_BACK = re.compile(
    r"\b(?:it|its|itself|he|his|him|she|her|they|their|them|this|these|those|such|some|both|others?|latter|former)\b",
    re.I,
)

_SUBJECT = re.compile(r"it|its|he|his|she|her|they|their|this|these", re.I)


def with_context(run: Run, matches: Sequence[Match]) -> Run:
    """Add the sentences before a quote that points back, and the one after it that goes on about the same."""
    piece = [match for match in matches if match.unit.evidence.id == run.evidence.id]
    if not run.matches[0].unit.continuous:
        return run
    start, end = run.matches[0].unit.number, run.matches[-1].unit.number + 1
    while start > 0 and end - start < LONGEST and points_back(piece[start].unit.quote):
        start -= 1
    if end < len(piece) and end - start < LONGEST and continues(piece[end].unit.quote):
        end += 1
    return Run(tuple(piece[start:end]))


def runs_of_answer(answer: ReadAnswer, evidence: Sequence[Scored[Evidence]], chosen: Sequence[Run]) -> tuple[Run, ...]:
    """Return what says an answer first, then what leads to it: the chosen runs where they say it, one or its row."""
    pieces = {run.evidence.id: run.evidence for run in chosen} | {scored.item.id: scored.item for scored in evidence}
    said = _run_at(pieces[answer.evidence], answer.start)
    if said is None:
        return tuple(chosen)
    unit = said.matches[0].unit
    for run in chosen:
        if any((match.unit.evidence.id, match.unit.number) == (unit.evidence.id, unit.number) for match in run.matches):
            return (run, *(other for other in chosen if other is not run))
    led = next((run for run in chosen if run.evidence.id == answer.beside), None)
    if led is None and answer.beside and isinstance(row := pieces.get(answer.beside), TableSegment):
        led = _run_at(row, 0)
    whole = with_context(said, _bare(pieces[answer.evidence]))
    return (whole, led) if led else (whole,)


def _run_at(piece: Evidence, start: int) -> Run | None:
    """Return the sentence of a piece in which a place is; its row or caption, where it is no text."""
    matches = _bare(piece)
    if not isinstance(piece, TextEvidence) or not matches:
        return Run(matches[:1]) if matches else None
    ends = accumulate(matches, lambda end, match: _end(piece.text, match.unit.quote, end), initial=0)
    found = next((match for match, end in zip(matches, list(ends)[1:], strict=True) if start < end), matches[-1])
    return Run((found,))


def _end(text: str, quote: str, start: int) -> int:
    at = text.find(quote, start)
    return start if at < 0 else at + len(quote)


def _bare(piece: Evidence) -> tuple[Match, ...]:
    """Return the units of a piece that nothing was compared with."""
    return tuple(Match(unit, 0.0, (), 1.0) for unit in units_of(piece))


def continues(sentence: str) -> bool:
    """Tell whether a sentence speaks of what the one before was about: a pronoun stands early in it for its subject."""
    return _opens_with(_SUBJECT, sentence)


def points_back(sentence: str) -> bool:
    """Tell whether a sentence begins with a word that stands for something said before."""
    return _opens_with(_POINTS_BACK, sentence)


def _opens_with(word: re.Pattern[str], sentence: str) -> bool:
    return any(word.fullmatch(each) for each in re.findall(r"\w+", sentence)[:OPENING])
