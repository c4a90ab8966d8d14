"""Back ends from their settings: what outlives a question, none of it opened before its first use."""

from dataclasses import dataclass
from typing import Literal

from agent.assembly.sources import Sources, build_sources
from heliograph.config import Settings
from indexers.evidence import EvidenceIndexes
from indexers.models.alignment import OnnxWordAligner
from indexers.models.cache import CachedEmbedder
from indexers.models.onnx import OnnxEmbedder
from memory.pages import FilePageStore


@dataclass(frozen=True, slots=True)
class Backends:
    """What outlives a question, not opened before its first use."""

    sources: Sources
    embedder: CachedEmbedder
    aligner: OnnxWordAligner
    index: EvidenceIndexes
    pages: FilePageStore


def build_backends(settings: Settings) -> Backends:
    """Build what outlives a question."""
    home, model = settings.home, OnnxEmbedder()
    embedder = CachedEmbedder(model, home / "embeddings.sqlite")
    retriever: Literal["sparse", "dense"] = "sparse" if settings.text_retriever == "sparse" else "dense"
    return Backends(
        sources=build_sources(settings),
        embedder=embedder,
        aligner=OnnxWordAligner(model, home / "alignments.sqlite"),
        index=EvidenceIndexes(home, embedder, strategy=settings.indexing, text_retriever=retriever),
        pages=FilePageStore(home / "pages", settings.store_bytes),
    )
