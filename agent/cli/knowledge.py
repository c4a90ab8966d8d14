"""`heliograph skb`: build a semi-structured knowledge base and look at it. Imports wait until it runs."""

import asyncio
import json
import shlex
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.interrupting import resumable
from agent.cli.places import BASE_SOURCE, NAME, OUT_FOLDER, PLACE
from agent.cli.speaking import say, show
from heliograph.errors import UsageError
from heliograph.types import Attribute, Direction, Entity, EntityPath, Triple

if TYPE_CHECKING:
    from indexers.skb.graph_records import GraphAddress
    from indexers.skb.knowledge_base import BuiltKnowledgeBase
    from tools.skb.planning.answers import PlannedAnswer, QueryPlanner
    from tools.skb.planning.plans import Plan

ONE = click.IntRange(min=1)
GO_ON = "give the same command again: it goes on where it was stopped"
DOCUMENT_CHARACTERS = 600
MOST_HOPS = 6
LONGEST = 200
"""Characters of a name or a relation in a line."""
SAMPLES = 3
"""Neighbours that an entity is shown with, per relation and direction."""
_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per line.")


@click.group("skb")
def skb_group() -> None:
    """Build and read a semi-structured knowledge base: entities with documents, and relations between them."""


@skb_group.command("build")
@click.argument("sources", nargs=-1, required=True, type=BASE_SOURCE)
@click.argument("out", type=OUT_FOLDER)
@click.option("--candidates", type=NAME, multiple=True, metavar="TYPE", help="A type that may answer; all by default.")
@click.option("--force", is_flag=True, help="Replace a base that is there.")
@click.option("--database", type=NAME, help="Of a graph server: one of its databases; its own choice by default.")
@click.option(
    "--graph-model", type=PLACE, metavar="TOML", help="How a graph that Heliograph did not load states a base."
)
def build_command(
    sources: tuple[Path | str, ...],
    out: Path,
    candidates: tuple[str, ...],
    force: bool,
    database: str | None,
    graph_model: Path | None,
) -> None:
    """Build the base OUT from SOURCES: files of entities and relations, or a ZIM archive, a STaRK folder, bolt://HOST.

    A CSV, TSV, JSON Lines or Parquet file with the columns source and target holds relations, one with id entities; a
    folder stands for its files. Of an archive, pages are entities and rows that link two of them relations. A graph on
    a server (bolt://, neo4j://; NEO4J_USERNAME, NEO4J_PASSWORD) is copied. Stopped, the same command goes on. Exit
    codes: 2 a source cannot be used, 5 no such archive, 6 no space or no server, 130 interrupted.
    """
    from indexers.skb.base_building import ENTITIES, KINDS, TRIPLES, TYPES, build_base, check_place
    from tools.skb.sources import opened_sources

    check_place(out, force=force)
    found = [each if isinstance(each, Path) else _graph(each, database, graph_model) for each in sources]
    if (database or graph_model) and all(isinstance(each, Path) for each in sources):
        raise UsageError("--database and --graph-model are of a graph server; name one as bolt://127.0.0.1:7687")
    scratch = out.with_name(f"{out.name}.records")
    with resumable(lambda: "", GO_ON), opened_sources(found, scratch, say, candidates) as source:
        built = build_base(source, out, say, force=force)
    for fault in built.faults:
        say(fault)
    entities, triples = sum(built.entity_types.values()), sum(built.relations.values())
    show(
        f"{out}: {ENTITIES.of(entities)} of {TYPES.of(len(built.entity_types))}, "
        f"{TRIPLES.of(triples)} of {KINDS.of(len(built.relations))}",
        whole=True,
    )


def _graph(url: str, database: str | None, model: Path | None) -> "GraphAddress":
    from indexers.skb.graph_records import GraphAddress, read_graph_model

    return GraphAddress(url, database or "", read_graph_model(model)) if model else GraphAddress(url, database or "")


@skb_group.command("show")
@click.argument("folder", type=PLACE)
@click.argument("entity", required=False)
@_AS_JSON
def show_command(folder: Path, entity: str | None, as_json: bool) -> None:
    """Show the base in FOLDER: types, relations and what to know of it; or an ENTITY of it, by id or name."""
    base = _open(folder)
    if entity is None:
        asyncio.run(_show_base(base, as_json))
    else:
        asyncio.run(_show_entity(base, entity, as_json))


