"""Trace every step of a run, record every effect, and replay it without any."""

from memory.trace.account import account_of
from memory.trace.attributes import flattened
from memory.trace.branches import Branch
from memory.trace.branching import BranchingRecorder, copy_beginning, events_before
from memory.trace.choosing import Wanted, chosen
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
from memory.trace.listing import WantedRuns, list_json, moment, wanted_runs
from memory.trace.opened import OpenedRun
from memory.trace.parting import RunDiff, diff_runs
from memory.trace.parting_render import diff_json, render_diff
from memory.trace.reading import load_trace
from memory.trace.record import returned
from memory.trace.recorder import TraceRecorder
from memory.trace.render import COLOURED, UNCOLOURED, render_list, render_totals, render_tree
from memory.trace.replay import ReplayRecorder
from memory.trace.resume import ResumingRecorder
from memory.trace.runs import RunStatus, RunSummary, list_runs, summarise
from memory.trace.sheets import messages_under, render_detail
from memory.trace.tree import trace_tree

__all__ = [
    "COLOURED",
    "UNCOLOURED",
    "Branch",
    "BranchingRecorder",
    "Differences",
    "Event",
    "Failure",
    "Manifest",
    "OpenedRun",
    "ReplayRecorder",
    "ResumingRecorder",
    "RunDiff",
    "RunStatus",
    "RunSummary",
    "SystemClock",
    "TraceRecorder",
    "Wanted",
    "WantedRuns",
    "account_of",
    "by_span",
    "chosen",
    "compare",
    "compare_work",
    "copy_beginning",
    "diff_json",
    "diff_runs",
    "events_before",
    "find_run",
    "flattened",
    "list_json",
    "list_runs",
    "load_trace",
    "messages_under",
    "moment",
    "new_manifest",
    "new_run_folder",
    "new_run_id",
    "open_run",
    "ordered_bytes",
    "read_answer",
    "read_manifest",
    "render_detail",
    "render_diff",
    "render_differences",
    "render_list",
    "render_totals",
    "render_tree",
    "returned",
    "summarise",
    "trace_tree",
    "wanted_runs",
    "write_answer",
    "write_manifest",
]
