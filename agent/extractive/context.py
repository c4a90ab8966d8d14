"""The sentences around a quote that it cannot be understood without."""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

from agent.extractive.units import Run, Unit, share_of, units_of
from heliograph.types import Evidence, EvidenceHop, EvidenceId, ReadAnswer, Scored, TableSegment, TextEvidence

OPENING = 6
"""Words at the beginning of a sentence among which one that points back is looked for."""
LONGEST = 3
"""Sentences of a quote with its context."""

_POINTS_BACK = re.compile(
    r"\b(?:it|its|itself|he|his|him|she|her|they|their|them|this|these|those|such|some|both|others?|latter|former)\b",
    re.I,
)

_SUBJECT = re.compile(r"it|its|he|his|she|her|they|their|this|these", re.I)


def with_context(unit: Unit) -> Run:
    """Add the sentences before a quote that points back, and the one after it that goes on about the same."""
    if not unit.continuous:
        return Run((unit,))
    piece, start, end = units_of(unit.evidence), unit.number, unit.number + 1
    while start > 0 and end - start < LONGEST and points_back(piece[start].quote):
        start -= 1
    if end < len(piece) and end - start < LONGEST and continues(piece[end].quote):
        end += 1
    return Run(piece[start:end])


def runs_of_answer(
    answer: ReadAnswer,
    evidence: Sequence[Scored[Evidence]],
    asked: frozenset[str],
    hops: Sequence[Scored[EvidenceHop]] = (),
) -> tuple[Run, ...]:
    """Return what says an answer, and what led to it; yes and no are said by what says most stems `asked`.

    What led to it is the row whose linked passage it stands in, or the first piece of a hop; nothing is said to have
    led to yes or no.
    """
    pieces = {scored.item.id: scored.item for scored in evidence} | {hop.item.end.id: hop.item.end for hop in hops}
    units = units_of(pieces[answer.evidence])
    if not units:
        return ()
    holds = (
        max(units, key=lambda unit: share_of(asked, unit))
        if answer.kind in ("yes", "no")
        else _unit_at(units, answer.start)
    )
    return (with_context(holds), *_led(answer, pieces, [hop.item for hop in hops]))


def _led(answer: ReadAnswer, pieces: Mapping[EvidenceId, Evidence], hops: Sequence[EvidenceHop]) -> tuple[Run, ...]:
    hop = next((hop for hop in hops if (hop.start.id, hop.end.id) == (answer.beside, answer.evidence)), None)
    if hop:
        units, length = units_of(hop.start), len(hop.start_quotes)
        runs = (units[first : first + length] for first in range(len(units)))
        said = next((run for run in runs if tuple(unit.quote for unit in run) == hop.start_quotes), ())
        return (Run(said),) if said else ()
    row = pieces.get(answer.beside) if answer.beside else None
    return (Run(units_of(row)[:1]),) if isinstance(row, TableSegment) and units_of(row) else ()


def _unit_at(units: Sequence[Unit], start: int) -> Unit:
    """Return the sentence of a text in which a place is; of what is no text the first unit."""
    piece = units[0].evidence
    if not isinstance(piece, TextEvidence):
        return units[0]
    ends = accumulate(units, lambda end, unit: _end(piece.text, unit.quote, end), initial=0)
    return next((unit for unit, end in zip(units, list(ends)[1:], strict=True) if start < end), units[-1])


def _end(text: str, quote: str, start: int) -> int:
    at = text.find(quote, start)
    return start if at < 0 else at + len(quote)


def continues(sentence: str) -> bool:
    """Tell whether a sentence speaks of what the one before was about: a pronoun stands early in it for its subject."""
    return _opens_with(_SUBJECT, sentence)


def points_back(sentence: str) -> bool:
    """Tell whether a sentence begins with a word that stands for something said before."""
    return _opens_with(_POINTS_BACK, sentence)


def _opens_with(word: re.Pattern[str], sentence: str) -> bool:
    return any(word.fullmatch(each) for each in re.findall(r"\w+", sentence)[:OPENING])
