"""What late interaction loses by composing an edge of its two nodes, each encoded apart, on development questions.

usage: python -m bench.edge_composition OTT_FOLDER --model MODEL --keep FOLDER [--questions N] [--edges N]

BM25's first edges for HybridQA's first questions by the sha256 of their ids are ranked twice by one model: by token
vectors of row and passage apart (decision record 016), and by those of both in one text, as HELIOS has them (equation
1). MODEL is a folder, a name on the hub, or `shipped`; all but an ONNX folder need the extra `models`.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import numpy as np

from eval.ott.corpus import Numbers, OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.nodes import edge_lines
from eval.ott.postings import OttPostings
from eval.ott.questions import read_questions
from eval.ott.ranking import Unit
from eval.ott.reading import read_corpus
from eval.ott.sides import bipartite
from eval.ott.training.edge_lists import Retrieved, decontextualised, retrieved
from indexers.edges.maxsim import Maxima, similarity
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.search import edges_compared
from indexers.edges.token_store import TokenStore
from indexers.models.retrievers import token_encoder
from indexers.models.training.development import figures

HYBRID = Path("questions") / "hybridqa_dev_on_distractor_tables.jsonl"
JOINT = " ; "

Compared = Callable[[str, Numbers], Awaitable[Maxima]]
"""M of edges for a question, shape (edges, tokens of the question)."""


async def compare(corpus: OttCorpus, asked: Sequence[Retrieved], tokens: NodeTokens, edges: int) -> None:
    """Print the figures of both."""
    graph = bipartite(corpus, OttGraph(corpus), corpus.edges)

    async def apart(question: str, pairs: Numbers) -> Maxima:
        return await edges_compared(question, pairs, graph, tokens)

    async def together(question: str, pairs: Numbers) -> Maxima:
        return await tokens.maxima(question, [JOINT.join(edge_lines(corpus, *edge)) for edge in pairs.tolist()])

    for name, compared in (("apart", apart), ("together", together)):
        print(f"{name:<8} {figures([await _ranked(each, corpus, compared, edges) for each in asked])}", flush=True)


async def _ranked(asked: Retrieved, corpus: OttCorpus, compared: Compared, edges: int) -> list[bool]:
    """Return whether each edge holds the answer, the most similar first."""
    pairs = asked.ranked[:edges]
    scores = similarity(await compared(decontextualised(asked.question, corpus, section=True), pairs))
    best = pairs[np.argsort(-scores, kind="stable")].tolist()
    return [asked.gold.holds(Unit.edge(row, passage)) for row, passage in best]


def main() -> None:
    """Read the corpus and compare."""
    ask = argparse.ArgumentParser()
    ask.add_argument("data", type=Path)
    ask.add_argument("--model", default="shipped")
    ask.add_argument("--questions", type=int, default=150)
    ask.add_argument("--edges", type=int, default=50)
    ask.add_argument("--keep", type=Path, required=True, help="Folder for vectors; a run that was stopped goes on.")
    args = ask.parse_args()
    corpus = read_corpus(args.data, "full")
    bm25 = OttPostings.of(corpus, print).over(corpus)
    asked = retrieved(read_questions(args.data / HYBRID)[: args.questions], corpus, bm25)
    encoder = token_encoder("" if args.model == "shipped" else args.model, "--model", "give shipped")
    tokens = NodeTokens(encoder, TokenStore(args.keep, encoder.name, encoder.dimensions))
    asyncio.run(compare(corpus, asked, tokens, args.edges))


if __name__ == "__main__":
    main()
