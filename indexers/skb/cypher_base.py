"""A knowledge base in a graph database, asked by Cypher: for bases beyond one machine.

The statements are plain openCypher and the same for every engine; how each finds words is told at `search`.
"""

import json
import re
from collections.abc import AsyncIterator, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from heliograph.errors import StoreDamaged, UnknownEntity, UsageError
from heliograph.types import Attribute, Direction, Entity, EntityPath, Scored, Triple, TripleType
from indexers.lexical import FUNCTION_WORDS
from indexers.skb.adjacency import place_of, ways
from indexers.skb.base_building import ENTITIES, TRIPLES
from indexers.skb.cypher_session import WORD_INDEX, CypherSession, Row, ServerKind, connect
from indexers.skb.entity_texts import BETWEEN_ALIASES, MOST_WORDS, SHOWN, folded

NUMBERS_AT_ONCE = 10_000
"""Numbers in the parameters of one statement."""
MOST_VISITED = 1_000_000
"""Entities that a search for paths looks at before it gives up."""
NAME_HITS = 4.0
"""How many words of a document a word of a name or alias counts for, where there is no full-text index."""
_WORD = re.compile(r"\w+")
_DESCRIPTION = (
    "MATCH (b:KnowledgeBase)"
    " RETURN b.name AS name, b.description AS description, b.entities AS entities, b.triples AS triples"
)


@dataclass(frozen=True, slots=True)
class GraphModel:
    """How a graph states entities and relations, in Cypher with {node} and {edge} for variables.

    The defaults are what `load_into_graph` makes. Those of another graph are part of the text of statements: write
    them yourself, and never take them from data.

    Attributes:
        entities: labels of the nodes that are entities; empty for all.
        relations: types of the edges that are relations; empty for all.
        number: a whole number that no two entities share.
        aliases: one text, a line each.
        attributes: a JSON object as text, or a map.
        named: finds `e`, the entities of a name: by $folded, as `entity_texts.folded` writes it, or by $lowered, the
            name in small letters.
        word_index: the full-text index of Neo4j; empty where there is none.
        described: whether `load_into_graph` made it, and said in the graph what it has.
    """

    entities: str = ":Entity"
    relations: str = ":RELATED"
    number: str = "{node}.number"
    id: str = "{node}.id"
    type: str = "{node}.type"
    name: str = "{node}.name"
    aliases: str = "{node}.aliases"
    text: str = "{node}.text"
    attributes: str = "{node}.attributes"
    relation: str = "{edge}.relation"
    said: str = "{edge}.text"
    evidence: str = "{edge}.evidence"
    named: str = "MATCH (:Name {folded: $folded})-[:NAMES]->(e:Entity)"
    word_index: str = WORD_INDEX
    described: bool = True

    def of(self, part: str, variable: str) -> str:
        """Return the expression of a part of a node or an edge."""
        expression: str = getattr(self, part)
        return expression.replace("{node}", variable).replace("{edge}", variable)

    def node(self, variable: str) -> str:
        """Return the pattern of an entity."""
        return f"({variable}{self.entities})"

    def step(self, direction: Direction) -> str:
        """Return the pattern of a relation `t` from `e` to `o`, followed one way or either."""
        tail, head = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}[direction]
        return f"{self.node('e')}{tail}[t{self.relations}]{head}{self.node('o')}"

    @property
    def entity_columns(self) -> str:
        """Return what an `Entity` is made of, of a node `e`."""
        parts = ("number", "id", "type", "name", "aliases")
        return ", ".join(f"{self.of(part, 'e')} AS {part}" for part in parts)


LOADED = GraphModel()


