"""What late interaction loses by composing an edge of its two nodes, each encoded apart, on development questions.

usage: python -m bench.edge_composition OTT_FOLDER --model MODEL --keep FOLDER [--questions N] [--edges N]

BM25's first edges for HybridQA's first questions by the sha256 of their ids are ranked twice by one model: by token
vectors of row and passage apart (decision record 016), and by those of both in one text, as HELIOS has them (equation
1). MODEL is a folder, a name on the hub, or `shipped`; all but an ONNX folder need the extra `models`.
"""

import argparse
import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.development import developed, ranked_anew
from eval.ott.corpus import Numbers, OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.nodes import edge_lines
from eval.ott.sides import bipartite
from eval.ott.training.edge_lists import Retrieved
from indexers.edges.maxsim import Maxima
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.search import edges_compared
from indexers.edges.token_store import TokenStore
from indexers.models.retrievers import token_encoder
from indexers.models.training.development import figures

JOINT = " ; "


async def compare(corpus: OttCorpus, asked: Sequence[Retrieved], tokens: NodeTokens, edges: int) -> None:
    """Print the figures of both."""
    graph = bipartite(corpus, OttGraph(corpus), corpus.edges)

    async def together(question: str, pairs: Numbers) -> Maxima:
        return await tokens.maxima(question, [JOINT.join(edge_lines(corpus, *edge)) for edge in pairs.tolist()])

    for name, compared in (("apart", partial(edges_compared, graph=graph, tokens=tokens)), ("together", together)):
        print(f"{name:<8} {figures([await ranked_anew(each, corpus, compared, edges) for each in asked])}", flush=True)


def main() -> None:
    """Read the corpus and compare."""
    ask = argparse.ArgumentParser()
    ask.add_argument("data", type=Path)
    ask.add_argument("--model", default="shipped")
    ask.add_argument("--questions", type=int, default=150)
    ask.add_argument("--edges", type=int, default=50)
    ask.add_argument("--keep", type=Path, required=True, help="Folder for vectors; a run that was stopped goes on.")
    args = ask.parse_args()
    corpus, asked = developed(args.data, args.questions)
    encoder = token_encoder("" if args.model == "shipped" else args.model, "--model", "give shipped")
    tokens = NodeTokens(encoder, TokenStore(args.keep, encoder.name, encoder.dimensions))
    asyncio.run(compare(corpus, asked, tokens, args.edges))


if __name__ == "__main__":
    main()
