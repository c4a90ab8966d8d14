"""A recorded run once more: no network, no model, no store, and every byte compared."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from agent.asking import ask
from agent.record import answer_json
from agent.services import Services
from heliograph.errors import ReplayMiss, StoreDamaged
from heliograph.types import Answer
from heliograph.version import VERSION
from memory.trace import (
    ReplayRecorder,
    compare,
    find_run,
    load_trace,
    read_answer,
    read_manifest,
    render_differences,
    returned,
)
from memory.trace.folder import Manifest

PARSER_SETTING = "table_parser"
"""The setting that manifests have had since questions over tables are parsed by a model (decision record 051)."""
_COMPUTATION = '"computation": {'
"""What the record of an answer with a computed value has."""
STEPS_SINCE = (0, 2)
"""The first version whose runs can be replayed, resumed and branched: it plans, and ranks by needs."""


def goes_through(version: str) -> bool:
    """Tell whether the runs of a version have the steps of this one: they have had them since STEPS_SINCE."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2]) >= STEPS_SINCE


def outdated(manifest: Manifest) -> str:
    """Say why the run of an earlier version cannot be gone on with; empty where it can.

    Its steps may be others, or it may be from before questions over tables were parsed by a model.
    """
    recorded = f"recorded by Heliograph {manifest.version},"
    if not goes_through(manifest.version):
        return f"{recorded} whose steps Heliograph {VERSION} no longer has"
    if PARSER_SETTING not in manifest.settings:
        return f"{recorded} which computed over tables by rules that {VERSION} no longer has"
    return ""


def replayed_answer(home: Path, run: str) -> Answer:
    """Return what a run that replays came to.

    Raises:
        UnknownName: no such run.
        StoreDamaged: the record cannot be read.
    """
    folder = find_run(home, run)
    answer: Answer | None = returned(folder, Answer)
    if answer is None:
        raise StoreDamaged(f"the trace of run {folder.name} does not end in its answer; ask again")
    return answer


async def replay(home: Path, run: str, build: Callable[[ReplayRecorder, Manifest], Services]) -> str:
    """Run a recorded question again from its record and say that answer and trace are the same.

    A run of a version with other steps is not gone through, nor is one that computed a value by rules: its version is
    named, and its record returned.

    Raises:
        UnknownName: no such run.
        ReplayMiss: a call that was not recorded, or an answer or a trace that differs; the message says where, and
            which version recorded the run.
        StoreDamaged: the record cannot be read.
    """
    folder = find_run(home, run)
    manifest, recorded = read_manifest(folder), read_answer(folder)
    if recorded is None:
        raise ReplayMiss(
            f"run {folder.name} has no answer: it failed or was cut short; "
            f"finish it with heliograph resume {folder.name}"
        )
    why = outdated(manifest)
    if why and (_COMPUTATION in recorded or not goes_through(manifest.version)):
        return f"{folder.name}: {why}; its record:\n{recorded}"
    recorder = ReplayRecorder(folder)
    try:
        answer = answer_json(await ask(manifest.question, build(recorder, manifest)))
        differences = compare(load_trace(folder), recorder.events)
        if answer != recorded or not differences.same:
            parted = "gives another answer record" if answer != recorded else "leaves another trace"
            raise ReplayMiss(f"the replay of {folder.name} {parted}\n{render_differences(differences)}")
    except ReplayMiss as miss:
        raise ReplayMiss(f"{miss}\n{_recorded_by(manifest)}") from miss
    return f"{folder.name}: answer record and {len(recorder.events)} trace events are byte-identical"


def _recorded_by(manifest: Manifest) -> str:
    day = datetime.fromtimestamp(manifest.started, UTC)
    return (
        f"recorded by Heliograph {manifest.version} on {day:%Y-%m-%d}, replayed by {VERSION}: "
        "either the record was changed, or the code or its models were"
    )
