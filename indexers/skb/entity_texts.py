"""Names, aliases, documents and attributes of entities, and what relations say, in SQLite with its full-text index."""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from heliograph.errors import UnknownEntity
from heliograph.types import Attribute, Entity, EntityRecord, Scored, Triple
from indexers.database import translated
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
WORDS = """
CREATE VIRTUAL TABLE words USING fts5(
    name, aliases, text, content='entities', content_rowid='number', tokenize='porter unicode61');
INSERT INTO words (words) VALUES ('rebuild');
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


class EntityTexts:
    """Read what a built base says of its entities; each call opens the file anew, so that threads may share it."""

    def __init__(self, path: Path, entity_types: Sequence[str]) -> None:
        self._path, self._types = path, tuple(entity_types)

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
        words = list(dict.fromkeys(word.casefold() for word in _WORD.findall(query)))
        telling = [word for word in words if word not in FUNCTION_WORDS] or words
        if not telling or k < 1:
            return ()
        any_of = " OR ".join(f'"{word}"' for word in telling[:MOST_WORDS])
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
        with translated(self._path, REBUILD), closing(self._open()) as connection:
            for *row, text in connection.execute(ask):
                yield self._entity(row), text

    def document(self, number: int) -> str:
        """Return the text of an entity."""
        return str(self._of_number("text", number))

    def attributes(self, number: int) -> Mapping[str, Attribute]:
        """Return the attributes of an entity."""
        found: Mapping[str, Attribute] = json.loads(self._of_number("attributes", number))
        return found

    def stated(self, triples: Sequence[Triple]) -> tuple[Triple, ...]:
        """Return triples with what they say and the evidence that states them, where there is any."""
        ask = "SELECT text, evidence FROM stated WHERE relation = ? AND source = ? AND target = ?"
        with translated(self._path, REBUILD), closing(self._open()) as connection:
            found = [connection.execute(ask, (one.relation, one.source, one.target)).fetchone() for one in triples]
        return tuple(
            Triple(one.source, one.relation, one.target, *said) if said else one
            for one, said in zip(triples, found, strict=True)
        )

    def check(self) -> str:
        """Return what SQLite finds wrong with the file; empty where it is whole."""
        (said,) = self._one("PRAGMA quick_check") or ("nothing",)
        return "" if said == "ok" else str(said)

    def counts(self) -> Mapping[str, int]:
        """Return how many entities have no document, and how many names are those of several."""
        empty = self._one("SELECT count(*) FROM entities WHERE text = ''") or (0,)
        shared = self._one("SELECT count(*) FROM (SELECT folded FROM names GROUP BY folded HAVING count(*) > 1)") or (
            0,
        )
        return {"entities without a document": int(empty[0]), "names of more than one entity": int(shared[0])}

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
        with translated(self._path, REBUILD), closing(self._open()) as connection:
            return connection.execute(statement, values).fetchall()

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)


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
