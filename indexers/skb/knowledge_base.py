"""A built knowledge base, open for reading: relations mapped into memory, texts in SQLite."""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

from heliograph.errors import StoreDamaged, StoreError, UnknownEntity, UsageError
from heliograph.storage import MALFORMED
from heliograph.types import Attribute, Direction, Entity, EntityPath, Scored, Triple, TripleType
from indexers.skb.adjacency import PARTS, WAYS, Adjacency, Extent, MappedArrays, Numbers, Rows, ways
from indexers.skb.base_building import (
    DESCRIPTION,
    ENTITIES,
    FORMAT,
    RELATIONS,
    TEXTS,
    TRIPLES,
    BaseDescription,
    Counted,
    array_name,
)
from indexers.skb.cypher_session import SCHEMES
from indexers.skb.entity_texts import REBUILD, EntityTexts, FileState

MOST_VISITED = 1_000_000
"""Entities that a search for paths looks at before it gives up."""
ALONE = Counted(*(f"{each} without a relation" for each in ENTITIES))
UNDOCUMENTED = Counted(*(f"{each} without a document" for each in ENTITIES))
SHARED = Counted("name of more than one entity", "names of more than one entity")


class BuiltKnowledgeBase:
    """The `KnowledgeBase` of a folder that `build_base` made; `open_base` opens it.

    `graph` has its relations for callers that work with arrays: all of it is pure, and takes no lock. `folder` is
    where indexes that are made of the base may be kept.
    """

    def __init__(self, folder: Path, description: BaseDescription, graph: Adjacency, texts: EntityTexts) -> None:
        self.folder, self.description, self.graph, self._texts = folder, description, graph, texts

    @property
    def name(self) -> str:
        """Return what the base is called."""
        return self.description.name

    @property
    def entity_types(self) -> Mapping[str, int]:
        """Return how many entities each type has."""
        return self.description.entity_types

    @property
    def relations(self) -> Mapping[str, int]:
        """Return how many triples each relation has."""
        return self.description.relations

    async def schema(self) -> tuple[TripleType, ...]:
        """Return the kinds of triples, the most frequent first; every triple is looked at."""
        return await asyncio.to_thread(self._schema)

    async def entities(self, numbers: Sequence[int]) -> tuple[Entity, ...]:
        """Return entities in the order asked for."""
        return await asyncio.to_thread(self._texts.entities, numbers)

    async def entity(self, id: str) -> Entity:
        """Return the entity that its source calls `id`."""
        return await asyncio.to_thread(self._texts.entity, id)

    async def named(self, name: str, type: str = "") -> tuple[Entity, ...]:
        """Return the entities of a name or alias."""
        found = await asyncio.to_thread(self._texts.named, name)
        return tuple(each for each in found if type in ("", each.type))

    async def search(
        self, query: str, k: int, type: str = "", within: Sequence[int] | None = None
    ) -> tuple[Scored[int], ...]:
        """Return the k best entities by BM25, of a type and among others if they are named."""
        if type:
            self.graph.type(type)
        return await asyncio.to_thread(self._texts.search, query, k, type, within)

    def require_current(self) -> None:
        """Raise StoreDamaged when another base stands in its place."""
        self._texts.require_current()

    def documents(self) -> Iterator[tuple[Entity, str]]:
        """Yield all entities in the order of their numbers, each with its text; it blocks, so call it in a thread."""
        return self._texts.documents()

    def statements(self) -> Iterator[tuple[int, str, int, str]]:
        """Yield source, relation, target and text of every triple that says something. It blocks."""
        return self._texts.statements()

    async def document(self, number: int) -> str:
        """Return the text of an entity."""
        return await asyncio.to_thread(self._texts.document, number)

    async def attributes(self, number: int) -> Mapping[str, Attribute]:
        """Return the attributes of an entity."""
        return await asyncio.to_thread(self._texts.attributes, number)

    def numbers_named(self, names: Iterable[str]) -> Mapping[str, tuple[int, ...]]:
        """Return the entities of each folded name or alias that there is; it blocks, so call it in a thread."""
        return self._texts.numbers_named(names)

    def numbers_with(self, words: str, most: int) -> tuple[int, ...]:
        """Return the entities whose name or alias has some words in a row; none if they are too many. It blocks."""
        return self._texts.numbers_with(words, most)

    def is_rare(self, words: str, most: int) -> bool:
        """Say whether at most some entities say words in a row, anywhere; it blocks, so call it in a thread."""
        return self._texts.is_rare(words, most)

    def attributes_of(self, numbers: Sequence[int]) -> tuple[Mapping[str, Attribute], ...]:
        """Return the attributes of several entities; it blocks, so call it in a thread."""
        return self._texts.attributes_of(numbers)

    async def of_type(self, type: str) -> tuple[int, ...]:
        """Return all entities of a type."""
        return tuple(self.graph.of_type(type).tolist())

    async def neighbours(
        self, numbers: Sequence[int], relation: str = "", direction: Direction = "both", type: str = ""
    ) -> tuple[int, ...]:
        """Return the entities joined to one of several; what may be long is found in a thread."""
        self._require(*numbers)
        found = await asyncio.to_thread(self.graph.neighbours, numbers, relation, direction, type)
        return tuple(found.tolist())

    async def triples(
        self, number: int, relation: str = "", direction: Direction = "both", limit: int = 100
    ) -> tuple[Triple, ...]:
        """Return triples of an entity with what they say."""
        self._require(number)
        return await asyncio.to_thread(
            lambda: self._texts.stated(tuple(self._triples(number, relation, direction, limit)))
        )

    async def between(self, first: int, second: int) -> tuple[Triple, ...]:
        """Return the triples that join two entities, either way, with what they say."""
        self._require(first, second)
        return await asyncio.to_thread(
            lambda: self._texts.stated([Triple(*each) for each in dict.fromkeys(self.graph.joining(first, second))])
        )

    async def paths(self, source: int, target: int, hops: int, limit: int = 10) -> tuple[EntityPath, ...]:
        """Return shortest paths between two entities, relations followed either way; none beyond `hops`.

        Raises:
            UsageError: MOST_VISITED entities were looked at, and there may be a path that was not found.
        """
        self._require(source, target)
        return await asyncio.to_thread(self._paths, source, target, hops, limit)

    async def remarks(self) -> tuple[str, ...]:
        """Say in a line each what somebody who asks this base should know: what was left out, and what stands alone."""
        return await asyncio.to_thread(self._remarks)

    def check_texts(self) -> str:
        """Return what is wrong with the file of texts; it is read once as a whole, so call it in a thread."""
        return self._texts.check(self.graph.types)

    def _remarks(self) -> tuple[str, ...]:
        degrees = self.graph.rows["out"].degrees() + self.graph.rows["in"].degrees()
        hub, alone = int(np.argmax(degrees)), int(np.count_nonzero(degrees == 0))
        (first,) = self._texts.entities([hub])
        empty, shared = self._texts.counts()
        counted = {ALONE: alone, UNDOCUMENTED: empty, SHARED: shared}
        return (
            *self.description.faults,
            *(said.of(count) for said, count in counted.items() if count),
            f"most relations: {first.name} ({first.type}), {int(degrees[hub]):,}",
        )

    def _require(self, *numbers: int) -> None:
        count = len(self.graph.types)
        if missing := next((each for each in numbers if not 0 <= each < count), None):
            raise UnknownEntity(f"no entity number {missing} in this knowledge base of {count:,}")

    def _schema(self) -> tuple[TripleType, ...]:
        graph, rows = self.graph, self.graph.rows["out"]
        if not graph.relations:
            return ()
        shape = (len(graph.relations), len(graph.entity_types), len(graph.entity_types))
        kinds, counts = np.unique(
            np.ravel_multi_index((rows.relations, graph.types[rows.owners()], graph.types[rows.neighbours]), shape),
            return_counts=True,
        )
        named = zip(*(each.tolist() for each in (*np.unravel_index(kinds, shape), counts)), strict=True)
        found = (
            TripleType(graph.entity_types[source], graph.relations[relation], graph.entity_types[target], count)
            for relation, source, target, count in named
        )
        return tuple(sorted(found, key=lambda each: (-each.triples, each.relation, each.source, each.target)))

    def _triples(self, number: int, relation: str, direction: Direction, limit: int) -> Iterator[Triple]:
        """Yield the first triples of each relation, out and then in; one of an entity with itself is told once."""
        wanted = range(len(self.graph.relations)) if not relation else (self.graph.relation(relation),)
        for way in ways(direction):
            rows = self.graph.rows[way]
            begin, end = rows.span(number)
            there = set(np.unique(rows.relations[begin:end]).tolist())
            for place in (each for each in wanted if each in there):
                first, last = rows.span(number, place)
                for other in rows.neighbours[first : min(last, first + limit)].tolist():
                    if way == "out":
                        yield Triple(number, self.graph.relations[place], other)
                    elif other != number or direction == "in":
                        yield Triple(other, self.graph.relations[place], number)

    def _paths(self, source: int, target: int, hops: int, limit: int) -> tuple[EntityPath, ...]:
        """Search breadth-first from the target, then follow the falling distances from the source."""
        distance = self._distances(source, target, hops)
        if source not in distance:
            return ()
        found = list[EntityPath]()
        for entities in islice(self._descents((source,), distance), limit):
            triples = tuple(self._joining(first, second) for first, second in pairwise(entities))
            found.append(EntityPath(entities, self._texts.stated(triples)))
        return tuple(found)

    def _distances(self, source: int, target: int, hops: int) -> Mapping[int, int]:
        """Return how far entities are from the target, until the source is met."""
        distance, rim = {target: 0}, np.array([target])
        for step in range(1, hops + 1):
            if source in distance or not len(rim):
                break
            if len(distance) > MOST_VISITED:
                raise UsageError(
                    f"no path of at most {TRIPLES.of(step - 1)} joins them, and the search for a longer one gave up "
                    f"after {ENTITIES.of(len(distance))}; search from an entity that may lie between them"
                )
            reached = self.graph.neighbours(rim)
            rim = np.array([each for each in reached.tolist() if each not in distance], dtype=np.int64)
            distance.update(dict.fromkeys(rim.tolist(), step))
        return distance

    def _descents(self, path: tuple[int, ...], distance: Mapping[int, int]) -> Iterator[tuple[int, ...]]:
        left = distance[path[-1]]
        if left == 0:
            yield path
            return
        for each in self.graph.neighbours([path[-1]]).tolist():
            if distance.get(each) == left - 1:
                yield from self._descents((*path, each), distance)

    def _joining(self, first: int, second: int) -> Triple:
        """Return a triple between two neighbours; of several the first by relation, out before in."""
        return Triple(*next(self.graph.joining(first, second)))


