"""Measure what recording costs: microseconds a span, beside plain json.dumps + write of the same facts, in one run."""

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from heliograph.types import EvidenceId, Hit, Query, Scored, SearchResult
from memory.trace import ReplayRecorder, TraceRecorder

SPANS = 2000
REPEATS = 7
SMALL = SearchResult(Query("moons of mars"), tuple(Hit(f"Page {number}", number) for number in range(1, 6)), 40)
LARGE = tuple(Scored(EvidenceId(f"wiki:Page_{number}@1#s2/t1/r{number}"), number / 50) for number in range(50))


class SystemClock:
    """The clock of this machine."""

    def now(self) -> float:
        """Return seconds since the epoch."""
        return time.time()


async def small() -> SearchResult:
    """Return at once what a search of five hits returns."""
    return SMALL


async def large() -> tuple[Scored[EvidenceId], ...]:
    """Return at once what a retrieval of fifty pieces returns."""
    return LARGE


async def searches(recorder: TraceRecorder | ReplayRecorder) -> None:
    """Search as often as is measured."""
    for number in range(SPANS):
        await recorder.effect("RETRIEVER", "search", {"query": "moons of mars", "n": number}, SearchResult, small)


async def retrievals(recorder: TraceRecorder | ReplayRecorder) -> None:
    """Retrieve as often as is measured."""
    found = tuple[Scored[EvidenceId], ...]
    for number in range(SPANS):
        await recorder.effect("RETRIEVER", "retrieve", {"query": "moons of mars", "n": number}, found, large)


def plain(folder: Path, lines: list[dict[str, object]]) -> float:
    """Write the same lines with nothing but json and an unbuffered file."""
    started = time.perf_counter()
    with (folder / "plain.jsonl").open("ab", buffering=0) as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return (time.perf_counter() - started) / len(lines) * 1e6


def measured(work: object, recorder: TraceRecorder | ReplayRecorder) -> float:
    """Return microseconds a span."""
    started = time.perf_counter()
    asyncio.run(work(recorder))  # type: ignore[operator]  # one of the two functions above
    recorder.close()
    return (time.perf_counter() - started) / SPANS * 1e6


def main() -> None:
    """Print the median of several repeats, recording, replaying and writing plainly in turn."""
    for name, work in (("search, 5 hits", searches), ("retrieve, 50 pieces", retrievals)):
        record, replay, peer = [], [], []
        for _ in range(REPEATS):
            with tempfile.TemporaryDirectory() as temporary:
                folder = Path(temporary)
                record.append(measured(work, TraceRecorder(folder, "run", SystemClock())))
                replay.append(measured(work, ReplayRecorder(folder)))
                lines = [json.loads(line) for line in (folder / "trace.jsonl").read_bytes().splitlines()]
                peer.append(plain(folder, lines))
        live, again, bare = map(statistics.median, (record, replay, peer))
        print(
            f"{name}: record {live:.0f} µs, replay {again:.0f} µs, json + write {bare:.0f} µs, ratio {live / bare:.1f}"
        )


if __name__ == "__main__":
    main()
