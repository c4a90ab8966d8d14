"""Query-relevant node expansion (HELIOS, section 4.2; Algorithm 1, lines 4 to 12): beam search for equation 5.

The edges (u, v) of the complete bipartite graph that maximise p(u, v | q) = p(v | u, q) p(u | q) are added, where u is
a node of the candidate subgraph: also edges that no link or linker drew.
"""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass

from heliograph.protocols import DataGraph, EdgeScorer, NodeIndex, NodeScorer
from heliograph.types import Edge, EvidenceId, Scored, Subgraph
from indexers.edges.linearize import linearize
from tools.subgraph import merged, nodes_of, rescored

BEAM_WIDTH = 10
"""b: seed nodes, and edges that are added (HELIOS, section 5.4)."""
NEIGHBOURS = 50
"""Nodes found for a seed over which p(v | u, q) is normalised; all others are taken to have none of it."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The expanded graph G_l, the seeds with p(u | q), and the new edges with p(u, v | q)."""

    graph: Subgraph
    seeds: tuple[Scored[EvidenceId], ...]
    added: tuple[Edge, ...]


class NodeExpander:
    """Add the b most probable edges that start from the b most probable nodes of a graph.

    Args:
        data: what the nodes hold.
        seeds: g_n, whose scores become p(u | q) by a softmax over all nodes of the graph.
        passages: f_{S→P}, which finds passages for a table segment.
        segments: f_{P→S}, which finds table segments for a passage.
        edges: g_e, which gives new edges their scores in the graph.
        beam_width: b; 0 adds nothing.
    """

    def __init__(
        self,
        data: DataGraph,
        seeds: NodeScorer,
        passages: NodeIndex,
        segments: NodeIndex,
        edges: EdgeScorer,
        beam_width: int = BEAM_WIDTH,
    ) -> None:
        self._data = data
        self._seeds = seeds
        self._passages, self._segments = passages, segments
        self._edges = edges
        self._beam_width = beam_width

    async def expand(self, question: str, graph: Subgraph) -> Expansion:
        """Return G_l: the graph with the added edges in their places."""
        seeds = await self._seed_nodes(question, graph)
        tables = {edge.segment for edge in graph.edges}
        found = await asyncio.gather(*(self._neighbours(question, seed, seed.item in tables) for seed in seeds))
        known = {(edge.segment, edge.passage) for edge in graph.edges}
        likely = merged(*found).edges
        added = tuple(edge for edge in likely if (edge.segment, edge.passage) not in known)[: self._beam_width]
        scored = await rescored(question, added, self._edges, graph.edges)
        return Expansion(merged(graph.edges, scored), seeds, added)

    async def _seed_nodes(self, question: str, graph: Subgraph) -> tuple[Scored[EvidenceId], ...]:
        """Return the b nodes with the greatest p(u | q)."""
        nodes = nodes_of(graph)
        chances = softmax(await self._seeds.score(question, nodes))
        found = [Scored(node, chance) for node, chance in zip(nodes, chances, strict=True)]
        return tuple(sorted(found, key=lambda node: (-node.score, node.item))[: self._beam_width])

    async def _neighbours(self, question: str, seed: Scored[EvidenceId], is_segment: bool) -> tuple[Edge, ...]:
        """Return the edges from a seed to the nodes found for [q; Γ(u)], with p(u, v | q)."""
        node = self._data.segment(seed.item) if is_segment else self._data.passage(seed.item)
        index = self._passages if is_segment else self._segments
        found = await index.retrieve(expanded_query(question, linearize(node)), NEIGHBOURS)
        chances = softmax([other.score for other in found])
        return tuple(
            Edge(seed.item, other.item, seed.score * chance)
            if is_segment
            else Edge(other.item, seed.item, seed.score * chance)
            for other, chance in zip(found, chances, strict=True)
        )


def expanded_query(question: str, node: str) -> str:
    """Return [q; Γ(u)], the question with the line of a node (HELIOS, section 4.2)."""
    return f"{question} | {node}"


def softmax(scores: Sequence[float]) -> tuple[float, ...]:
    """Return probabilities that sum to 1; none for no scores."""
    if not scores:
        return ()
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = math.fsum(powers)
    return tuple(power / total for power in powers)