def open_base(folder: Path) -> BuiltKnowledgeBase:
    """Open a built base; its arrays are mapped, not read.

    Raises:
        UsageError: there is no knowledge base at `folder`, or a build of it did not end.
        StoreDamaged: a file of it is missing, is not what its description says, or is replaced at this moment.
        StoreError: a file of it may not be read.
    """
    state = _description_file(folder)
    description = _described(state)
    for each in (folder / TEXTS, folder / RELATIONS):
        _require_readable(each)
    arrays = MappedArrays(folder / RELATIONS)
    try:
        found = {name: arrays.array(extent) for name, extent in description.arrays.items()}
        rows = {way: Rows(*(found[array_name(way, part)] for part in PARTS)) for way in WAYS}
        graph = Adjacency(tuple(description.entity_types), tuple(description.relations), found["types"], rows)
    except MALFORMED as err:
        raise StoreDamaged(f"{folder / DESCRIPTION} is not of this base ({err}); {REBUILD}") from err
    texts = EntityTexts(folder / TEXTS, tuple(description.entity_types), state, folder / RELATIONS)
    texts.require_current()
    return BuiltKnowledgeBase(folder, description, graph, texts)


def _require_readable(path: Path) -> None:
    """Open a file for reading.

    Raises:
        StoreDamaged: it is missing.
        StoreError: it may not be read.
    """
    try:
        path.open("rb").close()
    except FileNotFoundError as err:
        raise StoreDamaged(f"{path} is missing; {REBUILD}") from err
    except OSError as err:
        raise _unreadable(path, err) from err


