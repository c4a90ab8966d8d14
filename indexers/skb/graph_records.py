"""The knowledge base of a graph as files of records, copied in batches; a copy that was stopped goes on.

Plans weigh all names, words and relations of a base at once, which no server gives: a base in a graph is copied to one
machine and built there (docs/decisions/068).
"""

import asyncio
import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from time import monotonic

from heliograph.errors import UsageError
from heliograph.storage import MALFORMED, writing_into
from indexers.skb.base_building import ENTITIES, SECONDS_BETWEEN, TRIPLES, Progress
from indexers.skb.cypher_base import LOADED, CypherKnowledgeBase, GraphModel, aliases_in, attributes_in, open_base_in
from indexers.skb.cypher_session import CypherSession, Row, connect
from indexers.skb.record_files import RecordFiles, open_record_files

ENTITY_FILE, RELATION_FILE, STATE = "entities.jsonl", "relations.jsonl", "copied.json"
FORMAT = 1
BATCH = 1_000
"""Entities of one statement, or those whose relations one statement returns."""
DIGEST = "MATCH (b:KnowledgeBase) RETURN b.description AS description"


@dataclass(frozen=True, slots=True)
class GraphAddress:
    """A graph on a server, one of its databases if it has several, and how it states entities and relations."""

    url: str
    database: str = ""
    model: GraphModel = LOADED


async def graph_records(address: GraphAddress, folder: Path, say: Progress) -> RecordFiles:
    """Copy the entities and relations of a graph into a folder, unless they are there, and return them.

    Callers hold the lock of the folder. User and password come from the environment, as `connect` says.

    Raises:
        UsageError: the address is none, the driver is not installed, or the graph has no knowledge base, or an empty
            one.
        StoreUnreachable: the server is down, slow, or refuses us.
        StoreError: it refuses a statement, the disk is full, or the folder cannot be written.
    """
    async with connect(address.url, database=address.database) as session:
        return await copy_graph(session, address.model, folder, say, f"{address.url} {address.database}")


async def copy_graph(
    session: CypherSession, model: GraphModel, folder: Path, say: Progress, origin: str = "", batch: int = BATCH
) -> RecordFiles:
    """Copy the graph of a session, as `graph_records` does; `origin` tells it from other graphs."""
    base = await open_base_in(session, model, "")
    if not sum(base.entity_types.values()):
        raise UsageError("the knowledge base of this graph has no entities; load one with load_into_graph")
    counts = [dict(base.entity_types), dict(base.relations)]
    loaded = [row["description"] for row in await session.read(DIGEST, {})] if model.described else []
    stamp = json.dumps([FORMAT, origin, asdict(model), counts, loaded])
    with writing_into(folder, "name another place"):
        copy = _Copy(session, model, folder, say, stamp, batch)
        await copy.entities()
        await copy.relations()
    copy.compare(base)
    return replace(open_record_files([folder / each for each in copy.written]), name=base.name)


@dataclass(slots=True)
class _State:
    """How far a copy came.

    Attributes:
        stamp: what tells the graph, as it was, from others.
        last: the greatest number of each batch of entities.
        whole: whether all entities are there.
        related: batches whose relations are there.
        counts: lines of each file.
        sizes: bytes of each file.
    """

    stamp: str
    last: list[int] = field(default_factory=list)
    whole: bool = False
    related: int = 0
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys((ENTITY_FILE, RELATION_FILE), 0))
    sizes: dict[str, int] = field(default_factory=lambda: dict.fromkeys((ENTITY_FILE, RELATION_FILE), 0))


