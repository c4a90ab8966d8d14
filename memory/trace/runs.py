"""The runs of a home folder, one line each."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from heliograph.errors import StoreDamaged
from heliograph.types import StopReason
from memory.trace.folder import Manifest, begun_of, read_answer, read_manifest, run_folders
from memory.trace.reading import TRACE, load_trace

RunStatus = Literal["answered", "abstained", "failed", "unfinished", "damaged"]

_INTERRUPTIONS = frozenset({"CancelledError", "KeyboardInterrupt", "SystemExit"})


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run at a glance; `seconds` and `stop_reason` are None until there is an answer.

    `origin` names the run that this one went on from, and the step; it is empty for a run of its own.
    """

    run: str
    question: str
    started: float
    seconds: float | None
    stop_reason: StopReason | None
    status: RunStatus
    origin: str = ""


def list_runs(home: Path) -> tuple[RunSummary, ...]:
    """Summarise every run of a home folder, the oldest first; a damaged one is listed as such."""
    return tuple(map(summarise, run_folders(home)))


def summarise(folder: Path) -> RunSummary:
    """Summarise one run."""
    manifest = Manifest(folder.name, "", "", begun_of(folder.name), {})
    try:
        manifest = read_manifest(folder)
        record = read_answer(folder)
        if record is None:
            return _without_answer(manifest, "failed" if _failed(folder) else "unfinished")
        return _with_answer(manifest, record)
    except StoreDamaged:
        return _without_answer(manifest, "damaged")


def origin_of(manifest: Manifest) -> str:
    """Name the run that a run went on from and the step from which on; the empty string for a run of its own."""
    return f"{manifest.branches[-1].run} at {manifest.branches[-1].place}" if manifest.branches else ""


def _with_answer(manifest: Manifest, record: str) -> RunSummary:
    try:
        answer = json.loads(record)
        seconds, reason = float(answer["seconds"]), cast(StopReason, str(answer["stop_reason"]))
        status: RunStatus = "abstained" if answer["abstained"] else "answered"
    except (KeyError, TypeError, ValueError) as err:
        raise StoreDamaged(f"the answer of run {manifest.run} is no answer record") from err
    return RunSummary(manifest.run, manifest.question, manifest.started, seconds, reason, status, origin_of(manifest))


def _without_answer(manifest: Manifest, status: RunStatus) -> RunSummary:
    return RunSummary(manifest.run, manifest.question, manifest.started, None, None, status, origin_of(manifest))


def _failed(folder: Path) -> bool:
    """Say whether the outermost span ended in an error that was no interruption."""
    if not (folder / TRACE).exists():
        return False
    roots = [event for event in load_trace(folder) if event.parent is None and event.error is not None]
    return bool(roots) and roots[-1].error is not None and roots[-1].error.type not in _INTERRUPTIONS
