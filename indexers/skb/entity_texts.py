"""Names, aliases, documents and attributes of entities, and what relations say, in SQLite with its full-text index."""

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from heliograph.errors import StoreDamaged, StoreError, UnknownEntity
from heliograph.types import Attribute, Entity, EntityRecord, Scored, Triple
from indexers.database import PRIMARY, translated
from indexers.lexical import FUNCTION_WORDS

REBUILD = "build the knowledge base again"
SCHEMA = """
CREATE TABLE IF NOT EXISTS entities (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL, aliases TEXT NOT NULL,
    text TEXT NOT NULL, attributes TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS entity_ids ON entities (id);
CREATE TABLE IF NOT EXISTS names (folded TEXT, number INTEGER, PRIMARY KEY (folded, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stated (
    relation TEXT, source INTEGER, target INTEGER, text TEXT NOT NULL, evidence TEXT NOT NULL,
    PRIMARY KEY (relation, source, target)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS progress (step TEXT PRIMARY KEY, done INTEGER NOT NULL);
"""
_WORDS = """
DROP TABLE IF EXISTS words;
CREATE VIRTUAL TABLE words USING fts5(name, aliases, text, content='', tokenize='porter unicode61');
INSERT INTO words (rowid, name, aliases, text)
    SELECT number, in_pairs(name), in_pairs(aliases), in_pairs(text) FROM entities ORDER BY number;
ANALYZE;
"""
NAME_WEIGHT, ALIAS_WEIGHT = 4.0, 4.0
"""How much more a word counts in a name or an alias than in a document."""
BETWEEN_ALIASES = "\n"
MOST_WORDS = 64
"""Words of a query that are looked up, the first ones."""
SHOWN = 100
"""Characters of an id in a message."""
AT_ONCE = 500
"""Numbers of one statement."""
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(
    "[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+"
)
"""Runs of Han, kana and Hangul: words of these scripts stand side by side, or have their particles attached."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was read, to be known again when it was replaced."""

    path: Path
    content: bytes
    _stamp: tuple[int, ...]

    @classmethod
    def of(cls, path: Path) -> Self:
        """Read a file.

        Raises:
            OSError: it cannot be read.
        """
        stamp = _stamp(path)
        return cls(path, path.read_bytes(), stamp)

    def is_current(self) -> bool:
        """Say whether the file still stands there, or one with the same content."""
        try:
            return _stamp(self.path) == self._stamp or self.path.read_bytes() == self.content
        except OSError:
            return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _stamp(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size


class EntityTexts:
    """Read what a built base says of its entities; each call opens the file anew, so that threads may share it.

    `description` is that of the base, `relations` its file of relations. Every call raises StoreDamaged when another
    base stands in its place: what is known of the one that was opened must not be mixed with texts of the other. So
    does one after the relations were cut, for what is mapped of them would read as zeros.
    """

    def __init__(self, path: Path, entity_types: Sequence[str], description: FileState, relations: Path) -> None:
        self._path, self._types, self._description = path, tuple(entity_types), description
        self._relations, self._size = relations, _size(relations)

    def entities(self, numbers: Sequence[int]) -> tuple[Entity, ...]:
        """Return entities in the order asked for.

        Raises:
            UnknownEntity: there is no such number.
        """
        rows = {row[0]: row for row in self._of_numbers("number, id, type, name, aliases", numbers)}
        if missing := next((number for number in numbers if number not in rows), None):
            raise UnknownEntity(f"no entity number {missing} in this knowledge base")
        return tuple(self._entity(rows[number]) for number in numbers)

    def entity(self, id: str) -> Entity:
        """Return the entity of an id.

        Raises:
            UnknownEntity: there is none.
        """
        row = self._one("SELECT number, id, type, name, aliases FROM entities WHERE id = ?", id)
        if row is None:
            raise UnknownEntity(f"no entity has the id {id[:SHOWN]!r} in this knowledge base")
        return self._entity(row)

    def named(self, name: str) -> tuple[Entity, ...]:
        """Return the entities of a name or alias, whatever its case and spacing."""
        found = self._all("SELECT number FROM names WHERE folded = ? ORDER BY number", folded(name))
        return self.entities([number for (number,) in found])

    def search(
        self, query: str, k: int, type: str = "", within: Sequence[int] | None = None
    ) -> tuple[Scored[int], ...]:
        """Return entities that have words of a query by BM25 over name, aliases and document, equal ones by number."""
        words = list(dict.fromkeys(word.casefold() for word in _WORD.findall(_UNSPACED.sub(_asked_pairs, query))))
        telling = [word for word in words if word not in FUNCTION_WORDS] or words
        if not telling or k < 1:
            return ()
        any_of = " OR ".join(f'"{word}"{"*" * _is_half(word)}' for word in telling[:MOST_WORDS])
        found = self._all(
            f"SELECT rowid, -bm25(words, {NAME_WEIGHT}, {ALIAS_WEIGHT}, 1.0) FROM words WHERE words MATCH ?"
            " AND (? < 0 OR (SELECT type FROM entities WHERE number = words.rowid) = ?)"
            " AND (? IS NULL OR rowid IN (SELECT value FROM json_each(?))) ORDER BY 2 DESC, 1 LIMIT ?",
            any_of,
            *((self._types.index(type),) * 2 if type else (-1, -1)),
            *((None if within is None else json.dumps([int(each) for each in within]),) * 2),
            k,
        )
        return tuple(Scored(number, score) for number, score in found)

    def documents(self) -> Iterator[tuple[Entity, str]]:
        """Yield all entities in the order of their numbers, each with its text; one at a time is in memory."""
        ask = "SELECT number, id, type, name, aliases, text FROM entities ORDER BY number"
        with self._opened() as connection:
            for *row, text in connection.execute(ask):
                yield self._entity(row), text

    def document(self, number: int) -> str:
        """Return the text of an entity."""
        return str(self._of_number("text", number))

    def attributes(self, number: int) -> Mapping[str, Attribute]:
        """Return the attributes of an entity."""
        found: Mapping[str, Attribute] = json.loads(self._of_number("attributes", number))
        return found

    def numbers_named(self, names: Iterable[str]) -> Mapping[str, tuple[int, ...]]:
        """Return the entities of each folded name that there is."""
        found, asked = defaultdict[str, list[int]](list), sorted(set(names))
        for begin in range(0, len(asked), AT_ONCE):
            part = asked[begin : begin + AT_ONCE]
            marks = ", ".join("?" * len(part))
            rows = self._all(f"SELECT folded, number FROM names WHERE folded IN ({marks}) ORDER BY 1, 2", *part)
            for name, number in rows:
                found[name].append(number)
        return {name: tuple(numbers) for name, numbers in found.items()}

    def numbers_with(self, words: str, most: int) -> tuple[int, ...]:
        """Return the entities whose name or alias has some words in a row, by number; none where they are too many."""
        found = self._with(f"{{name aliases}} : {_phrase(words)}", most)
        return found if len(found) <= most else ()

    def is_rare(self, words: str, most: int) -> bool:
        """Say whether at most some entities have words in a row in a name, an alias or their document."""
        return len(self._with(_phrase(words), most)) <= most

    def attributes_of(self, numbers: Sequence[int]) -> tuple[Mapping[str, Attribute], ...]:
        """Return the attributes of entities in the order asked for.

        Raises:
            UnknownEntity: there is no such number.
        """
        found = {number: json.loads(said) for number, said in self._of_numbers("number, attributes", numbers)}
        if missing := next((number for number in numbers if number not in found), None):
            raise UnknownEntity(f"no entity number {missing} in this knowledge base")
        return tuple(found[number] for number in numbers)

    def stated(self, triples: Sequence[Triple]) -> tuple[Triple, ...]:
        """Return triples with what they say and the evidence that states them, where there is any."""
        ask = "SELECT text, evidence FROM stated WHERE relation = ? AND source = ? AND target = ?"
        with self._opened() as connection:
            found = [connection.execute(ask, (one.relation, one.source, one.target)).fetchone() for one in triples]
        return tuple(
            Triple(one.source, one.relation, one.target, *said) if said else one
            for one, said in zip(triples, found, strict=True)
        )

    def statements(self) -> Iterator[tuple[int, str, int, str]]:
        """Yield source, relation, target and text of every triple that says something; one at a time is in memory."""
        ask = "SELECT source, relation, target, text FROM stated WHERE text != '' ORDER BY relation, source, target"
        with self._opened() as connection:
            yield from connection.execute(ask)

    def check(self, types: npt.NDArray[np.integer]) -> str:
        """Return what is wrong with the file; empty where it is whole.

        Args:
            types: those of all entities by number, as the relations of the base have them [N].
        """
        (said,) = self._one("PRAGMA quick_check") or ("nothing",)
        if said != "ok":
            return str(said)
        with self._opened() as connection:
            (numbers,) = connection.execute("SELECT count(*), min(number), max(number) FROM entities")
            of_type = connection.execute("SELECT type FROM entities ORDER BY number")
            found = np.fromiter((type for (type,) in of_type), np.int64)
            ((indexed,),) = connection.execute("SELECT count(*) FROM words_docsize")
        if numbers != (len(types), 0, len(types) - 1):
            return f"entities: {numbers[0]:,}, numbered {numbers[1]} to {numbers[2]}, and not {len(types):,}"
        if not np.array_equal(found, types):
            return "its entities have other types"
        if indexed != len(types):
            return f"entities in its index of words: {indexed:,}, and not {len(types):,}"
        return self._check_words()

    def _check_words(self) -> str:
        """Let SQLite compare the index of words with itself, where the file may be written, which that alone needs."""
        with translated(self._path, REBUILD), closing(sqlite3.connect(self._uri("rw"), uri=True)) as connection:
            try:
                connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
            except sqlite3.DatabaseError as err:
                unwritable = err.sqlite_errorcode & PRIMARY in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
                return "" if unwritable else f"its index of words is damaged ({err})"
            connection.rollback()
        return ""

    def counts(self) -> tuple[int, int]:
        """Return how many entities have no document, and how many names are those of several."""
        empty = self._one("SELECT count(*) FROM entities WHERE text = ''") or (0,)
        shared = self._one("SELECT count(*) FROM (SELECT folded FROM names GROUP BY folded HAVING count(*) > 1)") or (
            0,
        )
        return int(empty[0]), int(shared[0])

    def _with(self, asked: str, most: int) -> tuple[int, ...]:
        """Return entities that a full-text query finds, by number, and at most one more than `most`."""
        found = self._all("SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", asked, most + 1)
        return tuple(sorted(number for (number,) in found))

    def _entity(self, row: Sequence[Any]) -> Entity:
        number, id, type, name, aliases = row
        several = tuple(filter(None, aliases.split(BETWEEN_ALIASES)))
        return Entity(number, id, self._types[type], name, several)

    def _of_number(self, column: str, number: int) -> str:
        row = self._one(f"SELECT {column} FROM entities WHERE number = ?", number)
        if row is None:
            raise UnknownEntity(f"no entity number {number} in this knowledge base")
        return str(row[0])

    def _of_numbers(self, columns: str, numbers: Sequence[int]) -> Iterable[Sequence[Any]]:
        for begin in range(0, len(numbers), AT_ONCE):
            part = [int(each) for each in numbers[begin : begin + AT_ONCE]]
            marks = ", ".join("?" * len(part))
            yield from self._all(f"SELECT {columns} FROM entities WHERE number IN ({marks})", *part)

    def _one(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self._all(statement, *values)), None)

    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self._opened() as connection:
            try:
                return connection.execute(statement, values).fetchall()
            except UnicodeEncodeError:  # half a character, which no text of a base has
                return []

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the file for reading; a description that is current afterwards is that of the file that was opened."""
        try:
            uri = self._uri("ro&immutable=1")
            with translated(self._path, REBUILD), closing(sqlite3.connect(uri, uri=True)) as connection:
                self.require_current()
                yield connection
        except StoreError:
            self.require_current()
            raise

    def require_current(self) -> None:
        """Raise StoreDamaged when the base was replaced."""
        if not self._description.is_current():
            raise StoreDamaged(f"{self._path.parent} was removed or replaced while it was open; open it again")
        if _size(self._relations) < self._size:
            raise StoreDamaged(f"{self._relations} was cut short while it was open; {REBUILD}")

    def _uri(self, mode: str) -> str:
        return f"{self._path.absolute().as_uri()}?mode={mode}"


def index_words(connection: sqlite3.Connection) -> None:
    """Index the words of all entities; of scripts without spaces pairs of characters, as Lucene's CJKBigram does."""
    connection.create_function("in_pairs", 1, in_pairs, deterministic=True)
    connection.executescript(_WORDS)


