"""Entities and relations in files of records: CSV, TSV, JSON Lines or Parquet, compressed or not.

Columns have the names of `EntityRecord` and `TripleRecord`, or those that other graph stores use. A file with a source
and a target holds relations, any other one entities; a file without a column of types, or of relations, holds those of
its own name. Of several columns for one field the first by the order below is taken, wherever it stands in the file;
the others, and all that mean no field, are attributes of entities.
"""

import csv
import io
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TextIO

from heliograph.errors import UsageError
from heliograph.storage import COMPRESSED, MALFORMED, NOT_UNPACKED, open_unpacked, plain_file
from heliograph.types import Attribute, EntityRecord, TripleRecord

Kind = Literal["entities", "relations"]
FIELDS: Mapping[Kind, Mapping[str, tuple[str, ...]]] = {
    "entities": {
        "id": ("id", ":id", "_id", "node_id", "key"),
        "name": ("name", "title", "label"),
        "type": ("type", ":label", "kind", "node_type", "label"),
        "text": ("text", "document", "description", "doc"),
        "aliases": ("aliases", "alias", "synonyms", "other_names"),
        "attributes": ("attributes", "properties"),
    },
    "relations": {
        "source": ("source", ":start_id", "from", "subject", "head"),
        "target": ("target", ":end_id", "to", "object", "tail"),
        "relation": ("relation", ":type", "predicate", "edge_type"),
        "text": ("text", "document", "description", "doc"),
        "evidence": ("evidence", "provenance"),
    },
}
"""Fields of a record and the columns that may hold them, the best first (Neo4j's, RDF's); `id:ID` is read as `:ID`.

A column serves one field: a `label` is the name where there is no `name` and no `title`, else the type.
"""
SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
_APART = ("|", ";")
"""What sets several aliases of one cell apart."""
_SEPARATORS = ",;\t"

Record = Mapping[str, Any]
Row = tuple[int, tuple[str, ...], Sequence[Any]]
"""The line that a record begins in (of Parquet its number), from 1, its columns and its cells."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file of entities or of relations.

    Attributes:
        columns: those of its first record, which decide what later columns mean.
        left_out: columns that relations do not keep.
    """

    path: Path
    kind: Kind
    columns: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def entities(self) -> Iterator[EntityRecord]:
        """Yield the entities of a file.

        Raises:
            UsageError: a record has no id, or the file cannot be read as what its name says; the line is named.
        """
        stem = stem_of(self.path)
        for number, record, beside in self._records():
            if not (id := _text(record, "id")):
                raise UsageError(f"{_place(self.path, number)}: no id; give it one, or take it out")
            yield _entity(id, record, beside, stem)

    def triples(self) -> Iterator[TripleRecord]:
        """Yield the relations of a file; errors are those of `entities`."""
        stem = stem_of(self.path)
        for number, record, _ in self._records():
            source, target = _text(record, "source"), _text(record, "target")
            if not source or not target:
                missing = "target" if source else "source"
                raise UsageError(f"{_place(self.path, number)}: no {missing}; give it one, or take it out")
            relation = _text(record, "relation") or stem
            yield TripleRecord(source, relation, target, _text(record, "text"), _text(record, "evidence"))

    def _records(self) -> Iterator[tuple[int, Record, Record]]:
        """Yield each record by its fields, with its line, and what its other columns hold."""
        known, layout = self.columns, _layout(self.columns, self.kind)
        for number, columns, cells in _rows(self.path):
            if columns is not known:
                known, layout = columns, _layout(columns, self.kind, self.columns)
            record = {field: cells[place] for field, place in layout.fields}
            yield number, record, {name: cells[place] for name, place in layout.beside}


