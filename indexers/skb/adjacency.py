"""Relations of a knowledge base as compressed sparse rows in both directions, in one file that is mapped into memory.

A direction is three arrays: offsets [N + 1], where the row of each of N entities begins and ends, and for each of E
triples the place of its relation and the entity at its other end. Rows are ascending by relation, then by entity.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from heliograph.errors import StoreDamaged, UnknownName, UsageError
from heliograph.types import Direction

Numbers = npt.NDArray[np.integer]
NUMBER = np.dtype("<i4")
"""Of an entity: bases have at most 2,147,483,647 of them."""
ALIGNED = 64
"""Bytes at whose multiples arrays begin."""
MARKED = 256
"""Entities of a base per number from which marking is quicker than sorting (1.9 million entities: 7,000 numbers)."""
WAYS: tuple[Direction, ...] = ("out", "in")
PARTS = ("offsets", "relations", "neighbours")


@dataclass(frozen=True, slots=True)
class Rows:
    """All triples in one direction."""

    offsets: Numbers
    relations: Numbers
    neighbours: Numbers

    def span(self, number: int, relation: int | None = None) -> tuple[int, int]:
        """Return where the triples of an entity, or those of one relation among them, begin and end."""
        begin, end = int(self.offsets[number]), int(self.offsets[number + 1])
        if relation is None:
            return begin, end
        places = np.searchsorted(self.relations[begin:end], (relation, relation + 1))
        return begin + int(places[0]), begin + int(places[1])

    def of(self, numbers: Numbers, relation: int | None = None) -> Numbers:
        """Return the neighbours of some entities, row after row."""
        if len(numbers) == 1:
            begin, end = self.span(int(numbers[0]), relation)
            return self.neighbours[begin:end]
        places, _ = self.places(numbers)
        found: Numbers = self.neighbours[places if relation is None else places[self.relations[places] == relation]]
        return found

    def places(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Return where the triples of some entities stand, row after row, and where among these each row begins."""
        starts, ends = self.offsets[numbers].astype(np.int64), self.offsets[numbers + 1].astype(np.int64)
        lengths = ends - starts
        begins = np.cumsum(lengths) - lengths
        return np.repeat(starts - begins, lengths) + np.arange(lengths.sum()), begins

    def count(self, numbers: Numbers) -> int:
        """Return how many triples some entities have."""
        return int((self.offsets[numbers + 1] - self.offsets[numbers]).sum())

    def owners(self) -> Numbers:
        """Return the entity whose row each triple stands in [E]."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int64), self.degrees())

    def degrees(self) -> Numbers:
        """Return how many triples each entity has."""
        return np.diff(self.offsets)


class Adjacency:
    """All relations of a base; `types` [N] is the type of each entity, by its place among `entity_types`."""

    def __init__(
        self, entity_types: Sequence[str], relations: Sequence[str], types: Numbers, rows: Mapping[Direction, Rows]
    ) -> None:
        self.entity_types, self.relations, self.types, self.rows = tuple(entity_types), tuple(relations), types, rows
        self._types = {name: place for place, name in enumerate(self.entity_types)}
        self._relations = {name: place for place, name in enumerate(self.relations)}

    def neighbours(
        self, numbers: Sequence[int] | Numbers, relation: str = "", direction: Direction = "both", type: str = ""
    ) -> Numbers:
        """Return the entities joined to one of several, each once, ascending; in time linear in the rows that are read.

        Raises:
            UnknownName: the base has no such relation, or no such type.
        """
        asked, place = np.asarray(numbers, dtype=np.int64), self.relation(relation) if relation else None
        rows = [self.rows[way].of(asked, place) for way in ways(direction)]
        found = self._distinct(rows[0] if len(rows) == 1 else np.concatenate(rows))
        return found[self.types[found] == self.type(type)] if type else found

    def _distinct(self, numbers: Numbers) -> Numbers:
        """Sort few numbers; mark many among all entities, which takes no longer for more of them."""
        if len(numbers) * MARKED < len(self.types):
            return np.unique(numbers)
        marks = np.zeros(len(self.types), dtype=bool)
        marks[numbers] = True
        return np.flatnonzero(marks)

    def joining(self, first: int, second: int) -> Iterator[tuple[int, str, int]]:
        """Yield the triples that join two entities, source, relation and target; in time linear in the first's rows."""
        for way in WAYS:
            rows = self.rows[way]
            begin, end = rows.span(first)
            for place in (begin + np.flatnonzero(rows.neighbours[begin:end] == second)).tolist():
                relation = self.relations[rows.relations[place]]
                yield (first, relation, second) if way == "out" else (second, relation, first)

    def of_type(self, type: str) -> Numbers:
        """Return all entities of a type, ascending.

        Raises:
            UnknownName: the base has no such type.
        """
        return np.flatnonzero(self.types == self.type(type))

    def type(self, name: str) -> int:
        """Return the place of a type among `entity_types`, or say which there are."""
        return place_of(name, self._types, "type")

    def relation(self, name: str) -> int:
        """Return the place of a relation among `relations`, or say which there are."""
        return place_of(name, self._relations, "relation")


