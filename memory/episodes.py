"""Past questions in a file: kept, rated, found, forgotten; several processes may share it."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter, ValidationError

from heliograph.errors import StoreDamaged, UnknownName
from heliograph.protocols import Vectors
from heliograph.types import RATINGS, Episode, Rating
from memory.naming import named
from memory.private_file import WAIT_SECONDS, private_file

FILE = "episodes.sqlite"
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS episodes (run TEXT PRIMARY KEY, owner TEXT NOT NULL, conversation TEXT NOT NULL, "
    "asked REAL NOT NULL, question TEXT NOT NULL, rating TEXT, model TEXT NOT NULL DEFAULT '', vector BLOB, "
    "record TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS episodes_asked ON episodes (owner, asked)",
)
"""The long record stands last, so that vectors are read without it."""
MOST_EPISODES = 5_000
"""Of each user; the oldest are forgotten first."""
NOTHING_KEPT = "no question is remembered; heliograph ask remembers those that it answers, unless memory is off"


@dataclass(frozen=True, slots=True)
class Which:
    """Which episodes are meant: all that every part fits; a part that is not set fits any.

    `text` is looked for, whatever the case, in the question, its queries and its titles; `since` and `before` bound
    when it was asked, in seconds since the epoch.
    """

    run: str = ""
    text: str = ""
    user: str = ""
    conversation: str = ""
    since: float | None = None
    before: float | None = None

    @property
    def clause(self) -> tuple[str, tuple[str | float, ...]]:
        """Return the condition in SQL, without `text`, and its values."""
        parts: dict[str, str | float | None] = {
            "run = ?": self.run or None,
            "owner = ?": self.user or None,
            "conversation = ?": self.conversation or None,
            "asked >= ?": self.since,
            "asked < ?": self.before,
        }
        chosen = {condition: value for condition, value in parts.items() if value is not None}
        return " AND ".join(chosen) or "1", tuple(chosen.values())


@dataclass(frozen=True, slots=True)
class Embedded:
    """The question of a run and its vector; None where the model of now has not embedded it yet."""

    run: str
    question: str
    asked: float
    vector: Vectors | None


class EpisodeStore:
    """Episodes in one SQLite file, which only its owner may read.

    Raises (from every method):
        StoreDamaged: the file cannot be read.
        StoreFull: no space is left.
        StoreLocked: another process writes for longer than `wait_seconds`.
        StoreError: the folder may not be written to.
    """

    def __init__(self, home: Path, wait_seconds: float = WAIT_SECONDS, most: int = MOST_EPISODES) -> None:
        self._path = home / FILE
        self._wait_seconds = wait_seconds
        self._most = most

    def keep(self, episode: Episode) -> None:
        """Keep an episode; one of the same run is replaced, and keeps its thumb. The oldest beyond the most go."""
        record = _codec().dump_json(replace(episode, rating=None)).decode()
        scope = (episode.user, episode.conversation)
        row = (episode.run, *scope, episode.asked, episode.question, record, episode.rating)
        with self._file() as file:
            file.execute(
                "INSERT INTO episodes (run, owner, conversation, asked, question, record, rating) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run) DO UPDATE SET question = excluded.question, "
                "record = excluded.record, model = '', vector = NULL",
                row,
            )
            file.execute(
                "DELETE FROM episodes WHERE run IN (SELECT run FROM episodes WHERE owner = ? "
                "ORDER BY asked DESC, run DESC LIMIT -1 OFFSET ?)",
                (episode.user, self._most),
            )

    def matching(self, which: Which) -> tuple[Episode, ...]:
        """Return the episodes that are meant, the one asked last at the end."""
        read = map(self._episode, self._rows("record, rating", which))
        return tuple(each for each in read if _says(each, which.text))

    def embedded(self, which: Which, model: str) -> tuple[Embedded, ...]:
        """Return the questions that are meant, whatever `text` says, with the vectors that `model` made of them."""
        return tuple(self._embedded(row, model) for row in self._rows("run, question, asked, model, vector", which))

    def embed(self, model: str, vectors: Sequence[tuple[str, Vectors]]) -> None:
        """Keep what a model made of the questions of some runs."""
        rows = [(model, vector.astype("<f4").tobytes(), run) for run, vector in vectors]
        with self._file() as file:
            file.executemany("UPDATE episodes SET model = ?, vector = ? WHERE run = ?", rows)

    def find(self, name: str, user: str = "") -> Episode:
        """Return an episode by its run, by an unambiguous beginning of it, or the one asked last as `last`.

        With a `user` only that one's are looked at.

        Raises:
            UnknownName: there is none of that name, or several begin so.
        """
        kept = [str(run) for (run,) in self._rows("run", Which(user=user))]
        if not kept:
            raise UnknownName(NOTHING_KEPT)
        run = named(
            name,
            kept,
            str,
            several="remembered runs begin with",
            none="no run is remembered by the name",
            next_step="heliograph memory show lists those that are",
        )
        return self._one(run)

    def rate(self, run: str, rating: Rating | None, user: str = "") -> Episode:
        """Keep the user's thumb for a run by its name, as `find` takes it; None takes the thumb back.

        Raises:
            UnknownName: no such run is remembered.
        """
        rated = replace(self.find(run, user), rating=rating)
        with self._file() as file:
            file.execute("UPDATE episodes SET rating = ? WHERE run = ?", (rating, rated.run))
        return rated

    def forget(self, which: Which) -> int:
        """Forget the episodes that are meant; return how many there were."""
        gone = self.matching(which)
        if gone:
            with self._file() as file:
                file.executemany("DELETE FROM episodes WHERE run = ?", [(each.run,) for each in gone])
        return len(gone)

    def _one(self, run: str) -> Episode:
        """Return an episode whose run was just named; another process may have forgotten it since."""
        found = self.matching(Which(run=run))
        if not found:
            raise UnknownName(NOTHING_KEPT)
        return found[0]

    def _rows(self, columns: str, which: Which) -> list[tuple[object, ...]]:
        if not self._path.exists():
            return []
        condition, values = which.clause
        with self._file() as file:
            ordered = f"SELECT {columns} FROM episodes WHERE {condition} ORDER BY asked, run"
            return file.execute(ordered, values).fetchall()

    def _embedded(self, row: tuple[object, ...], model: str) -> Embedded:
        match row:
            case (str(run), str(question), float(asked), str(made_by), bytes() | None as vector):
                known = self._vector(vector) if vector and made_by == model else None
                return Embedded(run, question, asked, known)
            case _:
                raise StoreDamaged(f"{self._path} holds a question that is none; {self._remedy}")

    def _vector(self, kept: bytes) -> Vectors:
        try:
            return np.frombuffer(kept, dtype="<f4")
        except ValueError as err:
            raise StoreDamaged(f"{self._path} holds a vector that is none ({err}); {self._remedy}") from err

    def _episode(self, row: tuple[object, ...]) -> Episode:
        match row:
            case (str(record), str() | None as rating):
                return replace(self._read(record), rating=next((each for each in RATINGS if each == rating), None))
            case _:
                raise StoreDamaged(f"{self._path} holds an episode that is none; {self._remedy}")

    def _read(self, record: str) -> Episode:
        try:
            return _codec().validate_json(record)
        except ValidationError as err:
            first = err.errors()[0]["msg"]
            raise StoreDamaged(f"{self._path} holds an episode that is none ({first}); {self._remedy}") from err

    @property
    def _remedy(self) -> str:
        return f"remove {self._path.name} and past questions are forgotten; their runs stay"

    def _file(self) -> AbstractContextManager[sqlite3.Connection]:
        return private_file(self._path, SCHEMA, self._remedy, self._wait_seconds)


@cache
def _codec() -> TypeAdapter[Episode]:
    return TypeAdapter(Episode)


def _says(episode: Episode, text: str) -> bool:
    said = (
        episode.question,
        *(query.text for query in episode.queries),
        *(page.title for page in episode.pages),
    )
    return any(text.casefold() in each.casefold() for each in said)


def episode_json(episode: Episode) -> str:
    """Return an episode as one line of JSON, its fields by name; equal episodes give equal bytes."""
    return json.dumps(asdict(episode), ensure_ascii=False)
