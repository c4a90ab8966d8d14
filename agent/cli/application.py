"""What the commands need of the composition root, which hands itself over as click's context object."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import click

from agent.api import Agent
from agent.chat.understanding import StandAlone
from agent.services import Services
from heliograph.config import Settings
from heliograph.types import Answer, EvidenceId, MemoryScope
from memory.trace import Event, ReplayRecorder
from memory.trace.folder import Manifest

Progress = Callable[[str], None]
Listener = Callable[[Event], None]


class Asker(Protocol):
    """Heliograph as the commands use it; `run` is the name of the run that was begun last."""

    settings: Settings
    run: str

    def stand_alone(self, progress: Progress = ...) -> StandAlone:
        """Return what rewrites follow-ups of a conversation."""

    async def ask(
        self,
        question: str,
        progress: Progress = ...,
        listener: Listener = ...,
        earlier: Sequence[EvidenceId] = ...,
        scope: MemoryScope | None = ...,
    ) -> Answer: ...

    async def resume(self, run: str, progress: Progress = ..., listener: Listener = ...) -> Answer: ...

    async def branch(
        self,
        run: str,
        node: str,
        changes: Mapping[str, str] | None = ...,
        progress: Progress = ...,
        listener: Listener = ...,
    ) -> Answer: ...

    async def export(self, answer: Answer, path: Path) -> None: ...

    def close(self) -> None: ...


class Application(Protocol):
    """The composition root."""

    def settings(self) -> Settings:
        """Return the settings without flags: heliograph.toml and the environment."""

    def asker(self, preset: str | None, config: Path | None, settings: Mapping[str, Any]) -> Agent:
        """Build a Heliograph from flags."""

    def replay_services(self, recorder: ReplayRecorder, manifest: Manifest) -> Services:
        """Build the services of a recorded run."""


def application() -> Application:
    """Return the composition root of this command."""
    found: Application = click.get_current_context().obj
    return found