@skb_group.command("search")
@click.argument("folder", type=PLACE)
@click.argument("query")
@click.option("--type", "type", type=NAME, help="Entities of one type alone.")
@click.option("--k", type=ONE, default=10, help="Entities to show.")
@_AS_JSON
def search_command(folder: Path, query: str, type: str | None, k: int, as_json: bool) -> None:
    """Search the base in FOLDER for entities whose name, aliases and document have words of QUERY, by BM25.

    Exit code 3: there is none.
    """
    base = _open(folder)

    async def found() -> tuple[Entity, ...]:
        scored = await base.search(query, k, type or "")
        return await base.entities([each.item for each in scored])

    _show_found(asyncio.run(found()), as_json, "no entity has a word of the query")


@skb_group.command("check")
@click.argument("folder", type=PLACE)
def check_command(folder: Path) -> None:
    """Read everything in FOLDER once; say what is damaged, and what to know of it. Exit code 6: something is."""
    from heliograph.errors import StoreDamaged
    from indexers.skb.knowledge_base import check_base

    if wrong := check_base(folder):
        raise StoreDamaged("; ".join(wrong))
    for line in asyncio.run(_open(folder).remarks()):
        show(line, whole=True)
    show("nothing is damaged", whole=True)


@skb_group.command("neighbours")
@click.argument("folder", type=PLACE)
@click.argument("entity")
@click.option("--relation", type=NAME, help="One relation alone.")
@click.option("--direction", type=click.Choice(["out", "in", "both"]), default="both", help="out: from ENTITY on.")
@click.option("--type", "type", type=NAME, help="Neighbours of one type alone.")
@click.option("--k", type=ONE, default=50, help="Neighbours to show.")
@_AS_JSON
def neighbours_command(
    folder: Path, entity: str, relation: str | None, direction: Direction, type: str | None, k: int, as_json: bool
) -> None:
    """Show the entities that relations join to ENTITY, an id or a name, each with the relations that do.

    Exit code 3: there is none.
    """
    from tools.skb.lookup import look_up_entity

    base = _open(folder)

    async def found() -> tuple[tuple[Entity, ...], list[list[Triple]], dict[int, Entity], int]:
        one = await look_up_entity(base, entity)
        numbers = await base.neighbours([one.number], relation or "", direction, type or "")
        shown = await base.entities(numbers[:k])
        joined = [
            [
                each
                for each in await base.between(one.number, other.number)
                if relation in (None, each.relation) and _goes(each, one.number, direction)
            ]
            for other in shown
        ]
        return shown, joined, {one.number: one, **{each.number: each for each in shown}}, len(numbers)

    shown, joined, entities, count = asyncio.run(found())
    _show_found(shown, as_json, "no relation joins anything to it", joined, entities)
    if count > len(shown):
        say(f"{count - len(shown):,} more; show them with --k {count}")


@skb_group.command("path")
@click.argument("folder", type=PLACE)
@click.argument("source")
@click.argument("target")
@click.option("--hops", type=click.IntRange(1, MOST_HOPS), default=4, help="Most relations of a path.")
@click.option("--k", type=ONE, default=5, help="Paths to show.")
@_AS_JSON
def path_command(folder: Path, source: str, target: str, hops: int, k: int, as_json: bool) -> None:
    """Show the shortest paths between SOURCE and TARGET, ids or names; relations are followed either way.

    Exit codes: 2 the search gave up, as too many entities are that near, 3 there is none of so few hops.
    """
    from indexers.skb.base_building import TRIPLES
    from tools.skb.lookup import look_up_entity

    base = _open(folder)

    async def found() -> tuple[tuple[EntityPath, ...], dict[int, Entity]]:
        ends = await look_up_entity(base, source), await look_up_entity(base, target)
        paths = await base.paths(ends[0].number, ends[1].number, hops, k)
        numbers = sorted({number for path in paths for number in path.entities})
        return paths, dict(zip(numbers, await base.entities(numbers), strict=True))

    paths, entities = asyncio.run(found())
    for path in paths:
        if as_json:
            ids = [entities[number].id for number in path.entities]
            triples = [_by_ids(triple, entities) for triple in path.triples]
            show(json.dumps({"entities": ids, "triples": triples}, ensure_ascii=False), whole=True)
        else:
            told = " ; ".join(_told(triple, entities) for triple in path.triples)
            show(told or f"both are {entities[path.entities[0]].name}", whole=True)
    if not paths:
        further = f"; try --hops {hops + 1}" if hops < MOST_HOPS else ""
        say(f"no path of at most {TRIPLES.of(hops)} joins them{further}")
        raise SystemExit(3)


