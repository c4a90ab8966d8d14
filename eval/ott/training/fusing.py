"""Fitting the fused reranker on questions that the retriever has not learned from (HELIOS, appendix B.1: g_e)."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.ott.corpus import OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.judging import gold_of
from eval.ott.kept_postings import kept_postings
from eval.ott.models import retriever_named
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.ranking import Unit
from eval.ott.reading import read_corpus
from eval.ott.recipe import digest_of_corpus
from eval.ott.sides import bipartite
from eval.ott.tokens import open_tokens
from eval.ott.training.edge_lists import DEVELOPMENT, decontextualised
from heliograph.errors import UsageError
from heliograph.protocols import TokenEncoder
from heliograph.storage import storage_error
from indexers.edges.bm25 import EdgeList
from indexers.edges.fusion import EdgeFeatures, Features, FusionWeights, in_company
from indexers.edges.graph import BipartiteGraph
from indexers.edges.search import EdgeSearch
from indexers.models.fingerprint import FUSION_FILE
from indexers.models.pytorch import loaded_torch
from indexers.models.training.development import Figures, figures
from indexers.models.training.linear import fitted

DECAY = 0.001
"""How dear a large weight is; 0.0003 and 0.003 rank the development questions alike, 0.03 worse."""

Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Fusing:
    """One fit: on the `held_out` questions behind those for development, over k1 candidates of the retriever each."""

    data: Path
    questions: Path
    retriever: str
    out: Path
    folder: Path
    held_out: int
    k1: int
    proposed: int
    say: Callable[[str], None] = field(default=lambda _: None)


@dataclass(frozen=True, slots=True)
class Fused:
    """Figures of the development questions in the retriever's order, and as the weights order them."""

    before: Figures
    after: Figures


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What the retriever found for a question: features and which are gold, in its order."""

    features: Features
    gold: Marks

    def ranked(self, weights: FusionWeights) -> list[bool]:
        """Return which places are gold once weights have ordered them."""
        order = np.argsort(-weights.scores(self.features), kind="stable")
        return [bool(gold) for gold in self.gold[order]]


async def fuse(fusing: Fusing) -> Fused:
    """Fit the weights, write them to `out`/fusion.json, and measure them on the development questions.

    Raises:
        UsageError: data or questions cannot be used, or fewer questions are there than are held out.
        ModelMissing: there is no such retriever, or the extra `models` is not installed.
        StoreFull | StoreError: the folder cannot be written.
    """
    encoder = retriever_named(fusing.retriever)
    loaded_torch()
    held = DEVELOPMENT + fusing.held_out
    questions = read_questions(fusing.questions)[:held]
    if len(questions) < held:
        raise UsageError(
            f"{fusing.questions} has {len(questions)} questions, {held} are to be held out; lower --held-out"
        )
    corpus = read_corpus(fusing.data, "full")
    with ExitStack() as stack:
        search = _searching(corpus, encoder, fusing, stack)
        found = [await search.candidates(question) for question in _told(questions, fusing.say)]
    weights = fit(found[DEVELOPMENT:], search.model)
    _write(weights, fusing.out)
    development = found[:DEVELOPMENT]
    return Fused(
        figures([each.gold.tolist() for each in development]),
        figures([each.ranked(weights) for each in development]),
    )


def _write(weights: FusionWeights, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        weights.write(folder / FUSION_FILE)
    except OSError as err:
        raise storage_error(err, folder / FUSION_FILE) from err


def fit(lists: Sequence[Candidates], model: str) -> FusionWeights:
    """Return weights of standardised features, fitted to lists."""
    every = np.concatenate([each.features for each in lists])
    means, spreads = every.mean(axis=0), np.maximum(every.std(axis=0), 1e-6)
    plain = [(each.features - means) / spreads for each in lists]
    weights = fitted(plain, [each.gold for each in lists], DECAY)
    return FusionWeights(model, *(tuple(map(float, each)) for each in (means, spreads, weights)))


@dataclass(frozen=True, slots=True)
class _Searching:
    """What finds candidates and their features."""

    corpus: OttCorpus
    graph: BipartiteGraph
    edges: EdgeSearch
    features: EdgeFeatures
    k1: int
    model: str

    async def candidates(self, question: OttQuestion) -> Candidates:
        """Ask for a question as OTT-QA would put it."""
        asked = decontextualised(question, self.corpus, section=True)
        pairs = self.graph.pairs(await self.edges.retrieve(asked, self.k1))
        return Candidates(in_company(await self.features.of(asked, pairs)), _gold(question, self.corpus, pairs))


def _searching(corpus: OttCorpus, encoder: TokenEncoder, fusing: Fusing, stack: ExitStack) -> _Searching:
    graph = bipartite(corpus, OttGraph(corpus), corpus.edges)
    bm25 = kept_postings(corpus, fusing.folder / "postings" / digest_of_corpus(corpus), fusing.say).over(corpus)
    tokens = open_tokens(encoder, fusing.folder / "tokens", stack, fusing.say).nodes
    edges = EdgeSearch(graph, bm25, tokens, fusing.proposed)
    return _Searching(corpus, graph, edges, EdgeFeatures(graph, bm25, tokens), fusing.k1, encoder.name)


def _gold(question: OttQuestion, corpus: OttCorpus, pairs: EdgeList) -> Marks:
    gold = gold_of(question, corpus)
    return np.array([gold.holds(Unit.edge(int(row), int(passage))) for row, passage in pairs], np.bool_)


def _told(questions: Sequence[OttQuestion], say: Callable[[str], None]) -> Iterator[OttQuestion]:
    for number, question in enumerate(questions, start=1):
        yield question
        if number % 20 == 0:
            say(f"candidates of {number}/{len(questions)} questions")
