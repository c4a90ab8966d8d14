"""Recorded traces from disk."""

from pathlib import Path

from heliograph.errors import StoreDamaged
from memory.trace.events import Event, from_line

TRACE = "trace.jsonl"
"""Of a run's folder: its events, one a line, in the order in which they ended."""


def load_trace(folder: Path) -> tuple[Event, ...]:
    """Read the events of a run, in the order in which they ended.

    A last line without its end is what a killed process leaves: it is passed over.

    Raises:
        StoreDamaged: there is no trace, or a complete line of it cannot be read; the message names the line.
    """
    path = folder / TRACE
    try:
        data = path.read_bytes()
    except OSError as err:
        raise StoreDamaged(f"no trace at {path}; `heliograph trace list` names the runs there are") from err
    *lines, _torn = data.split(b"\n")
    return tuple(_event(path, number, line) for number, line in enumerate(lines, start=1))


def _event(path: Path, number: int, line: bytes) -> Event:
    try:
        return from_line(line)
    except ValueError as err:
        raise StoreDamaged(f"line {number} of {path} is damaged ({err}); this run can no longer be replayed") from err
