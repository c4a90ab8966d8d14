"""What a run came to, as far as its folder tells: two of them are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heliograph.errors import StoreDamaged
from heliograph.types import Answer, RoundRecord
from memory.trace.blobs import BlobStore
from memory.trace.decoding import Decoder, Misfit
from memory.trace.detail import Get, unfolded
from memory.trace.encoding import Json
from memory.trace.events import Event
from memory.trace.folder import Manifest, read_manifest
from memory.trace.reading import load_trace
from memory.trace.record import returned

ROOT = "ask"
"""The name of the outermost step of a run."""
_BY_CHANCE = frozenset({"run", "seconds", "usage", "fetched", "embedded", "vectors", "spent", "started"})
"""Fields of a step's output that depend on time, on the run's name, or on what was kept from earlier runs."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the graph: its span, and what came of it, less what depends on time and caches."""

    name: str
    span: str
    output: Json


@dataclass(frozen=True, slots=True)
class Account:
    """A run: its manifest, the steps in order, its rounds, and its answer where it came to one."""

    manifest: Manifest
    steps: tuple[Step, ...]
    rounds: tuple[RoundRecord, ...]
    answer: Answer | None

    @property
    def settings(self) -> Mapping[str, object]:
        """The settings that held in the end."""
        branches = self.manifest.branches
        return branches[-1].settings if branches else self.manifest.settings


def account_of(folder: Path) -> Account:
    """Read what the run in `folder` came to; one that was cut short is told as far as it went.

    Raises:
        StoreDamaged: the folder cannot be read.
    """
    events, get = load_trace(folder), BlobStore(folder / "blobs").get
    steps = tuple(_step(event, get) for event in steps_of(events))
    answer: Answer | None = returned(folder, Answer)
    rounds = answer.rounds if answer else _rounds(steps, folder)
    return Account(read_manifest(folder), steps, rounds, answer)


def steps_of(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the steps of the graph in the order in which they began; effects that stand beside them are none."""
    top = {event.span for event in events if event.parent is None}
    lost = {event.parent for event in events} - {event.span for event in events} - {None}
    steps = [event for event in events if event.parent in top | lost and _is_step(event)]
    return tuple(sorted(steps, key=lambda event: (event.start, event.end)))


def _is_step(event: Event) -> bool:
    """Tell a step by what it is given: the number of the round, and nothing else."""
    return isinstance(event.input, dict) and event.input.keys() == {"round"}


def _step(event: Event, get: Get) -> Step:
    return Step(event.name, event.span, _lasting(unfolded(event.output, get)))


def _lasting(value: Json) -> Json:
    match value:
        case dict():
            return {name: _lasting(item) for name, item in value.items() if name not in _BY_CHANCE}
        case list():
            return [_lasting(item) for item in value]
        case _:
            return value


def _rounds(steps: Sequence[Step], folder: Path) -> tuple[RoundRecord, ...]:
    """Return the rounds of a run without an answer."""
    decoder = Decoder(BlobStore(folder / "blobs").get)
    told = [step.output["rounds"] for step in steps if isinstance(step.output, dict) and "rounds" in step.output]
    try:
        return tuple(record for rounds in told for record in decoder.decode(tuple[RoundRecord, ...], rounds))
    except Misfit as err:
        raise StoreDamaged(f"the rounds of the run in {folder} cannot be read: {err}; ask again") from err
