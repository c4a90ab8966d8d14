"""What the server needs of Heliograph: one seam, which app.py fills with a preset's settings each."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from agent.chat.understanding import StandAlone
from heliograph.config import Settings
from heliograph.types import EvidenceId, FormChoice, ImageEvidence, MemoryScope, Picture
from heliograph.types.streaming import StreamEvent


class Researcher(Protocol):
    """Answers questions under one preset; several may be asked side by side."""

    def stream(
        self,
        question: str,
        earlier: Sequence[EvidenceId] = (),
        scope: MemoryScope | None = None,
        form: FormChoice | None = None,
    ) -> AsyncGenerator[StreamEvent, None]:
        """Answer a question, told event by event; closing the generator stops the run.

        Raises:
            HeliographError: bad input, no source, no model, or a store that cannot be used.
        """

    def stand_alone(self, progress: Callable[[str], None] = ...) -> StandAlone:
        """Return what rewrites follow-ups."""

    async def picture(self, image: ImageEvidence) -> Picture:
        """Return a picture, decoded and encoded anew.

        Raises:
            PageUnavailable: no source has it.
        """


class Employer(Protocol):
    """The composition root as `serve` sees it."""

    def staff(self, preset: str | None, config: Path | None, settings: Mapping[str, Any]) -> "Staff":
        """Build who answers, and take the home folder.

        Raises:
            UsageError: there is no source, or one that cannot be used.
            StoreError: the home folder cannot be used.
        """


@dataclass(frozen=True, slots=True)
class About:
    """What a preset is, for people."""

    mode: Literal["llm", "extractive"]
    model: str
    sources: tuple[str, ...]
    rounds: int


@dataclass(frozen=True, slots=True)
class Staff:
    """All researchers of a server by the names under which clients choose them; the first is the default.

    `key` is what programs must show, "" where nobody need; `secrets` are masked in what is shown of traces; `remembers`
    says whether past questions are remembered; `close` frees the home folder that all share.
    """

    home: Path
    researchers: Mapping[str, Researcher]
    about: Mapping[str, About]
    close: Callable[[], None]
    key: str = ""
    secrets: tuple[str, ...] = ()
    remembers: bool = False

    @property
    def default(self) -> str:
        """The name of the one that is asked where none is named."""
        return next(iter(self.researchers))


def about(settings: Settings) -> About:
    """Say what settings are, for people."""
    endpoint = settings.endpoint("answer")
    mode: Literal["llm", "extractive"] = "llm" if endpoint else "extractive"
    return About(mode, endpoint.model if endpoint else "", settings.sources, settings.rounds)
