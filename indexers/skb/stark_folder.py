"""STaRK's processed bases (AMAZON, MAG, PRIME), read without torch and without running code of their pickles.

A folder holds `node_info.pkl`, a dictionary from rows to attributes, `edge_index.pt` [2, E], `edge_types.pt` [E],
`node_types.pt` [N], and the names of types and relations in two dictionaries, which MAG lacks (STaRK, section 2).
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from heliograph.errors import UsageError
from heliograph.types import Attribute, EntityRecord, TripleRecord
from indexers.skb.guarded_pickle import AGAIN, Integers, read_plain_pickle, read_tensor, reading

Info = Mapping[object, object]
"""The attributes of one node."""
Line = tuple[str, object]
"""A label of a document, and the value behind it."""

FILES = ("node_info.pkl", "edge_index.pt", "edge_types.pt", "node_types.pt")
NAMES = ("node_type_dict.pkl", "edge_type_dict.pkl")
MAG_TYPES = ("author", "institution", "field_of_study", "paper")
MAG_RELATIONS = (
    "author___affiliated_with___institution",
    "paper___cites___paper",
    "paper___has_topic___field_of_study",
    "author___writes___paper",
)
BASES: Mapping[str, str] = {"product": "amazon", "paper": "mag", "gene/protein": "prime"}
"""A type that only one base has, and the name of that base."""
CANDIDATES: Mapping[str, tuple[str, ...]] = {"amazon": ("product",), "mag": ("paper",)}
"""Types of answers; those of other bases are all types."""

MOST_ENTRIES = 25
"""Reviews, and questions, of a document (`max_entries` of STaRK's AMAZON)."""
MOST_WORDS = 50_000
"""Words of one line of a document (STaRK's bound for texts of PubMed)."""
MOST_VALUES, DEEPEST = 1_000_000, 64
"""Values in one attribute, and levels of nesting: what lies beyond is a cycle, or made to exhaust memory."""
LONGEST_ATTRIBUTE = 100
TRIPLES_AT_ONCE = 2**16

_PRICE = re.compile(r"\$\d[\d,]*(\.\d+)?")
_NAME_FIELDS = ("title", "DisplayName", "name", "brand_name", "category_name", "color_name", "OriginalTitle")
_NO_ATTRIBUTES = (*_NAME_FIELDS, "type", "abstract")
_VENUES: Mapping[str, str] = {
    "OriginalVenue": "venue",
    "JournalDisplayName": "journal",
    "ConferenceSeriesDisplayName": "conference",
    "ConferenceInstancesDisplayName": "conference",
}
_GENE_RECORDS = {"generif": "text", "interpro": "desc"}
"""Details of genes that are records, and the field of a record that is read."""


def is_stark_folder(path: Path) -> bool:
    """Say whether a path is a folder with the files that all three bases have."""
    return all((path / name).is_file() for name in FILES)


def open_stark_folder(path: Path) -> "StarkFolder":
    """Read the names of types and relations; nodes and edges are read when they are asked for.

    Raises:
        UsageError: a file is missing, or a dictionary holds anything but numbers and their names.
    """
    if missing := [name for name in FILES if not (path / name).is_file()]:
        hint = "AMAZON's folder is processed/cache/brand-category-color, those of MAG and PRIME are processed"
        raise UsageError(f"{path} has no {' and no '.join(missing)}; {hint}")
    absent = [name for name in NAMES if not (path / name).is_file()]
    if len(absent) == 1:
        raise UsageError(f"{path} has no {absent[0]}; {AGAIN}")
    if absent:
        types, relations = dict(enumerate(MAG_TYPES)), dict(enumerate(MAG_RELATIONS))
    else:
        types, relations = (_read_names(path / name) for name in NAMES)
    base = next((base for type, base in BASES.items() if type in types.values()), "")
    return StarkFolder(path, base, types, relations, CANDIDATES.get(base) or tuple(types.values()))


@dataclass(frozen=True, slots=True)
class StarkFolder:
    """A processed base; `types` and `relations` are names by the numbers that the files use.

    `name` is amazon, mag or prime, or empty where the types are those of another base; `candidate_types` are those of
    entities that may answer a query (STaRK, section 2.1).
    """

    path: Path
    name: str
    types: Mapping[int, str]
    relations: Mapping[int, str]
    candidate_types: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        """Return what tells these files, as they are now, from others."""
        told = ((name, (self.path / name).stat()) for name in (*FILES, *NAMES) if (self.path / name).exists())
        return "\n".join(f"{name} {one.st_size} {one.st_mtime_ns}" for name, one in told)

    def entities(self) -> Iterator[EntityRecord]:
        """Yield all nodes in the order of their rows, each with its document without relations.

        The whole of `node_info.pkl` is in memory at first; what has been yielded is let go.

        Raises:
            UsageError: a file cannot be read, the files differ in length, or a type has no name.
        """
        file = self.path / "node_info.pkl"
        kinds = self._numbers("node_types.pt")
        self._check_named("node_types.pt", kinds, self.types)
        nodes = read_plain_pickle(file)
        if not isinstance(nodes, dict) or len(nodes) != len(kinds):
            count = f"{len(nodes):,} nodes" if isinstance(nodes, dict) else "no dictionary"
            raise UsageError(f"{file} holds {count}, and node_types.pt the types of {len(kinds):,}; {AGAIN}")
        for row, kind in enumerate(kinds.tolist()):
            info = nodes.pop(row, None)
            if not isinstance(info, dict):
                raise UsageError(f"{file} has no attributes of node {row}; {AGAIN}")
            if not row and info.get("type") != self.types[kind] and not (self.path / NAMES[0]).exists():
                raise UsageError(f"{self.path} lacks {' and '.join(NAMES)}, and its nodes are not MAG's; {AGAIN}")
            with reading(file, f" at node {row}"):
                record = _record(row, self.types[kind], info)
            yield record

    def triples(self) -> Iterator[TripleRecord]:
        """Yield all edges as they are on disk, also those to nodes that are absent; PRIME has both directions.

        Raises:
            UsageError: a file cannot be read, is no [2, E] beside an [E], or a relation has no name.
        """
        edges, kinds = read_tensor(self.path / "edge_index.pt"), self._numbers("edge_types.pt")
        if edges.shape != (2, len(kinds)):
            shapes = f"{list(edges.shape)}, and edge_types.pt {list(kinds.shape)}"
            raise UsageError(f"{self.path / 'edge_index.pt'} has the shape {shapes}; they must be [2, E] and [E]")
        for begin in range(0, len(kinds), TRIPLES_AT_ONCE):
            part = slice(begin, begin + TRIPLES_AT_ONCE)
            self._check_named("edge_types.pt", kinds[part], self.relations)
            rows = zip(edges[0, part].tolist(), kinds[part].tolist(), edges[1, part].tolist(), strict=True)
            yield from (TripleRecord(str(source), self.relations[kind], str(target)) for source, kind, target in rows)

    def _numbers(self, name: str) -> Integers:
        array = read_tensor(self.path / name)
        if array.ndim != 1:
            raise UsageError(f"{self.path / name} has the shape {list(array.shape)}; it must have one dimension")
        return array

    def _check_named(self, file: str, kinds: Integers, names: Mapping[int, str]) -> None:
        if unnamed := sorted(set(np.unique(kinds).tolist()) - names.keys()):
            raise UsageError(f"{self.path / file} has the number {unnamed[0]}, which has no name; {AGAIN}")


def _read_names(path: Path) -> dict[int, str]:
    found = read_plain_pickle(path)
    if not isinstance(found, dict) or not all(type(key) is int and type(found[key]) is str for key in found):
        raise UsageError(f"{path} is no dictionary from numbers to names; {AGAIN}")
    return dict(found)


def _record(row: int, type: str, info: Info) -> EntityRecord:
    name = next((text for field in _NAME_FIELDS if (text := _text(_stated(info, field)))), "")
    lines = ((label, _text(value)) for label, value in _lines(type, name, info))
    return EntityRecord(
        str(row),
        type,
        name or f"{type} {row}",
        "\n".join(f"{label}: {text}" for label, text in lines if text),
        _aliases(name, info),
        {str(key): found for key in info if (found := _attribute(key, _stated(info, key))) is not None},
    )


def _lines(type: str, name: str, info: Info) -> Iterator[Line]:
    """Yield the lines of a document; the choice of attributes is STaRK's `get_doc_info` without relations."""
    match type:
        case "product":
            yield from _product_lines(name, info)
        case "paper":
            yield from (("paper title", name), ("abstract", _stated(info, "abstract")))
            yield "publication date", _stated(info, "Date")
            venues = ((label, _stated(info, field)) for field, label in _VENUES.items())
            yield next((line for line in venues if _text(line[1])), ("venue", None))
        case "author" | "institution" | "field_of_study" | "brand" | "category" | "color":
            yield f"{type.replace('_', ' ')} name", name
            yield "paper count", _stated(info, "PaperCount")
            yield "citation count", _stated(info, "CitationCount")
        case _:
            yield from _detail_lines(name, info)


def _product_lines(name: str, info: Info) -> Iterator[Line]:
    dimensions, _, weight = _text(_record_of(info.get("details")).get("product_dimensions")).partition(" ; ")
    yield from (("product", name), ("brand", info.get("brand")), ("dimensions", dimensions), ("weight", weight))
    yield from (("description", each) for each in _listed(info.get("description")))
    yield from (("feature", each) for each in _listed(info.get("feature")) if "asin" not in _text(each).lower())
    reviews = sorted(map(_record_of, _listed(info.get("review"))), key=_votes, reverse=True)
    for review in reviews[:MOST_ENTRIES]:
        yield "review", [review.get("summary"), review.get("reviewText")]
    for asked in map(_record_of, _listed(info.get("qa"))[:MOST_ENTRIES]):
        yield from (("question", asked.get("question")), ("answer", asked.get("answer")))


def _detail_lines(name: str, info: Info) -> Iterator[Line]:
    """Yield all attributes and details but those that only identify something elsewhere."""
    yield "name", name
    attributes = ((key, _stated(info, key)) for key in info if key not in ("id", "details", *_NAME_FIELDS))
    for key, value in chain(attributes, _record_of(info.get("details")).items()):
        label = str(key)
        if not label.startswith("_") and "_id" not in label:
            yield label.replace("_", " "), _detail(label, value)


def _detail(label: str, value: object) -> object:
    """Return what a document tells of a detail: of a gene's records one field, of its positions the first."""
    if field := _GENE_RECORDS.get(label):
        return [_record_of(each).get(field) for each in _listed(value)]
    return next(iter(_listed(value)), None) if label == "genomic_pos" else value


def _stated(info: Info, field: object) -> object:
    """Return an attribute, or None where it is -1, which is how MAG says that it is missing."""
    value = info.get(field)
    return None if value in (-1, "-1") else value


def _record_of(value: object) -> Info:
    return value if isinstance(value, dict) else {}


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _votes(review: Info) -> int:
    digits = _text(review.get("vote")).replace(",", "").removesuffix(".0")
    return int(digits) if digits.isdecimal() else 0


def _aliases(name: str, info: Info) -> tuple[str, ...]:
    details = _record_of(info.get("details"))
    several = chain(_listed(details.get("alias")), _listed(details.get("other_names")))
    return tuple(dict.fromkeys(text for each in several if (text := _text(each)) and text != name))


def _attribute(key: object, value: object) -> Attribute | None:
    """Return a number, also that of a price in dollars, or a short text; None for anything else."""
    if key in _NO_ATTRIBUTES or not isinstance(value, str | int | float):
        return None
    text, is_id = _text(value), key in ("id", "asin") or str(key).endswith("_id")
    if _PRICE.fullmatch(text):
        return float(text[1:].replace(",", ""))
    if isinstance(value, int | float) and not is_id:
        return float(value) if math.isfinite(value) else None
    return text if 0 < len(text) <= LONGEST_ATTRIBUTE else None


def _text(value: object) -> str:
    """Return what a value says in one line, without halves of surrogate pairs, which no file can hold.

    Raises:
        ValueError: it is nested or extends beyond all bounds.
    """
    texts = []
    for visited, text in enumerate(_texts(value, 0)):
        if visited == MOST_VALUES:
            raise ValueError(f"more than {MOST_VALUES:,} values in an attribute")
        texts.append(text)
    words = "; ".join(filter(None, texts)).split()[:MOST_WORDS]
    return " ".join(words).encode("utf-8", "replace").decode()


def _texts(value: object, depth: int) -> Iterator[str]:
    """Yield the texts in a value, and an empty one per collection, so that a caller can count what is visited."""
    if depth > DEEPEST:
        raise ValueError(f"attributes nested more than {DEEPEST} deep")
    match value:
        case str() if value != "nan":
            yield value
        case int() | float() if not math.isnan(value):
            yield str(value)
        case dict():
            yield ""
            for key, each in value.items():
                yield from (text and f"{key}: {text}" for text in _texts(each, depth + 1))
        case list() | tuple() | set() | frozenset():
            yield ""
            for each in value if isinstance(value, list | tuple) else sorted(value, key=str):
                yield from _texts(each, depth + 1)
