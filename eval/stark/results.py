"""Results as they come: one JSON line per query, on the disk before the next is asked, and read back after a kill."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from eval.lines import read_placed_lines
from eval.stark.queries import StarkQuery
from heliograph.errors import HeliographError, UsageError
from heliograph.storage import plain_file, storage_error
from indexers.lock import WriterLock
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
    """The results of one run by query, and the file that grows with them, if there is one.

    Its lock is held until the results are closed or the process ends.
    """

    run: StarkRun
    results: dict[str, QueryResult] = field(default_factory=dict)
    path: Path | None = None
    lock: WriterLock | None = field(default=None, compare=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.lock is not None:
            self.lock.release()

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
    """Return what identifies a run: the queries, what the base holds, and the system with how its indexes are made."""
    from tools.skb.lexical_retrieval import FORMAT  # imports bm25s, which reading results does not need

    asked, held = _digest(list(map(_decisive, queries))), (base.description.digest, base.description.candidate_types)
    digest = _digest([asked, held, system, FORMAT, version("bm25s"), k, typed])
    return StarkRun(digest, asked, f"{system}, typed" if typed else system)


def _decisive(query: StarkQuery) -> dict[str, object]:
    """Return all of a query that may decide a result."""
    record = asdict(query)
    del record["composition"]
    return record


def open_results(path: Path, run: StarkRun) -> RunResults:
    """Open the results of a run for this process alone; a line that a kill cut short is dropped.

    The file begins empty where there is none; its lock is in the folder `FILE.run` beside it.

    Raises:
        UsageError: the file holds something else, or results of another run.
        StoreLocked: another process writes it.
        StoreFull | StoreError: it cannot be written.
    """
    lock = WriterLock(path.with_name(f"{path.name}.run"), ELSEWHERE)
    lock.acquire()
    try:
        return RunResults(run, _cut_results(path, _beginning(run).encode()), path, lock)
    except HeliographError:
        lock.release()
        raise


def _cut_results(path: Path, beginning: bytes) -> dict[str, QueryResult]:
    """Return the results that a file has, and drop a last line that a kill cut short."""
    try:
        path.touch()
        *lines, torn = plain_file(path).read_bytes().split(b"\n")
        if not all(line.startswith(beginning) for line in lines) or not torn.startswith(beginning[: len(torn)]):
            raise UsageError(f"{path} has no results, or those of other queries or options; {ELSEWHERE}")
        os.truncate(path, sum(len(line) + 1 for line in lines))
    except OSError as err:
        raise storage_error(err, path, ELSEWHERE) from err
    return read_results(path).results if lines else {}


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
