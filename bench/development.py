"""Development questions of HybridQA, and the edges that BM25 finds for them ranked anew by late interaction."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np

from eval.ott.corpus import Numbers, OttCorpus
from eval.ott.postings import OttPostings
from eval.ott.questions import read_questions
from eval.ott.ranking import Unit
from eval.ott.reading import read_corpus
from eval.ott.training.edge_lists import Retrieved, decontextualised, retrieved
from indexers.edges.maxsim import Maxima, similarity

HYBRID = Path("questions") / "hybridqa_dev_on_distractor_tables.jsonl"

Compared = Callable[[str, Numbers], Awaitable[Maxima]]
"""M of edges for a question, shape (edges, tokens of the question)."""


def developed(data: Path, first: int) -> tuple[OttCorpus, tuple[Retrieved, ...]]:
    """Return the whole corpus, and its first development questions by the sha256 of their ids."""
    corpus = read_corpus(data, "full")
    bm25 = OttPostings.of(corpus, print).over(corpus)
    return corpus, retrieved(read_questions(data / HYBRID)[:first], corpus, bm25)


async def ranked_anew(asked: Retrieved, corpus: OttCorpus, compared: Compared, edges: int) -> list[bool]:
    """Return whether each of the first edges holds the answer, the most similar first."""
    pairs = asked.ranked[:edges]
    scores = similarity(await compared(decontextualised(asked.question, corpus, section=True), pairs))
    best = pairs[np.argsort(-scores, kind="stable")].tolist()
    return [asked.gold.holds(Unit.edge(row, passage)) for row, passage in best]
