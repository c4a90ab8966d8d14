"""What a question means within its conversation: the seam at which follow-ups are rewritten to stand alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from memory.conversations import Turn

HEARD_CHARACTERS = 4_000
"""Of the question and of the answer of a turn: what a follow-up leans on is said early, and programs send any text."""
TURNS_HEARD = 6
"""The last turns that a follow-up may lean on; what is said of "it" later than that is said of something else."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """A question as it is to be asked; `open_words` lean on earlier turns, and what they stand for is not known."""

    asked: str
    open_words: str = ""


class StandAlone(Protocol):
    """Rewrite a follow-up so that it can be understood without its conversation."""

    async def rewrite(self, question: str, turns: Sequence[Turn]) -> Understanding:
        """Return the question as it stands alone, unchanged where it does already; `turns` are not empty."""


async def understand(question: str, conversation: Sequence[Turn], rewriter: StandAlone) -> Understanding:
    """Return what is to be asked; the first question of a conversation passes unchanged."""
    turns = tuple(map(_heard, conversation[-TURNS_HEARD:]))
    return await rewriter.rewrite(question, turns) if turns else Understanding(question)


def _heard(turn: Turn) -> Turn:
    """Return a turn with the beginning of what was said."""
    asked, answer = (text[:HEARD_CHARACTERS] for text in (turn.asked, turn.answer))
    return replace(turn, asked=asked, answer=answer)
