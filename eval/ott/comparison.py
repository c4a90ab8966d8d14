"""Two runs of the same questions, read back and compared."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from eval.ott.bootstrap import Difference, compare
from eval.ott.measures import NAMES
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.report import differences_text, losses, losses_text
from eval.ott.results import QuestionResult, read_results
from heliograph.errors import UnknownName, UsageError


@dataclass(frozen=True, slots=True)
class Compared:
    """Differences over `asked`, the questions that either run has, and those in which the first run is worse."""

    asked: tuple[OttQuestion, ...]
    lacking: tuple[int, int]
    differences: tuple[Difference, ...]
    metric: str
    lost: tuple[tuple[str, float], ...]

    def as_json(self) -> str:
        """Return the differences as fractions of 1."""
        return json.dumps({each.metric: asdict(each) for each in self.differences}, indent=1)

    def text(self, worst: int) -> str:
        """Return the differences, and the worst losses."""
        shown = self.lost[:worst]
        parts = [f"{len(self.asked):,} questions", differences_text(self.differences)]
        return "\n".join([*parts, *([losses_text(shown, self.asked, self.metric)] if shown else [])])


def compare_runs(first: Path, second: Path, questions: Path, metric: str) -> Compared:
    """Compare two files of results in the measures that both have.

    A question that one of them lacks counts 0 there, and `lacking` counts these.

    Raises:
        UnknownName: no such measure.
        UsageError: a file cannot be read or has no results, or the runs are of other questions.
    """
    if metric not in NAMES:
        raise UnknownName(f'no measure "{metric}"; try {", ".join(NAMES)}')
    runs = tuple({result.id: result for result in _results(path)} for path in (first, second))
    asked = _asked(runs, read_questions(questions), questions)
    shared = _measured(runs[0]) & _measured(runs[1])
    differences = compare(runs[0].values(), runs[1].values(), asked)
    return Compared(
        asked,
        (_lacking(runs[0], asked), _lacking(runs[1], asked)),
        tuple(each for each in differences if each.metric in shared),
        metric,
        losses(runs[0], runs[1], metric),
    )


def _results(path: Path) -> tuple[QuestionResult, ...]:
    results = read_results(path)
    if not results:
        raise UsageError(f"{path} has no results; name a file that heliograph eval ott has written with --out")
    return results


def _asked(
    runs: Sequence[Mapping[str, QuestionResult]], known: Sequence[OttQuestion], path: Path
) -> tuple[OttQuestion, ...]:
    measured = {id for run in runs for id in run}
    strange = measured - {question.id for question in known}
    if strange:
        raise UsageError(
            f"{path} lacks {len(strange)} of the questions of the runs, such as {min(strange)}; "
            "name the file that they were asked from with --questions"
        )
    return tuple(question for question in known if question.id in measured)


def _measured(run: Mapping[str, QuestionResult]) -> set[str]:
    return {name for result in run.values() for name in result.metrics}


def _lacking(run: Mapping[str, QuestionResult], asked: Sequence[OttQuestion]) -> int:
    return sum(question.id not in run for question in asked)
