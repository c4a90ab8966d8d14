"""Systems in figures: each measure of each question, their means, and how far seeds lie apart."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, stdev

from eval.omgqa.dataset import labels_by
from eval.omgqa.judged import Judged, Labels
from eval.omgqa.measures import AVERAGE, average, f1_curve, means, measures_of, recall_curve
from eval.omgqa.results import Results
from eval.omgqa.runs import OmgRun


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a report: None where there is nothing to measure.

    `deviation` is the sample standard deviation between seeds, None of a single seed. `digits` are printed after the
    point, and the sign of what is `signed` always.
    """

    value: float | None
    deviation: float | None = None
    digits: int = 3
    signed: bool = False

    def __str__(self) -> str:
        if self.value is None:
            return "–"
        return f"{self.value:+z,.{self.digits}f}" if self.signed else f"{self.value:z,.{self.digits}f}"

    @property
    def spread(self) -> str:
        """The deviation in words, empty of a single seed."""
        return "" if self.deviation is None else f"±{self.deviation:,.{self.digits}f}"


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """An answer with its measures; the curves have a value a round, none where rounds were not judged."""

    run: OmgRun
    judged: Judged
    measures: Mapping[str, float]
    recalls: tuple[float, ...]
    f1s: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A system that ran; `figures` are its measures by name, with the average where all of the ten are there."""

    system: str
    figures: Mapping[str, Figure]
    runs: tuple[ScoredRun, ...]

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that it ran with."""
        return tuple(sorted({each.run.seed for each in self.runs}))

    @property
    def questions(self) -> tuple[str, ...]:
        """The ids of the questions that it answered."""
        return tuple(sorted({each.run.question for each in self.runs}))


@dataclass(frozen=True, slots=True)
class Scored:
    """What all tables are made from; `standings` begin with the best average, and `labels` are those measured by."""

    results: Results
    standings: tuple[Standing, ...]
    labels: Mapping[str, Labels]


def scored(results: Results) -> Scored:
    """Measure all that results hold; the order of runs, systems and judgements makes no difference."""
    by_system: dict[str, list[ScoredRun]] = {}
    for each in sorted(results.runs, key=lambda each: _order(each.run)):
        by_system.setdefault(each.run.system, []).append(_scored_run(each.run, each.judged))
    standings = (Standing(name, figures(runs), tuple(runs)) for name, runs in by_system.items())
    measured = {each.run.question: each.judged.labels for each in results.runs}
    return Scored(
        results,
        tuple(sorted(standings, key=_rank)),
        {**labels_by(results.judge, results.pool), **measured},
    )


def figures(runs: Iterable[ScoredRun]) -> dict[str, Figure]:
    """Return the means of each measure, over seeds where there are several, and the average of the ten."""
    found = over_seeds(runs, lambda those: means(each.measures for each in those))
    alone = {name: figure for name, figure in found.items() if name != AVERAGE}
    values = {name: figure.value for name, figure in alone.items() if figure.value is not None}
    if (ten := average(values)) is None:
        return alone
    return {**alone, AVERAGE: Figure(ten, found[AVERAGE].deviation if AVERAGE in found else None)}


def over_seeds(
    runs: Iterable[ScoredRun], measured: Callable[[list[ScoredRun]], Mapping[str, float]], digits: int = 3
) -> dict[str, Figure]:
    """Measure the runs of each seed, and return mean and deviation of what the seeds gave, by name."""
    seeds: dict[int, list[ScoredRun]] = {}
    for each in runs:
        seeds.setdefault(each.run.seed, []).append(each)
    values: dict[str, list[float]] = {}
    for seed in sorted(seeds):
        for name, value in measured(seeds[seed]).items():
            values.setdefault(name, []).append(value)
    return {
        name: Figure(fmean(those), stdev(those) if len(those) > 1 else None, digits) for name, those in values.items()
    }


def _scored_run(run: OmgRun, judged: Judged) -> ScoredRun:
    curves = (recall_curve(judged), f1_curve(judged)) if judged.answerable else ((), ())
    return ScoredRun(run, judged, measures_of(judged), *curves)


def _order(run: OmgRun) -> tuple[str, str, int, str, str]:
    return run.system, run.question, run.seed, run.run, run.answer


def _rank(standing: Standing) -> tuple[bool, float, str]:
    """Order by the average, best first; a system without one comes last, by name."""
    found = standing.figures.get(AVERAGE)
    return found is None, -(found.value or 0.0) if found else 0.0, standing.system
