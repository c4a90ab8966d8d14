"""Conversations: their answered turns, and the questions in them that have no answer."""

from memory.conversations.file import FILE
from memory.conversations.nouns import Conversation, Ending, Turn, Unanswered
from memory.conversations.store import TITLE_CHARACTERS, ConversationStore, new_conversation, short_title

__all__ = [
    "FILE",
    "TITLE_CHARACTERS",
    "Conversation",
    "ConversationStore",
    "Ending",
    "Turn",
    "Unanswered",
    "new_conversation",
    "short_title",
]
