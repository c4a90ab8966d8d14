"""Every node and edge of the state machine: read this first.

One pass from `rewrite_query` to `reflect` is a round (OMG-QA, section 3: one-round versus multi-round retrieval).
`retrieve_subgraph`, `expand_nodes` and `refine_stars` are HELIOS's three stages over the pages read so far; a tier
decides how many of them a round passes.
`follow_paths` makes a knowledge base of the pages and plans over it (STaRK), where that is set.
`recall` brings evidence of earlier turns of a conversation; what suffices needs no round at all. `plan` says what the
answer must say: its needs, of which each round asks for those still open.
`route_round` decides between another round and the answer, and always for a stated reason.
"""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from agent import nodes
from agent.services import Services
from agent.state import State

RECURSION_LIMIT = 50
"""Three rounds take at most 39 steps; LangGraph's own limit of 10,007 would let a fault run on."""

Graph = CompiledStateGraph[State, Services, State, State]


def build_graph(checkpointer: BaseCheckpointSaver[Any] | None = None) -> Graph:
    """Wire the agent; services come with each run as LangGraph's context, checkpoints go where the caller says."""
    graph = _rounds()
    graph.add_node("recall", nodes.recall)
    graph.add_node("write_answer", nodes.write_answer)
    graph.add_node("verify_citations", nodes.verify_citations)

    graph.add_edge(START, "recall")
    graph.add_edge("recall", "plan")
    graph.add_conditional_edges("plan", nodes.route_recall)
    graph.add_conditional_edges("rewrite_query", nodes.route_queries)
    graph.add_edge("rerank_evidence", "reflect")
    graph.add_conditional_edges("reflect", nodes.route_round)
    graph.add_edge("write_answer", "verify_citations")
    graph.add_edge("verify_citations", END)
    return graph.compile(checkpointer)


def build_retrieval_graph() -> Graph:
    """Wire the same rounds without an answer; of pages that are given none is searched for, nor is there a verdict."""
    graph = _rounds()
    graph.add_conditional_edges(START, nodes.route_given_pages, {"given": "index_evidence", "none": "plan"})
    graph.add_edge("plan", "rewrite_query")
    graph.add_conditional_edges(
        "rewrite_query", nodes.route_queries, {"search_documents": "search_documents", "write_answer": END}
    )
    graph.add_conditional_edges("rerank_evidence", nodes.route_given_pages, {"given": END, "none": "reflect"})
    graph.add_conditional_edges("reflect", nodes.route_round, {"rewrite_query": "rewrite_query", "write_answer": END})
    return graph.compile()


def _rounds() -> StateGraph[State, Services, State, State]:
    """Return the nodes of a round, and the edges within it."""
    graph = StateGraph(State, context_schema=Services)
    graph.add_node("plan", nodes.plan)
    graph.add_node("rewrite_query", nodes.rewrite_query)
    graph.add_node("search_documents", nodes.search_documents)
    graph.add_node("rerank_documents", nodes.rerank_documents)
    graph.add_node("index_evidence", nodes.index_evidence)
    graph.add_node("follow_paths", nodes.follow_paths)
    graph.add_node("retrieve_evidence", nodes.retrieve_evidence)
    graph.add_node("retrieve_subgraph", nodes.retrieve_subgraph)
    graph.add_node("expand_nodes", nodes.expand_nodes)
    graph.add_node("refine_stars", nodes.refine_stars)
    graph.add_node("rerank_evidence", nodes.rerank_evidence)
    graph.add_node("reflect", nodes.reflect)

    graph.add_edge("search_documents", "rerank_documents")
    graph.add_edge("rerank_documents", "index_evidence")
    graph.add_conditional_edges("index_evidence", nodes.route_paths)
    graph.add_edge("follow_paths", "retrieve_evidence")
    graph.add_conditional_edges("retrieve_evidence", nodes.route_graph)
    graph.add_conditional_edges("retrieve_subgraph", nodes.route_expansion)
    graph.add_edge("expand_nodes", "refine_stars")
    graph.add_edge("refine_stars", "rerank_evidence")
    return graph
