"""All systems of the built-in grids that run here, asked ten development questions: time, reuse, and two kills.

usage: python -m bench.omgqa_grid [--limit 10] [--grid demo --grid paper] [--archive build/demo.zim]

The questions are drawn from the development half of the demo set; the extractive judge decides all, labels of authors
aside. Then the same in a second home: kill -9 in the middle of the answers and of the judge's words, the same commands
again, and the two reports compared. `in the cache` of a home are all texts that a model embedded for it, those of
questions and of what judges compare too; the report counts those of pages.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.omgqa.grid import grid_file, read_systems
from eval.omgqa.systems import System
from tests.killed import MAY_DIFFER, comparable, count_lines, killed, whole_lines

ROOT = Path(__file__).resolve().parent.parent
GRIDS = ("demo", "paper")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A home of its own, the folder of its answers, and the grids and questions that it asks."""

    home: Path
    folder: Path
    grids: Sequence[str]
    questions: Path
    limit: int

    @property
    def steps(self) -> dict[str, Sequence[str]]:
        """The commands of each step: to ask a grid, and to judge."""
        options = ("--questions", str(self.questions), "--out", str(self.folder), "--limit", str(self.limit))
        return {**{f"run {grid}": ("run", grid, *options) for grid in self.grids}, "judge": ("judge", str(self.folder))}

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its commands."""
        return {**os.environ, "HELIOGRAPH_HOME": str(self.home), "PYTHONPATH": str(ROOT)}

    @property
    def log(self) -> Path:
        """Where its commands write what they say."""
        return self.home / "said.log"

    def grown(self, step: str) -> Path:
        """Return the file that grows while a step is done."""
        return self.folder / ("words.jsonl" if step == "judge" else "runs.jsonl")

    def do(self, arguments: Sequence[str]) -> str:
        """Do a command to its end and return what it prints; one that fails ends this program with what it said."""
        with self.log.open("w", encoding="utf8") as said:
            done = subprocess.run(
                _command(arguments), env=self.environment, stdout=subprocess.PIPE, stderr=said, text=True, check=False
            )
        if done.returncode:
            sys.exit(f"{' '.join(arguments)} ended with {done.returncode}:\n{self.log.read_text()[-2000:]}")
        return done.stdout

    def report(self) -> dict[str, Any]:
        """Return the report, without what a kill may change."""
        return comparable(self.do(("report", str(self.folder), "--format", "json")))


def main() -> None:
    """Evaluate twice, and print what each took and reused, and whether their tables are the same."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--limit", type=int, default=10)
    ask.add_argument("--grid", action="append", choices=GRIDS)
    ask.add_argument("--archive", type=Path, default=ROOT / "build" / "demo.zim")
    args = ask.parse_args()
    grids = [grid for grid in args.grid or GRIDS if _runnable(grid)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, ROOT / "demo" / "omgqa", folder / "set"], check=True)
        questions = folder / "set" / "development" / "questions.jsonl"
        whole, resumed = (
            _evaluation(folder / kind, args.archive, grids, questions, args.limit) for kind in ("whole", "killed")
        )
        undisturbed(whole)
        interrupted(resumed, {step: count_lines(whole.grown(step)) for step in whole.steps})
        _compare(whole.report(), resumed.report())


def undisturbed(evaluation: Evaluation) -> None:
    """Do all steps in turn."""
    print(f"\nundisturbed, {evaluation.limit} questions")
    for step, arguments in evaluation.steps.items():
        start = time.perf_counter()
        evaluation.do(arguments)
        print(f"{step}: {time.perf_counter() - start:.1f} s, {count_lines(evaluation.grown(step)):,} lines", flush=True)
    _told(evaluation)


def interrupted(evaluation: Evaluation, whole: dict[str, int]) -> None:
    """Kill each step when half of its lines are there, and do it again."""
    print("\nkilled with SIGKILL in the middle of each step, and resumed by the same command")
    for step, arguments in evaluation.steps.items():
        grown, start = evaluation.grown(step), time.perf_counter()
        half = (count_lines(grown) + whole[step] + 1) // 2
        at = killed(_command(arguments), evaluation.environment, grown, half, evaluation.log)
        before, kept = time.perf_counter() - start, whole_lines(grown)
        evaluation.do(arguments)
        same = "kept as they were" if grown.read_bytes().startswith(kept) else "CHANGED"
        seconds = time.perf_counter() - start
        print(f"{step}: killed after {before:.1f} s at line {at:,} of {whole[step]:,}; {seconds:.1f} s in all")
        print(f"  {count_lines(grown):,} lines in the end, those before the kill {same}", flush=True)
    _told(evaluation)


def _runnable(grid: str) -> list[System]:
    """Say how many systems of a grid lack nothing here, and return them."""
    systems = read_systems(grid_file(Path(grid)))
    found = [system for system in systems if not system.lacking]
    print(f"grid {grid}: {len(found)} of {len(systems)} systems run here", flush=True)
    return found


def _evaluation(folder: Path, archive: Path, grids: Sequence[str], questions: Path, limit: int) -> Evaluation:
    """Make a fresh home, with the demo archive alone."""
    home = folder / "home"
    home.mkdir(parents=True)
    (home / "demo.zim").symlink_to(archive.resolve())
    return Evaluation(home, folder / "answers", grids, questions, limit)


def _told(evaluation: Evaluation) -> None:
    """Print the reuse of all systems together, and what the home has embedded."""
    text = evaluation.do(("report", str(evaluation.folder)))
    table = text[text.index("\nWhat was reused\n") :].split("\n\n", 1)[0]
    print(table.strip())
    with closing(sqlite3.connect(evaluation.home / "embeddings.sqlite")) as vectors:
        (kept,) = vectors.execute("SELECT COUNT(*) FROM vectors").fetchone()
    print(f"in the cache of the home: {kept:,} texts")


def _compare(whole: dict[str, Any], resumed: dict[str, Any]) -> None:
    tables = [key for key in whole["tables"] if whole["tables"][key] != resumed["tables"].get(key)]
    rest = [key for key in whole if key != "tables" and whole[key] != resumed.get(key)]
    print(f"\n{len(whole['tables'])} tables compared (JSON); those that differ: {', '.join(tables) or 'none'}")
    print(f"what else of the report differs: {', '.join(rest) or 'nothing'}")
    print(f"not compared: {'; '.join(MAY_DIFFER)}")


def _command(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "app", "eval", "omgqa", *arguments]


if __name__ == "__main__":
    main()
