"""The steps of the state machine: each reads the state, calls one service and returns only what changed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import wraps
from typing import Literal, Protocol

from langgraph.runtime import Runtime

from agent.checking import check_answer
from agent.crediting import credit_pictures
from agent.extractive.composer import notes_of
from agent.graphing import edge_nodes, out_of_time, raise_by_edges, read_linked, table_text
from agent.needs import active_needs, born_needs, brief_of, form_of, needs_of, read_question, searched_needs
from agent.pathing import along_paths, found_paths
from agent.reading import read_pages
from agent.recalling import recall_evidence
from agent.record import READ_AS, answer_record, queries_of, round_record
from agent.remembering import next_queries, recollect, to_choose_from
from agent.searching import answering_pages, named_pages, search_for_unread
from agent.selection import expanded_queries, final_evidence, known_evidence
from agent.services import Services
from agent.state import State
from agent.stopping import pages_read, refuse_silence, stop_reason
from heliograph.protocols import SpanKind
from heliograph.turns import by_turns
from heliograph.types import MODALITIES, Evidence, Hit, Need, Observation, Query, Scored, Subgraph
from memory.ledger import unscored
from tools.refinement import Candidates


class Step(Protocol):
    """A node of the graph; LangGraph hands the services over by the name `runtime`."""

    @property
    def __name__(self) -> str: ...

    def __call__(self, state: State, runtime: Runtime[Services]) -> Awaitable[State]: ...


def traced(kind: SpanKind) -> Callable[[Step], Step]:
    """Open a span around a step: its effects nest in it, and what it changed is its output."""

    def around(step: Step) -> Step:
        @wraps(step)
        async def run(state: State, runtime: Runtime[Services]) -> State:
            given = {"round": state.get("round", 0)}
            async with runtime.context.recorder.span(kind, step.__name__, given) as span:
                changed = await step(state, runtime)
                if spent := runtime.context.meter.take():
                    changed["spent"] = spent
                span.result(changed)
            return changed

        return run

    return around


@traced("RETRIEVER")
async def recall(state: State, runtime: Runtime[Services]) -> State:
    """Enter evidence of earlier turns into the ledger, as of round 0; hear what past questions propose."""
    services = runtime.context
    recalled = await recall_evidence(state, services)
    pages = recalled.documents
    changed = State(round=0, recalled=pages, documents=pages, observations=recalled.observations)
    return changed | await recollect(state, services)


@traced("CHAIN")
async def plan(state: State, runtime: Runtime[Services]) -> State:
    """Say what the answer must say before anything is searched for: its form, its needs, and the first queries."""
    services = runtime.context
    made = await services.planner.plan(state["question"], services.form)
    changed = State(plan=made, needs=made.needs)
    if made.respelled:
        changed["notes"] = tuple(READ_AS.format(each.read_as, each.word) for each in made.respelled)
    return changed


@traced("CHAIN")
async def rewrite_query(state: State, runtime: Runtime[Services]) -> State:
    """Begin a round: choose the needs that it asks for, and turn what is missing and what was asked into queries."""
    number = state.get("round", 0) + 1
    queries = await next_queries(state, runtime.context)
    active = active_needs(state)
    changed = State(round=number, queries=queries.asked, spare=queries.spare, active=active, activated=active)
    if runtime.context.graph:
        changed |= State(subgraphs=(), agreed=())  # those of the round before have counted
    if not queries.asked:
        changed["stop_reason"] = "repeated_query" if number > 1 else "nothing_found"
    return changed


@traced("TOOL")
async def search_documents(state: State, runtime: Runtime[Services]) -> State:
    """Ask every source every query, and those that take questions the needs of this round as they are said.

    A source that fails is named and the others serve. From the second round on a query whose results were all read is
    replaced by the next spare one.
    """
    services = runtime.context
    services.progress(f"round {state['round']}: searching " + "; ".join(query.text for query in state["queries"]))
    needs = tuple(Query(need.text) for _, need in _active(state))
    queries, found = await search_for_unread(state["queries"], state.get("spare", ()), needs, services)
    refuse_silence(state, found.reports)
    return State(queries=queries, results=found.results, relaxed=found.relaxed, sources=found.reports)


@traced("RERANKER")
async def rerank_documents(state: State, runtime: Runtime[Services]) -> State:
    """Choose the pages worth reading among those of all rounds not read yet, by turns over the needs of this round.

    Every third page of a later round is one that its queries name: in a list of all that was found, what one query
    names by its title is one vote among fifty. Pages whose tables answer a query come first, each with those that its
    source named next, up to half of the pages.
    """
    services = runtime.context
    room = services.limits.pages_left(pages_read(state))
    results = to_choose_from(state)
    ranked = [
        await services.document_reranker.rerank(need.text, results, services.library.asked, room)
        for _, need in _active(state)
    ]
    searched = by_turns([[hit.page for hit in hits] for hits in ranked])
    named = named_pages(state, services) if state["round"] > 1 else ()
    first = answering_pages(results, services)[: (room + 1) // 2]
    pages = tuple(dict.fromkeys((*first, *by_turns([searched[::2], searched[1::2], named]))))[:room]
    return State(hits=tuple(Hit(title, rank, wiki) for rank, (wiki, title) in enumerate(pages, start=1)))


@traced("TOOL")
async def index_evidence(state: State, runtime: Runtime[Services]) -> State:
    """Read the chosen pages, parse them to document trees and index their leaves and rows."""
    services = runtime.context
    services.progress(f"round {state['round']}: reading {len(state['hits'])} pages")
    reading = await read_pages(state, services)
    changed = State(
        read=reading.read,
        documents=reading.read,
        notes=reading.notes,
        embedded=reading.embedded,
        fetched=(reading.fetched,),
    )
    if reading.vectors:  # a record made before they were counted has none
        changed["vectors"] = reading.vectors
    return changed


@traced("RETRIEVER")
async def follow_paths(state: State, runtime: Runtime[Services]) -> State:
    """Make a knowledge base of all pages read, and find what meets the plan of each need in it."""
    services = runtime.context
    services.progress(f"round {state['round']}: following paths")
    paths = await found_paths(_active(state), state, services)
    failed = dict.fromkeys(each.failure for each in paths if each.failure)
    return State(paths=paths, notes=tuple(f"no paths over the pages were found: {failure}" for failure in failed))


@traced("RETRIEVER")
async def retrieve_evidence(state: State, runtime: Runtime[Services]) -> State:
    """Take the top k of every index for each need of this round, and for the need expanded by linking evidence."""
    services = runtime.context
    within, read = state.get("documents", ()), services.library.documents(state["read"])
    found = [
        scored.item
        for place, need in _active(state)
        for query in expanded_queries(need.text, _known(state, services, place), read)
        for modality in MODALITIES
        for scored in await services.index.retrieve(query, modality, services.limits.retrieve_k, within)
    ]
    return State(found=tuple(dict.fromkeys(found)))


@traced("RETRIEVER")
async def retrieve_subgraph(state: State, runtime: Runtime[Services]) -> State:
    """Find the edges between rows and leads of all pages read that may meet each need (HELIOS, section 4.1)."""
    tools = table_text(state, runtime.context)
    return State(subgraphs=tuple([await tools.subgraph(need.text) for _, need in _active(state)]))


@traced("RETRIEVER")
async def expand_nodes(state: State, runtime: Runtime[Services]) -> State:
    """Read pages that the best rows link to, then add edges that the needs make likely (HELIOS, section 4.2)."""
    services = runtime.context
    reading = await read_linked(state, services, table_text(state, services))
    tools = table_text(state, services, reading.read)
    graphs = []
    for (_, need), known in zip(_active(state), state["subgraphs"], strict=True):
        graph = await tools.subgraph(need.text) if reading.read else known
        graphs.append((await tools.expansion(need.text, graph)).graph)
    return State(
        subgraphs=tuple(graphs),
        read=(*state["read"], *reading.read),
        documents=reading.read,
        notes=reading.notes,
        fetched=(reading.fetched,),
    )


@traced("RERANKER")
async def refine_stars(state: State, runtime: Runtime[Services]) -> State:
    """Add rows that an aggregation selects and drop edges that the model refuses (HELIOS, section 4.3)."""
    services = runtime.context
    assert services.graph is not None, "tier off has no graph"
    tools, refiner = table_text(state, services), services.graph.refiner
    asked = zip(_active(state), state["subgraphs"], strict=True)
    candidates = [Candidates(need.text, graph) for (_, need), graph in asked]
    refined = await tools.refinements(candidates, refiner, services.graph.reader)
    return State(
        subgraphs=tuple(each.graph for each in refined),
        agreed=tuple(each.agreed for each in refined),
        notes=tuple(note for each in refined for note in each.notes),
    )


@traced("RERANKER")
async def rerank_evidence(state: State, runtime: Runtime[Services]) -> State:
    """Score evidence against every need and enter it into the ledger.

    That is this round's evidence and, for a need that was born since the last round, every piece of the ledger.
    """
    services = runtime.context
    seen = state.get("observations", ())
    graphs = dict(zip(state.get("active", ()), state.get("subgraphs", ()), strict=False))
    agreed = dict(zip(state.get("active", ()), state.get("agreed", ()), strict=False))
    paths = {each.need: each for each in state.get("paths", ())}
    joined = (piece for each in paths.values() for piece in each.cited)
    edged = (node for graph in graphs.values() for node in edge_nodes(graph))
    fresh = dict.fromkeys((*state["found"], *edged, *joined))
    observed: list[Observation] = []
    for place, need in enumerate(needs_of(state)):
        pieces = tuple(map(services.library.evidence, dict.fromkeys((*fresh, *unscored(seen, place)))))
        known = _known(state, services, place)
        scored = await services.evidence_reranker.rerank(need.text, pieces, known, state["round"])
        of_need = (replace(each, need=place) for each in scored)
        known_by_edges = raise_by_edges(tuple(of_need), graphs.get(place, Subgraph(())), agreed.get(place, ()))
        observed += along_paths(known_by_edges, paths.get(place))
    return State(observations=tuple(observed))


@traced("EVALUATOR")
async def reflect(state: State, runtime: Runtime[Services]) -> State:
    """Judge the evidence of all rounds against each need, name what is missing, and say whether and why to stop."""
    services = runtime.context
    services.progress(f"round {state['round']}: reflecting")
    ranked = await _final_evidence(state, services)
    read = frozenset(state.get("documents", ()))
    queries = queries_of(state) if state["round"] else ()
    verdict = await services.reflector.reflect(searched_needs(state), ranked, state.get("rounds", ()), read, queries)
    changed = State(verdict=verdict, rounds=(round_record(state, verdict),) if state["round"] else ())
    reason = stop_reason(state, verdict, services)
    if reason is not None:
        changed["stop_reason"] = reason
    else:
        changed["needs"] = born_needs(state, verdict)
    return changed


def _active(state: State) -> tuple[tuple[int, Need], ...]:
    """Return the needs of this round with their places; of pages that are given, the question."""
    needs = needs_of(state)
    return tuple((place, needs[place]) for place in state.get("active", (0,)))


def _known(state: State, services: Services, need: int) -> tuple[Evidence, ...]:
    return known_evidence(state.get("observations", ()), services.library, need)


async def _final_evidence(state: State, services: Services) -> tuple[Scored[Evidence], ...]:
    """Choose the final evidence in a thread: for a report of a long run it takes seconds."""
    return await asyncio.to_thread(final_evidence, state.get("observations", ()), services, form_of(state))


def route_paths(state: State, runtime: Runtime[Services]) -> Literal["follow_paths", "retrieve_evidence"]:
    """Follow paths where a knowledge base is made of the pages and time is left."""
    services = runtime.context
    return "follow_paths" if services.paths and not out_of_time(state, services) else "retrieve_evidence"


def route_graph(state: State, runtime: Runtime[Services]) -> Literal["retrieve_subgraph", "rerank_evidence"]:
    """Build the graph of the pages where a tier of it is set and time is left."""
    services = runtime.context
    return "retrieve_subgraph" if services.graph and not out_of_time(state, services) else "rerank_evidence"


def route_expansion(state: State, runtime: Runtime[Services]) -> Literal["expand_nodes", "rerank_evidence"]:
    """Expand and refine in the full tier, where the graph has edges and time is left."""
    services = runtime.context
    edges = any(graph.edges for graph in state["subgraphs"])
    full = services.graph is not None and services.graph.tier == "full" and edges
    return "expand_nodes" if full and not out_of_time(state, services) else "rerank_evidence"


def route_given_pages(state: State) -> Literal["given", "none"]:
    """Tell whether the caller named the pages: then nothing was asked to find them."""
    return "given" if state.get("hits") and not state["queries"] else "none"


def route_recall(state: State) -> Literal["reflect", "rewrite_query"]:
    """Reflect on what is known from earlier turns; begin the first round where that is nothing."""
    return "reflect" if state.get("observations") else "rewrite_query"


def route_queries(state: State) -> Literal["search_documents", "write_answer"]:
    """Search, unless every query of this round was asked before."""
    return "search_documents" if state["queries"] else "write_answer"


def route_round(state: State) -> Literal["rewrite_query", "write_answer"]:
    """Answer when there is a reason to stop, else begin another round."""
    return "write_answer" if state.get("stop_reason") else "rewrite_query"


@traced("AGENT")
async def write_answer(state: State, runtime: Runtime[Services]) -> State:
    """Write claims from the ledger, each with the words it rests on, or abstain."""
    services = runtime.context
    services.progress("writing the answer")
    evidence = await _final_evidence(state, services)
    changed = State(draft=await services.answerer.answer(brief_of(state), evidence))
    if services.mode == "extractive":
        notes = await asyncio.to_thread(notes_of, read_question(state), evidence)
        changed |= State(notes=notes) if notes else State()
    return changed


@traced("GUARDRAIL")
async def verify_citations(state: State, runtime: Runtime[Services]) -> State:
    """Check every claim against what it cites, apply the citation policy and close the record."""
    services = runtime.context
    services.progress("checking claims")
    ranked = await _final_evidence(state, services)
    checked = await check_answer(
        state["draft"],
        services.policy,
        services.verifier(read_question(state)),
        services.answerer,
        ranked,
        services.library.shelf,
        services.tell,
        [need.text for need in needs_of(state)],
    )
    return State(answer=answer_record(state, await credit_pictures(checked, services), services))
