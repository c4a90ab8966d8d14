"""Questions that ask nearly the same: of these the first is kept."""

import re
from dataclasses import dataclass, field

import numpy as np

from heliograph.protocols import Embedder, Vectors

MOST_OVERLAP = 0.6
"""Share of words (Jaccard, of four letters and more) above which two questions are one; as in the demo set."""
MOST_COSINE = 0.93

_LONG = re.compile(r"\w{4,}")


@dataclass(slots=True)
class Asked:
    """The questions that were accepted, in the order in which they were."""

    embedder: Embedder
    _ids: list[str] = field(default_factory=list)
    _words: list[frozenset[str]] = field(default_factory=list)
    _vectors: list[Vectors] = field(default_factory=list)

    async def twin(self, question: str) -> str | None:
        """Return the id of the first question that asks nearly the same, None where there is none."""
        words = words_of(question)
        for name, known in zip(self._ids, self._words, strict=True):
            if overlap(words, known) > MOST_OVERLAP:
                return name
        if not self._ids:
            return None
        cosines = np.concatenate(self._vectors) @ (await self.embedder.embed([question]))[0]
        place = int(np.argmax(cosines))
        return self._ids[place] if cosines[place] > MOST_COSINE else None

    async def add(self, name: str, question: str) -> None:
        """Take a question in."""
        vector = await self.embedder.embed([question])
        self._ids.append(name)
        self._words.append(words_of(question))
        self._vectors.append(vector)


def words_of(question: str) -> frozenset[str]:
    """Return what questions are compared by; a short one by all its words."""
    lower = question.lower()
    return frozenset(_LONG.findall(lower)) or frozenset(lower.split())


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words in common."""
    return len(one & other) / max(1, len(one | other))