def _unreadable(path: Path, err: OSError) -> StoreError:
    if isinstance(err, PermissionError):
        return StoreError(
            f"{path} cannot be read: {err.strerror}; give yourself the right to read it, or copy the base"
        )
    return StoreDamaged(f"{path} cannot be read ({err.strerror}); {REBUILD}")


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except PermissionError as err:
        raise _unreadable(path.parent, err) from err


def _description_file(folder: Path) -> FileState:
    if not _is_there(folder / DESCRIPTION):
        raise UsageError(f"no knowledge base at {folder}: {_hint(folder)}")
    try:
        return FileState.of(folder / DESCRIPTION)
    except OSError as err:
        raise _unreadable(folder / DESCRIPTION, err) from err


def _hint(folder: Path) -> str:
    scheme, colon, rest = str(folder).partition(":/")
    if colon and scheme in SCHEMES:
        return f"a base on a graph server is copied first, by heliograph skb build {scheme}://{rest} graph.skb"
    if folder.with_name(f"{folder.name}.building").exists():
        return "its build did not end; run heliograph skb build again"
    return "make one with heliograph skb build"


def _described(file: FileState) -> BaseDescription:
    """Return what a built base says of itself."""
    try:
        said = json.loads(file.content)
        if said["format"] != FORMAT:
            raise UsageError(f"{file.path.parent} was built by another version (format {said['format']}); {REBUILD}")
        arrays = {name: Extent(**extent) for name, extent in said.pop("arrays").items()}
        types, faults = (tuple(said.pop(name)) for name in ("candidate_types", "faults"))
        return BaseDescription(**said, candidate_types=types, faults=faults, arrays=arrays)
    except MALFORMED as err:
        raise StoreDamaged(f"{file.path} is no description of a knowledge base ({err}); {REBUILD}") from err


