"""Make token vectors to measure late-interaction search on: of OTT-QA's nodes by a model, or random ones in clusters.

usage: python bench/late_interaction_vectors.py OUT --data OTT [--scope mini] [--retriever MODEL] [--queries 300]
       python bench/late_interaction_vectors.py OUT --random 20000

Queries are the first development questions of HybridQA, which are told apart from every question of an evaluation.
"""

import argparse
import asyncio
import hashlib
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.ott.models import retriever_named
from eval.ott.nodes import line_of_passage, segment_line
from eval.ott.questions import read_questions
from eval.ott.reading import read_corpus
from eval.ott.training.edge_lists import DEVELOPMENT
from heliograph.protocols import Vectors
from indexers.pace import Pace

QUESTIONS = "questions/hybridqa_dev_on_distractor_tables.jsonl"
LINES_AT_ONCE = 256
DIMENSIONS, TOPICS, WORDS = 128, 400, 20_000
"""Of random vectors: a token is a word of a vocabulary, coloured by the topic of its text, and some noise."""
COLOUR, NOISE = 0.6, 0.35
QUERY_TOKENS = 16


def kept(folder: Path, name: str, texts: Iterable[Vectors]) -> None:
    """Write vectors of texts one after the other, and how many each has."""
    lengths = []
    with (folder / f"{name}.f32").open("wb") as file:
        for vectors in texts:
            file.write(np.ascontiguousarray(vectors, np.float32).tobytes())
            lengths.append(len(vectors))
    np.save(folder / f"{name}_lengths.npy", np.array(lengths, np.int64))


def say(line: str) -> None:
    """Tell how far it is."""
    print(line, file=sys.stderr, flush=True)


def ott_vectors(options: argparse.Namespace) -> None:
    """Encode the nodes of a scope, in an order drawn by hash, and the questions."""
    corpus, encoder = read_corpus(options.data, options.scope), retriever_named(options.retriever)
    rows = (segment_line(corpus, row) for row in range(corpus.rows))
    passages = (line_of_passage(corpus, passage) for passage in range(len(corpus.passages.ids)))
    lines = sorted(set(chain(rows, passages)), key=lambda line: hashlib.sha256(line.encode()).digest())
    pace = Pace("nodes encoded", len(lines), say)

    def encoded() -> Iterator[Vectors]:
        for start in range(0, len(lines), LINES_AT_ONCE):
            part = lines[start : start + LINES_AT_ONCE]
            yield from asyncio.run(encoder.encode_documents(part))
            pace.done(start + len(part))

    questions = read_questions(options.data / QUESTIONS, min(options.queries, DEVELOPMENT))
    kept(options.out, "queries", asyncio.run(encoder.encode_queries([question.question for question in questions])))
    kept(options.out, "documents", encoded())


def random_vectors(options: argparse.Namespace) -> None:
    """Draw texts of a topic each, and queries of words that texts say."""
    random = np.random.default_rng(options.seed)
    words, topics = _unit(random, WORDS), _unit(random, TOPICS)
    popular = 1 / np.arange(1, WORDS + 1)

    def said(numbers: NDArray[np.int64], topic: int) -> Vectors:
        return _normalised(words[numbers] + COLOUR * topics[topic] + NOISE * _unit(random, len(numbers)))

    texts = []
    for _ in range(options.random):
        numbers = random.choice(WORDS, size=int(random.integers(20, 120)), p=popular / popular.sum())
        texts.append((numbers, int(random.integers(TOPICS))))
    asked = [texts[number] for number in random.integers(len(texts), size=options.queries)]
    kept(options.out, "documents", (said(*text) for text in texts))
    kept(options.out, "queries", (said(random.choice(numbers, QUERY_TOKENS), topic) for numbers, topic in asked))


def _unit(random: np.random.Generator, count: int) -> Vectors:
    return _normalised(random.normal(size=(count, DIMENSIONS)))


def _normalised(vectors: NDArray[np.floating[Any]]) -> Vectors:
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def main() -> None:
    """Read the options and write the vectors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="an empty folder")
    parser.add_argument("--data", type=Path, help="the folder of OTT-QA")
    parser.add_argument("--scope", default="mini", choices=["mini", "small", "full"])
    parser.add_argument("--retriever", default="", help="as in heliograph eval ott")
    parser.add_argument("--random", type=int, help="so many random texts instead")
    parser.add_argument("--queries", type=int, default=DEVELOPMENT)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if (options.data is None) == (options.random is None):
        parser.error("say either --data OTT or --random TEXTS")
    options.out.mkdir(parents=True, exist_ok=True)
    (ott_vectors if options.random is None else random_vectors)(options)


if __name__ == "__main__":
    main()
