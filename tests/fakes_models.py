"""A small model that satisfies its Protocol: vectors of words."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heliograph.protocols import Vectors


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
