"""A question of the page, kept in its conversation from when it is accepted until it is answered."""

import asyncio
from dataclasses import dataclass, field
from logging import getLogger

from agent.chat.session import Session
from heliograph.errors import StoreError
from heliograph.types import Answer
from memory.conversations import Turn
from web.happenings import Failed, Happening, Stopped

LOG = getLogger("heliograph.web")


@dataclass(frozen=True, slots=True)
class KeptQuestion:
    """A question among those of its conversation that have no answer; `name` is its job's."""

    name: str
    typed: str
    session: Session
    stands: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once it is kept; nothing is researched before."""

    @property
    def conversation(self) -> str:
        """The conversation that it is asked in."""
        return self.session.name

    async def keep(self, instead: str) -> None:
        """Keep it, in a new conversation where it is the first; the question that it is asked instead of is forgotten.

        Raises:
            StoreError: it cannot be kept.
            UnknownName: the conversation was deleted.
            QuestionGone: the other question is not there.
        """
        await asyncio.to_thread(self.session.keep_question, self.name, self.typed, instead)
        self.stands.set()

    async def begun(self, asked: str, run: str) -> None:
        """Note how it was understood, and which run researches it; where that cannot be noted, it is logged."""
        try:
            await asyncio.to_thread(self.session.store.begun, self.name, asked, run)
        except StoreError as err:
            LOG.warning("the run %s of job %s is not noted: %s", run, self.name, err)

    async def answered(self, asked: str, answer: Answer) -> Turn:
        """Keep its answer; return the turn.

        Raises:
            StoreError: it cannot be kept.
            UnknownName: the conversation was deleted.
            QuestionGone: another was asked instead.
        """
        await asyncio.to_thread(self.session.answered, self.typed, asked, answer, self.name)
        return self.session.last

    async def ended(self, last: Happening) -> None:
        """Note why it has no answer, from the last happening of its job; where that cannot be noted, it is logged."""
        try:
            match last:
                case Failed(message=message, code=code):
                    await asyncio.to_thread(self.session.store.ended, self.name, "failed", message, code)
                case Stopped():
                    await asyncio.to_thread(self.session.store.ended, self.name, "stopped")
        except StoreError as err:
            LOG.warning("how job %s ended is not noted: %s", self.name, err)
