"""Another way from a step of a recorded run on: `heliograph replay RUN --from NODE --with KEY=VALUE`."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from agent.assembly import not_by_limits
from agent.graph import build_graph
from agent.services import Services
from heliograph.changed_settings import changed_settings
from heliograph.errors import ReplayMiss, UnknownName, UsageError
from heliograph.protocols import Clock
from heliograph.version import VERSION
from memory.trace import (
    Branch,
    BranchingRecorder,
    Event,
    Manifest,
    events_before,
    load_trace,
    new_manifest,
    read_manifest,
)

_PLACE = re.compile(r"(?P<node>[^@]+)(?:@(?P<time>\d+))?")


@dataclass(frozen=True, slots=True)
class Place:
    """A step of a run: the `time`-th time, from 1, that the run came to a node of the graph."""

    node: str
    time: int = 1

    @classmethod
    def read(cls, said: str) -> Self:
        """Read a place as the command line takes it: reflect, or reflect@2.

        Raises:
            UnknownName: the graph has no such node; the message lists those it has.
        """
        found = _PLACE.fullmatch(said.strip())
        node = found["node"] if found else said
        nodes = [name for name in build_graph().nodes if not name.startswith("__")]
        if node not in nodes:
            raise UnknownName(
                f"no step is named {node!r}; there are {', '.join(nodes)}, and {nodes[1]}@2 is the second"
            )
        return cls(node, int(found["time"] or 1) if found else 1)


def assignments(said: Sequence[str]) -> dict[str, str]:
    """Read KEY=VALUE as the command line takes it.

    Raises:
        UsageError: there is no = in one, or two name one setting.
    """
    found: dict[str, str] = {}
    for each in said:
        name, equals, value = each.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--with {each!r} is no KEY=VALUE; write --with rounds=1 or --with llm.model=NAME")
        if name.strip() in found:
            raise UsageError(f"--with sets {name.strip()!r} twice; once is enough")
        found[name.strip()] = value
    return found


def branch_of(
    source: Path, place: Place, changes: Mapping[str, str], clock: Clock
) -> tuple[Manifest, tuple[Event, ...]]:
    """Return the manifest of a new run that leaves the one in `source` at a place, and what it has recorded by then.

    Branches that the run in `source` took before that place are the new run's, too; later ones come before it happens.

    Raises:
        UnknownName: the run never came to the place, or a setting has no such name.
        StoreDamaged: the run cannot be read.
    """
    old, events = read_manifest(source), load_trace(source)
    beginning = events_before(events, place.node, place.time)
    taken = tuple(each for each in old.branches if _is_before(events, each, beginning))
    last = old.branches[-1] if old.branches else None
    in_force = last.settings if last else old.settings
    all_changes = {name: said for each in old.branches[len(taken) :] for name, said in each.changed.items()}
    begun = new_manifest(
        old.question, old.settings, VERSION, clock, earlier=old.earlier, embedder=old.embedder, scope=old.scope
    )
    branch = Branch(
        run=old.run,
        node=place.node,
        time=place.time,
        changed={**all_changes, **changes},
        settings=changed_settings(in_force, changes),
        embedder=taken[-1].embedder if taken else old.embedder,
    )
    return replace(begun, branches=(*taken, branch)), beginning


def with_embedder(manifest: Manifest, name: str) -> Manifest:
    """Return a manifest whose last branch names its embedding model, where that branch has services of its own."""
    *others, last = manifest.branches
    if not not_by_limits(last.changed):
        return manifest
    return replace(manifest, branches=(*others, replace(last, embedder=name)))


def live_from_last_turn(services: Services, recorder: BranchingRecorder) -> Services:
    """Return services at whose last turn the recorder lets effects run again."""
    *others, last = services.turns

    async def begin() -> None:
        recorder.go_on()
        await last.begin()

    return replace(services, turns=(*others, replace(last, begin=begin)))


@contextmanager
def discarded_on_miss(recorder: BranchingRecorder) -> Iterator[None]:
    """Remove the folder of a new run whose beginning could not be gone through: nothing of its own is in it."""
    try:
        yield
    except ReplayMiss:
        if not recorder.live:
            shutil.rmtree(recorder.folder, ignore_errors=True)
        raise


def _is_before(events: Sequence[Event], branch: Branch, beginning: Sequence[Event]) -> bool:
    """Say whether a branch was taken before the end of a beginning."""
    return len(events_before(events, branch.node, branch.time)) < len(beginning)
