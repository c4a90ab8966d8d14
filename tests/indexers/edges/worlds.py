"""A tiny graph about moons, and an encoder that needs no model."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from heliograph.types import EvidenceId
from indexers.edges.bm25 import EdgeBM25
from indexers.edges.graph import BipartiteGraph, Side
from indexers.edges.node_tokens import NodeTokens
from indexers.edges.postings import Postings
from indexers.edges.token_store import TokenStore

WIDTH = 16


class WordEncoder:
    """One vector a word, the same wherever it stands; it remembers how many texts it encoded."""

    name = "words"
    dimensions = WIDTH

    def __init__(self) -> None:
        self.encoded = 0

    async def encode_queries(self, texts: Sequence[str]) -> tuple[np.ndarray, ...]:
        return tuple(map(vectors_of, texts))

    async def encode_documents(self, texts: Sequence[str]) -> tuple[np.ndarray, ...]:
        self.encoded += len(texts)
        return tuple(map(vectors_of, texts))


class Translating(WordEncoder):
    """Words of a question that nobody says are near words that somebody does."""

    async def encode_queries(self, texts: Sequence[str]) -> tuple[np.ndarray, ...]:
        return tuple(vectors_of(text.replace("lava", "volcanoes").replace("glacier", "ice")) for text in texts)


def vectors_of(text: str) -> np.ndarray:
    """Return one unit vector a word."""
    words = re.findall(r"\w+", text.lower())
    return np.stack([_vector(word) for word in words]) if words else np.zeros((0, WIDTH), np.float32)


def _vector(word: str) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
    vector = np.random.default_rng(seed).normal(size=WIDTH).astype(np.float32)
    return vector / np.linalg.norm(vector)


ROWS = ("Jupiter | moon : Io", "Jupiter | moon : Europa", "Saturn | moon : Titan", "Saturn | moon : Pan")
PASSAGES = (
    "Io | volcanoes and sulphur",
    "Europa | ice over an ocean",
    "Titan | lakes of methane",
    "Huygens | astronomer",
)
EDGES = np.array([[0, 0], [1, 1], [2, 2], [2, 3], [3, -1]], np.int32)
TABLES = (0, 0, 1, 1)


def moons() -> BipartiteGraph:
    """Return the graph: two tables of two rows, four passages, a row that links nothing."""
    rows = Side([EvidenceId(f"row{number}") for number in range(len(ROWS))], ROWS, TABLES)
    passages = Side([EvidenceId(f"passage{number}") for number in range(len(PASSAGES))], PASSAGES)
    return BipartiteGraph(rows, passages, EDGES)


def words_of_moons() -> EdgeBM25:
    """Return BM25 over its edges."""
    return EdgeBM25(Postings.build(ROWS), Postings.build(PASSAGES), EDGES)


def tokens_in(folder: Path, encoder: WordEncoder | None = None) -> NodeTokens:
    """Return token vectors kept in a folder."""
    return NodeTokens(encoder or WordEncoder(), TokenStore(folder, "words", WIDTH))
