"""A question of the page, kept in its conversation from when it is accepted until it is answered."""

import asyncio
from dataclasses import dataclass
from logging import getLogger

from agent.chat.session import Session
from heliograph.errors import StoreError
from heliograph.types import Answer
from memory.conversations import Turn, UnansweredQuestions
from web.happenings import Failed, Happening, Stopped

LOG = getLogger("heliograph.web")


@dataclass(frozen=True, slots=True)
class KeptQuestion:
    """A question among those of its conversation that have no answer; `name` is its job's."""

    name: str
    typed: str
    session: Session
    store: UnansweredQuestions

    @property
    def conversation(self) -> str:
        """The conversation that it was asked in."""
        assert self.session.conversation is not None, "a kept question stands in a conversation"
        return self.session.conversation.id

    def keep(self) -> None:
        """Keep it, in a new conversation where it is the first.

        Raises:
            StoreError: it cannot be kept.
            UnknownName: the conversation was deleted.
        """
        if self.session.conversation is None:
            self.session.begin(self.typed)
        self.store.keep(self.conversation, self.name, self.typed)

    def drop(self) -> None:
        """Forget it as if it had never been asked, with a conversation that has nothing else."""
        self.store.forget(self.name)
        if not self.session.store.find(self.conversation).questions:
            self.session.store.delete(self.conversation)

    async def begun(self, asked: str, run: str) -> None:
        """Note how it was understood, and which run researches it.

        Raises:
            StoreError: it cannot be noted.
        """
        await asyncio.to_thread(self.store.begun, self.name, asked, run)

    async def answered(self, asked: str, answer: Answer) -> Turn:
        """Keep its answer; return the turn.

        Raises:
            StoreError: it cannot be kept.
            UnknownName: the conversation was deleted.
        """
        await asyncio.to_thread(self.session.answered, self.typed, asked, answer, self.name)
        return self.session.last

    async def ended(self, last: Happening) -> None:
        """Note why it has no answer, from the last happening of its job; a store that takes no note is logged."""
        try:
            match last:
                case Failed(message=message, code=code):
                    await asyncio.to_thread(self.store.ended, self.name, "failed", message, code)
                case Stopped():
                    await asyncio.to_thread(self.store.ended, self.name, "stopped")
        except StoreError as err:
            LOG.warning("how job %s ended is not noted: %s", self.name, err)
