"""Two systems on the questions that both answered: paired differences, their intervals, and what changed most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from eval.bootstrap import SAMPLES, Interval, paired_bootstrap
from eval.omgqa.measures import ABSTENTION, AVERAGE, BESIDE, CORRECTNESS, TEN, average
from eval.omgqa.reporting.figures import Scored, Standing, scored
from eval.omgqa.results import Results
from heliograph.errors import UnknownName, UsageError

MEASURES = (AVERAGE, *TEN, *BESIDE, *ABSTENTION, *CORRECTNESS)
LOWER = frozenset({"unjudged", "false abstention"})
"""Measures of which less is better."""
SAME = 1e-9
"""Shares that differ by less are equal: they are sums in another order."""

Values = Mapping[str, Mapping[str, float]]
"""Measures by question, over its seeds."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two systems that are compared, in the results that it is of."""

    results: Results
    system: str


@dataclass(frozen=True, slots=True)
class Paired:
    """A measure over the `questions` in which both systems have it; the interval is of first less second.

    `better`, `equal` and `worse` count questions as the first system stands to the second.
    """

    measure: str
    first: float
    second: float
    interval: Interval
    better: int
    equal: int
    worse: int
    questions: int

    @property
    def apart(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval.low > SAME or self.interval.high < -SAME


@dataclass(frozen=True, slots=True)
class Change:
    """A question with its text, and a measure of it in both systems."""

    question: str
    text: str
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two systems.

    `questions` are those that both answered, `alone` counts those that only the first and only the second did;
    `standings` have the figures of each system over all that it was asked; `relabelled` are those questions whose
    labels differ between both results. `changes` are in the measure `by`, the greatest first. `first_values` and
    `second_values` are all measures by question.
    """

    first: Side
    second: Side
    questions: tuple[str, ...]
    alone: tuple[int, int]
    standings: tuple[Standing, Standing]
    relabelled: int
    measures: tuple[Paired, ...]
    by: str
    changes: tuple[Change, ...]
    first_values: Values
    second_values: Values
    seed: int
    samples: int


def compare(first: Side, second: Side, by: str = "", seed: int = 0, samples: int = SAMPLES) -> Comparison:
    """Compare two systems in every measure that both have.

    Args:
        first: a system, whose gain is positive.
        second: another, or the same in other results.
        by: the measure of which changes are listed; by default the average, or F1-ER where nobody was asked for it.
        seed: decides the draws of the bootstrap.
        samples: how often as many questions are drawn as there are.

    Raises:
        UnknownName: no such system has answers, or no such measure.
        UsageError: a question of one id has another text in the other results.
    """
    if by and by not in MEASURES:
        raise UnknownName(f'no measure "{by}"; try {", ".join(MEASURES)}')
    ours, theirs = scored(first.results), scored(second.results)
    standings = _standing(ours, first), _standing(theirs, second)
    values = _values(standings[0]), _values(standings[1])
    both = tuple(sorted(values[0].keys() & values[1].keys()))
    _refuse_other_questions(both, first.results, second.results)
    measures = _paired(*values, both, seed, samples)
    by = by or (AVERAGE if any(each.measure == AVERAGE for each in measures) else "F1-ER")
    return Comparison(
        first,
        second,
        both,
        (len(values[0]) - len(both), len(values[1]) - len(both)),
        standings,
        sum(ours.labels.get(id) != theirs.labels.get(id) for id in both),
        measures,
        by,
        _changes(*values, both, by, first.results),
        *values,
        seed,
        samples,
    )


def _standing(measured: Scored, side: Side) -> Standing:
    for each in measured.standings:
        if each.system == side.system:
            return each
    known = ", ".join(f'"{each.system}"' for each in measured.standings) or "nothing: no system has run"
    raise UnknownName(f'no answers of a system "{side.system}"; try {known}')


def _values(standing: Standing) -> Values:
    """Average the measures of each question over its seeds, and the ten where all are there."""
    runs: dict[str, list[Mapping[str, float]]] = {}
    for each in standing.runs:
        runs.setdefault(each.run.question, []).append(each.measures)
    return {question: _over_seeds(those) for question, those in runs.items()}


def _over_seeds(runs: list[Mapping[str, float]]) -> dict[str, float]:
    names = (name for name in MEASURES if any(name in measures for measures in runs))
    found = {name: fmean(measures[name] for measures in runs if name in measures) for name in names}
    return found if (ten := average(found)) is None else {AVERAGE: ten, **found}


def _paired(first: Values, second: Values, both: Sequence[str], seed: int, samples: int) -> tuple[Paired, ...]:
    """Compare each measure over the questions that have it on both sides; those of equal questions share draws."""
    asked: dict[tuple[str, ...], list[str]] = {}
    for name in MEASURES:
        asked.setdefault(tuple(id for id in both if name in first[id] and name in second[id]), []).append(name)
    found = {
        each.measure: each
        for questions, names in asked.items()
        if questions
        for each in _drawn(first, second, questions, names, seed, samples)
    }
    return tuple(found[name] for name in MEASURES if name in found)


def _drawn(
    first: Values, second: Values, questions: Sequence[str], names: Sequence[str], seed: int, samples: int
) -> list[Paired]:
    ours, theirs = (np.array([[side[id][name] for name in names] for id in questions]) for side in (first, second))
    intervals = paired_bootstrap(ours - theirs, [f"{place:09}" for place in range(len(questions))], seed, samples)
    return [
        _pair(name, ours[:, column].tolist(), theirs[:, column].tolist(), intervals[column])
        for column, name in enumerate(names)
    ]


def _pair(measure: str, first: list[float], second: list[float], interval: Interval) -> Paired:
    gains = [
        ours - theirs if measure not in LOWER else theirs - ours for ours, theirs in zip(first, second, strict=True)
    ]
    return Paired(
        measure,
        fmean(first),
        fmean(second),
        interval,
        sum(gain > SAME for gain in gains),
        sum(abs(gain) <= SAME for gain in gains),
        sum(gain < -SAME for gain in gains),
        len(gains),
    )


def _changes(first: Values, second: Values, both: Sequence[str], by: str, results: Results) -> tuple[Change, ...]:
    changed = (
        Change(id, results.questions[id].question if id in results.questions else "", first[id][by], second[id][by])
        for id in both
        if by in first[id] and by in second[id] and abs(first[id][by] - second[id][by]) > SAME
    )
    return tuple(sorted(changed, key=lambda each: (-round(abs(each.first - each.second), 9), each.question)))


def _refuse_other_questions(both: Sequence[str], first: Results, second: Results) -> None:
    for id in both:
        ours, theirs = first.questions.get(id), second.questions.get(id)
        if ours and theirs and ours.question != theirs.question:
            raise UsageError(
                f"question {id} asks {ours.question!r} in one of the results and {theirs.question!r} in the other; "
                "compare answers to the same questions"
            )
