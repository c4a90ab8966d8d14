"""Questions of conversations that have no answer: they are being answered, have failed, or were stopped.

People see them where they asked them. What is asked later leans on answered turns alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from heliograph.errors import StoreDamaged, UnknownName
from memory.conversations.file import ConversationFile
from memory.private_file import WAIT_SECONDS

Ending = Literal["open", "failed", "stopped"]
"""How a question ended; one that is `open` is being answered, or was when the process that answered it ended."""
OWN = "conversation IN (SELECT id FROM conversations WHERE owner = ?)"


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question without an answer, under a name of whoever keeps it; so many turns stood before it.

    `typed` is the question as it was typed; `asked` is it as it stands alone and `run` what researched it, "" until
    they are known. `message` and `code` say why it failed.
    """

    name: str
    typed: str
    behind: int = 0
    asked: str = ""
    run: str = ""
    ending: Ending = "open"
    message: str = ""
    code: str = ""


class UnansweredQuestions:
    """The questions without an answer in the conversations of one owner.

    Raises (from every method):
        StoreError: the file cannot be used.
    """

    def __init__(self, home: Path, owner: str, wait_seconds: float = WAIT_SECONDS) -> None:
        self._file = ConversationFile(home, wait_seconds)
        self._owner = owner

    def keep(self, conversation: str, name: str, typed: str) -> Unanswered:
        """Keep a question that is to be answered, behind all turns that its conversation has.

        Raises:
            UnknownName: the owner has no such conversation.
        """
        with self._file.transaction() as file:
            owned = "SELECT 1 FROM conversations WHERE id = ? AND owner = ?"
            if file.execute(owned, (conversation, self._owner)).fetchone() is None:
                raise UnknownName(f"conversation {conversation} is not kept any more; begin another")
            counted = "SELECT COUNT(*) FROM turns WHERE conversation = ?"
            behind = int(file.execute(counted, (conversation,)).fetchone()[0])
            row = (name, conversation, typed, behind)
            file.execute("INSERT INTO unanswered (name, conversation, typed, behind) VALUES (?, ?, ?, ?)", row)
        return Unanswered(name, typed, behind)

    def begun(self, name: str, asked: str, run: str) -> None:
        """Note how a question was understood, and which run researches it."""
        with self._file.transaction() as file:
            row = (asked, run, name, self._owner)
            file.execute(f"UPDATE unanswered SET asked = ?, run = ? WHERE name = ? AND {OWN}", row)

    def ended(self, name: str, ending: Ending, message: str = "", code: str = "") -> None:
        """Note why a question has no answer."""
        with self._file.transaction() as file:
            row = (ending, message, code, name, self._owner)
            file.execute(f"UPDATE unanswered SET ending = ?, message = ?, code = ? WHERE name = ? AND {OWN}", row)

    def forget(self, name: str) -> None:
        """Forget a question: it was answered, or is asked again."""
        with self._file.transaction() as file:
            file.execute(f"DELETE FROM unanswered WHERE name = ? AND {OWN}", (name, self._owner))

    def of(self, conversation: str) -> tuple[Unanswered, ...]:
        """Return those of a conversation in the order in which they were asked."""
        columns = "name, typed, behind, asked, run, ending, message, code"
        ordered = f"SELECT {columns} FROM unanswered WHERE conversation = ? AND {OWN} ORDER BY place"
        with self._file.transaction() as file:
            rows = file.execute(ordered, (conversation, self._owner)).fetchall()
        return tuple(map(self._question, rows))

    def _question(self, row: Sequence[object]) -> Unanswered:
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
                raise StoreDamaged(f"{self._file.path} holds a question that is none; {self._file.remedy}")