def check_base(folder: Path) -> tuple[str, ...]:
    """Return what is wrong with a built base, a line each: files, counts, rows out of order, directions that differ.

    Raises:
        UsageError | StoreDamaged: as `open_base`.
    """
    base = open_base(folder)
    graph, out, back = base.graph, base.graph.rows["out"], base.graph.rows["in"]
    wrong = [f"{way}: {fault}" for way, rows in graph.rows.items() if (fault := _fault(rows, graph))]
    wrong += _miscounts(base) if not wrong else ()
    if not wrong and any(np.any(np.diff(_keys(rows, graph)) <= 0) for rows in (out, back)):
        wrong.append("relations are out of order")
    if not wrong and not np.array_equal(_keys(out, graph), np.sort(_keys(back, graph, turned=True))):
        wrong.append("relations do not read alike in both directions")
    if fault := base.check_texts():
        wrong.append(f"{TEXTS}: {fault}")
    return tuple(f"{each}; {REBUILD}" for each in wrong)


def _miscounts(base: BuiltKnowledgeBase) -> Iterator[str]:
    """Yield what the description counts otherwise than the arrays do."""
    graph = base.graph
    if len(graph.types) and int(graph.types.max()) >= len(graph.entity_types):
        yield "entities have types that there are not"
    elif np.bincount(graph.types, minlength=len(graph.entity_types)).tolist() != list(base.entity_types.values()):
        yield f"{DESCRIPTION} counts other entities of some type"
    counts = np.bincount(graph.rows["out"].relations, minlength=len(graph.relations))
    if counts.tolist() != list(base.relations.values()):
        yield f"{DESCRIPTION} counts other triples of some relation"


def _fault(rows: Rows, graph: Adjacency) -> str:
    entities, triples = len(graph.types), len(rows.neighbours)
    if len(rows.offsets) != entities + 1 or rows.offsets[0] != 0 or rows.offsets[-1] != triples:
        return "rows do not fit the entities"
    if np.any(rows.degrees() < 0):
        return "rows overlap"
    if triples and not 0 <= int(rows.neighbours.min()) <= int(rows.neighbours.max()) < entities:
        return "triples name entities that there are not"
    if triples and int(rows.relations.max()) >= len(graph.relations):
        return "triples name relations that there are not"
    return ""


def _keys(rows: Rows, graph: Adjacency, *, turned: bool = False) -> Numbers:
    """Return a number for each triple by source, relation and target; `turned` where rows are those of targets."""
    sources, targets = (rows.neighbours, rows.owners()) if turned else (rows.owners(), rows.neighbours)
    entities, relations = len(graph.types), max(1, len(graph.relations))
    return (sources.astype(np.int64) * relations + rows.relations) * entities + targets
