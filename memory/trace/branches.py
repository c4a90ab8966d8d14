"""Where a run left the one that it was taken from, and what was changed there."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Branch:
    """From a step of a recorded run on, another way.

    `time` counts how often the step had been come to, from 1; `changed` are the settings as they were given, dotted
    names to values; `settings` all that hold from there on, without keys; `embedder` names their embedding model.
    """

    run: str
    node: str
    time: int
    changed: Mapping[str, str]
    settings: Mapping[str, object]
    embedder: str = ""

    @property
    def place(self) -> str:
        """The step as the command line takes it."""
        return self.node if self.time == 1 else f"{self.node}@{self.time}"


def branches_of(value: object) -> tuple[Branch, ...]:
    """Read the branches of a manifest; raises ValueError when they are anything else."""
    if not isinstance(value, list):
        raise ValueError("branches that are no list")
    return tuple(map(_branch, value))


def _branch(value: object) -> Branch:
    match value:
        case {
            "run": str(run),
            "node": str(node),
            "time": int(time),
            "changed": dict(changed),
            "settings": dict(settings),
            "embedder": str(embedder),
        }:
            return Branch(run, node, time, {name: str(given) for name, given in changed.items()}, settings, embedder)
        case _:
            raise ValueError("not the fields of a branch")
