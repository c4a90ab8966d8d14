"""Build a knowledge base from records: entities and names first, then relations, then the full-text index.

A build goes on where it was stopped: entities by batches, the other steps as a whole. It is written beside its place
and moved there when it is whole.
"""

import json
import os
import shutil
import sqlite3
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from heliograph.errors import UsageError
from heliograph.storage import refuse_to_replace, storage_error
from heliograph.types import Direction, EntityRecord, TripleRecord
from indexers.database import translated
from indexers.lock import HOLDER_NAME, LOCK_NAME, WriterLock
from indexers.skb.adjacency import NUMBER, PARTS, WAYS, Extent, Numbers, append_array, sorted_rows, triple_keys
from indexers.skb.entity_texts import REBUILD, SCHEMA, entity_row, index_words, name_rows

FORMAT = 2
DESCRIPTION, TEXTS, RELATIONS = "base.json", "texts.sqlite", "relations.bin"
BATCH = 10_000
"""Entities of one transaction."""
NAMED = 5
"""Ids that a report names of each fault."""
SECONDS_BETWEEN = 2.0
"""Between two lines of progress."""
MOST_ENTITIES = 2**31 - 1
CACHE_KIB = 64 * 1024
"""Of SQLite's pages while a base is built."""

Progress = Callable[[str], None]


class RecordSource(Protocol):
    """Where records come from; it may be read several times, and yields the same each time.

    `name` is empty where its base is to be called as its folder is; `fingerprint` changes when what it yields may have
    changed; `candidate_types` are those that may answer a query, all if it is empty.
    """

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def candidate_types(self) -> tuple[str, ...]: ...

    def entities(self) -> Iterator[EntityRecord]: ...

    def triples(self) -> Iterator[TripleRecord]: ...


class Counted(NamedTuple):
    """What is counted, as one says it of one and of several."""

    one: str
    several: str

    def of(self, number: int) -> str:
        """Return a number of them in words: "1 entity", "1,200 entities"."""
        return f"{number:,} {self.one if number == 1 else self.several}"


ENTITIES, TYPES = Counted("entity", "entities"), Counted("type", "types")
TRIPLES, KINDS = Counted("relation", "relations"), Counted("kind", "kinds")
REPEATED = Counted(*(f"{each} with the id of another one, left out" for each in ENTITIES))
UNKNOWN_CANDIDATES = Counted(*(f"candidate {each} that no entity has" for each in TYPES))
SAME_BUT_CASE = Counted("type that differs in case alone", "types that differ in case alone")
RESTATED = Counted(*(f"{each} stated more than once, kept once" for each in TRIPLES))
DANGLING = Counted(*(f"{each} to an entity that there is not, left out" for each in TRIPLES))
LOOPS = Counted("relation of an entity to itself, kept", "relations of an entity to itself, kept")


@dataclass(slots=True)
class Faults:
    """What records had wrong, by fault: how many, and the first few by id."""

    counts: Counter[Counted] = field(default_factory=Counter)
    named: dict[Counted, list[str]] = field(default_factory=dict)

    def add(self, fault: Counted, id: str, times: int = 1) -> None:
        """Count one, or several of the same id."""
        if times:
            self.counts[fault] += times
            several = self.named.setdefault(fault, [])
            if id and len(several) < NAMED and id not in several:
                several.append(id)

    def told(self) -> tuple[str, ...]:
        """Say each in a line."""
        return tuple(
            fault.of(count)
            + (
                f": {', '.join(named)}{', …' if len(named) == NAMED < count else ''}"
                if (named := self.named[fault])
                else ""
            )
            for fault, count in sorted(self.counts.items(), key=lambda pair: pair[0].several)
        )


@dataclass(frozen=True, slots=True)
class BaseDescription:
    """What stands in `base.json`: names, counts, faults, and where each array of the file of relations is.

    `digest` is the sha256 of all records in their order: two bases with the same one hold the same.
    """

    name: str
    digest: str
    entity_types: Mapping[str, int]
    relations: Mapping[str, int]
    candidate_types: tuple[str, ...]
    faults: tuple[str, ...]
    arrays: Mapping[str, Extent]
    format: int = FORMAT


