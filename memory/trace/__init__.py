"""Trace every step of a run, record every effect, and replay it without any."""

from memory.trace.attributes import flattened
from memory.trace.clock import SystemClock
from memory.trace.compare import Differences, compare, compare_work, render_differences
from memory.trace.events import Event, Failure, by_span, ordered_bytes
from memory.trace.folder import (
    Manifest,
    find_run,
    new_manifest,
    new_run_folder,
    new_run_id,
    open_run,
    read_answer,
    read_manifest,
    write_answer,
    write_manifest,
)
from memory.trace.reading import load_trace
from memory.trace.record import returned
from memory.trace.recorder import TraceRecorder
from memory.trace.render import COLOURED, UNCOLOURED, render_list, render_tree
from memory.trace.replay import ReplayRecorder
from memory.trace.resume import ResumingRecorder
from memory.trace.runs import RunSummary, list_runs, summarise

__all__ = [
    "COLOURED",
    "UNCOLOURED",
    "Differences",
    "Event",
    "Failure",
    "Manifest",
    "ReplayRecorder",
    "ResumingRecorder",
    "RunSummary",
    "SystemClock",
    "TraceRecorder",
    "by_span",
    "compare",
    "compare_work",
    "find_run",
    "flattened",
    "list_runs",
    "load_trace",
    "new_manifest",
    "new_run_folder",
    "new_run_id",
    "open_run",
    "ordered_bytes",
    "read_answer",
    "read_manifest",
    "render_differences",
    "render_list",
    "render_tree",
    "returned",
    "summarise",
    "write_answer",
    "write_manifest",
]