class CypherKnowledgeBase:
    """The `KnowledgeBase` of a graph; `open_base_in` and `open_graph` make it."""

    def __init__(
        self,
        session: CypherSession,
        model: GraphModel,
        name: str,
        entity_types: Mapping[str, int],
        relations: Mapping[str, int],
    ) -> None:
        self._session, self._model = session, model
        self._name, self._types, self._relations = name, dict(entity_types), dict(relations)
        self._places = {relation: place for place, relation in enumerate(self._relations)}

    @property
    def name(self) -> str:
        """Return what the base is called."""
        return self._name

    @property
    def entity_types(self) -> Mapping[str, int]:
        """Return how many entities each type has."""
        return self._types

    @property
    def relations(self) -> Mapping[str, int]:
        """Return how many triples each relation has."""
        return self._relations

    async def schema(self) -> tuple[TripleType, ...]:
        """Return the kinds of triples, the most frequent first; every triple is looked at."""
        model = self._model
        rows = await self._session.read(
            f"MATCH {model.step('out')} RETURN {model.of('type', 'e')} AS source, {model.of('relation', 't')} AS"
            f" relation, {model.of('type', 'o')} AS target, count(*) AS triples",
            {},
        )
        found = (TripleType(row["source"], row["relation"], row["target"], row["triples"]) for row in rows)
        return tuple(sorted(found, key=lambda each: (-each.triples, each.relation, each.source, each.target)))

    async def entities(self, numbers: Sequence[int]) -> tuple[Entity, ...]:
        """Return entities in the order asked for."""
        rows = {row["number"]: row for row in await self._of_numbers(self._model.entity_columns, numbers)}
        _refuse_missing(numbers, rows)
        return tuple(_entity(rows[each]) for each in numbers)

    async def entity(self, id: str) -> Entity:
        """Return the entity that its source calls `id`."""
        model = self._model
        found = await self._session.read(
            f"MATCH {model.node('e')} WHERE {model.of('id', 'e')} = $id RETURN {model.entity_columns} LIMIT 1",
            {"id": id},
        )
        if not found:
            raise UnknownEntity(f"no entity has the id {id[:SHOWN]!r} in this knowledge base")
        return _entity(found[0])

    async def named(self, name: str, type: str = "") -> tuple[Entity, ...]:
        """Return the entities of a name or alias."""
        statement = f"{self._model.named} RETURN DISTINCT {self._model.entity_columns} ORDER BY number"
        given = {"folded": folded(name), "lowered": " ".join(name.split()).lower()}
        found = await self._session.read(statement, _mentioned(given, statement))
        return tuple(each for each in map(_entity, found) if type in ("", each.type))

    async def search(
        self, query: str, k: int, type: str = "", within: Sequence[int] | None = None
    ) -> tuple[Scored[int], ...]:
        """Return the k best entities by the words of a query, of a type and among others if they are named.

        Neo4j ranks by its full-text index (Lucene's BM25, English stems). Elsewhere an entity scores one for each word
        that its document contains, also within a longer one, and NAME_HITS where its name or an alias does: all
        documents are read.
        """
        if type:
            place_of(type, self._types, "type")
        words = list(dict.fromkeys(word.casefold() for word in _WORD.findall(query)))
        telling = ([word for word in words if word not in FUNCTION_WORDS] or words)[:MOST_WORDS]
        if not telling or k < 1 or (within is not None and not len(within)):
            return ()
        limits = [f"{self._model.of('type', 'e')} = $type"] if type else []
        limits += [] if within is None else [f"{self._model.of('number', 'e')} IN $within"]
        given = {"k": k, "type": type, "within": [int(each) for each in within or ()]}
        if self._session.dialect.full_text and self._model.word_index:
            statement = self._by_index(limits)
            given |= {"index": self._model.word_index, "words": " OR ".join(f'"{word}"' for word in telling)}
        else:
            statement = self._by_words(limits)
            given |= {"words": telling}
        rows = await self._session.read(statement, _mentioned(given, statement))
        return tuple(Scored(row["number"], float(row["score"])) for row in rows)

    def _by_index(self, limits: Sequence[str]) -> str:
        return (
            "CALL db.index.fulltext.queryNodes($index, $words) YIELD node, score WITH node AS e, score"
            f"{_where(limits)} RETURN {self._model.of('number', 'e')} AS number, score"
            " ORDER BY score DESC, number LIMIT $k"
        )

    def _by_words(self, limits: Sequence[str]) -> str:
        model = self._model
        names, text = (
            " + ' ' + ".join(f"coalesce({model.of(part, 'e')}, '')" for part in parts)
            for parts in (("name", "aliases"), ("text",))
        )
        return (
            f"MATCH {model.node('e')}{_where(limits)} WITH {model.of('number', 'e')} AS number,"
            f" toLower({names}) AS names, toLower({text}) AS text UNWIND $words AS word"
            " WITH number, word, names, text WHERE names CONTAINS word OR text CONTAINS word"
            f" RETURN number, sum(CASE WHEN names CONTAINS word THEN {NAME_HITS} ELSE 1.0 END) AS score"
            " ORDER BY score DESC, number LIMIT $k"
        )

    async def document(self, number: int) -> str:
        """Return the text of an entity."""
        return str(await self._of_number("text", number) or "")

    async def attributes(self, number: int) -> Mapping[str, Attribute]:
        """Return the attributes of an entity: those that are texts or numbers."""
        found = await self._of_number("attributes", number)
        return attributes_in(found)

    async def of_type(self, type: str) -> tuple[int, ...]:
        """Return all entities of a type."""
        place_of(type, self._types, "type")
        model = self._model
        rows = await self._session.read(
            f"MATCH {model.node('e')} WHERE {model.of('type', 'e')} = $type"
            f" RETURN {model.of('number', 'e')} AS number ORDER BY number",
            {"type": type},
        )
        return tuple(row["number"] for row in rows)

    async def neighbours(
        self, numbers: Sequence[int], relation: str = "", direction: Direction = "both", type: str = ""
    ) -> tuple[int, ...]:
        """Return the entities joined to one of several."""
        await self._require(numbers)
        if relation:
            place_of(relation, self._relations, "relation")
        if type:
            place_of(type, self._types, "type")
        return tuple(sorted(await self._neighbours(numbers, relation, direction, type)))

    async def _neighbours(
        self, numbers: Iterable[int], relation: str = "", direction: Direction = "both", type: str = ""
    ) -> set[int]:
        model = self._model
        limits = [f"{model.of('number', 'e')} = asked"]
        limits += [f"{model.of('relation', 't')} = $relation"] if relation else []
        limits += [f"{model.of('type', 'o')} = $type"] if type else []
        statement = (
            f"UNWIND $numbers AS asked MATCH {model.step(direction)}{_where(limits)}"
            f" RETURN DISTINCT {model.of('number', 'o')} AS number"
        )
        found = set[int]()
        for part in _parts(numbers):
            given = {"numbers": part, "relation": relation, "type": type}
            found.update(row["number"] for row in await self._session.read(statement, _mentioned(given, statement)))
        return found

    async def triples(
        self, number: int, relation: str = "", direction: Direction = "both", limit: int = 100
    ) -> tuple[Triple, ...]:
        """Return triples of an entity with what they say: a statement for each of its relations."""
        await self._require([number])
        if relation:
            place_of(relation, self._relations, "relation")
        found = list[Triple]()
        for way in ways(direction):
            for one in [relation] if relation else await self._relations_of(number, way):
                told = await self._told(number, way, {"relation": one, "limit": limit})
                found += [each for each in told if way == "out" or direction == "in" or each.source != each.target]
        return tuple(found)

    async def _relations_of(self, number: int, way: Direction) -> list[str]:
        model = self._model
        rows = await self._session.read(
            f"MATCH {model.step(way)} WHERE {model.of('number', 'e')} = $number"
            f" RETURN DISTINCT {model.of('relation', 't')} AS relation",
            {"number": int(number)},
        )
        return sorted((row["relation"] for row in rows), key=self._place)

    async def _told(self, number: int, way: Direction, given: Mapping[str, object]) -> tuple[Triple, ...]:
        """Return triples of an entity one way; `given` is the relation and a limit, or the other entity."""
        model = self._model
        known = {"number": "number", "relation": "relation", "other": "number"}
        sides = {"number": "e", "relation": "t", "other": "o"}
        values = {"number": int(number), **given}
        limits = [f"{model.of(known[each], sides[each])} = ${each}" for each in values if each in known]
        rows = await self._session.read(
            f"MATCH {model.step(way)}{_where(limits)} RETURN DISTINCT {model.of('number', 'o')} AS other,"
            f" {model.of('relation', 't')} AS relation, {model.of('said', 't')} AS text,"
            f" {model.of('evidence', 't')} AS evidence ORDER BY other"
            f"{' LIMIT $limit' if 'limit' in given else ''}",
            values,
        )
        ends = ((number, row["other"]) if way == "out" else (row["other"], number) for row in rows)
        return tuple(
            Triple(source, row["relation"], target, row["text"] or "", row["evidence"] or "")
            for (source, target), row in zip(ends, rows, strict=True)
        )

    async def between(self, first: int, second: int) -> tuple[Triple, ...]:
        """Return the triples that join two entities, either way, with what they say."""
        await self._require([first, second])
        return await self._between(first, second)

    async def _between(self, first: int, second: int) -> tuple[Triple, ...]:
        found = dict[Triple, None]()
        for way in ways("both"):
            told = await self._told(first, way, {"other": int(second)})
            found |= dict.fromkeys(sorted(told, key=lambda each: self._place(each.relation)))
        return tuple(found)

    async def paths(self, source: int, target: int, hops: int, limit: int = 10) -> tuple[EntityPath, ...]:
        """Return shortest paths between two entities, relations followed either way; none beyond `hops`.

        Found here, by neighbours from both ends: engines write shortest paths differently, and Neptune has none.
        """
        await self._require([source, target])
        if limit < 1:
            return ()
        distance = await self._distances(source, target, hops)
        found = list[EntityPath]()
        async for entities in self._descents((source,), distance):
            triples = [(await self._between(first, second))[0] for first, second in pairwise(entities)]
            found.append(EntityPath(entities, tuple(triples)))
            if len(found) >= limit:
                break
        return tuple(found)

    async def _distances(self, source: int, target: int, hops: int) -> Mapping[int, int]:
        """Return how far entities on shortest paths are from the target, and some around it; empty if none joins."""
        ahead, behind = [{source}], [{target}]
        while not (met := ahead[-1] & behind[-1]):
            seen = sum(map(len, (*ahead, *behind)))
            if len(ahead) + len(behind) - 2 >= hops:
                return {}
            if seen > MOST_VISITED:
                raise UsageError(
                    f"no path of at most {TRIPLES.of(len(ahead) + len(behind) - 2)} joins them, and the search for a "
                    f"longer one gave up after {ENTITIES.of(seen)}; search from an entity that may lie between them"
                )
            side = min(ahead, behind, key=lambda each: len(each[-1]))
            rim = (await self._neighbours(side[-1])).difference(*side)
            if not rim:
                return {}
            side.append(rim)
        distance = {each: far for far, rim in enumerate(behind) for each in rim}
        for far, rim in enumerate(reversed(ahead[:-1]), len(behind)):
            met = await self._neighbours(met) & rim
            distance.update(dict.fromkeys(met, far))
        return distance

    async def _descents(self, path: tuple[int, ...], distance: Mapping[int, int]) -> AsyncIterator[tuple[int, ...]]:
        left = distance.get(path[-1])
        if left == 0:
            yield path
        if not left:
            return
        for each in sorted(await self._neighbours([path[-1]])):
            if distance.get(each) == left - 1:
                async for longer in self._descents((*path, each), distance):
                    yield longer

    async def _require(self, numbers: Sequence[int]) -> None:
        rows = await self._of_numbers(f"{self._model.of('number', 'e')} AS number", numbers)
        _refuse_missing(numbers, {row["number"] for row in rows})

    def _place(self, relation: str) -> int:
        return self._places.get(relation, len(self._places))

    async def _of_number(self, part: str, number: int) -> Any:
        rows = await self._of_numbers(f"{self._model.of(part, 'e')} AS found", [number])
        _refuse_missing([number], [number] if rows else ())
        return rows[0]["found"]

    async def _of_numbers(self, columns: str, numbers: Sequence[int]) -> list[Row]:
        statement = (
            f"UNWIND $numbers AS asked MATCH {self._model.node('e')}"
            f" WHERE {self._model.of('number', 'e')} = asked RETURN {columns}"
        )
        return [row for part in _parts(numbers) for row in await self._session.read(statement, {"numbers": part})]


