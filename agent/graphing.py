"""What the table-text graph adds to a round: linked pages that are read for it, and evidence that its edges explain."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from agent.reading import Reading, read_pages
from agent.services import Services
from agent.state import State
from agent.stopping import pages_read
from heliograph.turns import by_turns
from heliograph.types import EvidenceId, Hit, Observation, PageKey, Subgraph
from indexers.fusion import risen
from tools.expansion import softmax
from tools.subgraph import nodes_of
from tools.table_text import TableText

EDGE_WEIGHT = 0.9
"""How far the graph is believed: a node whose edges surely hold the answer keeps a tenth of what it lacked to 1."""
EDGES_FOUND = 20
"""Edges of a round whose nodes enter the ledger, whether or not anything else has found them."""


def table_text(state: State, services: Services, more: Sequence[PageKey] = ()) -> TableText:
    """Return the graph tools over all pages that the rounds have read."""
    assert services.graph is not None, "tier off has no graph"
    pages = dict.fromkeys((*state.get("documents", ()), *more))
    return TableText(services.graph.search, services.library.documents(pages))


async def read_linked(state: State, services: Services, tools: TableText) -> Reading:
    """Read pages that the best rows link to and nobody has read, as far as the budgets go; they are not indexed.

    What the graph needs of them is how they begin, so that no text of them is embedded for an index.
    """
    assert services.graph is not None, "tier off has no graph"
    room = services.limits.budget_left(pages_read(state), services.graph.linked_pages)
    named = by_turns([tools.linked_titles(graph) for graph in state["subgraphs"]])
    titles = [title for title in named if title not in services.library.asked]
    hits = tuple(Hit(title, rank, wiki) for rank, (wiki, title) in enumerate(titles[:room], start=1))
    return await read_pages(State({**state, "hits": hits}), services, index=False)


def out_of_time(state: State, services: Services) -> bool:
    """Tell whether the seconds of the question are used up."""
    return services.limits.spent(0, services.recorder.now() - state["started"])


def edge_nodes(graph: Subgraph) -> tuple[EvidenceId, ...]:
    """Return the rows and passages of the best edges."""
    return nodes_of(Subgraph(graph.edges[:EDGES_FOUND]))


def raise_by_edges(
    observations: Sequence[Observation], graph: Subgraph, agreed: Collection[EvidenceId] = ()
) -> tuple[Observation, ...]:
    """Raise the scores of nodes against a need by the chance that their edges meet it; nothing falls.

    The graph is that of the need over all pages read so far, whichever round read them. What is raised names the other
    end of its best edge by `via`, and itself where that edge has none: a score without `via` is the piece's alone.

    Given that one of the edges does, a softmax of their scores says how likely each is, as in its training (equation
    6), and a node is as likely as its edges together. Where that is p, a node misses (1 - EDGE_WEIGHT · p) of what it
    missed to 1 before. Rows that code and model `agreed` on are certain:
    neither depends on the other, and similarity cannot see that a row holds the greatest value.
    """
    chances: dict[EvidenceId, float] = defaultdict(float)
    best: dict[EvidenceId, tuple[float, EvidenceId | None]] = {}
    for edge, chance in zip(graph.edges, softmax([edge.score for edge in graph.edges]), strict=True):
        for node, other in ((edge.segment, edge.passage), (edge.passage, edge.segment)):
            if node is not None:
                chances[node] += chance
                best[node] = max(best.get(node, (-1.0, None)), (chance, other), key=lambda each: each[0])
    chances.update((row, 1.0) for row in agreed)
    return tuple(
        _raised(seen, chances[seen.evidence], best[seen.evidence][1]) if seen.evidence in best else seen
        for seen in observations
    )


def _raised(seen: Observation, chance: float, other: EvidenceId | None) -> Observation:
    score = risen(seen.score, EDGE_WEIGHT * min(1.0, chance))
    return replace(seen, score=score, via=other or seen.evidence) if score > seen.score else seen