def build_base(source: RecordSource, out: Path, say: Progress, *, force: bool = False) -> BaseDescription:
    """Build the base at `out`, a folder, and return its description.

    Raises:
        UsageError: `check_place` refuses `out`, or the source has a wrong record, no entities or none of a candidate
            type.
        StoreLocked: another process builds it.
        StoreError: the disk is full, or the folder cannot be written.
    """
    check_place(out, force=force)
    unfinished = out.with_name(f"{out.name}.building")
    lock = WriterLock(unfinished, "name another place")
    lock.acquire()
    try:
        described = _Build(source, source.name or out.stem, unfinished, say).run()
        (unfinished / DESCRIPTION).write_text(json.dumps(asdict(described), ensure_ascii=False), encoding="utf8")
        if out.exists():
            shutil.rmtree(out)
        unfinished.rename(out)
        for name in (LOCK_NAME, HOLDER_NAME):
            (out / name).unlink(missing_ok=True)
    except OSError as err:
        raise storage_error(err, unfinished, "name another place") from err
    finally:
        lock.release()
    return described


def check_place(out: Path, *, force: bool = False) -> None:
    """Refuse a place where no base can be put: only a base is ever replaced.

    Raises:
        UsageError: there is something, and it is no base or not to be replaced; or its folder is not there.
    """
    if not out.name:
        raise UsageError(f"{out} is a folder that is there already; name one that is to be made")
    if out.exists() and not (out / DESCRIPTION).is_file():
        raise UsageError(f"{out} is there already and is no knowledge base; name another place")
    refuse_to_replace(out, force)
    if not out.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {out.parent}; make it, or name another place")