MOST_TOLD = 30
"""Names that a message lists."""


def place_of(name: str, places: Mapping[str, int], kind: str) -> int:
    """Return what stands under the name of a type or relation.

    Raises:
        UnknownName: there is none; the message says which there are.
    """
    if name in places:
        return places[name]
    known = ", ".join(list(places)[:MOST_TOLD]) or "none"
    more = f" and {len(places) - MOST_TOLD} more" if len(places) > MOST_TOLD else ""
    raise UnknownName(f"no {kind} {name!r} in this knowledge base; it has {known}{more}")


def ways(direction: Direction) -> tuple[Direction, ...]:
    """Return the directions that one stands for."""
    return WAYS if direction == "both" else (direction,)


def triple_keys(triples: Numbers, entities: int, relations: int) -> Numbers:
    """Return a number for each of some triples [E, 3]: by its order those are sorted by source, relation and target.

    Raises:
        UsageError: 63 bits do not hold so many entities and relations.
    """
    if entities * entities * relations >= 2**63:
        raise UsageError(f"{entities:,} entities and {relations:,} relations are more than a base can have")
    keys: Numbers = triples[:, 0].astype(np.int64)
    keys *= relations
    keys += triples[:, 1]
    keys *= entities
    keys += triples[:, 2]
    return keys


def sorted_rows(keys: Numbers, entities: int, relations: int) -> tuple[Rows, Rows]:
    """Sort triples, by their keys, into rows, out and in; equal ones become one. `keys` are sorted in place."""
    keys.sort()
    if len(keys):
        keys = keys[np.append(True, keys[1:] != keys[:-1])]
    out = _rows(keys, entities, relations)
    back = keys % entities
    back *= relations
    back += keys // entities % relations
    back *= entities
    back += keys // (entities * relations)
    del keys
    back.sort()
    return out, _rows(back, entities, relations)


def _rows(keys: Numbers, entities: int, relations: int) -> Rows:
    offsets = np.zeros(entities + 1, "<i4" if len(keys) < 2**31 else "<i8")
    np.cumsum(np.bincount(keys // (entities * relations), minlength=entities), out=offsets[1:])
    several = (keys // entities % relations).astype("<u2" if relations < 2**16 else "<u4")
    return Rows(offsets, several, (keys % entities).astype(NUMBER))


@dataclass(frozen=True, slots=True)
class Extent:
    """Where an array stands in a file: its type as numpy writes it, its first byte and its number of items."""

    dtype: str
    begin: int
    items: int


def append_array(file: BinaryIO, array: Numbers) -> Extent:
    """Write an array behind what a file holds, at a multiple of ALIGNED."""
    begin = -(-file.tell() // ALIGNED) * ALIGNED
    file.write(b"\0" * (begin - file.tell()))
    file.write(np.ascontiguousarray(array).data)
    return Extent(array.dtype.str, begin, len(array))


class MappedArrays:
    """Arrays of one file, mapped into memory: what is never read costs nothing."""

    def __init__(self, path: Path) -> None:
        try:
            self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        except (OSError, ValueError) as err:
            raise StoreDamaged(f"{path} cannot be read ({err}); build the knowledge base again") from err
        self._path = path

    def array(self, extent: Extent) -> Numbers:
        """Return one array.

        Raises:
            StoreDamaged: the file ends before it.
        """
        dtype = np.dtype(extent.dtype)
        end = extent.begin + extent.items * dtype.itemsize
        if end > len(self._bytes):
            raise StoreDamaged(f"{self._path} was cut short; build the knowledge base again")
        return self._bytes[extent.begin : end].view(dtype)
