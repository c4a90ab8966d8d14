"""Load a built knowledge base into a graph database, in batches; a load that was stopped goes on."""

import asyncio
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from time import monotonic

import numpy as np

from heliograph.errors import UsageError
from heliograph.types import EntityRecord
from indexers.database import translated
from indexers.skb.base_building import SECONDS_BETWEEN, TEXTS, Progress
from indexers.skb.cypher_session import CypherSession, Row
from indexers.skb.entity_texts import BETWEEN_ALIASES, REBUILD, name_rows
from indexers.skb.knowledge_base import BuiltKnowledgeBase

BATCH = 5_000
"""Entities, or triples, of one statement: MERGE is to fit into the memory of one transaction."""
BEGIN = (
    "MERGE (b:KnowledgeBase {name: $name})"
    " ON CREATE SET b.description = $description, b.entities = 0, b.triples = 0"
    " RETURN b.description AS description, b.entities AS entities, b.triples AS triples"
)
OTHERS = "MATCH (b:KnowledgeBase) WHERE b.name <> $name RETURN b.name AS name"
ENTITIES = (
    "UNWIND $rows AS row MERGE (e:Entity {number: row.number}) SET e.id = row.id, e.type = row.type,"
    " e.name = row.name, e.aliases = row.aliases, e.text = row.text, e.attributes = row.attributes"
)
NAMES = (
    "UNWIND $rows AS row MATCH (e:Entity {number: row.number})"
    " MERGE (n:Name {folded: row.folded}) MERGE (n)-[:NAMES]->(e)"
)
TRIPLES = (
    "UNWIND $rows AS row MATCH (s:Entity {number: row.source}), (o:Entity {number: row.target})"
    " MERGE (s)-[t:RELATED {relation: row.relation}]->(o) SET t.text = row.text, t.evidence = row.evidence"
)
LOADED_ENTITIES = "MATCH (b:KnowledgeBase {name: $name}) SET b.entities = $done"
LOADED_TRIPLES = "MATCH (b:KnowledgeBase {name: $name}) SET b.triples = $done"


async def load_into_graph(
    base: BuiltKnowledgeBase, session: CypherSession, say: Progress, batch: int = BATCH
) -> tuple[int, int]:
    """Put all entities, names and triples into a graph of their own, and return how many entities and triples it has.

    Whatever is there already is written over with the same, so that a load may be stopped and run again; it begins
    behind the last whole batch.

    Raises:
        UsageError: the graph has another knowledge base.
        StoreUnreachable | StoreError: as the session says.
    """
    load = _Load(base, session, say, batch)
    await load.begin()
    await load.entities()
    await load.triples()
    return load.loaded


class _Load:
    def __init__(self, base: BuiltKnowledgeBase, session: CypherSession, say: Progress, batch: int) -> None:
        self._base, self._session, self._say, self._batch = base, session, say, batch
        self._told = monotonic()
        self.loaded = (0, 0)

    async def begin(self) -> None:
        """Make tables and indexes, and see how far a load came before."""
        for definition in self._session.dialect.definitions:
            await self._session.define(definition)
        name = self._base.name
        if others := await self._session.read(OTHERS, {"name": name}):
            raise UsageError(f"the graph has the knowledge base {others[0]['name']!r} already; {_CLEAR}")
        description = json.dumps(
            {
                "entity_types": dict(self._base.entity_types),
                "relations": dict(self._base.relations),
                "digest": self._base.description.digest,
            },
            ensure_ascii=False,
        )
        await asyncio.to_thread(self._base.require_current)
        (found,) = await self._session.write(BEGIN, {"name": name, "description": description})
        if found["description"] != description:
            raise UsageError(f"the graph has another knowledge base of the name {name!r}; {_CLEAR}")
        self.loaded = found["entities"], found["triples"]

    async def entities(self) -> None:
        """Put entities and their names, from the first that is not there."""
        whole, (first, triples) = len(self._base.graph.types), self.loaded
        for begin in range(first, whole, self._batch):
            end = min(whole, begin + self._batch)
            rows = await asyncio.to_thread(self._entity_rows, begin, end)
            await self._session.write(ENTITIES, {"rows": rows})
            if names := [row for each in rows for row in _names(each)]:
                await self._session.write(NAMES, {"rows": names})
            await self._session.write(LOADED_ENTITIES, {"name": self._base.name, "done": end})
            self.loaded = end, triples
            self._progress(f"{end:,} of {whole:,} entities")

    async def triples(self) -> None:
        """Put triples, from the first that is not there."""
        whole, (entities, first) = len(self._base.graph.rows["out"].neighbours), self.loaded
        for begin in range(first, whole, self._batch):
            end = min(whole, begin + self._batch)
            rows = await asyncio.to_thread(self._triple_rows, begin, end)
            await self._session.write(TRIPLES, {"rows": rows})
            await self._session.write(LOADED_TRIPLES, {"name": self._base.name, "done": end})
            self.loaded = entities, end
            self._progress(f"{end:,} of {whole:,} relations")

    def _entity_rows(self, begin: int, end: int) -> list[Row]:
        names = ("number", "id", "type", "name", "aliases", "text", "attributes")
        ask = f"SELECT {', '.join(names)} FROM entities WHERE number >= ? AND number < ? ORDER BY number"
        types, path = self._base.graph.entity_types, self._base.folder / TEXTS
        with translated(path, REBUILD), closing(sqlite3.connect(path)) as texts:
            rows = [dict(zip(names, row, strict=True)) for row in texts.execute(ask, (begin, end))]
        return [{**row, "type": types[row["type"]]} for row in rows]

    def _triple_rows(self, begin: int, end: int) -> list[Row]:
        graph, rows, path = self._base.graph, self._base.graph.rows["out"], self._base.folder / TEXTS
        owners = np.searchsorted(rows.offsets, np.arange(begin, end), side="right") - 1
        ask = "SELECT text, evidence FROM stated WHERE relation = ? AND source = ? AND target = ?"
        found = list[Row]()
        with translated(path, REBUILD), closing(sqlite3.connect(path)) as texts:
            parts = (owners.tolist(), rows.relations[begin:end].tolist(), rows.neighbours[begin:end].tolist())
            for source, place, target in zip(*parts, strict=True):
                relation = graph.relations[place]
                text, evidence = texts.execute(ask, (relation, source, target)).fetchone() or ("", "")
                found.append(
                    {"source": source, "relation": relation, "target": target, "text": text, "evidence": evidence}
                )
        return found

    def _progress(self, said: str) -> None:
        if monotonic() - self._told >= SECONDS_BETWEEN:
            self._told = monotonic()
            self._say(said)


_CLEAR = "use another database, or empty it first with MATCH (n) DETACH DELETE n"


def _names(row: Row) -> Sequence[Mapping[str, object]]:
    record = EntityRecord(row["id"], row["type"], row["name"], aliases=tuple(row["aliases"].split(BETWEEN_ALIASES)))
    return [{"folded": key, "number": number} for key, number in sorted(name_rows(row["number"], record))]
