"""One conversation as it goes on: its turns, the evidence that they cited, and what it leans on."""

import time
from pathlib import Path

from heliograph.errors import UnknownName
from heliograph.types import DEFAULT_USER, Answer, EvidenceId, MemoryScope
from memory.conversations import Conversation, ConversationStore, Turn, new_conversation, short_title
from memory.episodes import EpisodeStore, Which

MOST_EARLIER = 20
"""Pieces of earlier evidence that a question begins with: as many as the final evidence has."""


class Session:
    """The conversation of now, one of its owner's.

    It is kept from its first answer on, or from a question that is kept before it is answered.
    """

    def __init__(self, home: Path, owner: str = "") -> None:
        self.home = home
        self.store = ConversationStore(home, owner)
        self.conversation: Conversation | None = None
        self.turns: tuple[Turn, ...] = ()
        self.run = ""
        self._owner = owner
        self._name = new_conversation(time.time())

    @property
    def name(self) -> str:
        """Return the name of the conversation of now, whether it is kept yet or not."""
        return self._name

    @property
    def scope(self) -> MemoryScope:
        """Return whose questions these are, and of which conversation, from the first on."""
        return MemoryScope(self._owner or DEFAULT_USER, self._name)

    @property
    def earlier(self) -> tuple[EvidenceId, ...]:
        """Return the evidence that earlier turns cited, that of the last turn first."""
        cited = (piece for turn in reversed(self.turns) for piece in turn.cited)
        return tuple(dict.fromkeys(cited))[:MOST_EARLIER]

    @property
    def last(self) -> Turn:
        """Return the last turn.

        Raises:
            UnknownName: nothing was answered yet.
        """
        if not self.turns:
            raise UnknownName("nothing was answered in this conversation yet; ask a question first")
        return self.turns[-1]

    def go_on(self, name: str) -> Conversation:
        """Take up a kept conversation by its id or as `last`.

        Raises:
            UnknownName: there is no such conversation.
        """
        self.conversation = self.store.find(name)
        self.turns = self.store.turns(self.conversation.id)
        self._name = self.conversation.id
        self.run = self.turns[-1].run if self.turns else ""
        return self.conversation

    def begin_anew(self) -> None:
        """Forget what was said, for what is asked next; what was kept stays kept."""
        self.conversation, self.turns, self.run = None, (), ""
        self._name = new_conversation(time.time())

    def keep_question(self, name: str, typed: str, instead: str = "") -> None:
        """Keep a question under a name, from which on the conversation is kept; see `ConversationStore.ask`.

        Raises:
            StoreError: it cannot be kept.
            UnknownName: the conversation was deleted.
            QuestionGone: what it is asked instead of is not there.
        """
        started = time.time() if self.conversation is None else None
        self.store.ask(self._name, name, typed, started=started, instead=instead)
        if started is not None:
            self.conversation = Conversation(self._name, started, short_title(typed), 1)

    def answered(self, typed: str, asked: str, answer: Answer, question: str = "") -> None:
        """Keep a turn, which answers a question of that name among those without an answer.

        Raises:
            StoreError: it cannot be kept; the conversation goes on with it all the same.
            UnknownName: the conversation was deleted meanwhile.
            QuestionGone: another was asked instead of that question.
        """
        cited = tuple(citation.evidence for citation in answer.citations)
        turn = Turn(len(self.turns) + 1, typed, asked, answer.run, answer.answer, answer.abstained, cited)
        self.turns, self.run = (*self.turns, turn), answer.run
        if self.conversation is None:
            self.conversation = self.store.begin(typed, time.time(), self._name)
        self.turns = (*self.turns[:-1], self.store.append(self._name, turn, question))

    def forget(self, name: str) -> Conversation:
        """Delete a kept conversation, and what is remembered of its questions; the one of now goes on as a new one.

        Raises:
            UnknownName: there is no such conversation.
        """
        gone = self.store.find(name)
        self.store.delete(gone.id)
        EpisodeStore(self.home).forget(Which(conversation=gone.id))
        if self.conversation is not None and self.conversation.id == gone.id:
            self.begin_anew()
        return gone
