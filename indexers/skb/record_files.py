"""Entities and relations in files of records: CSV, TSV, JSON Lines or Parquet, compressed or not.

Columns have the names of `EntityRecord` and `TripleRecord`, or those that other graph stores use (FIELDS). A file with
a source and a target holds relations, any other one entities; a file without a column of types, or of relations, holds
those of its own name. Columns beside are attributes.
"""

import bz2
import csv
import gzip
import json
import lzma
import math
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Literal

from heliograph.errors import UsageError
from heliograph.storage import MALFORMED, plain_file
from heliograph.types import Attribute, EntityRecord, TripleRecord

FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": (":id", "_id", "node_id", "key"),
    "type": (":label", "label", "kind", "node_type"),
    "name": ("title",),
    "text": ("document", "description", "doc"),
    "aliases": ("alias", "synonyms", "other_names"),
    "attributes": ("properties",),
    "source": (":start_id", "from", "subject", "head"),
    "target": (":end_id", "to", "object", "tail"),
    "relation": (":type", "predicate", "edge_type"),
    "evidence": ("provenance",),
}
"""Fields of a record, and other names that their columns may have (Neo4j's, RDF's); `id:ID` is read as `:ID`."""
_OF_RELATIONS = ("id", "source", "relation", "target", "text", "evidence")
SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
_OPEN: Mapping[str, Callable[..., IO[Any]]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
_APART = ("|", ";")
"""What sets several aliases of one cell apart."""
_SEPARATORS = ",;\t"

Kind = Literal["entities", "relations"]
Record = Mapping[str, Any]
Row = tuple[tuple[str, ...], Iterable[Any]]
"""The columns of a record and its cells."""
_NO_COLUMNS: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file of entities or of relations; `left_out` are columns that relations do not keep."""

    path: Path
    kind: Kind
    left_out: tuple[str, ...] = ()

    def entities(self) -> Iterator[EntityRecord]:
        """Yield the entities of a file.

        Raises:
            UsageError: a record has no id, or the file cannot be read as what its name says; the line is named.
        """
        stem = stem_of(self.path)
        for number, record in _records(self.path):
            if not (id := _text(record, "id")):
                raise UsageError(f"{self.path}: record {number} has no id; give it one, or take it out")
            yield _entity(id, record, stem)

    def triples(self) -> Iterator[TripleRecord]:
        """Yield the relations of a file; errors are those of `entities`."""
        stem = stem_of(self.path)
        for number, record in _records(self.path):
            source, target = _text(record, "source"), _text(record, "target")
            if not source or not target:
                missing = "target" if source else "source"
                raise UsageError(f"{self.path}: record {number} has no {missing}; give it one, or take it out")
            relation = _text(record, "relation") or stem
            yield TripleRecord(source, relation, target, _text(record, "text"), _text(record, "evidence"))


def open_record_file(path: Path) -> RecordFile:
    """Look at the first record of a file and say what it holds.

    Raises:
        UsageError: it cannot be read, holds nothing, or neither ids nor sources with targets.
    """
    if not path.exists():
        raise UsageError(f"there is no file {path}; name one of entities or of relations")
    if suffix_of(path) not in SUFFIXES:
        raise UsageError(f"{path} is none of {', '.join(SUFFIXES)} (or one of these with .gz, .xz or .bz2)")
    first = next(_records(path), None)
    if first is None:
        raise UsageError(f"{path} has no records")
    if {"source", "target"} <= first[1].keys():
        beside = tuple(name for name in first[1] if name not in _OF_RELATIONS)
        return RecordFile(path, "relations", beside)
    if "id" in first[1]:
        return RecordFile(path, "entities")
    raise UsageError(f"{path} has the columns {', '.join(first[1])}; it needs id, or source and target")


@dataclass(frozen=True, slots=True)
class RecordFiles:
    """Files of entities and of relations as the source of one base, in the order of their names."""

    name: str
    files: tuple[RecordFile, ...]
    candidate_types: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """Return what tells these files, as they are now, from others."""
        told = ((each.path, each.path.stat()) for each in self.files)
        return "\n".join(f"{path.name} {one.st_size} {one.st_mtime_ns}" for path, one in told)

    def entities(self) -> Iterator[EntityRecord]:
        """Yield the entities of all files."""
        for each in self.files:
            if each.kind == "entities":
                yield from each.entities()

    def triples(self) -> Iterator[TripleRecord]:
        """Yield the relations of all files."""
        for each in self.files:
            if each.kind == "relations":
                yield from each.triples()


def open_record_files(paths: Sequence[Path], candidate_types: tuple[str, ...] = ()) -> RecordFiles:
    """Return the files at some paths, and those within folders among them.

    Raises:
        UsageError: a path has no such file, or one of them cannot be read.
    """
    found = list[Path]()
    for path in paths:
        inside = sorted(each for each in path.iterdir() if suffix_of(each) in SUFFIXES) if path.is_dir() else [path]
        if not inside:
            raise UsageError(f"{path} has no files of {', '.join(SUFFIXES)}; name some")
        found += inside
    files = tuple(map(open_record_file, found))
    return RecordFiles("", files, candidate_types)


def suffix_of(path: Path) -> str:
    """Return what a file holds by its name, but for its compression."""
    return Path(path.stem).suffix.lower() if path.suffix.lower() in _OPEN else path.suffix.lower()


def stem_of(path: Path) -> str:
    """Return the name of a file without its suffixes."""
    return Path(path.stem).stem if path.suffix.lower() in _OPEN else path.stem


def _records(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield each record by its fields, with its number, from 1."""
    read = {".csv": _from_csv, ".tsv": _from_csv, ".parquet": _from_parquet}.get(suffix_of(path), _from_json_lines)
    number, known, fields = 0, _NO_COLUMNS, _NO_COLUMNS
    try:
        for number, (columns, values) in enumerate(read(path), start=1):
            if columns is not known:
                known, fields = columns, _fields(columns)
            yield number, dict(zip(fields, values, strict=True))
    except (*MALFORMED, OSError, EOFError, csv.Error, lzma.LZMAError, zlib.error) as err:
        if isinstance(err, UnicodeDecodeError):
            raise UsageError(f"{path} is not UTF-8 (byte {err.object[err.start]:#04x}); save it as UTF-8") from err
        if isinstance(err, OSError) and err.strerror:
            raise UsageError(f"{path} cannot be read ({err.strerror}); check its name and permissions") from err
        raise UsageError(f"{path} cannot be read after record {number} ({err}); mend the file there") from err


def _from_csv(path: Path) -> Iterator[Row]:
    """Yield the rows of a file that are not blank; the header says by what its cells stand apart."""
    with _opened(path) as file:
        header_line = file.readline()
        file.seek(0)
        lines = csv.reader(file, delimiter=max(_SEPARATORS, key=header_line.count), strict=True)
        header = tuple(next(lines, ()))
        for cells in lines:
            if len(cells) > len(header):
                raise ValueError("it has more cells than the header")
            if any(map(str.strip, cells)):
                yield header, cells + [""] * (len(header) - len(cells))


def _from_json_lines(path: Path) -> Iterator[Row]:
    with _opened(path) as file:
        for line in file:
            if line.strip():
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise TypeError("a line is no JSON object")
                yield tuple(record), record.values()


def _from_parquet(path: Path) -> Iterator[Row]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as err:
        raise UsageError(f"{path} needs pyarrow; install heliograph[skb]") from err
    try:
        with parquet.ParquetFile(plain_file(path)) as file:
            for batch in file.iter_batches():
                columns = tuple(batch.schema.names)
                for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    yield columns, values
    except ArrowException as err:
        raise ValueError(str(err)) from err


def _opened(path: Path) -> IO[str]:
    unpack: Callable[..., IO[str]] = _OPEN.get(path.suffix.lower(), open)
    return unpack(plain_file(path), "rt", encoding="utf-8-sig", newline="")


_KNOWN = {name: field for field, names in FIELDS.items() for name in names} | {
    field: field for field in (*FIELDS, "text")
}


@lru_cache(maxsize=256)
def _fields(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the field of each column; the second of two that mean one field keeps its own name."""
    fields = [_field(column) for column in columns]
    return tuple(columns[place] if each in fields[:place] else each for place, each in enumerate(fields))


def _field(column: str) -> str:
    folded = column.strip().casefold()
    mark = f":{folded.rpartition(':')[2]}"
    return _KNOWN.get(mark if ":" in folded else folded) or _KNOWN.get(folded, column.strip())


def _entity(id: str, record: Record, stem: str) -> EntityRecord:
    given = record.get("attributes")
    beside = {name: value for name, value in record.items() if name not in _KNOWN.values()}
    if isinstance(given, Mapping):
        beside |= given
    return EntityRecord(
        id,
        _text(record, "type") or stem,
        _text(record, "name") or id,
        _text(record, "text"),
        _aliases(record.get("aliases")),
        {name: value for name, each in beside.items() if (value := _attribute(each)) is not None},
    )


def _text(record: Record, field: str) -> str:
    value = record.get(field, "")
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)


def _aliases(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        mark = next((mark for mark in _APART if mark in value), None)
        value = value.split(mark) if mark else [value]
    several = value if isinstance(value, list | tuple) else ()
    return tuple(dict.fromkeys(text for each in several if (text := str(each).strip())))


_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3}){1,4})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
"""What a text file writes for a number: `007`, `1_000` and figures too long for one are names."""
LARGEST = 2**53
"""Whole numbers beyond are not all numbers of 64 bits, and stay texts."""


def _attribute(value: object) -> Attribute | None:
    """Return a number as such, also one that a CSV file writes, and other short values as text; None for nothing."""
    if isinstance(value, bool) or value is None:
        return None if value is None else str(value).lower()
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST:
        return float(value)
    text = str(value).strip()
    return float(text.replace(",", "")) if _NUMBER.fullmatch(text) else text or None