@skb_group.command("ask")
@click.argument("folder", type=PLACE)
@click.argument("query")
@click.option("--type", "type", default="", help="Type of the answers, where it is known.")
@click.option("--k", type=ONE, default=5, help="Answers to show.")
@click.option(
    "--planner",
    type=click.Choice(["learned", "llm"]),
    default="learned",
    help="What plans: a learned model, or the language model of the settings.",
)
@_AS_JSON
def ask_command(folder: Path, query: str, type: str, k: int, planner: str, as_json: bool) -> None:
    """Show the entities that QUERY asks for: its most probable plan, and answers with what shows them.

    Percentages are shares of probability: all entities together have 100%. Runs without a language model unless one is
    to plan. The first query of a base makes its indexes. Exit codes: 3 nothing is found, 4 no language model answers.
    """
    from tools.skb.planning.answers import plan_lines, planned_answers

    base = _open(folder)

    async def found() -> tuple[tuple["PlannedAnswer", ...], "Plan | None", dict[int, Entity]]:
        async with _query_planner(base, planner) as plans:
            planned, answers = await planned_answers(base, plans, query, k, type)
        for remark in planned.remarks:
            say(remark)
        numbers = sorted({number for each in answers for path in each.paths for number in path.entities})
        first = planned.plans[0] if planned.plans else None
        return answers, first, dict(zip(numbers, await base.entities(numbers), strict=True))

    answers, first, entities = asyncio.run(found())
    if not answers or first is None:
        say("no entity is found; say what is asked for in other words")
        raise SystemExit(3)
    if as_json:
        for each in answers:
            show(json.dumps(_answer(each, plan_lines(each.plan, base.graph), entities), ensure_ascii=False), whole=True)
        return
    for line in (*plan_lines(first, base.graph), f"entities that meet it: {len(first.scored.entities):,}"):
        show(line, whole=True)
    for each in (one for one in answers if one.plan is first):
        _show_answer(each, entities)
    if others := [one for one in answers if one.plan is not first]:
        show("by other plans:", whole=True)
    for each in others:
        _show_answer(each, entities)


@asynccontextmanager
async def _query_planner(base: "BuiltKnowledgeBase", planner: str) -> AsyncIterator["QueryPlanner"]:
    """Open what plans queries of a base.

    Raises:
        UsageError: no language model is set.
        ModelError: nobody is there.
    """
    from tools.skb.systems import SystemModels, llm_planner, plan_retriever

    if planner == "learned":
        yield plan_retriever(base, SystemModels(say=say))
        return
    from agent.cli.application import application
    from agent.llm import ChatServers, RunModels
    from agent.meter import Meter
    from agent.unrecorded import UnrecordedRecorder
    from heliograph.kept_settings import secrets
    from memory.trace import SystemClock

    settings = application().settings()
    endpoint = settings.endpoint("rewrite")
    if endpoint is None:
        raise UsageError("no language model is set; set HELIOGRAPH_LLM__BASE_URL and HELIOGRAPH_LLM__MODEL")
    async with ChatServers(secrets(settings)) as servers:
        models = RunModels(servers, UnrecordedRecorder(SystemClock()), Meter(), home=settings.home)
        llm = models.llm(endpoint, "rewrite")
        await models.prepare()
        yield llm_planner(base, SystemModels(llm=llm, say=say))


def _show_answer(one: "PlannedAnswer", entities: Mapping[int, Entity]) -> None:
    name, kind, id = (_short(each) for each in (one.entity.name, one.entity.type, one.entity.id))
    show(f"{one.probability:5.0%}  {name} ({kind}, {id})", whole=True)
    for triple in one.triples:
        show(f"       {_told(triple, entities)}", whole=True)
    for attribute, value in one.attributes.items():
        show(f"       {_short(attribute)}: {_short(str(_whole(value)))}", whole=True)


def _answer(one: "PlannedAnswer", plan: Sequence[str], entities: Mapping[int, Entity]) -> dict[str, object]:
    """Return an answer as JSON shows it."""
    beside = {"probability": round(one.probability, 4), "plan": list(plan), "attributes": dict(one.attributes)}
    return {**asdict(one.entity), **beside, "triples": [_by_ids(triple, entities) for triple in one.triples]}


def _open(folder: Path) -> "BuiltKnowledgeBase":
    from indexers.skb.knowledge_base import open_base

    return open_base(folder)