def open_record_file(path: Path) -> RecordFile:
    """Look at the first record of a file and say what it holds.

    Raises:
        UsageError: it cannot be read, holds nothing, or neither ids nor sources with targets, or may hold either.
    """
    if not path.exists():
        raise UsageError(f"there is no file {path}; name one of entities or of relations")
    if suffix_of(path) not in SUFFIXES:
        raise UsageError(f"{path} is none of {', '.join(SUFFIXES)} (or one of these with .gz, .xz or .bz2)")
    first = next(_rows(path), None)
    if first is None:
        raise UsageError(f"{path} has no records")
    _, columns, _ = first
    kind = _kind(path, columns)
    beside = tuple(name for name, _ in _layout(columns, kind).beside) if kind == "relations" else ()
    return RecordFile(path, kind, columns, beside)


def _kind(path: Path, columns: tuple[str, ...]) -> Kind:
    """Say what a file holds by its columns.

    Relations have a source and a target. Entities have an id; with a name or a type, or with a text where no column
    names a relation, a file is one of entities whatever else it has.
    """
    of_entities, of_relations = (
        {field: columns[place] for field, place in _layout(columns, kind).fields} for kind in FIELDS
    )
    if not {"source", "target"} <= of_relations.keys():
        if "id" not in of_entities:
            raise UsageError(f"{path} has the columns {', '.join(columns)}; it needs id, or source and target")
        return "entities"
    telling = ("name", "type") if "relation" in of_relations else ("name", "type", "text")
    if "id" in of_entities and (found := [of_entities[field] for field in telling if field in of_entities]):
        source, target, id = of_relations["source"], of_relations["target"], of_entities["id"]
        raise UsageError(
            f"{path} may hold entities (columns {', '.join((id, *found))}) or relations (columns {source}, {target}); "
            f"rename {source} and {target} if it holds entities, take {id} out if it holds relations"
        )
    return "relations"


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
    return Path(path.stem).suffix.lower() if path.suffix.lower() in COMPRESSED else path.suffix.lower()


def stem_of(path: Path) -> str:
    """Return the name of a file without its suffixes."""
    return Path(path.stem).stem if path.suffix.lower() in COMPRESSED else path.stem


def _place(path: Path, number: int) -> str:
    return f"{path}, {'record' if suffix_of(path) == '.parquet' else 'line'} {number}"


def _rows(path: Path) -> Iterator[Row]:
    read = {".csv": _from_csv, ".tsv": _from_csv, ".parquet": _from_parquet}.get(suffix_of(path), _from_json_lines)
    number = 0
    try:
        for row in read(path):
            number = row[0]
            yield row
    except UnicodeDecodeError as err:
        place, byte = _place(path, _undecodable_line(path)), err.object[err.start]
        raise UsageError(f"{place}: not UTF-8 (byte {byte:#04x}); save the file as UTF-8") from err
    except (*MALFORMED, *NOT_UNPACKED, OSError) as err:
        if isinstance(err, OSError) and err.strerror:
            raise UsageError(f"{path} cannot be read ({err.strerror}); check its name and permissions") from err
        after = f"after {_place(path, number).removeprefix(f'{path}, ')}" if number else "at all"
        raise UsageError(f"{path} cannot be read {after} ({err}); make or fetch it again") from err


def _from_csv(path: Path) -> Iterator[Row]:
    """Yield the rows of a file that are not blank; the header says by what its cells stand apart."""
    with _opened(path) as file:
        header_line = file.readline()
        file.seek(0)
        lines, read = csv.reader(file, delimiter=max(_SEPARATORS, key=header_line.count), strict=True), 0
        try:
            header = tuple(next(lines, ()))
            if twice := next((name for name in header if name.strip() and header.count(name) > 1), ""):
                raise UsageError(f"{path} has the column {twice} twice; rename one")
            read = lines.line_num
            for cells in lines:
                number, read = read + 1, lines.line_num
                if len(cells) > len(header):
                    raise UsageError(f"{path}, line {number}: more cells than the header has; mend the line")
                if any(map(str.strip, cells)):
                    yield number, header, cells + [""] * (len(header) - len(cells))
        except csv.Error as err:
            raise UsageError(f"{path}, line {read + 1}: {err}; mend what begins there") from err


