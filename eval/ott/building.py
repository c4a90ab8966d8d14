"""Retrievers from their recipes: the one place where methods, stages and models are put together."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from eval.ott.competitors.bm25 import BM25Retriever, bm25_units
from eval.ott.competitors.dense import DenseRetriever, embed_nodes
from eval.ott.competitors.late_fusion import BM25Hop, LateFusionRetriever
from eval.ott.corpus import Numbers, OttCorpus
from eval.ott.expansion_models import ExpansionRetrievers
from eval.ott.granularity import NodeRetriever, StarRetriever
from eval.ott.graph import OttGraph
from eval.ott.helios import HeliosRetriever, Stages
from eval.ott.kept_postings import kept_postings
from eval.ott.models import Models, table_reader
from eval.ott.postings import OttPostings
from eval.ott.recipe import Recipe
from eval.ott.retriever import Retriever
from eval.ott.scorers import PairEdges, PairNodes
from eval.ott.sides import bipartite
from eval.ott.tokens import KeptTokens, cost, encode_all, open_each
from heliograph.errors import ModelMissing
from heliograph.protocols import LLM, EdgeIndex, EdgeScorer, NodeIndex, NodeScorer, TokenEncoder
from indexers.edges.bm25 import EdgeBM25
from indexers.edges.fusion import FusedEdgeScorer
from indexers.edges.graph import BipartiteGraph, Lines
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.scorers import LateInteractionEdges, LateInteractionNodes
from indexers.edges.search import EdgeSearch, NodeSearch
from indexers.pace import Say
from tools.expansion import NodeExpander
from tools.refinement import Refiner

NODES_PROPOSED = 250
"""Nodes that BM25 proposes for an expanded query: every seed asks for other ones, and all must be encoded."""


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """A corpus, the edges that retrieval may use, and its digest."""

    corpus: OttCorpus
    edges: Numbers
    digest: str


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where indexes are kept, who hears of progress, and what frees them; `whole` encodes all nodes before asking."""

    folder: Path
    say: Say
    stack: ExitStack
    whole: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class HeliosParts:
    """What the stages of HELIOS search and score with: f_e, g_e, g_n, and f_{S→P} and f_{P→S} of node expansion."""

    data: OttGraph
    edges: EdgeIndex
    scorer: EdgeScorer
    seeds: NodeScorer
    passages: NodeIndex
    segments: NodeIndex

    def retriever(self, recipe: Recipe, digest: str, llm: LLM | None = None) -> HeliosRetriever:
        """Return the stages of a recipe put together; `k1` and `proposed` are those that the parts were made with."""
        expander = NodeExpander(self.data, self.seeds, self.passages, self.segments, self.scorer, recipe.beam_width)
        stages = Stages(
            self.edges,
            recipe.k1,
            recipe.k2,
            reranker=self.scorer if recipe.has("reranker") else None,
            expander=expander if recipe.has("expansion") else None,
            refiner=self._refiner(recipe, llm) if recipe.has("refinement") else None,
        )
        return HeliosRetriever(self.data, stages, digest)

    def _refiner(self, recipe: Recipe, llm: LLM | None) -> Refiner:
        return Refiner(self.scorer, llm, recipe.refine, reader=table_reader())


@dataclass(frozen=True, slots=True, eq=False)
class _Index:
    """A corpus as HELIOS searches it: the data graph by id and by position, its words and its token vectors.

    `passages` and `segments` are the vectors by which expanded queries find nodes of one side: by a model of their own,
    or those of edges, `tokens`.
    """

    data: OttGraph
    graph: BipartiteGraph
    postings: OttPostings
    tokens: NodeTokens
    passages: NodeTokens
    segments: NodeTokens


