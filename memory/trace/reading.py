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
    lines = _complete_lines(folder / TRACE)
    return tuple(_event(folder / TRACE, number, line) for number, line in enumerate(lines, start=1))


def last_event(folder: Path) -> Event | None:
    """Read the event of a run that ended last; None where none has.

    Raises:
        StoreDamaged: there is no trace, or its last complete line cannot be read.
    """
    lines = _complete_lines(folder / TRACE)
    return _event(folder / TRACE, len(lines), lines[-1]) if lines else None


def _complete_lines(path: Path) -> list[bytes]:
    try:
        *lines, _torn = path.read_bytes().split(b"\n")
    except OSError as err:
        raise StoreDamaged(f"no trace at {path}; `heliograph trace list` names the runs there are") from err
    return lines


def _event(path: Path, number: int, line: bytes) -> Event:
    try:
        return from_line(line)
    except ValueError as err:
        raise StoreDamaged(f"line {number} of {path} is damaged ({err}); this run can no longer be replayed") from err
