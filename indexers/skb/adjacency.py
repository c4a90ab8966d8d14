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

from heliograph.errors import StoreDamaged, UnknownName
from heliograph.types import Direction

Numbers = npt.NDArray[np.integer]
NUMBER = np.dtype("<i4")
"""Of an entity: bases have at most 2,147,483,647 of them."""
ALIGNED = 64
"""Bytes at whose multiples arrays begin."""
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
        starts, ends = self.offsets[numbers].astype(np.int64), self.offsets[numbers + 1].astype(np.int64)
        lengths = ends - starts
        places = np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        found: Numbers = self.neighbours[places if relation is None else places[self.relations[places] == relation]]
        return found

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
        """Return the entities joined to one of several, each once, ascending, by sorting the rows that are read.

        Raises:
            UnknownName: the base has no such relation, or no such type.
        """
        asked, place = np.asarray(numbers, dtype=np.int64), self.relation(relation) if relation else None
        found = np.unique(np.concatenate([self.rows[way].of(asked, place) for way in ways(direction)]))
        return found[self.types[found] == self.type(type)] if type else found

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
        return _place(name, self._types, "type")

    def relation(self, name: str) -> int:
        """Return the place of a relation among `relations`, or say which there are."""
        return _place(name, self._relations, "relation")


MOST_TOLD = 30
"""Names that a message lists."""


def _place(name: str, places: Mapping[str, int], kind: str) -> int:
    if name in places:
        return places[name]
    known = ", ".join(list(places)[:MOST_TOLD]) or "none"
    more = f" and {len(places) - MOST_TOLD} more" if len(places) > MOST_TOLD else ""
    raise UnknownName(f"no {kind} {name!r} in this knowledge base; it has {known}{more}")


def ways(direction: Direction) -> tuple[Direction, ...]:
    """Return the directions that one stands for."""
    return WAYS if direction == "both" else (direction,)


def sorted_rows(triples: Numbers, entities: int, relations: int) -> tuple[Rows, Rows]:
    """Sort triples [E, 3] of source, relation and target into rows, out and in; equal ones become one."""
    source, relation, target = triples.astype(np.int64).T
    if entities * entities * relations >= 2**63:
        raise OverflowError(f"{entities:,} entities and {relations:,} relations are more than a base can have")
    out = np.unique((source * relations + relation) * entities + target)
    pairs, target = np.divmod(out, entities)
    source, relation = np.divmod(pairs, relations)
    back = np.sort((target * relations + relation) * entities + source)
    return _rows(out, entities, relations), _rows(back, entities, relations)


def _rows(keys: Numbers, entities: int, relations: int) -> Rows:
    pairs, neighbours = np.divmod(keys, entities)
    owners, several = np.divmod(pairs, relations)
    offsets = np.zeros(entities + 1, "<i4" if len(keys) < 2**31 else "<i8")
    np.cumsum(np.bincount(owners, minlength=entities), out=offsets[1:])
    return Rows(offsets, several.astype("<u2" if relations < 2**16 else "<u4"), neighbours.astype(NUMBER))


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
