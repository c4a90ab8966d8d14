"""Conversations: their answered turns, and the questions in them that have no answer."""

from memory.conversations.file import FILE
from memory.conversations.store import TITLE_CHARACTERS, Conversation, ConversationStore, Turn, new_conversation
from memory.conversations.unanswered import Ending, Unanswered, UnansweredQuestions

__all__ = [
    "FILE",
    "TITLE_CHARACTERS",
    "Conversation",
    "ConversationStore",
    "Ending",
    "Turn",
    "Unanswered",
    "UnansweredQuestions",
    "new_conversation",
]