async def _show_base(base: "BuiltKnowledgeBase", as_json: bool) -> None:
    schema = await base.schema()
    if as_json:
        told = {"name": base.name, "entity_types": dict(base.entity_types), "schema": [asdict(one) for one in schema]}
        show(json.dumps({**told, "remarks": await base.remarks()}, ensure_ascii=False), whole=True)
        return
    show(base.name, whole=True)
    for type, count in sorted(base.entity_types.items(), key=lambda pair: -pair[1]):
        answers = " (may answer)" if type in base.description.candidate_types else ""
        show(f"  {count:>12,} {type}{answers}", whole=True)
    for one in schema:
        show(f"  {one.triples:>12,} {one.source} -{one.relation}-> {one.target}", whole=True)
    for line in await base.remarks():
        show(line, whole=True)


async def _show_entity(base: "BuiltKnowledgeBase", said: str, as_json: bool) -> None:
    from tools.skb.lookup import look_up_entity

    one = await look_up_entity(base, said)
    attributes, text = await base.attributes(one.number), await base.document(one.number)
    triples = await base.triples(one.number, limit=SAMPLES)
    numbers = sorted({number for each in triples for number in (each.source, each.target)})
    entities = dict(zip(numbers, await base.entities(numbers), strict=True))
    written = {name: _whole(value) for name, value in attributes.items()}
    if as_json:
        told = {"attributes": written, "text": text, "triples": [_by_ids(each, entities) for each in triples]}
        show(json.dumps({**asdict(one), **told}, ensure_ascii=False), whole=True)
        return
    _show_entity_lines(one)
    for name, value in written.items():
        show(f"  {name}: {value}", whole=True)
    if text:
        show(f"  {text[:DOCUMENT_CHARACTERS]}{'…' if len(text) > DOCUMENT_CHARACTERS else ''}")
    shown = Counter((each.relation, each.source == one.number) for each in triples)
    for each in triples:
        show(f"  {_told(each, entities)}", whole=True)
        kind = each.relation, each.source == one.number
        shown[kind] -= 1
        if not shown[kind] and (more := _count(base, one, *kind) - SAMPLES) > 0:
            asked = shlex.join([str(base.folder), one.id, "--relation", each.relation])
            show(
                f"    {more:,} more: heliograph skb neighbours {asked} --direction {'out' if kind[1] else 'in'}",
                whole=True,
            )


def _count(base: "BuiltKnowledgeBase", one: Entity, relation: str, outwards: bool) -> int:
    """Return how many triples of a relation go out from an entity, or lead to it."""
    first, end = base.graph.rows["out" if outwards else "in"].span(one.number, base.graph.relation(relation))
    return end - first


def _show_found(
    found: Sequence[Entity],
    as_json: bool,
    nothing: str,
    joined: Sequence[Sequence[Triple]] = (),
    entities: Mapping[int, Entity] | None = None,
) -> None:
    """Show entities, with the triples that lead to each if there are any; end with 3 where there are none.

    Args:
        nothing: said where there are none.
        joined: triples, a list per entity.
        entities: both ends of these triples by number.
    """
    known = entities or {}
    for number, one in enumerate(found):
        triples = joined[number] if joined else ()
        if as_json:
            beside = {"triples": [_by_ids(each, known) for each in triples]} if joined else {}
            show(json.dumps({**asdict(one), **beside}, ensure_ascii=False), whole=True)
        else:
            _show_entity_lines(one)
            for each in triples:
                show(f"  {_told(each, known)}", whole=True)
    if not found:
        say(nothing)
        raise SystemExit(3)


def _show_entity_lines(one: Entity) -> None:
    aliases = f", also {_short(', '.join(one.aliases))}" if one.aliases else ""
    show(f"{_short(one.id)}: {_short(one.name)} ({_short(one.type)}){aliases}", whole=True)


def _told(triple: Triple, entities: Mapping[int, Entity]) -> str:
    said = f": {triple.text}" if triple.text else ""
    ends = (_short(entities[number].name) for number in (triple.source, triple.target))
    return f" -{_short(triple.relation)}-> ".join(ends) + said


def _by_ids(triple: Triple, entities: Mapping[int, Entity]) -> dict[str, str]:
    """Return a triple as JSON shows it, its ends by the ids of their source."""
    return {**asdict(triple), "source": entities[triple.source].id, "target": entities[triple.target].id}


def _goes(triple: Triple, start: int, direction: Direction) -> bool:
    """Say whether a triple is followed from an entity in a direction."""
    return direction == "both" or (triple.source if direction == "out" else triple.target) == start


def _whole(value: Attribute) -> Attribute:
    """Return a number without a fraction as a whole one."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
