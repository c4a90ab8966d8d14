"""Measure the offline build of a graph from OTT-QA's pages: does its cost grow as the pages do?

usage: python -m bench.offline_build --data OTT_FOLDER [--scopes mini,small,full] [--work FOLDER] [-- BUILD OPTIONS]

Each scope is built by `heliograph graph build` in a process of its own, without an encoder. Prints a line of a Markdown
table a scope: pages, seconds, processor seconds, peak memory, bytes that are searched and bytes that are kept for going
on, a page; then how many times the first scope's pages, seconds, memory and bytes the last one's are.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SEARCHED = ("passages", "segments", "tokens", "centroids")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a build took; memory and bytes in bytes."""

    scope: str
    pages: int
    seconds: float
    processor: float
    memory: int
    searched: int
    kept: int

    @property
    def line(self) -> str:
        """Return the line of the table."""
        rate, memory = self.pages / self.seconds, self.memory / 1e6
        bytes_a_page = f"{self.searched / self.pages:,.0f} | {self.kept / self.pages:,.0f}"
        times = f"{self.seconds:,.1f} | {self.processor:,.1f} | {rate:,.0f}"
        return f"| {self.scope} | {self.pages:,} | {times} | {memory:,.0f} | {bytes_a_page} |"


def main() -> None:
    """Build each scope and print what it cost."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--scopes", default="mini,small")
    ask.add_argument("--work", type=Path)
    ask.add_argument("options", nargs="*", help="Options of graph build, after --.")
    args = ask.parse_args()
    print("| scope | pages | seconds | processor seconds | pages a second | peak MB | bytes a page | kept besides |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(dir=args.work) as folder:
        costs = [_cost(args.data, scope, Path(folder), args.options) for scope in args.scopes.split(",")]
    first, last = costs[0], costs[-1]
    pages, seconds = last.pages / first.pages, last.processor / first.processor
    memory, size = last.memory / first.memory, last.searched / first.searched
    print(
        f"{last.scope} has {pages:.1f} times the pages of {first.scope}; it took {seconds:.1f} times the processor "
        f"seconds, {memory:.1f} times the memory and {size:.1f} times the bytes"
    )


def _cost(data: Path, scope: str, folder: Path, options: Sequence[str]) -> Cost:
    pages, out = folder / f"{scope}.jsonl", folder / scope
    with pages.open("wb") as file:
        subprocess.run([sys.executable, str(data / "pages.py"), scope, "html"], stdout=file, check=True)
    began = time.monotonic()
    command = [sys.executable, "-m", "app", "graph", "build", str(pages), "--out", str(out), *options]
    usage = _run(command)
    seconds = time.monotonic() - began
    with pages.open("rb") as lines:
        count = sum(1 for _ in lines)
    pages.unlink()
    sizes = {path.name: _size(path) for path in out.iterdir()}
    searched = sum(size for name, size in sizes.items() if name in SEARCHED)
    cost = Cost(
        scope,
        count,
        seconds,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * 1024,
        searched,
        sum(sizes.values()) - searched,
    )
    print(cost.line, flush=True)
    return cost


def _run(command: Sequence[str]) -> resource.struct_rusage:
    """Run a command to its end and return what it used, memory in kilobytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage


def _size(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())


if __name__ == "__main__":
    main()
