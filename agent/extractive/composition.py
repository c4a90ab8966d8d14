"""The few connected sentences, rows and captions that answer a question best together."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

from agent.extractive.coverage import Match, Run, covered_share, runs_of, together
from agent.extractive.focus import Focus
from agent.extractive.hops import hops

SENTENCE_COST = 0.05
"""What a further sentence of a run must add: one that says all is better than two."""
PIECE_COST = 0.1
"""What a second piece of evidence must add."""
KIND_COST = 0.2
"""What a quote loses that cannot hold the kind of answer asked for."""
UNASKED_COST = 0.2
"""What it costs when the answer says nothing of a word that is asked about a described thing."""

MOST_HOPS = 20_000
"""Hops that are weighed, the first ones in the order of the evidence."""


@dataclass(frozen=True, slots=True)
class Composition:
    """The runs that answer together.

    `coverage` is the covered share of the question, in [0, 1]. `holds` is how well the best unit can hold the
    answer, and `reach` what is said of it: by itself, before it in its run, and by the first piece of a hop.
    """

    runs: tuple[Run, ...]
    covers: tuple[float, ...]
    coverage: float
    holds: float
    reach: tuple[float, ...]
    worth: float


def compose(focus: Focus, matches: Sequence[Match]) -> Composition | None:
    """Choose the run, or the two connected runs, of the greatest worth."""
    alone = (composition(focus, (run,)) for run in runs_of(matches))
    joined = (composition(focus, (hop.start, hop.end), hop.gain) for hop in islice(hops(focus, matches), MOST_HOPS))
    return min(chain(alone, joined), key=_order, default=None)


def composition(focus: Focus, runs: tuple[Run, ...], gain: float | None = None) -> Composition:
    """Weigh runs: the best cosine and the share of the question they cover, less for their length.

    `gain` is that of a hop from the first run to the second; None for a run by itself.
    """
    matches = [match for run in runs for match in run.matches]
    said = [together([match.covers for match in run.matches]) for run in runs]
    covers = together(said) if gain is None else _through(focus, *said)
    coverage = covered_share(covers)
    held, reach = _answer(runs)
    worth = max(match.cosine for match in matches) + coverage
    worth -= SENTENCE_COST * (len(matches) - len(runs)) + KIND_COST * (1 - held)
    worth -= UNASKED_COST * _unasked(focus, reach if gain is None else covers)
    if gain is not None:
        worth += gain - PIECE_COST
    return Composition(runs, covers, coverage, held, reach, worth)


def _through(focus: Focus, start: Sequence[float], end: Sequence[float]) -> tuple[float, ...]:
    """Return what a hop covers: the first piece what describes the thing, the second what is asked about it."""
    return tuple(
        max(first, second) if word.strict or word.described else second
        for word, first, second in zip(focus.words, start, end, strict=True)
    )


def _unasked(focus: Focus, covers: Sequence[float]) -> float:
    """Return how many of the words that are asked about a described thing nothing says, parts counted."""
    if not focus.heads:
        return 0.0
    return sum(
        1 - cover
        for word, cover in zip(focus.words, covers, strict=True)
        if not word.described and not word.strict and word.stem not in focus.heads
    )


def _answer(runs: tuple[Run, ...]) -> tuple[float, tuple[float, ...]]:
    """Return how well the best unit holds the answer, and what is said up to it; in a hop it stands in the last run."""
    before = [match.covers for run in runs[:-1] for match in run.matches]
    matches = runs[-1].matches
    reaches = (together([*before, *(match.covers for match in matches[: place + 1])]) for place in range(len(matches)))
    candidates = [(match.holds, covered_share(reach), reach) for match, reach in zip(matches, reaches, strict=True)]
    held, _, reach = max(candidates)
    return held, reach


def _order(each: Composition) -> tuple[float, tuple[str, ...], str]:
    return (-each.worth, tuple(run.evidence.id for run in each.runs), each.runs[0].quote)
