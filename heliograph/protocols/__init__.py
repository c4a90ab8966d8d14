"""Every seam of Heliograph. I/O is async, pure computation is sync."""

from heliograph.protocols.evidence import (
    DataGraph,
    EdgeIndex,
    EdgeScorer,
    EntityLinker,
    EvidenceIndex,
    EvidenceReranker,
    NodeIndex,
    NodeScorer,
    TableTextSearch,
)
from heliograph.protocols.models import (
    LLM,
    ChatModel,
    Embedder,
    ImageEmbedder,
    PairScorer,
    TokenEncoder,
    Vectors,
    WordAligner,
)
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
    "DataGraph",
    "DocumentReranker",
    "DocumentSearch",
    "EdgeIndex",
    "EdgeScorer",
    "Embedder",
    "EntityLinker",
    "EpisodicMemory",
    "EvidenceIndex",
    "EvidenceReranker",
    "ImageEmbedder",
    "NodeIndex",
    "NodeScorer",
    "PageReader",
    "PageSource",
    "PageStore",
    "PairScorer",
    "PictureSource",
    "Pictures",
    "QueryRewriter",
    "Recorder",
    "Reflector",
    "Span",
    "SpanKind",
    "TableTextSearch",
    "TokenEncoder",
    "Vectors",
    "WordAligner",
]
