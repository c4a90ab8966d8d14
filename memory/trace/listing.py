"""Which runs of a home folder somebody wants to see, and the list as JSON."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from heliograph.errors import UsageError
from memory.trace.encoding import Json, dump
from memory.trace.runs import RunStatus, RunSummary

_AGO = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|m|h|d|w)")
_SECONDS = {"s": 1, "min": 60, "m": 60, "h": 3600, "d": 86400, "w": 604800}


@dataclass(frozen=True, slots=True)
class WantedRuns:
    """What runs must be; what is not set holds for all. `text` is part of the question, `since` seconds since 1970."""

    outcomes: tuple[RunStatus, ...] = ()
    text: str = ""
    since: float | None = None

    def fits(self, run: RunSummary) -> bool:
        """Say whether a run is one of those."""
        return (
            (not self.outcomes or run.status in self.outcomes)
            and self.text.casefold() in run.question.casefold()
            and (self.since is None or run.started >= self.since)
        )


def wanted_runs(runs: Iterable[RunSummary], wanted: WantedRuns) -> tuple[RunSummary, ...]:
    """Return the runs that fit, in their order."""
    return tuple(run for run in runs if wanted.fits(run))


def moment(said: str, now: float) -> float:
    """Read a point in time as seconds since 1970: an ISO date or time, in UTC where it names no zone, or so long ago.

    Raises:
        UsageError: it is neither.
    """
    ago = _AGO.fullmatch(said.strip().removesuffix("ago").strip())
    if ago:
        return now - float(ago[1]) * _SECONDS[ago[2]]
    try:
        instant = datetime.fromisoformat(said.strip())
    except ValueError as err:
        raise UsageError(
            f"{said!r} is no point in time; write 2026-11-21, 2026-11-21T14:05, or how long ago: 90min, 12h, 3d"
        ) from err
    return (instant if instant.tzinfo else instant.replace(tzinfo=UTC)).timestamp()


def list_json(runs: Sequence[RunSummary]) -> str:
    """Return the runs as one line of JSON each, the oldest first."""
    lines: list[dict[str, Json]] = [asdict(run) for run in runs]
    return "\n".join(dump(line).decode() for line in lines)
