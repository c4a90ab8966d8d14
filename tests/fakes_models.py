"""Small models that satisfy the Protocols: vectors of words, and words that are said where they stand."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heliograph.protocols import Vectors
from heliograph.types import WordSpan


@dataclass(slots=True)
class FakeEmbedder:
    """A bag of hashed words: texts with words in common are near each other."""

    name: str = "hashed words"
    dimensions: int = 32

    async def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        rows[:, 0] = 0.01
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.casefold()):
                row[int(hashlib.sha256(word.encode("utf8", "replace")).hexdigest(), 16) % self.dimensions] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@dataclass(slots=True)
class FakeAligner:
    """An aligner for which a word is said where it stands, and else not at all."""

    async def align(
        self, question: str, words: Sequence[WordSpan], texts: Sequence[str]
    ) -> tuple[tuple[float, ...], ...]:
        return tuple(tuple(float(word.text.casefold() in text.casefold()) for word in words) for text in texts)
