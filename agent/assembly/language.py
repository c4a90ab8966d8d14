"""The language tasks by models: each role that has a server, around the extractive service that serves if it fails."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agent.checking.judge import JudgingClaimVerifier
from agent.language.document_reranker import LanguageDocumentReranker
from agent.language.evidence_reranker import LanguageEvidenceReranker
from agent.language.falling_back import (
    Attempts,
    CountedLLM,
    FallingBackAnswerer,
    FallingBackDocumentReranker,
    FallingBackEvidenceReranker,
    FallingBackIndex,
    FallingBackPlanner,
    FallingBackReflector,
    FallingBackVerifier,
)
from agent.language.generative import GENERATIVE, GenerativeEvidenceIndex
from agent.language.planner import LanguagePlanner
from agent.language.reflector import LanguageReflector
from agent.llm import ChatServers, RunModels, StructuredModel
from agent.record import NO_LANGUAGE_MODEL
from agent.services import Services
from agent.writing.answerer import LanguageAnswerer
from heliograph.config import Settings
from heliograph.errors import UsageError
from heliograph.protocols import ClaimVerifier
from heliograph.types import MODALITIES, MODEL_ROLES, Modality, ModelRole
from tools.refinement import ListwiseRefiner

GENERATIVE_RETRIEVERS = ("generative", "hybrid-generative")
IN_TEXT_INDEX: Mapping[str, frozenset[Modality]] = {
    "text-only": frozenset(MODALITIES),
    "textual-visual": frozenset(("text", "table")),
}
"""What the text index holds beside text where modalities share it, and a generative retriever reads then."""


@dataclass(frozen=True, slots=True)
class Speakers:
    """The models of one run by role, the ledger of their failures, and the roles whose model is small."""

    models: dict[ModelRole, StructuredModel]
    attempts: Attempts
    small: frozenset[ModelRole]


def with_language(settings: Settings, services: Services, servers: ChatServers) -> Services:
    """Return the services with models in every role that has a server; without any they stay as they are.

    Raises:
        UsageError: a generative retriever without a model for `rerank`.
    """
    run = RunModels(servers, services.recorder, services.meter, settings.max_calls, settings.max_tokens, settings.home)
    endpoints = {role: endpoint for role in MODEL_ROLES if (endpoint := settings.endpoint(role)) is not None}
    speakers = Speakers(
        {role: run.llm(each, role) for role, each in endpoints.items()},
        Attempts(services.meter),
        frozenset(role for role, each in endpoints.items() if each.is_small),
    )
    if settings.text_retriever in GENERATIVE_RETRIEVERS:
        services = _generative(settings, services, speakers)
    if not endpoints:
        return services
    services = replace(services, prepare=run.prepare)
    services = _grading(settings, services, speakers)
    for put in (_planning, _reflecting, _refining):
        services = put(services, speakers)
    answering = endpoints.get("answer")
    return _judging(_answering(services, speakers, answering is not None and answering.vision), speakers)


def _planning(services: Services, speakers: Speakers) -> Services:
    model = speakers.models.get("rewrite")
    if model is None:
        return services
    planner = FallingBackPlanner(LanguagePlanner(model), services.planner, speakers.attempts)
    return replace(services, planner=planner)


def _grading(settings: Settings, services: Services, speakers: Speakers) -> Services:
    """Have a model choose pages and grade evidence where the settings say so: that costs calls in every round."""
    model = speakers.models.get("rerank")
    if model is None:
        return services
    documents, evidence = services.document_reranker, services.evidence_reranker
    if settings.document_reranker == "model":
        chosen = LanguageDocumentReranker(model, documents)
        services = replace(
            services, document_reranker=FallingBackDocumentReranker(chosen, documents, speakers.attempts)
        )
    if settings.relevance == "model":
        graded = LanguageEvidenceReranker(model, evidence)
        services = replace(services, evidence_reranker=FallingBackEvidenceReranker(graded, evidence, speakers.attempts))
    return services


def _reflecting(services: Services, speakers: Speakers) -> Services:
    model = speakers.models.get("reflect")
    if model is None:
        return services
    reflector = LanguageReflector(model)
    return replace(
        services,
        reflector=FallingBackReflector(reflector, services.reflector, speakers.attempts),
    )


def _refining(services: Services, speakers: Speakers) -> Services:
    """Refine stars by the model; refinement keeps what a failing model does not judge, and says so."""
    model = speakers.models.get("refine")
    if model is None or services.graph is None:
        return services
    refiner = ListwiseRefiner(CountedLLM(model, speakers.attempts), services.graph.reader)
    return replace(services, graph=replace(services.graph, refiner=refiner))


def _answering(services: Services, speakers: Speakers, vision: bool) -> Services:
    model = speakers.models.get("answer")
    if model is None:
        return services
    notes = tuple(note for note in services.notes if note != NO_LANGUAGE_MODEL)
    services = replace(services, mode="llm", notes=notes)
    shown = services.pictures.picture if vision and services.pictures else None
    answerer = LanguageAnswerer(model, services.answerer, shown, small="answer" in speakers.small)
    return replace(services, answerer=FallingBackAnswerer(answerer, services.answerer, speakers.attempts))


def _judging(services: Services, speakers: Speakers) -> Services:
    model, by_words = speakers.models.get("judge"), services.verifier
    if model is None:
        return services

    def verifier(question: str) -> ClaimVerifier:
        judging = JudgingClaimVerifier(model, question, small="judge" in speakers.small)
        return FallingBackVerifier(judging, by_words(question), speakers.attempts)

    return replace(services, verifier=verifier)


def _generative(settings: Settings, services: Services, speakers: Speakers) -> Services:
    model = speakers.models.get("rerank")
    if model is None:
        raise UsageError(
            f"text_retriever {settings.text_retriever!r} reads tables of contents by a language model: "
            "set llm.base_url and llm.model, or text_retriever = hybrid"
        )
    modalities = IN_TEXT_INDEX.get(settings.indexing, GENERATIVE)
    reading = GenerativeEvidenceIndex(
        services.index,
        model,
        services.library.shelf.__getitem__,
        hybrid=settings.text_retriever == "hybrid-generative",
        modalities=modalities,
    )
    index = FallingBackIndex(reading, services.index, speakers.attempts)
    return replace(services, index=index)
