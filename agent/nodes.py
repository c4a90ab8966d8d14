"""The steps of the state machine: each reads the state, calls one service and returns only what changed."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Literal, Protocol

from langgraph.runtime import Runtime

from agent.citations import check_answer
from agent.crediting import credited
from agent.graphing import explained, found_by_edges, out_of_time, read_linked, table_text
from agent.reading import read_pages
from agent.recalling import recall_evidence
from agent.record import answer_record, round_record
from agent.remembering import next_queries, recollected, to_choose_from
from agent.selection import expanded_queries, final_evidence, known_evidence
from agent.services import Services
from agent.state import State
from agent.stopping import pages_read, refuse_silence, stop_reason
from heliograph.protocols import SpanKind
from heliograph.types import MODALITIES, Brief, Form, Need, Subgraph
from tools.search import search_round


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
    return changed | await recollected(state, services)


@traced("CHAIN")
async def rewrite_query(state: State, runtime: Runtime[Services]) -> State:
    """Begin a round: turn the question, what is missing and what was asked into new queries."""
    number = state.get("round", 0) + 1
    queries = await next_queries(state, runtime.context)
    changed = State(round=number, queries=queries)
    if runtime.context.graph:
        changed |= State(subgraph=Subgraph(()), agreed=())  # those of the round before have counted
    if not queries:
        changed["stop_reason"] = "repeated_query" if number > 1 else "nothing_found"
    return changed


@traced("TOOL")
async def search_documents(state: State, runtime: Runtime[Services]) -> State:
    """Ask every source every query; one that fails is named and the others serve."""
    services = runtime.context
    services.progress(f"round {state['round']}: searching " + "; ".join(query.text for query in state["queries"]))
    found = await search_round(state["queries"], services.searches, services.fallback)
    refuse_silence(state, found.reports)
    return State(results=found.results, relaxed=found.relaxed, sources=found.reports)


@traced("RERANKER")
async def rerank_documents(state: State, runtime: Runtime[Services]) -> State:
    """Choose the pages worth reading among those of all rounds not read yet, within the budget of pages."""
    services = runtime.context
    room = services.limits.pages_left(pages_read(state))
    results = to_choose_from(state)
    hits = await services.document_reranker.rerank(state["question"], results, services.library.asked, room)
    return State(hits=hits)


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
async def retrieve_evidence(state: State, runtime: Runtime[Services]) -> State:
    """Take the top k of every index for the question and for the question expanded by linking evidence."""
    services = runtime.context
    known = known_evidence(state.get("observations", ()), services.library)
    within = state.get("documents", ())
    found = [
        scored.item
        for query in expanded_queries(state["question"], known, services.library.documents(state["read"]))
        for modality in MODALITIES
        for scored in await services.index.retrieve(query, modality, services.limits.retrieve_k, within)
    ]
    return State(found=tuple(dict.fromkeys(found)))


@traced("RETRIEVER")
async def retrieve_subgraph(state: State, runtime: Runtime[Services]) -> State:
    """Find the edges between rows and leads of all pages read that may hold the answer (HELIOS, section 4.1)."""
    services = runtime.context
    return State(subgraph=await table_text(state, services).subgraph(state["question"]))


@traced("RETRIEVER")
async def expand_nodes(state: State, runtime: Runtime[Services]) -> State:
    """Read pages that the best rows link to, then add edges that the question makes likely (HELIOS, section 4.2)."""
    services = runtime.context
    reading = await read_linked(state, services, table_text(state, services))
    tools = table_text(state, services, reading.read)
    graph = await tools.subgraph(state["question"]) if reading.read else state["subgraph"]
    expansion = await tools.expansion(state["question"], graph)
    return State(
        subgraph=expansion.graph,
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
    tools = table_text(state, services)
    refined = await tools.refinement(state["question"], state["subgraph"], services.graph.llm)
    return State(subgraph=refined.graph, agreed=refined.agreed, notes=refined.notes)


@traced("RERANKER")
async def rerank_evidence(state: State, runtime: Runtime[Services]) -> State:
    """Score this round's evidence against the original question and enter it into the ledger."""
    services = runtime.context
    known = known_evidence(state.get("observations", ()), services.library)
    graph = state.get("subgraph", Subgraph(()))
    found = tuple(map(services.library.evidence, dict.fromkeys((*state["found"], *found_by_edges(graph)))))
    observed = await services.evidence_reranker.rerank(state["question"], found, known, state["round"])
    return State(observations=explained(observed, graph, state.get("agreed", ())))


@traced("EVALUATOR")
async def reflect(state: State, runtime: Runtime[Services]) -> State:
    """Judge the evidence of all rounds, name what is missing, and say whether and why to stop."""
    services = runtime.context
    services.progress(f"round {state['round']}: reflecting")
    ranked = final_evidence(state.get("observations", ()), services)
    verdict = await services.reflector.reflect(state["question"], ranked, state.get("rounds", ()))
    changed = State(verdict=verdict, rounds=(round_record(state, verdict),) if state["round"] else ())
    reason = stop_reason(state, verdict, services)
    if reason is not None:
        changed["stop_reason"] = reason
    return changed


def graphed(state: State, runtime: Runtime[Services]) -> Literal["retrieve_subgraph", "rerank_evidence"]:
    """Build the graph of the pages where a tier of it is set and time is left."""
    services = runtime.context
    return "retrieve_subgraph" if services.graph and not out_of_time(state, services) else "rerank_evidence"


def expanded(state: State, runtime: Runtime[Services]) -> Literal["expand_nodes", "rerank_evidence"]:
    """Expand and refine in the full tier, where the graph has edges and time is left."""
    services = runtime.context
    full = services.graph is not None and services.graph.tier == "full" and bool(state["subgraph"].edges)
    return "expand_nodes" if full and not out_of_time(state, services) else "rerank_evidence"


def given_pages(state: State) -> Literal["given", "none"]:
    """Tell whether the caller named the pages: then nothing was asked to find them."""
    return "given" if state.get("hits") and not state["queries"] else "none"


def recalled(state: State) -> Literal["reflect", "rewrite_query"]:
    """Reflect on what is known from earlier turns; begin the first round where that is nothing."""
    return "reflect" if state.get("observations") else "rewrite_query"


def asked_anew(state: State) -> Literal["search_documents", "write_answer"]:
    """Search, unless every query of this round was asked before."""
    return "search_documents" if state["queries"] else "write_answer"


def next_step(state: State) -> Literal["rewrite_query", "write_answer"]:
    """Answer when there is a reason to stop, else begin another round."""
    return "write_answer" if state.get("stop_reason") else "rewrite_query"


@traced("AGENT")
async def write_answer(state: State, runtime: Runtime[Services]) -> State:
    """Write claims from the ledger, each with the words it rests on, or abstain."""
    services = runtime.context
    services.progress("writing the answer")
    evidence = final_evidence(state.get("observations", ()), services)
    form: Form = "short" if services.form == "auto" else services.form
    return State(draft=await services.answerer.answer(Brief(form, (Need(state["question"]),)), evidence))


@traced("GUARDRAIL")
async def verify_citations(state: State, runtime: Runtime[Services]) -> State:
    """Check every claim against what it cites, apply the citation policy and close the record."""
    services = runtime.context
    services.progress("checking claims")
    ranked = final_evidence(state.get("observations", ()), services)
    checked = await check_answer(
        state["draft"],
        services.policy,
        services.verifier(state["question"]),
        services.answerer,
        {scored.item.id: scored.item for scored in ranked},
        services.library.shelf,
        ranked,
        services.tell,
    )
    return State(answer=answer_record(state, await credited(checked, services), services))