@asynccontextmanager
async def open_graph(
    url: str,
    user: str = "",
    password: str = "",
    database: str = "",
    server: ServerKind = "neo4j",
    model: GraphModel = LOADED,
    name: str = "graph",
) -> AsyncIterator[CypherKnowledgeBase]:
    """Open the knowledge base on a server for the time of a block; see `connect` and `open_base_in`.

    Raises:
        UsageError: the address is none, or the graph has no knowledge base, or a part of one.
        StoreUnreachable: the server is down, slow, or refuses us.
        StoreError: it refuses a statement.
    """
    async with connect(url, user, password, database, server) as session:
        yield await open_base_in(session, model, name)


async def open_base_in(session: CypherSession, model: GraphModel = LOADED, name: str = "graph") -> CypherKnowledgeBase:
    """Open the knowledge base of a graph; `name` is what one is called that does not say it itself.

    Of a graph that was not loaded by us, entities and relations are counted, which looks at all of them.

    Raises:
        UsageError: there is none, or its load did not end.
    """
    if not model.described:
        types = await _counts(session, f"MATCH {model.node('e')} RETURN {model.of('type', 'e')} AS name")
        relations = await _counts(session, f"MATCH {model.step('out')} RETURN {model.of('relation', 't')} AS name")
        if not types:
            raise UsageError("the graph has no entities by this model; correct its labels")
        return CypherKnowledgeBase(session, model, name, types, relations)
    found = await session.read(_DESCRIPTION, {})
    if not found:
        raise UsageError(
            "no knowledge base in this graph; load one with load_into_graph, or say with a GraphModel how it states one"
        )
    row = found[0]
    try:
        said = json.loads(row["description"])
        types, relations = dict(said["entity_types"]), dict(said["relations"])
    except (TypeError, ValueError, KeyError) as err:
        raise StoreDamaged("the graph's node :KnowledgeBase is no description of one; load it again") from err
    if (row["entities"], row["triples"]) != (sum(types.values()), sum(relations.values())):
        raise UsageError(f"the load of {row['name']} did not end; run load_into_graph again")
    return CypherKnowledgeBase(session, model, row["name"], types, relations)


