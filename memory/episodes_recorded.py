"""Episodic memory as it is recorded: a replay opens none, and an answer is remembered once."""

from types import NoneType

from heliograph.protocols import EpisodicMemory, Recorder
from heliograph.types import Episode, Recollection


class RecordedMemory:
    """A memory whose every proposal, and everything that it keeps, is recorded."""

    def __init__(self, memory: EpisodicMemory, recorder: Recorder) -> None:
        self._memory = memory
        self._recorder = recorder

    async def recollect(self, question: str) -> Recollection:
        """Recollect, or give back what was recollected."""
        given = {"question": question}
        return await self._recorder.effect(
            "RETRIEVER", "recollect", given, Recollection, lambda: self._memory.recollect(question)
        )

    async def keep(self, episode: Episode) -> None:
        """Keep an episode; in replay nothing is kept."""
        await self._recorder.effect("TOOL", "remember", episode, NoneType, lambda: self._memory.keep(episode))
