"""The services of one question, each effect behind its recorder."""

from collections.abc import Callable

from agent.assembly.backends import Backends
from agent.assembly.language import with_language
from agent.assembly.past import past_questions
from agent.assembly.sources import LIVE
from agent.citations import ExtractiveClaimVerifier
from agent.extractive.answerer import ExtractiveAnswerer
from agent.extractive.composer import Composer
from agent.extractive.queries import ExtractiveQueryRewriter
from agent.extractive.reflector import ExtractivePlanner, ExtractiveReflector
from agent.library import Library
from agent.llm import ChatServers
from agent.meter import Meter
from agent.record import NO_IMAGE_MODEL, NO_LANGUAGE_MODEL
from agent.services import GraphTools, Limits, Services
from heliograph.config import Settings
from heliograph.protocols import EvidenceReranker, Recorder
from heliograph.types import EvidenceId, MemoryScope
from indexers.fusion import EmbeddingReranker
from indexers.late_interaction import LateInteractionReranker
from memory.recorded import (
    RecordedEmbedder,
    RecordedIndex,
    RecordedPages,
    RecordedParser,
    RecordedPictures,
    RecordedReader,
    RecordedSearch,
    uncounted,
)
from memory.recorded_graph import RecordedTableText
from memory.recorded_paths import RecordedPaths
from memory.recorded_pictures import RecordedPictureScores
from memory.recorded_similarity import RecordedTokenSimilarity
from tools.arithmetic import TableReader
from tools.rerank import TitleReranker
from tools.search import RememberedSearch

WITHOUT_MODEL = 16_384
"""Tokens of which the evidence takes its share where no language model answers."""


def build_services(
    settings: Settings,
    backends: Backends,
    recorder: Recorder,
    progress: Callable[[str], None],
    servers: ChatServers,
    earlier: tuple[EvidenceId, ...] = (),
    before: Services | None = None,
    scope: MemoryScope | None = None,
) -> Services:
    """Build one service a seam for one question, each effect behind the recorder; without `scope` no memory.

    The pages and the costs of the services `before` in the same run are theirs, too.
    """
    embedder = RecordedEmbedder(backends.embedder, recorder)
    shown = RecordedPictureScores(backends.pictures, recorder) if backends.pictures else None
    reader = RecordedReader(backends.reader, recorder) if backends.reader else None
    tables = TableReader(RecordedParser(backends.parser, recorder)) if backends.parser else None
    composer = Composer(embedder, shown, settings.leaf_k, reader, tables)
    library = before.library if before else Library()
    sources = backends.sources.with_progress(progress)
    meter = before.meter if before else Meter()
    counted = dict.fromkeys(sources.live, meter.request)
    searches, fallback = (
        tuple(
            RememberedSearch(RecordedSearch(search, recorder, meter.request if search.name in LIVE else uncounted))
            for search in asked
        )
        for asked in (sources.searches, sources.fallback)
    )
    services = Services(
        recorder=recorder,
        searches=searches,
        fallback=fallback,
        earlier=earlier,
        memory=past_questions(settings, backends, recorder, scope),
        meter=meter,
        pages=RecordedPages(sources.pages, backends.pages, recorder, counted),
        library=library,
        index=RecordedIndex(backends.index, recorder, counted),
        planner=ExtractivePlanner(searches if settings.spelling else ()),
        rewriter=ExtractiveQueryRewriter(searches, library.evidence),
        document_reranker=TitleReranker(embedder),
        evidence_reranker=with_late_interaction(
            EmbeddingReranker(embedder, pictures=shown), settings, backends, recorder
        ),
        reflector=ExtractiveReflector(composer),
        answerer=ExtractiveAnswerer(composer),
        verifier=ExtractiveClaimVerifier,
        limits=limits_of(settings),
        form=settings.form,
        policy=settings.citations,
        notes=(NO_LANGUAGE_MODEL,) if shown else (NO_LANGUAGE_MODEL, NO_IMAGE_MODEL),
        progress=progress,
        pictures=RecordedPictures(sources.pages, recorder, counted),
        graph=graph_tools(settings, backends, recorder, tables),
        paths=path_search(settings, backends, recorder),
    )
    return with_language(settings, services, servers)


def limits_of(settings: Settings) -> Limits:
    """Return how far one question may go; the evidence takes its share of the context of the model that answers."""
    answering = settings.endpoint("answer")
    context = answering.context_tokens if answering else WITHOUT_MODEL
    return Limits(
        rounds=settings.rounds,
        pages_per_round=settings.pages_per_round,
        retrieve_k=settings.retrieve_k,
        evidence_k=settings.evidence_k,
        evidence_tokens=int(settings.evidence_share * context),
        max_seconds=settings.max_seconds,
        max_pages=settings.max_pages,
    )


def with_late_interaction(
    reranker: EvidenceReranker, settings: Settings, backends: Backends, recorder: Recorder
) -> EvidenceReranker:
    """Return a reranker, with late interaction around it where the settings say so."""
    if settings.evidence_reranker == "embedding":
        return reranker
    return LateInteractionReranker(reranker, RecordedTokenSimilarity(backends.similarity, recorder))


def path_search(settings: Settings, backends: Backends, recorder: Recorder) -> RecordedPaths | None:
    """Return what plans over a knowledge base of the pages read, where that is set and questions are parsed."""
    if not settings.skb_from_pages or backends.parser is None:
        return None
    from tools.skb.page_paths import PagePaths  # with the models of plans it takes a second to import

    return RecordedPaths(PagePaths(backends.embedder, backends.parser), recorder)


def graph_tools(
    settings: Settings, backends: Backends, recorder: Recorder, reader: TableReader | None
) -> GraphTools | None:
    """Return the table-text graph of the settings' tier, its effects behind the recorder."""
    if settings.graph == "off":
        return None
    return GraphTools(RecordedTableText(backends.tables, recorder), settings.graph, settings.graph_pages, reader=reader)
