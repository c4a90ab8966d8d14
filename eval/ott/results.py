"""What a run leaves: one JSON line a question, and the summary of all of them."""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Self

from pydantic import BaseModel, ConfigDict, FiniteFloat, model_validator

from eval.lines import read_lines
from eval.ott.measures import NAMES, SOMETIMES
from eval.ott.questions import OttQuestion
from eval.ott.ranking import CUT, Ranking, Unit
from heliograph.errors import UsageError


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What one question gave: its ranking, its measures as fractions of 1, seconds by stage, a reader's answer.

    `scores` are what the retriever thought of each unit of the ranking, more the better; none where only their order
    is known.
    """

    id: str
    ranking: Ranking
    metrics: Mapping[str, float]
    seconds: Mapping[str, float]
    answer: str | None = None
    scores: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over questions: of each measure over all that were asked, of seconds over those that have a result.

    `outside_scope` is how many of them have a gold table that is not searched.
    """

    metrics: Mapping[str, float]
    seconds: Mapping[str, float]
    outside_scope: int = 0

    def as_json(self) -> str:
        """Return the summary as a JSON object of `metrics`, `seconds` and `outside_scope`."""
        return json.dumps(asdict(self), indent=1)


def summarise(
    results: Iterable[QuestionResult], asked: Sequence[OttQuestion], searched: Container[str] | None = None
) -> Summary:
    """Average results over the questions asked; one that is missing, or lacks a measure that others have, counts 0.

    `searched` are the ids of the tables of the scope; None where all are.
    """
    kept = _asked_for(results, asked)
    measured = {name for result in kept for name in result.metrics}
    names = [name for name in NAMES if name in measured or name not in SOMETIMES]
    stages = dict.fromkeys(stage for result in kept for stage in result.seconds)
    return Summary(
        metrics={name: sum(each.metrics.get(name, 0.0) for each in kept) / max(1, len(asked)) for name in names},
        seconds={stage: fmean(each.seconds.get(stage, 0.0) for each in kept) for stage in stages},
        outside_scope=sum(searched is not None and question.gold_table not in searched for question in asked),
    )


def result_line(result: QuestionResult) -> str:
    """Return a result as one line of JSON, its ranking cut; a unit is its row, or null, and then its passages."""
    ranking = [[unit.row, *unit.passages] for unit in result.ranking[:CUT]]
    record = {"id": result.id, "ranking": ranking, "metrics": dict(result.metrics), "seconds": dict(result.seconds)}
    scored = {"scores": result.scores[:CUT]} if result.scores else {}
    return json.dumps({**record, "answer": result.answer, **scored}) + "\n"


def write_results(path: Path, results: Iterable[QuestionResult]) -> None:
    """Write a file of results, one line each.

    Raises:
        UsageError: the file cannot be written.
    """
    try:
        with path.open("w", encoding="utf8") as lines:
            lines.writelines(map(result_line, results))
    except OSError as err:
        raise UsageError(f"{path} cannot be written: {err.strerror}; name a file in a folder of yours") from err


def read_results(path: Path) -> tuple[QuestionResult, ...]:
    """Read a file of results.

    Raises:
        UsageError: the file cannot be read, a line is no result, or a question has two.
    """
    results = tuple(_result(line) for line in read_lines(path, _ResultLine))
    if len({result.id for result in results}) < len(results):
        raise UsageError(f"{path} has two results of one question; keep the lines of one run")
    return results


class _ResultLine(BaseModel):
    model_config = ConfigDict(strict=True)

    id: str
    ranking: list[list[int | None]]
    metrics: dict[str, FiniteFloat]
    seconds: dict[str, FiniteFloat]
    answer: str | None
    scores: list[FiniteFloat] = []

    @model_validator(mode="after")
    def _a_unit_is_a_row_or_null_and_passages(self) -> Self:
        if any(not unit or None in unit[1:] or unit == [None] for unit in self.ranking):
            raise ValueError("a unit of the ranking is no list of a row, or null, and passages")
        if self.scores and len(self.scores) != len(self.ranking):
            raise ValueError("there are scores, and not one for each unit of the ranking")
        return self


def _result(line: _ResultLine) -> QuestionResult:
    ranking = tuple(Unit(row, tuple(each for each in rest if each is not None)) for row, *rest in line.ranking)
    return QuestionResult(line.id, ranking, line.metrics, line.seconds, line.answer, tuple(line.scores))


def _asked_for(results: Iterable[QuestionResult], asked: Sequence[OttQuestion]) -> list[QuestionResult]:
    known = {question.id for question in asked}
    return [result for result in results if result.id in known]
