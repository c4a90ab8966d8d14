"""A base in a graph answers as the built one does: on Ladybug, and by the driver of Neo4j over Bolt."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from heliograph.errors import StoreError, StoreUnreachable, UnknownEntity, UnknownName, UsageError
from heliograph.protocols.knowledge import KnowledgeBase
from heliograph.types import EntityRecord, TripleRecord
from indexers.skb.base_building import build_base
from indexers.skb.cypher_base import CypherKnowledgeBase, GraphModel, open_base_in, open_graph
from indexers.skb.cypher_session import LADYBUG, MEMGRAPH, NEO4J, LadybugSession, connect
from indexers.skb.graph_loading import load_into_graph
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files
from tests.indexers.skb.conftest import DEMO, silent
from tests.servers.bolt import Bolt, Refusal, bolt_server

pytest.importorskip("ladybug")
pytest.importorskip("neo4j")


class Recorder:
    """A session that keeps what was run, on Ladybug; it breaks off before statement `stop_before`."""

    dialect = LADYBUG

    def __init__(self, session: LadybugSession, stop_before: int | None = None) -> None:
        self._session, self._stop_before = session, stop_before
        self.written: list[str] = []

    async def read(self, statement: str, parameters: Mapping[str, object]) -> Sequence[Mapping[str, Any]]:
        return await self._session.read(statement, parameters)

    async def write(self, statement: str, parameters: Mapping[str, object]) -> Sequence[Mapping[str, Any]]:
        if len(self.written) == self._stop_before:
            raise StoreUnreachable("gone")
        self.written.append(statement)
        return await self._session.write(statement, parameters)

    async def define(self, statement: str) -> None:
        await self._session.define(statement)


@asynccontextmanager
async def over_bolt(ladybug: LadybugSession) -> AsyncIterator[Bolt]:
    """Serve over Bolt what Ladybug answers."""
    async with bolt_server(ladybug.read) as server:
        yield server


@pytest.fixture(params=["ladybug", "bolt"])
async def graph(request: pytest.FixtureRequest, ladybug: LadybugSession) -> AsyncIterator[CypherKnowledgeBase]:
    if request.param == "ladybug":
        yield await open_base_in(ladybug)
    else:
        async with over_bolt(ladybug) as server, open_graph(server.url, server="memgraph") as base:
            yield base


async def test_a_graph_says_of_itself_what_the_base_says(built: BuiltKnowledgeBase, graph: CypherKnowledgeBase) -> None:
    assert graph.name == built.name
    assert list(graph.entity_types.items()) == list(built.entity_types.items())
    assert list(graph.relations.items()) == list(built.relations.items())
    assert await graph.schema() == await built.schema()


async def test_entities_and_their_texts_are_those_of_the_base(
    built: BuiltKnowledgeBase, graph: CypherKnowledgeBase
) -> None:
    numbers = [7, 0, 7, *range(20, 40)]
    assert await graph.entities(numbers) == await built.entities(numbers)
    for each in await built.entities(range(0, 190, 10)):
        assert await graph.entity(each.id) == each
        assert await graph.document(each.number) == await built.document(each.number)
        assert await graph.attributes(each.number) == await built.attributes(each.number)
        for name in (each.name.upper(), *each.aliases):
            assert await graph.named(name) == await built.named(name)
    assert await graph.named("red  PLANET", "planet") == await built.named("Red Planet")
    assert await graph.named("red planet", "moon") == await graph.named("'; MATCH (n) DETACH DELETE n //") == ()
    for type in built.entity_types:
        assert await graph.of_type(type) == await built.of_type(type)


async def test_relations_are_those_of_the_base(built: BuiltKnowledgeBase, graph: CypherKnowledgeBase) -> None:
    for number in range(0, 190, 7):
        for way in ("out", "in", "both"):
            assert await graph.neighbours([number], direction=way) == await built.neighbours([number], direction=way)
            assert await graph.triples(number, direction=way) == await built.triples(number, direction=way)
        for other in (await built.neighbours([number]))[:2]:
            assert await graph.between(number, other) == await built.between(number, other) != ()
    relation, type = "orbits", "moon"
    wanted = await built.neighbours([2, 3, 4], relation, "in", type)
    assert await graph.neighbours([2, 3, 4], relation, "in", type) == wanted != ()
    assert await graph.triples(4, relation, limit=3) == await built.triples(4, relation, limit=3)
    assert await graph.neighbours([]) == ()


async def test_paths_are_those_of_the_base(built: BuiltKnowledgeBase, graph: CypherKnowledgeBase) -> None:
    for source, target in ((0, 100), (30, 31), (5, 5), (12, 180)):
        for hops in (0, 1, 2, 4):
            assert await graph.paths(source, target, hops, 5) == await built.paths(source, target, hops, 5)


async def test_words_are_found_without_a_full_text_index(graph: CypherKnowledgeBase) -> None:
    found = await graph.search("Which of them is the red planet?", 3)
    (mars,) = await graph.named("mars")
    assert (found[0].item, found[0].score) == (mars.number, 8.0)
    assert (await graph.search("planet red", 3, "planet", [0, mars.number]))[0].item == mars.number
    rocks = await graph.entities([each.item for each in await graph.search("rock", 9, "moon")])
    assert {each.type for each in rocks} == {"moon"}
    for nothing in ("", '"', "xyzzy' OR 1 = 1"):
        assert await graph.search(nothing, 5, within=[0]) == ()


async def test_what_a_graph_has_not_is_named(graph: CypherKnowledgeBase) -> None:
    with pytest.raises(UnknownEntity, match="no entity has the id 'Mars'"):
        await graph.entity("Mars")
    for ask in (graph.entities([0, 999]), graph.neighbours([999]), graph.document(999), graph.paths(0, 999, 2)):
        with pytest.raises(UnknownEntity, match="no entity number 999"):
            await ask
    with pytest.raises(UnknownName, match=r"no relation 'eats'.*orbits"):
        await graph.neighbours([0], "eats")
    with pytest.raises(UnknownName, match=r"no type 'ship'.*planet"):
        await graph.search("tower", 3, "ship")


Pairs = tuple[int, list[tuple[int, str, int]]]


@some.composite
def graphs(draw: some.DrawFn) -> Pairs:
    """Draw a number of entities and triples among them, some of an entity to itself."""
    count = draw(some.integers(1, 8))
    ends = some.integers(0, count - 1)
    return count, draw(some.lists(some.tuples(ends, some.sampled_from("rst"), ends), max_size=20))


class Pairwise:
    """A source of what was drawn."""

    name, fingerprint = "drawn", "1"
    candidate_types: tuple[str, ...] = ()

    def __init__(self, drawn: Pairs) -> None:
        self._count, self._triples = drawn

    def entities(self) -> Iterator[EntityRecord]:
        for each in range(self._count):
            yield EntityRecord(str(each), "even" if each % 2 == 0 else "odd", f"n{each}")

    def triples(self) -> Iterator[TripleRecord]:
        for source, relation, target in self._triples:
            yield TripleRecord(str(source), relation, str(target))


async def assert_same_relations(graph: KnowledgeBase, built: KnowledgeBase, count: int) -> None:
    for one in range(count):
        assert await graph.triples(one, limit=2) == await built.triples(one, limit=2)
        for other in range(count):
            assert await graph.between(one, other) == await built.between(one, other)
            assert await graph.paths(one, other, 4, 3) == await built.paths(one, other, 4, 3)


@settings(max_examples=8)
@given(graphs())
def test_any_relations_are_those_of_the_base(drawn: Pairs) -> None:
    async def compare(built: BuiltKnowledgeBase) -> None:
        session = LadybugSession()
        await load_into_graph(built, session, silent, batch=3)
        await assert_same_relations(await open_base_in(session), built, drawn[0])
        session.close()

    with TemporaryDirectory() as folder:
        build_base(Pairwise(drawn), Path(folder) / "drawn.skb", silent)
        asyncio.run(compare(open_base(Path(folder) / "drawn.skb")))


async def test_a_load_goes_on_where_it_was_stopped(built: BuiltKnowledgeBase, tmp_path: Path) -> None:
    session = LadybugSession(tmp_path / "demo.lbug")
    with pytest.raises(UsageError, match="no knowledge base in this graph"):
        await open_base_in(session)
    for stop_before in (3, 9):
        with pytest.raises(StoreUnreachable):
            await load_into_graph(built, Recorder(session, stop_before), silent, batch=100)
        with pytest.raises(UsageError, match="the load of demo did not end; run load_into_graph again"):
            await open_base_in(session)
    last = Recorder(session)
    whole = (sum(built.entity_types.values()), sum(built.relations.values()))
    assert await load_into_graph(built, last, silent, batch=100) == whole
    assert not [each for each in last.written if "MERGE (e:Entity" in each]
    assert await (await open_base_in(session)).schema() == await built.schema()
    again = Recorder(session)
    assert await load_into_graph(built, again, silent) == whole
    assert len(again.written) == 1


async def test_a_graph_takes_one_base(built: BuiltKnowledgeBase, ladybug: LadybugSession, tmp_path: Path) -> None:
    for name, said in (("other", "the knowledge base 'demo' already"), ("demo", "another knowledge base of the name")):
        build_base(open_record_files([DEMO / "entities.csv"]), tmp_path / f"{name}.skb", silent)
        with pytest.raises(UsageError, match=f"{said}.*use another database, or empty it"):
            await load_into_graph(open_base(tmp_path / f"{name}.skb"), ladybug, silent)


async def test_a_graph_with_a_label_per_type_is_asked_by_its_own_model() -> None:
    session = LadybugSession()
    for statement in (
        "CREATE NODE TABLE Drug(nodeId INT64 PRIMARY KEY, name STRING, details STRING)",
        "CREATE NODE TABLE Disease(nodeId INT64 PRIMARY KEY, name STRING, details STRING)",
        "CREATE REL TABLE INDICATION(FROM Drug TO Disease)",
        "CREATE (:Drug {nodeId: 5, name: 'Aspirin', details: 'It eases pain.'})",
        "CREATE (:Disease {nodeId: 9, name: 'Headache'})",
        "MATCH (a:Drug), (b:Disease) CREATE (a)-[:INDICATION]->(b)",
    ):
        await session.define(statement)
    model = GraphModel(
        entities="",
        relations="",
        number="{node}.nodeId",
        id="cast({node}.nodeId AS STRING)",
        type="label({node})",
        aliases="''",
        text="{node}.details",
        attributes="NULL",
        relation="label({edge})",
        said="''",
        evidence="''",
        named="MATCH (e) WHERE toLower(e.name) = $lowered",
        word_index="",
        described=False,
    )
    base = await open_base_in(session, model, "prime")
    assert (base.name, base.entity_types, base.relations) == ("prime", {"Disease": 1, "Drug": 1}, {"INDICATION": 1})
    (aspirin,) = await base.named("ASPIRIN")
    assert (aspirin.number, aspirin.id, aspirin.type, aspirin.aliases) == (5, "5", "Drug", ())
    assert await base.neighbours([5], "INDICATION", "out", "Disease") == (9,)
    assert [each.relation for each in await base.between(9, 5)] == ["INDICATION"]
    assert [path.entities for path in await base.paths(9, 5, 2)] == [(9, 5)]
    assert [each.item for each in await base.search("pain", 3)] == [5]
    assert (await base.document(9), await base.attributes(9)) == ("", {})
    session.close()


async def test_neo4j_is_asked_for_words_by_its_full_text_index(ladybug: LadybugSession) -> None:
    async def answer(statement: str, parameters: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        if "fulltext" in statement:
            return [{"number": 3, "score": 1.5}]
        return await ladybug.read(statement, parameters)

    async with bolt_server(answer) as server, open_graph(server.url) as base:
        assert [(each.item, each.score) for each in await base.search('red" planet', 2, "planet", [3])] == [(3, 1.5)]
    statement, parameters = server.heard[-1]
    assert statement == (
        "CALL db.index.fulltext.queryNodes($index, $words) YIELD node, score WITH node AS e, score"
        " WHERE e.type = $type AND e.number IN $within RETURN e.number AS number, score"
        " ORDER BY score DESC, number LIMIT $k"
    )
    assert parameters == {
        "index": "entity_words",
        "words": '"red" OR "planet"',
        "type": "planet",
        "within": [3],
        "k": 2,
    }


@pytest.mark.parametrize("server", ["neo4j", "memgraph", "neptune"])
async def test_a_load_over_bolt_defines_writes_and_reads(
    built: BuiltKnowledgeBase, server: Any, tmp_path: Path
) -> None:
    session = LadybugSession(tmp_path / "demo.lbug")
    for definition in LADYBUG.definitions:
        await session.define(definition)

    async def answer(statement: str, parameters: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return (
            []
            if statement in (*NEO4J.definitions, *MEMGRAPH.definitions)
            else await session.read(statement, parameters)
        )

    async with bolt_server(answer, "secret") as bolt, connect(bolt.url, "ada", "secret", "skb", server) as over:
        await load_into_graph(built, over, silent)
        assert await (await open_base_in(over)).schema() == await built.schema()
    written = [statement for (statement, _), mode in zip(bolt.heard, bolt.modes, strict=True) if mode == "w"]
    assert [each for each in written if each.startswith("CREATE")] == list(over.dialect.definitions)
    assert {mode for (statement, _), mode in zip(bolt.heard, bolt.modes, strict=True) if "SET" in statement} == {"w"}
    assert bolt.modes[-1] == "r"
    assert set(bolt.databases) == {"skb"}


async def test_a_server_that_is_down_or_refuses_us_is_named_without_the_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def nothing(statement: str, parameters: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return []

    async with bolt_server(nothing, "right") as server:
        with pytest.raises(StoreUnreachable, match=r"refuses us .*\*\*\*.*NEO4J_USERNAME and NEO4J_PASSWORD") as caught:
            async with open_graph(server.url, "ada", "wrong-one"):
                pass
        assert "wrong-one" not in str(caught.value)
        monkeypatch.setenv("NEO4J_USERNAME", "ada")
        monkeypatch.setenv("NEO4J_PASSWORD", "right")
        with pytest.raises(UsageError, match="no knowledge base in this graph; load one"):
            async with open_graph(server.url):
                pass
    with pytest.raises(StoreUnreachable, match=r"127\.0\.0\.1:1 cannot be reached .*start it"):
        async with open_graph("bolt://127.0.0.1:1", "ada", "right"):
            pass


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        ("Neo.ClientError.Database.DatabaseNotFound", StoreUnreachable, "no database 'skb'; make it there"),
        ("Neo.ClientError.Security.Forbidden", StoreError, "the user may not do this"),
        ("Neo.ClientError.Statement.SyntaxError", StoreError, "refuses a statement .*SyntaxError: no"),
        ("Neo.ClientError.Procedure.ProcedureNotFound", StoreError, "refuses a statement"),
    ],
)
async def test_what_a_server_refuses_is_said(code: str, kind: type[StoreError], said: str) -> None:
    async def refuse(statement: str, parameters: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        raise Refusal(code, "no")

    async with bolt_server(refuse) as server:
        with pytest.raises(kind, match=said):
            async with open_graph(server.url, database="skb"):
                pass


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:7687",
        "bolt://",
        "bolt://a b",
        "bolt://ada:pass-word@127.0.0.1",
        "bolt://127.0.0.1/?key=pass-word",
    ],
)
async def test_an_address_that_is_none_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError, match=r"write it as bolt://127\.0\.0\.1:7687|belongs into NEO4J_PASSWORD") as caught:
        async with open_graph(url):
            pass
    assert "pass-word" not in str(caught.value)
