"""Conversations: what was asked, how it was understood, what was answered and which evidence was cited."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from unicodedata import category

from heliograph.errors import StoreDamaged, UnknownName
from heliograph.types import EvidenceId
from memory.conversations.file import ConversationFile
from memory.naming import named
from memory.private_file import WAIT_SECONDS
from memory.trace.folder import new_run_id

TITLE_CHARACTERS = 80
_NOTHING_KEPT = "no conversation is kept; heliograph chat begins one"


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its answer; `cited` has the evidence in the order of its markers, from [1].

    `typed` is the question as it was typed, `asked` as it stands alone, `run` the run that answered it.
    """

    number: int
    typed: str
    asked: str
    run: str
    answer: str
    abstained: bool
    cited: tuple[EvidenceId, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation without its turns; `started` is seconds since the epoch.

    `questions` counts its turns and its questions that have no answer.
    """

    id: str
    started: float
    title: str
    questions: int


class ConversationStore:
    """Conversations in one SQLite file, which only its owner may read; several processes may share it.

    A store sees the conversations of one `owner`: "" has those of the command line, the rest a server's sessions.

    Raises (from every method):
        StoreDamaged: the file cannot be read.
        StoreFull: no space is left.
        StoreLocked: another process writes for longer than `wait_seconds`.
        StoreError: the folder may not be written to.
    """

    def __init__(self, home: Path, owner: str = "", wait_seconds: float = WAIT_SECONDS) -> None:
        self._file = ConversationFile(home, wait_seconds)
        self._owner = owner

    def begin(self, title: str, started: float, name: str = "") -> Conversation:
        """Keep a conversation that has no turn yet, under a name of `new_conversation`; a long title is cut."""
        begun = Conversation(name or new_conversation(started), started, _short(title), 0)
        with self._file.transaction() as file:
            row = (begun.id, started, begun.title, _next(file), self._owner)
            file.execute("INSERT INTO conversations (id, started, title, used, owner) VALUES (?, ?, ?, ?, ?)", row)
        return begun

    def append(self, conversation: str, turn: Turn, question: str = "") -> Turn:
        """Keep a turn as the next of a conversation, which is then the last used; return it with its number.

        The turn answers `question`, by whose name it was kept among those without an answer.

        Raises:
            UnknownName: the conversation was deleted.
        """
        with self._file.transaction() as file:
            row = (_next(file), conversation, self._owner)
            changed = file.execute("UPDATE conversations SET used = ? WHERE id = ? AND owner = ?", row)
            if changed.rowcount == 0:
                raise UnknownName(f"conversation {conversation} is not kept any more; /new begins another")
            highest = "SELECT COALESCE(MAX(number), 0) FROM turns WHERE conversation = ?"
            number = file.execute(highest, (conversation,)).fetchone()[0] + 1
            kept = replace(turn, number=number, answer=_text(turn.answer))
            file.execute(
                "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (conversation, number, kept.typed, kept.asked, kept.run, kept.answer, kept.abstained, _cited(kept)),
            )
            file.execute("DELETE FROM unanswered WHERE name = ? AND conversation = ?", (question, conversation))
        return kept

    def turns(self, conversation: str) -> tuple[Turn, ...]:
        """Return the turns of a conversation in order; none where there is no such conversation."""
        columns = "number, typed, asked, run, answer, abstained, cited"
        with self._file.transaction() as file:
            owned = "SELECT id FROM conversations WHERE id = ? AND owner = ?"
            ordered = f"SELECT {columns} FROM turns WHERE conversation IN ({owned}) ORDER BY number"
            return tuple(map(self._turn, file.execute(ordered, (conversation, self._owner)).fetchall()))

    def all(self) -> tuple[Conversation, ...]:
        """Return every conversation, the one used last at the end."""
        with self._file.transaction() as file:
            rows = file.execute(
                "SELECT id, started, title, (SELECT COUNT(*) FROM turns WHERE conversation = id) + "
                "(SELECT COUNT(*) FROM unanswered WHERE conversation = id) "
                "FROM conversations WHERE owner = ? ORDER BY used",
                (self._owner,),
            ).fetchall()
        return tuple(Conversation(*row) for row in rows)

    def find(self, name: str) -> Conversation:
        """Return a conversation by its id, by an unambiguous beginning of it, or the one used last as `last`.

        Raises:
            UnknownName: there is none of that name, or several begin so.
        """
        kept = self.all()
        if not kept:
            raise UnknownName(_NOTHING_KEPT)
        return named(
            name,
            kept,
            lambda each: each.id,
            several="conversations begin with",
            none="no conversation is named",
            next_step=f"/conversations in heliograph chat names them, last is {kept[-1].id}",
        )

    def rename(self, conversation: str, title: str) -> Conversation:
        """Give a conversation another title, which is cut where it is long.

        Raises:
            UnknownName: there is no such conversation.
        """
        with self._file.transaction() as file:
            changed = file.execute(
                "UPDATE conversations SET title = ? WHERE id = ? AND owner = ?",
                (_short(title), conversation, self._owner),
            )
        if changed.rowcount == 0:
            raise UnknownName(f"conversation {conversation} is not kept any more")
        return self.find(conversation)

    def delete(self, conversation: str) -> None:
        """Forget a conversation and its questions; what its runs recorded stays."""
        with self._file.transaction() as file:
            owned = "SELECT id FROM conversations WHERE id = ? AND owner = ?"
            for table in ("turns", "unanswered"):
                file.execute(f"DELETE FROM {table} WHERE conversation IN ({owned})", (conversation, self._owner))
            file.execute("DELETE FROM conversations WHERE id = ? AND owner = ?", (conversation, self._owner))

    def _turn(self, row: Sequence[object]) -> Turn:
        match row:
            case (int(number), str(typed), str(asked), str(run), str(answer), int(abstained), str(cited)):
                return Turn(number, typed, asked, run, answer, bool(abstained), self._cited(cited))
            case _:
                raise StoreDamaged(f"{self._file.path} holds a turn that is none; {self._file.remedy}")

    def _cited(self, written: str) -> tuple[EvidenceId, ...]:
        try:
            return tuple(EvidenceId(str(each)) for each in json.loads(written))
        except (ValueError, TypeError) as err:
            raise StoreDamaged(f"{self._file.path} holds citations that are none ({err}); {self._file.remedy}") from err


def new_conversation(started: float) -> str:
    """Name a conversation that begins at an instant."""
    return new_run_id(started, token_hex(3))


def _text(answer: str) -> str:
    """Return an answer as a database takes it: what a page had that is no text becomes a question mark."""
    return answer.encode("utf-8", "replace").decode("utf-8")


def _cited(turn: Turn) -> str:
    return json.dumps(turn.cited)


def _next(file: sqlite3.Connection) -> int:
    latest: int = file.execute("SELECT COALESCE(MAX(used), 0) FROM conversations").fetchone()[0]
    return latest + 1


def _short(title: str) -> str:
    """Return a title of one line: control characters and breaks become spaces."""
    title = " ".join("".join(" " if category(sign) == "Cc" else sign for sign in title).split())
    return title if len(title) <= TITLE_CHARACTERS else title[: TITLE_CHARACTERS - 1].rstrip() + "…"
