"""Models for tests: a word is a direction, so texts are alike as far as they share words."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from heliograph.protocols import Vectors

DIMENSIONS = 16


def direction(word: str) -> Vectors:
    """Return the unit vector of a word."""
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(DIMENSIONS)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def vectors(text: str) -> Vectors:
    """Return one vector a word."""
    return np.array([direction(word) for word in re.findall(r"\w+", text.lower())], np.float32).reshape(-1, DIMENSIONS)


class WordEncoder:
    """One vector a word; counts the documents that it encodes."""

    dimensions = DIMENSIONS

    def __init__(self, name: str = "words") -> None:
        self.name = name
        self.encoded: list[str] = []

    async def encode_queries(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        return tuple(map(vectors, texts))

    async def encode_documents(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        self.encoded += texts
        return tuple(map(vectors, texts))


class OneWord(WordEncoder):
    """Sees one word and nothing else: texts that say it are alike, and all others are their opposite."""

    def __init__(self, word: str) -> None:
        super().__init__(f"says-{word}")
        self._word = word

    async def encode_queries(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        return (vectors(self._word),) * len(texts)

    async def encode_documents(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        self.encoded += texts
        return tuple(vectors(self._word) * (1 if self._word in text.lower() else -1) for text in texts)


class WordEmbedder:
    """One vector a text, the mean of its words'."""

    name = "mean-words"
    dimensions = DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> Vectors:
        means = np.array([vectors(text).mean(axis=0) for text in texts], np.float32)
        return means / np.linalg.norm(means, axis=1, keepdims=True)


class SharedWords:
    """A reranker that counts the words that a text shares with the question."""

    name = "shared-words"

    async def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        asked = set(question.lower().split())
        return tuple(float(len(asked & set(text.lower().split()))) for text in texts)


class SaysPhrase:
    """A reranker of texts that say some words."""

    def __init__(self, phrase: str) -> None:
        self.name = f"says-{phrase}"
        self._phrase = phrase

    async def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        return tuple(9.0 if self._phrase in text else 0.0 for text in texts)
