"""A base in a graph is copied and built on one machine, and is the base that it was."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from heliograph.errors import StoreUnreachable, UsageError
from indexers.skb.base_building import build_base
from indexers.skb.cypher_base import LOADED, GraphModel
from indexers.skb.cypher_session import LADYBUG, CypherSession, LadybugSession
from indexers.skb.graph_records import copy_graph, read_graph_model
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from tests.indexers.skb.conftest import DEMO, silent
from tests.servers.bolt import Answer, bolt_server

pytest.importorskip("ladybug")
pytest.importorskip("neo4j")

Cli = Callable[..., Result]
LABELS = """
entities = ""
relations = ""
number = "{node}.nodeId"
id = "cast({node}.nodeId AS STRING)"
type = "label({node})"
aliases = "''"
text = "{node}.details"
attributes = "NULL"
relation = "label({edge})"
said = "''"
evidence = "''"
"""


class Broken:
    """A session that breaks off before the read `at`, and counts what was read."""

    dialect = LADYBUG

    def __init__(self, session: CypherSession, at: int | None = None) -> None:
        self._session, self._at = session, at
        self.reads = 0
        self.write, self.define = session.write, session.define

    async def read(self, statement: str, parameters: Mapping[str, object]) -> Sequence[Mapping[str, Any]]:
        if self.reads == self._at:
            raise StoreUnreachable("gone")
        self.reads += 1
        return await self._session.read(statement, parameters)


@contextmanager
def served(answer: Answer, password: str = "") -> Iterator[str]:
    """Serve over Bolt in a thread of its own, for commands that have loops of their own."""
    loop, ready, done, url = asyncio.new_event_loop(), threading.Event(), asyncio.Event(), list[str]()

    async def serve() -> None:
        async with bolt_server(answer, password) as server:
            url.append(server.url)
            ready.set()
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(10)
        yield url[0]
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join(10)
        loop.close()


async def told(base: BuiltKnowledgeBase) -> list[object]:
    """Return all that a base holds, in an order of its own."""
    found = list[object]()
    for entity in await base.entities(range(sum(base.entity_types.values()))):
        document, attributes = await base.document(entity.number), dict(await base.attributes(entity.number))
        triples = await base.triples(entity.number, direction="out", limit=1000)
        found.append((entity, document, attributes, set(triples)))
    return found


@asynccontextmanager
async def copied(session: CypherSession, folder: Path, **model: Any) -> AsyncIterator[BuiltKnowledgeBase]:
    records = await copy_graph(session, model.get("model", LOADED), folder / "records", silent, batch=50)
    build_base(records, folder / "copy.skb", silent)
    yield open_base(folder / "copy.skb")


async def test_a_copied_base_holds_what_was_loaded(
    built: BuiltKnowledgeBase, ladybug: LadybugSession, tmp_path: Path
) -> None:
    async with copied(ladybug, tmp_path) as base:
        assert (base.name, dict(base.entity_types), dict(base.relations)) == (
            built.name,
            dict(built.entity_types),
            dict(built.relations),
        )
        assert await told(base) == await told(built)
    assert (tmp_path / "records" / "relations.jsonl").read_text("utf8").count("\n") == 492


@pytest.mark.parametrize("at", [1, 3, 5, 7, 9])
async def test_a_copy_goes_on_where_it_was_stopped(
    ladybug: LadybugSession, tmp_path: Path, at: int, built: BuiltKnowledgeBase
) -> None:
    whole, broken, rest = Broken(ladybug), Broken(ladybug, at), Broken(ladybug)
    await copy_graph(whole, LOADED, tmp_path / "whole", silent, batch=50)
    with pytest.raises(StoreUnreachable):
        await copy_graph(broken, LOADED, tmp_path / "part", silent, batch=50)
    for each in (tmp_path / "part").glob("*.jsonl"):  # a line that was being written when it was stopped
        each.write_text(f'{each.read_text("utf8")}{{"id": "cut', encoding="utf8")
    await copy_graph(rest, LOADED, tmp_path / "part", silent, batch=50)
    about_the_base = 2
    assert rest.reads == about_the_base + whole.reads - max(at, about_the_base)
    for name in ("entities.jsonl", "relations.jsonl"):
        assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


async def test_a_copy_of_another_graph_begins_anew(ladybug: LadybugSession, tmp_path: Path) -> None:
    for origin in ("bolt://one", "bolt://two"):
        session = Broken(ladybug)
        await copy_graph(session, LOADED, tmp_path, silent, origin)
        assert session.reads > 2
    again = Broken(ladybug)
    await copy_graph(again, LOADED, tmp_path, silent, "bolt://two")
    assert again.reads == 2


async def test_a_graph_with_a_label_per_type_is_copied_by_a_model_in_a_file(tmp_path: Path) -> None:
    session = LadybugSession()
    for statement in (
        "CREATE NODE TABLE Drug(nodeId INT64 PRIMARY KEY, name STRING, details STRING)",
        "CREATE NODE TABLE Disease(nodeId INT64 PRIMARY KEY, name STRING, details STRING)",
        "CREATE REL TABLE INDICATION(FROM Drug TO Disease)",
        "CREATE (:Drug {nodeId: -5, name: 'Aspirin', details: 'It eases pain.'})",
        "CREATE (:Disease {nodeId: 9, name: 'Headache'})",
        "MATCH (a:Drug), (b:Disease) CREATE (a)-[:INDICATION]->(b)",
    ):
        await session.define(statement)
    (tmp_path / "labels.toml").write_text(LABELS, encoding="utf8")
    async with copied(session, tmp_path, model=read_graph_model(tmp_path / "labels.toml")) as base:
        assert base.name == "copy"
        (aspirin,) = await base.named("aspirin")
        assert (aspirin.id, aspirin.type, await base.document(aspirin.number)) == ("-5", "Drug", "It eases pain.")
        (one,) = await base.triples(aspirin.number)
        assert (one.relation, (await base.entities([one.target]))[0].name) == ("INDICATION", "Headache")
    said = list[str]()
    same = replace(read_graph_model(tmp_path / "labels.toml"), number="1")
    await copy_graph(session, same, tmp_path / "same", said.append, batch=1)
    assert said[0].startswith("1 entity copied, where the graph counts 2: ")
    session.close()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("number = 5", "number is to be text in quotes"),
        ('colour = "red"', "a graph has no 'colour'; known are entities, relations, number"),
        ("number: 5", "is no TOML"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, written: str | None, said: str) -> None:
    if written is not None:
        (tmp_path / "model.toml").write_text(written, encoding="utf8")
    with pytest.raises(UsageError, match=said):
        read_graph_model(tmp_path / "model.toml")


def test_a_model_in_a_file_says_nothing_of_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text('number = "{node}.n"', encoding="utf8")
    assert read_graph_model(tmp_path / "model.toml") == GraphModel(number="{node}.n", described=False)


def test_a_graph_on_a_server_is_built_by_the_command_and_asked(
    cli: Cli, ladybug: LadybugSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_USERNAME", "ada")
    monkeypatch.setenv("NEO4J_PASSWORD", "right")
    out = tmp_path / "graph.skb"
    with served(ladybug.read, "right") as url:
        result = cli("skb", "build", url, out)
        beside = cli("skb", "build", url, DEMO, tmp_path / "both.skb")
    assert (result.exit_code, result.stdout) == (0, f"{out}: 191 entities of 8 types, 492 relations of 23 kinds\n")
    assert [each.name for each in tmp_path.iterdir()] == ["graph.skb"]
    assert (beside.exit_code, f"{url} is a base by itself; build it alone" in beside.stderr) == (2, True)
    assert "Christiaan Huygens -discovered-> Titan" in cli("skb", "ask", out, "What did Huygens discover?").stdout


def test_what_keeps_a_graph_from_being_copied_is_said_with_the_next_step(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(statement: str, parameters: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return []

    async def empty(statement: str, parameters: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        description = '{"entity_types": {}, "relations": {}, "digest": ""}'
        return [{"name": "reefs", "description": description, "entities": 0, "triples": 0}]

    def refused(url: str, *options: str) -> tuple[int, str]:
        result = cli("skb", "build", *options, url, tmp_path / "graph.skb")
        return result.exit_code, result.stderr

    with monkeypatch.context() as missing:
        missing.setitem(sys.modules, "neo4j", None)
        code, said = refused("bolt://127.0.0.1:1")
    assert (code, "is not installed: pip install 'heliograph[graph]'" in said) == (2, True)
    code, said = refused("bolt://127.0.0.1:1")
    assert (code, "127.0.0.1:1 cannot be reached" in said, "start it" in said) == (6, True, True)
    with served(nothing) as url:
        code, said = refused(url)
        assert (code, "no knowledge base in this graph; load one" in said) == (2, True)
    with served(empty) as url:
        code, said = refused(url)
        assert (code, "this graph has no entities; load one" in said) == (2, True)
    monkeypatch.setenv("NEO4J_USERNAME", "ada")
    monkeypatch.setenv("NEO4J_PASSWORD", "wrong-one")
    with served(nothing, "right") as url:
        code, said = refused(url)
        assert (code, "set NEO4J_USERNAME and NEO4J_PASSWORD" in said, "wrong-one" in said) == (6, True, False)
    code, said = refused("bolt://ada:pass-word@127.0.0.1")
    assert (code, "belongs into NEO4J_PASSWORD" in said, "pass-word" in said) == (2, True, False)
    code, said = refused(str(DEMO), "--database", "skb")
    assert (code, "--database and --graph-model are of a graph server" in said) == (2, True)


def test_a_server_that_is_named_as_a_base_is_said_to_be_copied_first(cli: Cli, tmp_path: Path) -> None:
    said = "a base on a graph server is copied first, by heliograph skb build neo4j://127.0.0.1:7687 graph.skb"
    for command in (
        ("skb", "ask", "neo4j://127.0.0.1:7687", "Which moon?"),
        ("ask", "--source", "skb:neo4j://127.0.0.1:7687", "Which moon?"),
    ):
        result = cli(*command)
        assert (result.exit_code, said in result.stderr) == (2, True), result.stderr
