"""What the table-text graph adds to a round: linked pages that are read for it, and evidence that its edges explain."""

from collections.abc import Sequence
from dataclasses import replace

from agent.reading import Reading, read_pages
from agent.services import Services
from agent.state import State
from agent.stopping import pages_read
from heliograph.types import Edge, EvidenceId, Hit, Observation, PageKey, Subgraph
from indexers.parser import page_name
from tools.table_text import TableText

STAR_WEIGHT = 0.9
"""Score of a node whose edge surely holds the answer: above all that only speaks of the question's words."""
EDGES_KEPT = 20
"""Edges of a round that enter the ledger and the state."""


def table_text(state: State, services: Services, more: Sequence[PageKey] = ()) -> TableText:
    """Return the graph tools over all pages that the rounds have read."""
    assert services.graph is not None, "tier off has no graph"
    pages = dict.fromkeys((*state.get("documents", ()), *more))
    return TableText(services.graph.search, services.library.documents(pages))


def kept(graph: Subgraph) -> Subgraph:
    """Return the best edges of a graph."""
    return Subgraph(graph.edges[:EDGES_KEPT])


async def read_linked(state: State, services: Services, tools: TableText) -> Reading:
    """Read pages that the best rows link to and nobody has read, as far as the budgets go; they are not indexed.

    What the graph needs of them is how they begin.
    """
    assert services.graph is not None, "tier off has no graph"
    graph = state["subgraph"]
    if not graph.edges:
        return Reading((), (), (), 0)
    wiki = page_name(tools.documents[0].key).wiki
    room = services.limits.pages_left(pages_read(state))
    titles = (title for title in tools.linked_titles(graph) if (wiki, title) not in services.library.asked)
    hits = tuple(Hit(title, rank, wiki) for rank, title in enumerate(titles, start=1))
    wanted = hits[: min(room, services.graph.linked_pages)]
    return await read_pages(State({**state, "hits": wanted}), services, index=False)


def nodes_of(graph: Subgraph) -> tuple[EvidenceId, ...]:
    """Return the rows and passages of edges, best first."""
    ends = (end for edge in graph.edges for end in (edge.segment, edge.passage))
    return tuple(dict.fromkeys(end for end in ends if end is not None))


def explained(observations: Sequence[Observation], graph: Subgraph) -> tuple[Observation, ...]:
    """Score the nodes of edges by the better of two: what they say themselves, and the chance of their best edge.

    `via` names the other end of that edge where it decides.
    """
    best: dict[EvidenceId, tuple[Edge, EvidenceId | None]] = {}
    for edge in graph.edges:
        best.setdefault(edge.segment, (edge, edge.passage))
        if edge.passage is not None:
            best.setdefault(edge.passage, (edge, edge.segment))
    return tuple(_explained(seen, *best[seen.evidence]) if seen.evidence in best else seen for seen in observations)


def _explained(seen: Observation, edge: Edge, other: EvidenceId | None) -> Observation:
    score = round(STAR_WEIGHT * edge.score, 6)
    return replace(seen, score=score, via=other) if score > seen.score else seen
