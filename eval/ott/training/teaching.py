"""A teacher for the edge retriever: an edge reranker whose scores of each list are learned too (appendix B.1)."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from eval.ott.corpus import OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.models import fusion, retriever_named
from eval.ott.ranking import Unit
from eval.ott.recipe import Recipe
from eval.ott.scorers import PairEdges
from eval.ott.sides import bipartite
from eval.ott.tokens import open_tokens
from eval.ott.training.edge_lists import DEVELOPED_EDGES, Edge, Retrieved, decontextualised, development_lists
from heliograph.errors import UsageError
from heliograph.paths import expanded
from heliograph.protocols import EdgeScorer
from indexers.edges.bm25 import EdgeBM25
from indexers.edges.fusion import FusedEdgeScorer
from indexers.models.fingerprint import FUSION_FILE
from indexers.models.named import refuse_missing
from indexers.models.pairs import CrossEncoderScorer
from indexers.models.training.development import Figures, figures, measure
from indexers.models.training.students import RankingStudent
from indexers.pace import Pace, Say


@dataclass(frozen=True, slots=True)
class Teaching:
    """Which teacher: a cross-encoder, or a folder with the weights of a fused reranker.

    `retriever` is what these weights were fitted to; empty where it stands in the same folder.
    """

    teacher: str
    retriever: str = ""

    @property
    def weights(self) -> Path:
        """Where the weights of a fused teacher stand."""
        return expanded(self.teacher) / FUSION_FILE


class EdgeTeacher:
    """Score edges by a reranker, each list among the edges that were retrieved for its question."""

    def __init__(self, name: str, scorer: EdgeScorer, data: OttGraph, runner: asyncio.Runner) -> None:
        self.name = name
        self._scorer, self._data, self._runner = scorer, data, runner

    def scores(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        """Return a score an edge, in the order given."""
        others = [edge for edge in among if edge not in set(edges)]
        return self._runner.run(self._scored(question, edges, others))

    def figures(self, questions: Sequence[Retrieved], corpus: OttCorpus, say: Say) -> Figures:
        """Rank the first edges of each question as `development_lists` gives them to a student."""
        pace, ranked = Pace("development questions for the teacher", len(questions), say), []
        for number, asked in enumerate(questions, start=1):
            edges = asked.edges[:DEVELOPED_EDGES]
            scores = self.scores(decontextualised(asked.question, corpus, section=True), edges)
            order = sorted(range(len(edges)), key=lambda place: -scores[place])
            ranked.append([asked.gold.holds(Unit.edge(*edges[place])) for place in order])
            pace.done(number)
        return figures(ranked)

    async def _scored(self, question: str, edges: Sequence[Edge], among: Sequence[Edge]) -> tuple[float, ...]:
        listed, beside = ([self._data.edge(*edge) for edge in part] for part in (edges, among))
        return await self._scorer.score(question, listed, beside)


def open_teacher(teaching: Teaching, corpus: OttCorpus, bm25: EdgeBM25, home: Path, stack: ExitStack) -> EdgeTeacher:
    """Open a teacher until the stack is closed; token vectors of a fused one are kept in `home`.

    Raises:
        ModelMissing: there is no such retriever, or the weights were fitted to another.
    """
    data, runner = OttGraph(corpus), stack.enter_context(asyncio.Runner())
    graph = bipartite(corpus, data, corpus.edges)
    if not teaching.weights.is_file():
        pairs = CrossEncoderScorer(teaching.teacher)
        return EdgeTeacher(pairs.name, PairEdges(graph, pairs), data, runner)
    retriever = teaching.retriever or teaching.teacher
    encoder = retriever_named(retriever)
    found = fusion(Recipe(retriever=retriever, reranker=str(teaching.weights)), encoder.name)
    tokens = open_tokens(encoder, home / "tokens", stack).nodes
    return EdgeTeacher(found.name, FusedEdgeScorer(graph, bm25, tokens, found.weights), data, runner)


def refuse_no_teacher(teaching: Teaching) -> None:
    """Stop before anything slow where a teaching names what is not there.

    Raises:
        ModelMissing: there is no such teacher.
        UsageError: a retriever is named for a teacher that has none.
    """
    refuse_missing(teaching.teacher, "--teacher")
    if teaching.retriever and not teaching.weights.is_file():
        raise UsageError(
            f"--teacher-retriever is of a fused teacher, and there is no {teaching.weights}; leave it away"
        )


def refuse_weaker(
    teacher: EdgeTeacher, student: RankingStudent, questions: Sequence[Retrieved], corpus: OttCorpus, say: Say
) -> None:
    """Measure teacher and student on development questions; a teacher that is no better has nothing to teach.

    Raises:
        UsageError: the student begins as good.
    """
    student.module.eval()
    own = measure(student.rank, development_lists(questions, corpus), say)
    better = teacher.figures(questions, corpus, say)
    say(f"student: {own}; teacher: {better}")
    if better.ndcg <= own.ndcg:
        raise UsageError(
            f"the teacher ranks development questions no better than the student begins "
            f"(nDCG@50 {better.ndcg:.3f} and {own.ndcg:.3f}); leave --teacher away"
        )