class _Build:
    """One build, in a folder of its own."""

    def __init__(self, source: RecordSource, name: str, folder: Path, say: Progress) -> None:
        self._source, self._name, self._folder, self._say = source, name, folder, say
        self._types: dict[str, int] = {}
        self._faults = Faults()
        self._digest = sha256()
        self._told = monotonic()

    def run(self) -> BaseDescription:
        """Take all steps that were not taken before."""
        self._begin()
        with translated(self._folder / TEXTS, REBUILD), closing(sqlite3.connect(self._folder / TEXTS)) as texts:
            texts.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            texts.execute("PRAGMA journal_mode = WAL")
            texts.executescript(SCHEMA)
            numbers = self._add_entities(texts)
            if not numbers:
                raise UsageError(f"the source of {self._name} has no entities; a knowledge base needs some")
            self._check_types()
            types = np.array([row[0] for row in texts.execute("SELECT type FROM entities ORDER BY number")], "<u4")
            relations, arrays = self._add_relations(texts, numbers, types)
            self._say("indexing the words of all entities")
            index_words(texts)
            texts.execute("PRAGMA journal_mode = DELETE")
        (self._folder / "fingerprint").unlink()
        counts = np.bincount(types, minlength=len(self._types))
        return BaseDescription(
            self._name,
            self._digest.hexdigest(),
            {name: int(counts[place]) for name, place in self._types.items()},
            relations,
            self._source.candidate_types,
            self._faults.told(),
            arrays,
        )

    def _begin(self) -> None:
        """Go on with what an earlier build of the same source left, or begin anew."""
        mark = self._folder / "fingerprint"
        if not mark.exists() or mark.read_text(encoding="utf8") != self._source.fingerprint:
            for name in (TEXTS, f"{TEXTS}-wal", f"{TEXTS}-shm", RELATIONS):
                (self._folder / name).unlink(missing_ok=True)
            mark.write_text(self._source.fingerprint, encoding="utf8")

    def _add_entities(self, texts: sqlite3.Connection) -> dict[str, int]:
        """Keep the entities that are not kept yet, and return the number of each id."""
        (begun,) = texts.execute("SELECT coalesce(max(done), 0) FROM progress WHERE step = 'entities'").fetchone()
        numbers: dict[str, int] = {}
        for read, several in enumerate(_batches(self._source.entities()), start=1):
            self._hash([(each.id, each.type, each.name, each.text, each.aliases, each.attributes) for each in several])
            rows, names = [], list[tuple[str, int]]()
            for record in several:
                if record.id in numbers:
                    self._faults.add(REPEATED, record.id)
                    continue
                numbers[record.id] = number = len(numbers)
                type = self._types.setdefault(record.type, len(self._types))
                if read > begun:
                    rows.append(entity_row(number, record, type))
                    names += name_rows(number, record)
            if read > begun:
                with texts:
                    texts.executemany("INSERT INTO entities VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                    texts.executemany("INSERT INTO names VALUES (?, ?)", names)
                    texts.execute("INSERT OR REPLACE INTO progress VALUES ('entities', ?)", (read,))
            self._progress(ENTITIES.of(len(numbers)))
        if len(numbers) > MOST_ENTITIES:
            raise UsageError(f"{len(numbers):,} entities are more than the {MOST_ENTITIES:,} that a base may have")
        self._say(f"{ENTITIES.of(len(numbers))} of {TYPES.of(len(self._types))}")
        return numbers

    def _check_types(self) -> None:
        """Refuse candidates of which there are none; remark types that no entity has, or that differ in case alone."""
        unknown = [type for type in self._source.candidate_types if type not in self._types]
        if unknown and len(unknown) == len(self._source.candidate_types):
            raise UsageError(f"no entity has the candidate type {unknown[0]!r}; types are {', '.join(self._types)}")
        for type in unknown:
            self._faults.add(UNKNOWN_CANDIDATES, type)
        folded = Counter(map(str.casefold, self._types))
        for type in (each for each in self._types if folded[each.casefold()] > 1):
            self._faults.add(SAME_BUT_CASE, type)

    def _add_relations(
        self, texts: sqlite3.Connection, numbers: Mapping[str, int], types: Numbers
    ) -> tuple[Mapping[str, int], Mapping[str, Extent]]:
        """Sort all triples into rows, and keep what they say."""
        with texts:
            texts.execute("DELETE FROM stated")
        relations = dict[str, int]()
        triples = np.frombuffer(self._triples(texts, numbers, relations), NUMBER).reshape(-1, 3)
        kinds, count = max(1, len(relations)), len(triples)
        self._say(f"sorting {TRIPLES.of(count)} of {KINDS.of(len(relations))}")
        keys = triple_keys(triples, len(numbers), kinds)
        del triples
        both = sorted_rows(keys, len(numbers), kinds)
        self._faults.add(RESTATED, "", count - len(both[0].neighbours))
        with (self._folder / RELATIONS).open("wb") as file:
            arrays = {"types": append_array(file, types)}
            for way, rows in zip(WAYS, both, strict=True):
                arrays |= {array_name(way, part): append_array(file, getattr(rows, part)) for part in PARTS}
            file.flush()
            os.fsync(file.fileno())
        counts = np.bincount(both[0].relations, minlength=len(relations)).tolist()
        return dict(zip(relations, counts, strict=True)), arrays

    def _triples(
        self, texts: sqlite3.Connection, numbers: Mapping[str, int], relations: dict[str, int]
    ) -> "array[int]":
        """Return all triples, one after another, as source, place of the relation, target; fill in the relations."""
        triples, count = array("i"), 0
        for several in _batches(self._source.triples()):
            self._hash([(each.source, each.relation, each.target, each.text, each.evidence) for each in several])
            stated = list[tuple[str, int, int, str, str]]()
            for one in several:
                source, target = numbers.get(one.source), numbers.get(one.target)
                if source is None or target is None:
                    gone = one.source if source is None else one.target
                    self._faults.add(DANGLING, gone)
                    continue
                if source == target:
                    self._faults.add(LOOPS, one.source)
                triples.extend((source, relations.setdefault(one.relation, len(relations)), target))
                if one.text or one.evidence:
                    stated.append((one.relation, source, target, one.text, one.evidence))
            if stated:
                with texts:
                    texts.executemany("INSERT OR IGNORE INTO stated VALUES (?, ?, ?, ?, ?)", stated)
            count += len(several)
            self._progress(f"{TRIPLES.of(count)} read")
        return triples

    def _hash(self, records: Sequence[Sequence[object]]) -> None:
        """Add records to the digest; how they are batched does not count."""
        written = json.dumps(records, default=dict, separators=(",", ":"))
        self._digest.update(f"{written[1:-1]},".encode("ascii"))

    def _progress(self, said: str) -> None:
        if monotonic() - self._told >= SECONDS_BETWEEN:
            self._told = monotonic()
            self._say(said)


T = TypeVar("T")


def _batches(records: Iterable[T]) -> Iterator[list[T]]:
    """Yield records in lists of BATCH."""
    each = iter(records)
    while several := list(islice(each, BATCH)):
        yield several


def array_name(way: Direction, part: str) -> str:
    """Return the name by which a description knows an array of the relations in one direction."""
    return f"{way} {part}"
