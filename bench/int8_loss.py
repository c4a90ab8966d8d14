"""What the shipped int8 form of the edge retriever loses against its float form, on development questions.

usage: python -m bench.int8_loss OTT_FOLDER FLOAT_MODEL [--model FOLDER] [--questions N] [--edges N]

Late interaction of either form ranks the same edges, those that BM25 finds for HybridQA's first questions by the sha256
of their ids; all nodes are encoded anew by both. Needs the extra `models`.
"""

import argparse
import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.development import developed, ranked_anew
from eval.ott.corpus import OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.sides import bipartite
from eval.ott.training.edge_lists import Retrieved
from heliograph.protocols import TokenEncoder
from indexers.edges.bm25 import NO_PASSAGE
from indexers.edges.graph import BipartiteGraph
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.search import edges_compared
from indexers.edges.token_store import TokenStore
from indexers.models.onnx_tokens import SHIPPED, OnnxTokenEncoder
from indexers.models.tokens import MultiVectorTokenEncoder
from indexers.models.training.development import figures
from indexers.models.training.export import agreement


class Form(NamedTuple):
    """One form of the model, and where its vectors are kept while this runs."""

    name: str
    encoder: TokenEncoder


async def compare(corpus: OttCorpus, asked: Sequence[Retrieved], forms: list[Form], edges: int, folder: Path) -> None:
    """Print the figures of each form, and how alike their token vectors are."""
    graph = bipartite(corpus, OttGraph(corpus), corpus.edges)
    lines = _lines(graph, asked[:20], edges)[:200]
    ours, theirs = [await form.encoder.encode_documents(lines) for form in forms]
    print(f"mean cosine of token vectors, {len(lines)} nodes: {agreement(ours, theirs):.4f}", flush=True)
    for form in forms:
        tokens = NodeTokens(form.encoder, TokenStore(folder / form.name, form.encoder.name, form.encoder.dimensions))
        compared = partial(edges_compared, graph=graph, tokens=tokens)
        ranked = [await ranked_anew(one, corpus, compared, edges) for one in asked]
        print(f"{form.name:<6} {figures(ranked)}", flush=True)


def _lines(graph: BipartiteGraph, asked: Sequence[Retrieved], edges: int) -> list[str]:
    rows = [graph.segments.lines[int(row)] for one in asked for row, _ in one.ranked[:edges:10]]
    linked = [int(lead) for one in asked for _, lead in one.ranked[:edges:10] if lead != NO_PASSAGE]
    leads = [graph.passages.lines[lead] for lead in linked]
    return list(dict.fromkeys(rows + leads))


def main() -> None:
    """Read the corpus and compare."""
    ask = argparse.ArgumentParser()
    ask.add_argument("data", type=Path)
    ask.add_argument("float_model")
    ask.add_argument("--model", type=Path, default=SHIPPED)
    ask.add_argument("--questions", type=int, default=100)
    ask.add_argument("--edges", type=int, default=100)
    ask.add_argument("--keep", type=Path, required=True, help="Folder for vectors.")
    args = ask.parse_args()
    corpus, asked = developed(args.data, args.questions)
    forms = [Form("float", MultiVectorTokenEncoder(args.float_model)), Form("int8", OnnxTokenEncoder(args.model))]
    asyncio.run(compare(corpus, asked, forms, args.edges, args.keep))


if __name__ == "__main__":
    main()
