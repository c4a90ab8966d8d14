"""Documents, and an embedder of words, for the tests of the indexes."""

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from heliograph.protocols import Vectors
from heliograph.types import (
    Cell,
    Document,
    EvidenceId,
    ImageEvidence,
    Leaf,
    Link,
    PageKey,
    Place,
    TableEvidence,
    TextEvidence,
)
from indexers.models.cache import CachedEmbedder


class WordEmbedder:
    """A bag of hashed words: texts with words in common are near each other."""

    def __init__(self, name: str = "words", dimensions: int = 64) -> None:
        self.name = name
        self.dimensions = dimensions
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        rows = [self.vector(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimensions), dtype=np.float32)

    def vector(self, text: str) -> Vectors:
        vector = np.zeros(self.dimensions, dtype=np.float32)
        vector[0] = 0.01
        for word in re.findall(r"\w+", text.lower()):
            vector[int(hashlib.sha256(word.encode()).hexdigest(), 16) % self.dimensions] += 1
        return vector / np.float32(np.sqrt((vector * vector).sum()))


def make_document(title: str = "Jupiter", revision: str = "1", paragraphs: Sequence[str] = ()) -> Document:
    key = PageKey(f"demo:{title}@{revision}")
    place = Place(key, title, "s1", ("Moons",))
    moons = (("Io", "3643"), ("Europa", "3122"), ("Ganymede", "5268"))
    table = TableEvidence(
        id=EvidenceId(f"{key}#s1/t1"),
        place=place,
        kind="table",
        caption=f"Large moons of {title}",
        header=("Name", "Diameter (km)"),
        rows=tuple((Cell(name, (Link(name, name),)), Cell(size)) for name, size in moons),
    )
    lead = TextEvidence(EvidenceId(f"{key}#s0/p1"), Place(key, title, "s0"), "paragraph", f"{title} is a giant planet.")
    image = ImageEvidence(EvidenceId(f"{key}#s1/i1"), place, "spot.png", "The red spot", "a storm of clouds")
    more: list[Leaf] = [
        TextEvidence(EvidenceId(f"{key}#s1/p{number}"), place, "paragraph", text)
        for number, text in enumerate(paragraphs, start=1)
    ]
    return Document(key, "demo", title, revision, "", (), (lead, table, image, *more))


@pytest.fixture(scope="session")
def document() -> Callable[..., Document]:
    """Make a page with a lead, a table of three moons, an image, and further paragraphs."""
    return make_document


@pytest.fixture(scope="session")
def word_embedder() -> type[WordEmbedder]:
    return WordEmbedder


@pytest.fixture
def words(tmp_path: Path) -> CachedEmbedder:
    return CachedEmbedder(WordEmbedder(), tmp_path / "embeddings.sqlite")
