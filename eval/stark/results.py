"""Results as they come: one JSON line per query, on the disk before the next is asked, and read back after a kill."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from eval.lines import read_placed_lines
from eval.stark.queries import StarkQuery
from heliograph.errors import UsageError
from heliograph.storage import plain_file, storage_error
from indexers.skb.knowledge_base import BuiltKnowledgeBase

ELSEWHERE = "name another file with --out"
DIGITS = 16
"""Hexadecimal digits of a digest."""


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What one query gave.

    Attributes:
        ranking: ids of entities, the best first.
        measures: fractions of 1 by name.
        seconds: how long the retriever took.
        answers: how many the query has, each counted once.
        missing: how many of these the base does not have among its candidates.
    """

    id: str
    kind: str
    ranking: tuple[str, ...]
    measures: Mapping[str, float]
    seconds: float
    answers: int
    missing: int


@dataclass(frozen=True, slots=True)
class StarkRun:
    """Which system was asked which queries; `digest` is of everything that decides the results."""

    digest: str
    queries: str
    system: str


@dataclass(frozen=True, slots=True)
class RunResults:
    """The results of one run by query, and the file that grows with them, if there is one."""

    run: StarkRun
    results: dict[str, QueryResult] = field(default_factory=dict)
    path: Path | None = None

    def append(self, result: QueryResult) -> None:
        """Keep a result.

        Raises:
            StoreFull | StoreError: the file cannot be written.
        """
        if self.path is not None:
            try:
                with self.path.open("a", encoding="utf8") as lines:
                    lines.write(_beginning(self.run) + json.dumps(asdict(result))[1:] + "\n")
            except OSError as err:
                raise storage_error(err, self.path, ELSEWHERE) from err
        self.results[result.id] = result


def describe_run(queries: Sequence[StarkQuery], base: BuiltKnowledgeBase, system: str, k: int, typed: bool) -> StarkRun:
    """Return what identifies a run; a base is known by its description, whose counts change with what it holds."""
    asked = _digest(list(map(asdict, queries)))
    digest = _digest([asked, asdict(base.description), system, k, typed])
    return StarkRun(digest, asked, f"{system}, typed" if typed else system)


def open_results(path: Path, run: StarkRun) -> RunResults:
    """Open the results of a run to add to them; the file begins empty, and a line that a kill cut short is dropped.

    Raises:
        UsageError: the file holds something else, or results of another run.
        StoreFull | StoreError: it cannot be written.
    """
    beginning = _beginning(run).encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        *lines, torn = plain_file(path).read_bytes().split(b"\n")
        if not all(line.startswith(beginning) for line in lines) or not torn.startswith(beginning[: len(torn)]):
            raise UsageError(f"{path} has no results, or those of other queries or options; {ELSEWHERE}")
        os.truncate(path, sum(len(line) + 1 for line in lines))
    except OSError as err:
        raise storage_error(err, path, ELSEWHERE) from err
    found = read_results(path).results if lines else {}
    return RunResults(run, found, path)


def read_results(path: Path) -> RunResults:
    """Read a file of results.

    Raises:
        UsageError: it cannot be read or is empty, a line is no result, or it has two runs or two results of a query.
    """
    runs, results = dict[StarkRun, str](), dict[str, QueryResult]()
    for place, line in read_placed_lines(path, _ResultLine):
        runs.setdefault(StarkRun(line.run, line.queries, line.system), place)
        if len(runs) > 1 or line.id in results:
            what = "another run" if len(runs) > 1 else f"a second result of {line.id!r}"
            raise UsageError(f"{place}: {what}; keep the lines of one run")
        results[line.id] = line.result()
    if not runs:
        raise UsageError(f"{path} has no results; name a file that heliograph eval stark run has written with --out")
    return RunResults(next(iter(runs)), results)


class _ResultLine(BaseModel):
    model_config = ConfigDict(strict=True)

    run: str
    queries: str
    system: str
    id: str
    kind: str
    ranking: list[str]
    measures: dict[str, FiniteFloat]
    seconds: FiniteFloat
    answers: int = Field(ge=0)
    missing: int = Field(ge=0)

    def result(self) -> QueryResult:
        ranking = tuple(self.ranking)
        return QueryResult(self.id, self.kind, ranking, self.measures, self.seconds, self.answers, self.missing)


def _beginning(run: StarkRun) -> str:
    """Return how every line of a run's results begins."""
    return json.dumps({"run": run.digest, "queries": run.queries, "system": run.system})[:-1] + ", "


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:DIGITS]
