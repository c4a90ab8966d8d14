"""Where a map runs: in this process, or on Ray Data. What it writes is the same bytes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from heliograph import errors
from heliograph.errors import HeliographError
from indexers.offline.plan import Work

MapFunction = Callable[[Work, int], None]
"""A top-level function of all that decides its bytes: the work and the number of a shard."""


@dataclass(frozen=True, slots=True)
class Done:
    """A shard that is finished, and the most memory that its process has held, in bytes."""

    shard: int
    memory: int


class Runner(Protocol):
    """Apply a map function to shards, in any order."""

    def __call__(self, function: MapFunction, work: Work, shards: Sequence[int]) -> Iterator[Done]: ...


Running = Callable[[], AbstractContextManager[Runner]]


def here(function: MapFunction, work: Work, shards: Sequence[int]) -> Iterator[Done]:
    """Run in this process, one shard after the other."""
    for shard in shards:
        function(work, shard)
        yield Done(shard, peak_memory())


@contextmanager
def in_process() -> Iterator[Runner]:
    """Give the runner of this process."""
    yield here


def failed(err: HeliographError) -> dict[str, str]:
    """Return an error as it travels between processes."""
    return {"error": type(err).__name__, "message": str(err)}


def raise_failed(said: dict[str, str]) -> None:
    """Raise an error that travelled, as what it was."""
    kind = getattr(errors, said["error"])
    raise kind(said["message"])


def peak_memory() -> int:
    """Return the most memory that this process has held, in bytes: what its maps made resident counts too."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