def in_pairs(text: str) -> str:
    """Return a text whose runs of Han, kana and Hangul are written as all pairs of characters and the last one."""
    return text if text.isascii() else _UNSPACED.sub(lambda run: _pairs(run[0]), text)


def _pairs(run: str) -> str:
    return f" {' '.join(run[place : place + 2] for place in range(len(run)))} "


def _asked_pairs(run: re.Match[str]) -> str:
    """Return the pairs of a run in a query; a single character stays, and is looked up as the half of a pair."""
    return _pairs(run[0]) if len(run[0]) == 1 else _pairs(run[0])[:-2]


def _is_half(word: str) -> bool:
    return len(word) == 1 and _UNSPACED.match(word) is not None


def _phrase(words: str) -> str:
    """Return words as a phrase of a full-text query."""
    return f'"{" ".join(_WORD.findall(in_pairs(words)))}"'


def folded(name: str) -> str:
    """Return a name as it is looked up: without case, marks of punctuation and double spaces."""
    return " ".join(_WORD.findall(name.casefold()))


def entity_row(number: int, record: EntityRecord, type: int) -> tuple[object, ...]:
    """Return the row that keeps an entity."""
    aliases = BETWEEN_ALIASES.join(" ".join(alias.split()) for alias in record.aliases)
    attributes = json.dumps(dict(record.attributes), ensure_ascii=False)
    return number, record.id, type, record.name, aliases, record.text, attributes


def name_rows(number: int, record: EntityRecord) -> set[tuple[str, int]]:
    """Return the rows by which an entity is found by its name and aliases."""
    return {(key, number) for name in (record.name, *record.aliases) if (key := folded(name))}