async def build_retriever(
    recipe: Recipe, digest: str, searched: Searched, models: Models, workshop: Workshop, llm: LLM | None = None
) -> Retriever:
    """Build what a recipe says, and the indexes that it needs.

    Raises:
        ModelError: a model cannot be loaded.
        StoreError: an index cannot be kept.
    """
    corpus = searched.corpus
    if models.embedder is not None:
        vectors = await embed_nodes(corpus, models.embedder, workshop.say)
        return DenseRetriever(models.embedder, vectors, corpus.rows, digest)
    if models.encoder is not None and recipe.units == "edge":
        return (await build_helios(recipe, searched, models, workshop)).retriever(recipe, digest, llm)
    postings = _postings(searched, workshop)
    if recipe.method == "late-fusion":
        return LateFusionRetriever(corpus, BM25Hop(postings.rows), BM25Hop(postings.passages), digest)
    bm25 = bm25_units(recipe.units, corpus, postings, searched.edges)
    if models.encoder is None:
        return BM25Retriever(bm25, digest)
    index = await _index(searched, postings, models.encoder, workshop)
    of_units = StarRetriever if recipe.units == "star" else NodeRetriever
    return of_units(bm25, index.graph, index.tokens, recipe.proposed, digest)


async def build_helios(recipe: Recipe, searched: Searched, models: Models, workshop: Workshop) -> HeliosParts:
    """Build what HELIOS retrieves edges with.

    Raises:
        ModelError: a model cannot be loaded, or there is none.
        StoreError: an index cannot be kept.
    """
    if models.encoder is None:
        raise ModelMissing("HELIOS compares token vectors; name a late-interaction model with --retriever")
    index = await _index(searched, _postings(searched, workshop), models.encoder, workshop, models.expansion)
    bm25 = bm25_units("edge", searched.corpus, index.postings, searched.edges).index
    search = EdgeSearch(index.graph, bm25, index.tokens, recipe.proposed)
    return HeliosParts(
        data=index.data,
        edges=search,
        scorer=_edge_scorer(index, bm25, models, search, recipe.k1),
        seeds=_seed_scorer(index, models),
        passages=NodeSearch(index.graph.passages, index.postings.passages, index.passages, NODES_PROPOSED),
        segments=NodeSearch(index.graph.segments, index.postings.rows, index.segments, NODES_PROPOSED),
    )


def _postings(searched: Searched, workshop: Workshop) -> OttPostings:
    return kept_postings(searched.corpus, workshop.folder / "postings" / searched.digest, workshop.say)


async def _index(
    searched: Searched,
    postings: OttPostings,
    encoder: TokenEncoder,
    workshop: Workshop,
    expansion: ExpansionRetrievers | None = None,
) -> _Index:
    data = OttGraph(searched.corpus, searched.edges)
    graph = bipartite(searched.corpus, data, searched.edges)
    expanding = expansion or ExpansionRetrievers(encoder, encoder)
    encoders = (encoder, expanding.passages, expanding.segments)
    kept = open_each(encoders, workshop.folder / "tokens", workshop.stack, workshop.say)
    tokens, passages, segments = (kept[each.name] for each in encoders)
    await _encoded(tokens, (graph.segments.lines, graph.passages.lines), workshop)
    if expansion is not None:
        await _encoded(passages, (graph.passages.lines,), workshop)
        await _encoded(segments, (graph.segments.lines,), workshop)
    return _Index(data, graph, postings, tokens.nodes, passages.nodes, segments.nodes)


async def _encoded(tokens: KeptTokens, sides: Sequence[Lines], workshop: Workshop) -> None:
    """Encode the nodes of some sides by one model, if all are wanted, or say what that would take."""
    whole = f"all of them: {cost(sides)}; {len(tokens.store):,} lines are kept of {tokens.store.folder.name}"
    if workshop.whole:
        workshop.say(f"encoding {whole}; stopped, it goes on from there")
        await encode_all(sides, tokens, workshop.say)
    else:
        workshop.say(f"nodes are encoded when BM25 first proposes them; --encode-all would encode {whole}")


def _seed_scorer(index: _Index, models: Models) -> NodeScorer:
    """Return g_n: the node reranker, or else what scores edges, by which single nodes can be scored too."""
    pairs = models.nodes or models.pairs
    return LateInteractionNodes(index.graph, index.tokens) if pairs is None else PairNodes(index.graph, pairs)


def _edge_scorer(index: _Index, bm25: EdgeBM25, models: Models, search: EdgeSearch, k1: int) -> EdgeScorer:
    """Return g_e. Without a reranker added edges are scored as the retriever scores: the others keep its scores."""
    if models.pairs is not None:
        return PairEdges(index.graph, models.pairs)
    if models.fusion is not None:
        return FusedEdgeScorer(index.graph, bm25, index.tokens, models.fusion.weights, search, k1)
    return LateInteractionEdges(index.graph, index.tokens)
