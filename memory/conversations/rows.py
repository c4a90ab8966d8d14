"""Rows of the tables, as nouns and back."""

import json
from collections.abc import Sequence
from dataclasses import astuple

from heliograph.types import EvidenceId
from memory.conversations.nouns import Turn, Unanswered

TURN = "number, typed, asked, run, answer, abstained, cited"
UNANSWERED = "name, typed, behind, asked, run, ending, message, code"


def turn_row(turn: Turn) -> tuple[str | int, ...]:
    """Return a turn as its columns."""
    *plain, _ = astuple(turn)
    return (*map(plain_text, plain), json.dumps(turn.cited))


def turn_of(row: Sequence[object]) -> Turn:
    """Read a turn.

    Raises:
        ValueError | TypeError: it is none.
    """
    match row:
        case (int(number), str(typed), str(asked), str(run), str(answer), int(abstained), str(cited)):
            pieces = tuple(EvidenceId(str(each)) for each in json.loads(cited))
            return Turn(number, typed, asked, run, answer, bool(abstained), pieces)
        case _:
            raise ValueError("a column is of another type")


def unanswered_of(row: Sequence[object]) -> Unanswered:
    """Read a question without an answer.

    Raises:
        ValueError: it is none.
    """
    match row:
        case (
            str(name),
            str(typed),
            int(behind),
            str(asked),
            str(run),
            "open" | "failed" | "stopped" as ending,
            str(message),
            str(code),
        ):
            return Unanswered(name, typed, behind, asked, run, ending, message, code)
        case _:
            raise ValueError("a column is of another type")


def plain_text(value: str | int) -> str | int:
    """Return a text as a database takes it: what a page had that is no text becomes a question mark."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value