def _from_json_lines(path: Path) -> Iterator[Row]:
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                record = _json_object(line, path, number)
                yield number, tuple(record), tuple(record.values())


_MAYBE_HALVES = re.compile(r"\\u[dD][89a-fA-F]")
"""How JSON escapes a half of a surrogate pair; two of them in a row are one character."""


def _json_object(line: str, path: Path, number: int) -> Record:
    try:
        record = json.loads(line)
        if _MAYBE_HALVES.search(line):
            json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError as err:
        half = ascii(err.object[err.start])[1:-1]
        raise UsageError(f"{path}, line {number}: {half} is half a character; mend the line") from err
    except json.JSONDecodeError as err:
        fault = f"no JSON ({err.msg}, character {err.colno})"
        raise UsageError(f"{path}, line {number}: {fault}; mend the line") from err
    except RecursionError as err:
        raise UsageError(f"{path}, line {number}: nested too deep; mend the line") from err
    except ValueError as err:
        most = f"a number of more than {sys.get_int_max_str_digits():,} digits"
        raise UsageError(f"{path}, line {number}: {most}; write it as a text") from err
    if not isinstance(record, dict):
        raise UsageError(f"{path}, line {number}: no JSON object; mend the line")
    return record


def _from_parquet(path: Path) -> Iterator[Row]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as err:
        raise UsageError(f"{path} needs pyarrow; install heliograph[skb]") from err
    number = 0
    try:
        with parquet.ParquetFile(plain_file(path)) as file:
            for batch in file.iter_batches():
                columns = tuple(batch.schema.names)
                for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    number += 1
                    yield number, columns, cells
    except ArrowException as err:
        raise ValueError(str(err)) from err


def _opened(path: Path) -> TextIO:
    return io.TextIOWrapper(open_unpacked(path), encoding="utf-8-sig", newline="")


def _undecodable_line(path: Path) -> int:
    """Return the first line of a file that is not UTF-8."""
    with open_unpacked(path) as file:
        return next((number for number, line in enumerate(file, start=1) if not _is_utf8(line)), 1)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Layout(NamedTuple):
    """Where a record has its fields, and its other columns."""

    fields: tuple[tuple[str, int], ...]
    beside: tuple[tuple[str, int], ...]


@lru_cache(maxsize=256)
def _layout(columns: tuple[str, ...], kind: Kind, first: tuple[str, ...] = ()) -> _Layout:
    """Return the layout of a record; a column means what it means beside those of the first record of its file.

    A field that has no column by that takes one of the record that means nothing else.
    """
    meant: dict[str, str] = {}
    for offered in (tuple(dict.fromkeys((*first, *columns))), columns):
        for field, names in FIELDS[kind].items():
            if field not in map(meant.get, offered):
                free = (each for name in names for each in offered if each not in meant and _known(each, kind) == name)
                if (column := next(free, None)) is not None:
                    meant[column] = field
    return _Layout(
        tuple((meant[column], place) for place, column in enumerate(columns) if column in meant),
        tuple((column.strip(), place) for place, column in enumerate(columns) if column not in meant),
    )


def _known(column: str, kind: Kind) -> str:
    """Return a column as FIELDS knows it: in small letters, and of `place:ID` the mark `:id`."""
    folded = column.strip().casefold()
    mark = f":{folded.rpartition(':')[2]}"
    return mark if ":" in folded and any(mark in names for names in FIELDS[kind].values()) else folded


def _entity(id: str, record: Record, beside: Record, stem: str) -> EntityRecord:
    given = record.get("attributes")
    every = {**beside, **(given if isinstance(given, Mapping) else {"attributes": given})}
    return EntityRecord(
        id,
        _text(record, "type") or stem,
        _text(record, "name") or id,
        _text(record, "text"),
        _aliases(record.get("aliases")),
        {name: value for name, each in every.items() if (value := _attribute(each)) is not None},
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
    number = float(text.replace(",", "")) if _NUMBER.fullmatch(text) else math.inf
    return number if math.isfinite(number) else text or None
