"""What a question means within its conversation: the seam at which follow-ups are rewritten to stand alone."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from agent.chat.extractive import leanings
from memory.conversations import Turn

HEARD_CHARACTERS = 4_000
"""Of the question and of the answer of a turn: what a follow-up leans on is said early, and programs send any text."""
TURNS_HEARD = 6
"""The last turns that a follow-up may lean on; what is said of "it" later than that is said of something else."""


class StandAlone(Protocol):
    """Rewrite a follow-up so that it can be understood without its conversation."""

    async def rewrite(self, question: str, turns: Sequence[Turn]) -> str:
        """Return the question as it stands alone, or unchanged where it cannot be rewritten; `turns` are not empty."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """A question as it is to be asked; `open_words` leaned on earlier turns, and what they stand for is not known."""

    asked: str
    open_words: str = ""


async def understand(question: str, conversation: Sequence[Turn], rewriter: StandAlone) -> Understanding:
    """Return what is to be asked: a question without a cue, or the first of a conversation, passes unchanged."""
    turns = tuple(map(_heard, conversation[-TURNS_HEARD:]))
    leaning = await asyncio.to_thread(leanings, question, turns) if turns else ()
    if not leaning:
        return Understanding(question)
    asked = await rewriter.rewrite(question, turns)
    return Understanding(asked, leaning[0].text if asked == question else "")


def _heard(turn: Turn) -> Turn:
    """Return a turn with the beginning of what was said."""
    asked, answer = (text[:HEARD_CHARACTERS] for text in (turn.asked, turn.answer))
    return replace(turn, asked=asked, answer=answer)
