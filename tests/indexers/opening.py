"""Evidence indexes of a home folder, open for as long as a test needs them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from indexers.evidence import EvidenceIndexes
from indexers.models.cache import CachedEmbedder


@contextmanager
def opened(home: Path, embedder: CachedEmbedder, **options: Any) -> Iterator[EvidenceIndexes]:
    indexes = EvidenceIndexes(home, embedder, **options)
    try:
        yield indexes
    finally:
        indexes.close()
