"""Every seam of Heliograph. I/O is async, pure computation is sync."""

from heliograph.protocols.evidence import EdgeIndex, EntityLinker, EvidenceIndex, EvidenceReranker
from heliograph.protocols.models import LLM, ChatModel, Embedder, ImageEmbedder, Vectors, WordAligner
from heliograph.protocols.recording import Clock, Recorder, Span, SpanKind
from heliograph.protocols.sources import DocumentSearch, PageReader, PageSource, PageStore, Pictures, PictureSource
from heliograph.protocols.tasks import (
    Answerer,
    ClaimVerifier,
    DocumentReranker,
    EpisodicMemory,
    QueryRewriter,
    Reflector,
)

__all__ = [
    "LLM",
    "Answerer",
    "ChatModel",
    "ClaimVerifier",
    "Clock",
    "DocumentReranker",
    "DocumentSearch",
    "EdgeIndex",
    "Embedder",
    "EntityLinker",
    "EpisodicMemory",
    "EvidenceIndex",
    "EvidenceReranker",
    "ImageEmbedder",
    "PageReader",
    "PageSource",
    "PageStore",
    "PictureSource",
    "Pictures",
    "QueryRewriter",
    "Recorder",
    "Reflector",
    "Span",
    "SpanKind",
    "Vectors",
    "WordAligner",
]
