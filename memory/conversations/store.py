"""Conversations: what was asked, how it was understood, what was answered and which evidence was cited."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from sqlite3 import Connection
from unicodedata import category

from heliograph.errors import QuestionGone, StoreDamaged, UnknownName
from memory.conversations.file import ConversationFile
from memory.conversations.nouns import Conversation, Ending, Turn, Unanswered
from memory.conversations.rows import TURN, UNANSWERED, plain_text, turn_of, turn_row, unanswered_of
from memory.naming import named
from memory.private_file import WAIT_SECONDS
from memory.trace.folder import new_run_id

TITLE_CHARACTERS = 80
_GONE = "the question that this is asked instead of is no longer there: it was answered, or asked again, elsewhere"
_NOTHING_KEPT = "no conversation is kept; heliograph chat begins one"


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
        with self._file.transaction() as file:
            return self._insert(file, name or new_conversation(started), title, started)

    def ask(
        self, conversation: str, name: str, typed: str, *, started: float | None = None, instead: str = ""
    ) -> Unanswered:
        """Keep a question that is to be answered, behind all turns of its conversation, which is then the last used.

        With `started` the conversation begins with it, under it as its title. `instead` names a question without an
        answer in the same conversation, which is forgotten for this one.

        Raises:
            UnknownName: the conversation is not kept; nothing is changed.
            QuestionGone: the question that is to be forgotten is not kept; nothing is changed.
        """
        with self._file.transaction() as file:
            if started is not None:
                self._insert(file, conversation, typed, started)
            self._use(file, conversation)
            if instead:
                named_so = "DELETE FROM unanswered WHERE name = ? AND conversation = ?"
                if not file.execute(named_so, (instead, conversation)).rowcount:
                    raise QuestionGone(_GONE)
            counted = "SELECT COUNT(*) FROM turns WHERE conversation = ?"
            kept = Unanswered(name, str(plain_text(typed)), int(file.execute(counted, (conversation,)).fetchone()[0]))
            file.execute(
                "INSERT INTO unanswered (name, conversation, typed, behind) VALUES (?, ?, ?, ?)",
                (name, conversation, kept.typed, kept.behind),
            )
        return kept

    def begun(self, name: str, asked: str, run: str) -> None:
        """Note how a question was understood, and which run researches it."""
        self._note(name, {"asked": asked, "run": run})

    def ended(self, name: str, ending: Ending, message: str = "", code: str = "") -> None:
        """Note why a question has no answer."""
        self._note(name, {"ending": ending, "message": message, "code": code})

    def append(self, conversation: str, turn: Turn, question: str = "") -> Turn:
        """Keep a turn as the next of a conversation, which is then the last used; return it with its number.

        The turn answers `question`, by whose name it was kept among those without an answer; "" is none that was kept.
        What was asked after it and has no answer yet stands behind it from now on.

        Raises:
            UnknownName: the conversation was deleted.
            QuestionGone: another was asked instead of that question.
        """
        with self._file.transaction() as file:
            self._use(file, conversation)
            highest = "SELECT COALESCE(MAX(number), 0) FROM turns WHERE conversation = ?"
            number = file.execute(highest, (conversation,)).fetchone()[0] + 1
            kept = replace(turn, number=number, answer=str(plain_text(turn.answer)))
            file.execute(
                f"INSERT INTO turns (conversation, {TURN}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (conversation, *turn_row(kept)),
            )
            if question:
                _answered(file, conversation, question, number)
        return kept

    def turns(self, conversation: str) -> tuple[Turn, ...]:
        """Return the turns of a conversation in order; none where there is no such conversation."""
        return tuple(each for each in self.asked(conversation) if isinstance(each, Turn))

    def asked(self, conversation: str) -> tuple[Turn | Unanswered, ...]:
        """Return all questions of a conversation as they stand: one without an answer behind the turns before it."""
        own = "conversation IN (SELECT id FROM conversations WHERE id = ? AND owner = ?)"
        row = (conversation, self._owner)
        with self._file.transaction() as file:
            answered = file.execute(f"SELECT {TURN} FROM turns WHERE {own} ORDER BY number", row).fetchall()
            without = file.execute(f"SELECT {UNANSWERED} FROM unanswered WHERE {own} ORDER BY place", row).fetchall()
        try:
            return tuple(sorted((*map(turn_of, answered), *map(unanswered_of, without)), key=_place))
        except (ValueError, TypeError) as err:
            raise StoreDamaged(f"{self._file.path} holds a question that is none ({err}); {self._file.remedy}") from err

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
                (short_title(title), conversation, self._owner),
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

    def _insert(self, file: Connection, name: str, title: str, started: float) -> Conversation:
        begun = Conversation(name, started, short_title(title), 0)
        row = (name, started, begun.title, _next(file), self._owner)
        file.execute("INSERT INTO conversations (id, started, title, used, owner) VALUES (?, ?, ?, ?, ?)", row)
        return begun

    def _use(self, file: Connection, conversation: str) -> None:
        """Make a conversation the last used.

        Raises:
            UnknownName: the owner has no such conversation.
        """
        row = (_next(file), conversation, self._owner)
        changed = file.execute("UPDATE conversations SET used = ? WHERE id = ? AND owner = ?", row)
        if changed.rowcount == 0:
            raise UnknownName(f"conversation {conversation} is not kept any more; /new begins another")

    def _note(self, name: str, said: Mapping[str, str]) -> None:
        columns = ", ".join(f"{column} = ?" for column in said)
        own = "conversation IN (SELECT id FROM conversations WHERE owner = ?)"
        row = (*map(plain_text, said.values()), name, self._owner)
        with self._file.transaction() as file:
            file.execute(f"UPDATE unanswered SET {columns} WHERE name = ? AND {own}", row)


def _answered(file: Connection, conversation: str, question: str, number: int) -> None:
    """Take a question from among those without an answer, and put those that were asked after it behind its turn."""
    own = (question, conversation)
    behind = (
        "UPDATE unanswered SET behind = ? WHERE conversation = ? "
        "AND place > (SELECT place FROM unanswered WHERE name = ? AND conversation = ?)"
    )
    file.execute(behind, (number, conversation, *own))
    if not file.execute("DELETE FROM unanswered WHERE name = ? AND conversation = ?", own).rowcount:
        raise QuestionGone("another was asked instead of this question")


def _place(asked: Turn | Unanswered) -> tuple[int, bool]:
    """Return where a question stands: one without an answer right behind the turns that were there before it."""
    return (asked.number, False) if isinstance(asked, Turn) else (asked.behind, True)


def new_conversation(started: float) -> str:
    """Name a conversation that begins at an instant."""
    return new_run_id(started, token_hex(3))


def _next(file: Connection) -> int:
    latest: int = file.execute("SELECT COALESCE(MAX(used), 0) FROM conversations").fetchone()[0]
    return latest + 1


def short_title(title: str) -> str:
    """Return a title of one line: control characters and breaks become spaces."""
    title = str(plain_text(title))
    title = " ".join("".join(" " if category(sign) == "Cc" else sign for sign in title).split())
    return title if len(title) <= TITLE_CHARACTERS else title[: TITLE_CHARACTERS - 1].rstrip() + "…"