class _Copy:
    def __init__(
        self, session: CypherSession, model: GraphModel, folder: Path, say: Progress, stamp: str, batch: int
    ) -> None:
        self._session, self._model, self._folder, self._say, self._batch = session, model, folder, say, batch
        self._state = _found(folder / STATE, stamp)
        self._told = monotonic()
        if any(_size(folder / name) < size for name, size in self._state.sizes.items()):
            self._state = _State(stamp)  # a file is gone, or was cut
        for name, size in self._state.sizes.items():
            with (folder / name).open("ab") as file:
                file.truncate(size)

    @property
    def written(self) -> Sequence[str]:
        """Return the files that hold something."""
        return [name for name, count in self._state.counts.items() if count]

    async def entities(self) -> None:
        """Copy entities from the first that is not there, in the order of their numbers."""
        model, state = self._model, self._state
        number = model.of("number", "e")
        columns = (
            f"{model.entity_columns}, {model.of('text', 'e')} AS text, {model.of('attributes', 'e')} AS attributes"
        )
        while not state.whole:
            begun = f" WHERE {number} > $last" if state.last else ""
            given = {"last": state.last[-1]} if state.last else {}
            rows = await self._session.read(
                f"MATCH {model.node('e')}{begun} RETURN {columns} ORDER BY number LIMIT $batch",
                {**given, "batch": self._batch},
            )
            state.whole = len(rows) < self._batch
            state.last += [rows[-1]["number"]] if rows else []
            await asyncio.to_thread(self._add, ENTITY_FILE, list(map(_entity, rows)))
            self._progress(f"{ENTITIES.of(state.counts[ENTITY_FILE])} copied")

    async def relations(self) -> None:
        """Copy the relations from the entities of each batch that has not given them."""
        model, state = self._model, self._state
        number = model.of("number", "e")
        columns = (
            f"{number} AS number, {model.of('id', 'e')} AS source, {model.of('relation', 't')} AS relation, "
            f"{model.of('id', 'o')} AS target, {model.of('said', 't')} AS text, {model.of('evidence', 't')} AS evidence"
        )
        for last in state.last[state.related :]:
            begun = f"{number} > $before AND " if state.related else ""
            given = {"before": state.last[state.related - 1]} if state.related else {}
            rows = await self._session.read(
                f"MATCH {model.step('out')} WHERE {begun}{number} <= $last RETURN {columns}"
                " ORDER BY number, relation, target",
                {**given, "last": last},
            )
            state.related += 1
            await asyncio.to_thread(self._add, RELATION_FILE, list(map(_relation, rows)))
            self._progress(f"{TRIPLES.of(state.counts[RELATION_FILE])} copied")

    def compare(self, base: CypherKnowledgeBase) -> None:
        """Say so where the graph counts more or fewer than were copied."""
        for name, counted, there in (
            (ENTITY_FILE, ENTITIES, base.entity_types),
            (RELATION_FILE, TRIPLES, base.relations),
        ):
            copied, whole = self._state.counts[name], sum(there.values())
            if copied != whole:
                self._say(
                    f"{counted.of(copied)} copied, where the graph counts {whole:,}: it changed meanwhile, or its "
                    "model gives several entities one number, or no type"
                )

    def _add(self, name: str, records: Sequence[Mapping[str, object]]) -> None:
        """Write lines, then how far the copy is: what stands behind that is cut off when it goes on."""
        lines = "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in records)
        with (self._folder / name).open("ab") as file:
            self._state.sizes[name] += file.write(lines.encode("utf8", "surrogatepass"))
            file.flush()
            os.fsync(file.fileno())
        self._state.counts[name] += len(records)
        beside = self._folder / f"{STATE}.new"
        beside.write_text(json.dumps(asdict(self._state)), encoding="utf8")
        beside.replace(self._folder / STATE)

    def _progress(self, said: str) -> None:
        if monotonic() - self._told >= SECONDS_BETWEEN:
            self._told = monotonic()
            self._say(said)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _found(path: Path, stamp: str) -> _State:
    """Return how far a copy of the same graph came, or a new beginning."""
    try:
        found = _State(**json.loads(path.read_text(encoding="utf8")))
    except (*MALFORMED, FileNotFoundError):
        return _State(stamp)
    return found if found.stamp == stamp else _State(stamp)


def _entity(row: Row) -> Mapping[str, object]:
    """Return the record of an entity; aliases may be a list, names and texts whatever has a form as text.

    Raises:
        UsageError: its attributes are a text that is no JSON.
    """
    told = {name: str(row[name]) for name in ("id", "type", "name", "text") if row[name] is not None}
    try:
        attributes = dict(attributes_in(row["attributes"]))
    except ValueError as err:
        raise UsageError(
            f"the attributes of entity {row['id']} are a text that is no JSON ({err}); change the expression "
            "`attributes` of the graph model"
        ) from err
    return {**told, "aliases": list(aliases_in(row["aliases"])), "attributes": attributes}


def _relation(row: Row) -> Mapping[str, object]:
    told = {name: str(row[name] or "") for name in ("relation", "text", "evidence")}
    return {"source": str(row["source"]), "target": str(row["target"]), **told}


def read_graph_model(path: Path) -> GraphModel:
    """Read a TOML file of expressions, by the names of `GraphModel`'s fields; `described` is false if left out.

    Raises:
        UsageError: there is no such file, it is no TOML, or it has something else.
    """
    known = {each.name: type(each.default) for each in fields(GraphModel)}
    try:
        said = tomllib.loads(path.read_text(encoding="utf8"))
    except OSError as err:
        raise UsageError(f"{path} cannot be read ({err.strerror}); check its name and permissions") from err
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        raise UsageError(f"{path} is no TOML ({err}); write it as docs/how-to/use-a-graph-database.md shows") from err
    for name, value in said.items():
        if name not in known:
            raise UsageError(f"{path}: a graph has no {name!r}; known are {', '.join(known)}")
        if not isinstance(value, known[name]):
            raise UsageError(f"{path}: {name} is to be {'true or false' if known[name] is bool else 'text in quotes'}")
    return GraphModel(**{"described": False, **said})