async def _counts(session: CypherSession, statement: str) -> Mapping[str, int]:
    rows = await session.read(f"{statement}, count(*) AS entries ORDER BY name", {})
    return {row["name"]: row["entries"] for row in rows if row["name"]}


def aliases_in(stated: object) -> tuple[str, ...]:
    """Return an entity's aliases; a graph states them as lines of a text or as a list."""
    several = stated.split(BETWEEN_ALIASES) if isinstance(stated, str) else stated
    return tuple(str(each) for each in (several if isinstance(several, Sequence) else ()) if each)


def attributes_in(stated: object) -> Mapping[str, Attribute]:
    """Return those of an entity's attributes that are texts or numbers; a graph states them as JSON or as a map."""
    told = json.loads(stated) if isinstance(stated, str) else stated
    return {
        name: value
        for name, value in (told if isinstance(told, Mapping) else {}).items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    }


def _entity(row: Row) -> Entity:
    aliases = aliases_in(row["aliases"])
    return Entity(row["number"], str(row["id"]), row["type"], row["name"] or str(row["id"]), aliases)


def _refuse_missing(numbers: Iterable[int], known: Container[int]) -> None:
    for each in numbers:
        if each not in known:
            raise UnknownEntity(f"no entity number {each} in this knowledge base")


def _where(limits: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(limits)}" if limits else ""


def _mentioned(given: Mapping[str, object], statement: str) -> Mapping[str, object]:
    """Return the parameters that a statement has: Ladybug refuses others."""
    return {name: value for name, value in given.items() if re.search(rf"\${name}\b", statement)}


def _parts(numbers: Iterable[int]) -> Iterator[list[int]]:
    several = [int(each) for each in numbers]
    for begin in range(0, len(several), NUMBERS_AT_ONCE):
        yield several[begin : begin + NUMBERS_AT_ONCE]
