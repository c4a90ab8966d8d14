"""Back ends from their settings: what outlives a question, none of it opened before its first use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from agent.assembly.sources import Sources, build_sources
from heliograph.config import NO_READER, Endpoint, Settings
from heliograph.errors import ReplayMiss, UsageError
from heliograph.paths import expanded
from heliograph.protocols import AnswerReader, QuestionParser, TokenEncoder, Vectors
from indexers.edges.home_tokens import HomeTokens, TokenFolder
from indexers.edges.page_search import PageGraphSearch
from indexers.evidence import EvidenceIndexes
from indexers.late_interaction import PieceTokens
from indexers.models.cache import CachedEmbedder, CachedImageEmbedder
from indexers.models.clip import ClipEmbedder
from indexers.models.endpoint import EndpointEmbedder
from indexers.models.evidence_reader import evidence_reader
from indexers.models.kinds import is_exported, is_exported_encoder
from indexers.models.onnx import OnnxEmbedder
from indexers.models.onnx_tokens import OnnxTokenEncoder
from indexers.models.retrievers import fused_retriever, fusion_weights, weights_beside
from indexers.models.semantic_parser import question_parser
from indexers.models.sentences import SentenceEmbedder
from indexers.pictures import PictureIndex
from indexers.vector_server import vector_server
from memory.pages import FilePageStore


@dataclass(frozen=True, slots=True)
class Backends:
    """What outlives a question, not opened before its first use.

    Without an image model there are no `pictures`, without a reader only whole sentences and rows are quoted, and
    without a parser nothing is computed over tables but what a language model names.
    """

    sources: Sources
    embedder: CachedEmbedder
    index: EvidenceIndexes
    pages: FilePageStore
    tables: PageGraphSearch
    similarity: PieceTokens
    pictures: PictureIndex | None = None
    reader: AnswerReader | None = None
    parser: QuestionParser | None = None
    connections: tuple[Callable[[], None], ...] = ()

    def close(self) -> None:
        """Release the home folder and hang up everywhere."""
        self.index.close()
        self.hang_up()

    def hang_up(self) -> None:
        """End the connections; the home folder stays taken."""
        for connection in self.connections:
            connection()


class NamedEmbedder:
    """The embedder of a record: known by its name, and never asked."""

    dimensions = 0

    def __init__(self, name: str) -> None:
        self.name = name

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Raise ReplayMiss: what was embedded is in the record."""
        raise ReplayMiss(f"the record has no vectors of {len(texts)} texts by {self.name}; ask again")


def build_backends(settings: Settings, embedded_by: str = "") -> Backends:
    """Build what outlives a question; for a replay `embedded_by` names the model that embedded, which is not loaded.

    Raises:
        UsageError: a source or a model that cannot be used.
    """
    home, onnx, sources = settings.home, OnnxEmbedder(), build_sources(settings)
    model = NamedEmbedder(embedded_by) if embedded_by else build_embedder(settings.embed, onnx)
    embedder = CachedEmbedder(model, home / "embeddings.sqlite")
    pictures = build_pictures(settings, sources)
    folder = TokenFolder(home)
    retriever = settings.text_retriever
    return Backends(
        sources=sources,
        embedder=embedder,
        index=EvidenceIndexes(
            home,
            embedder,
            strategy=settings.indexing,
            text_retriever=retriever if retriever in ("sparse", "hybrid") else "dense",
            pictures=pictures,
            server=vector_server(settings),
        ),
        pages=FilePageStore(home / "pages", settings.store_bytes),
        pictures=pictures,
        tables=PageGraphSearch(
            HomeTokens(partial(edge_retriever, settings), folder),
            partial(fusion_weights, weights_beside(settings.graph_model)),
        ),
        similarity=PieceTokens(HomeTokens(OnnxTokenEncoder, folder)),
        parser=None if settings.table_parser == NO_READER else question_parser(settings.table_parser),
        reader=None if settings.reader == NO_READER else evidence_reader(settings.reader, "HELIOGRAPH_READER"),
        connections=(*sources.connections, *((model.close,) if isinstance(model, EndpointEmbedder) else ())),
    )


def build_embedder(embed: Endpoint, otherwise: OnnxEmbedder) -> OnnxEmbedder | SentenceEmbedder | EndpointEmbedder:
    """Return the embedder of a server, of a model by name or folder, or the embedded default.

    Raises:
        ModelMissing: a file of the folder cannot be read.
    """
    if embed.base_url:
        key = embed.api_key.get_secret_value()
        return EndpointEmbedder(embed.base_url, embed.model, key, seconds=embed.seconds, at_once=embed.at_once)
    if _embeds_by_pytorch(embed):
        return SentenceEmbedder(embed.model)
    return OnnxEmbedder(expanded(embed.model), dimensions=None) if embed.model else otherwise


def wants_models(settings: Settings) -> bool:
    """Tell whether a model runs in this process that only the extra `models` can load.

    Raises:
        ModelMissing: a file of a folder cannot be read.
    """
    shows = settings.clip.model and settings.indexing != "text-only"
    folder = expanded(settings.graph_model)
    edges = settings.graph != "off" and settings.graph_model and folder.is_dir() and not is_exported(folder)
    return bool(shows or edges or _embeds_by_pytorch(settings.embed))


def _embeds_by_pytorch(embed: Endpoint) -> bool:
    named = embed.model and not embed.base_url
    return bool(named and not is_exported_encoder(expanded(embed.model)))


def build_pictures(settings: Settings, sources: Sources) -> PictureIndex | None:
    """Return the index of pictures where an image model is set and modalities are not all rendered as text.

    Raises:
        UsageError: a model without weights, or weights without a model.
    """
    clip = settings.clip
    if bool(clip.model) != bool(clip.pretrained):
        raise UsageError("clip.model and clip.pretrained belong together: an architecture and its weights; set both")
    if not clip.model or settings.indexing == "text-only":
        return None
    embedder = CachedImageEmbedder(ClipEmbedder(clip.model, clip.pretrained), settings.home / "pictures.sqlite")
    return PictureIndex(settings.home, embedder, sources.pages, server=vector_server(settings))


def edge_retriever(settings: Settings) -> TokenEncoder:
    """Return the model of the table-text graph, not loaded.

    Raises:
        ModelMissing: it is not there, or its reranker has no weights.
    """
    return fused_retriever(settings.graph_model, "graph_model", "use --graph off")
