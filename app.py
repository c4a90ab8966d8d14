"""The composition root and the command line: it alone reads settings and builds services. Imports wait."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from agent.cli import COMMANDS, Commands
from heliograph.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from agent.services import Services
    from heliograph.config import Settings
    from heliograph.protocols import DocumentSearch, PageSource, Recorder
    from heliograph.types import Answer, EvidenceId
    from indexers.evidence import EvidenceIndexes
    from indexers.models.alignment import OnnxWordAligner
    from indexers.models.cache import CachedEmbedder
    from memory.pages import FilePageStore
    from memory.trace import Event, ReplayRecorder
    from memory.trace.folder import Manifest
    from tools.wikipedia import Wikipedia
    from tools.zim import ZimArchive

Progress = Callable[[str], None]
Listener = Callable[["Event"], None]


@dataclass(frozen=True, slots=True)
class Sources:
    """Where to search and where to read; `fallback` is searched when every other source fails."""

    searches: "tuple[DocumentSearch, ...]" = ()
    pages: "tuple[PageSource, ...]" = ()
    archives: "tuple[ZimArchive, ...]" = ()
    fallback: "tuple[DocumentSearch, ...]" = ()


@dataclass(frozen=True, slots=True)
class Backends:
    """What outlives a question, not opened before its first use."""

    sources: Sources
    embedder: "CachedEmbedder"
    aligner: "OnnxWordAligner"
    index: "EvidenceIndexes"
    pages: "FilePageStore"


class Heliograph:
    """Answer questions from Python: `await Heliograph(sources=["zim:wiki.zim"]).ask("…")`.

    Settings have the names of heliograph.toml; an unknown one raises UsageError. Questions may be asked one after the
    other; `close` gives the home folder free for another process. `run` is the name of the run begun last.
    """

    def __init__(self, preset: str | None = None, config: Path | None = None, **settings: Any) -> None:
        from heliograph.config import load_settings

        self.settings: Settings = load_settings(settings, preset, config)
        self.run = ""
        self._backends: Backends | None = None

    async def ask(
        self,
        question: str,
        progress: Progress = lambda _: None,
        listener: Listener = lambda _: None,
        earlier: "Sequence[EvidenceId]" = (),
    ) -> "Answer":
        """Answer one question and keep the run under the home folder.

        `progress` is told each step in words, `listener` hears each trace event as it ends; `earlier` names evidence of
        earlier turns of a conversation, which is ranked with what this question finds.

        Raises:
            HeliographError: bad input, no source, no model, or a store that cannot be used.
        """
        from agent.asking import ask
        from agent.question import valid_question
        from agent.record import answer_json
        from heliograph import __version__
        from heliograph.config import secrets, snapshot
        from memory.trace import SystemClock, open_run, write_answer

        question = valid_question(question)
        backends = self._open()
        home, settings, hidden = self.settings.home, snapshot(self.settings), secrets(self.settings)
        with open_run(home, question, settings, __version__, SystemClock(), hidden, listener, earlier) as recorder:
            self.run = recorder.run
            services = build_services(self.settings, backends, recorder, progress, tuple(earlier))
            answer = await ask(question, services, recorder.folder)
            write_answer(recorder.folder, answer_json(answer))
        return answer

    async def resume(
        self, run: str, progress: Progress = lambda _: None, listener: Listener = lambda _: None
    ) -> "Answer":
        """Finish a run with the settings that it began with; keys are those of now, since a run keeps none.

        Raises:
            UnknownName: no such run.
            HeliographError: as `ask`.
        """
        from agent.record import answer_json
        from agent.resuming import resume
        from heliograph.config import resumed, secrets
        from memory.trace import ResumingRecorder, SystemClock, find_run, read_manifest, write_answer

        folder = find_run(self.settings.home, run)
        manifest, self.run = read_manifest(folder), folder.name
        self.settings = resumed(manifest.settings, self.settings)
        backends = self._open()
        recorder = ResumingRecorder(folder, manifest.run, SystemClock(), secrets(self.settings), listener)
        with recorder:
            services = build_services(self.settings, backends, recorder, progress, manifest.earlier)
            answer = await resume(manifest.question, services, recorder.record, folder)
            write_answer(folder, answer_json(answer))
        return answer

    def close(self) -> None:
        """Release the home folder; the next question takes it again."""
        if self._backends is not None:
            self._backends.index.close()
            self._backends = None

    def _open(self) -> Backends:
        from heliograph.doctor import refuse_foreign_names

        if self._backends is None:
            refuse_foreign_names()
            backends = build_backends(self.settings)
            for archive in backends.sources.archives:
                archive.open()
            backends.index.reserve()
            self._backends = backends
        return self._backends


def build_sources(settings: "Settings") -> Sources:
    """Build every source of the settings, opening none; DuckDuckGo's pages are read from the wiki.

    Raises:
        UsageError: a source that cannot be used, none, or a live wiki without a contact.
    """
    if not settings.sources:
        raise UsageError("no source: name one with --source zim:PATH, or try --preset demo or --preset live")
    searches: list[DocumentSearch] = []
    archives: list[ZimArchive] = []
    live = [name for name in settings.sources if name in ("wikipedia", "duckduckgo")]
    wiki = _wikipedia(settings) if live else None
    for name in settings.sources:
        if name == "wikipedia" and wiki:
            searches.append(wiki)
        elif name == "duckduckgo" and wiki:
            searches.append(_duckduckgo(settings, wiki.wiki))
        else:
            archives.append(_archive(name, settings.home))
            searches.append(archives[-1])
    fallback = (_archive(settings.fallback, settings.home),) if settings.fallback else ()
    archives += fallback
    return Sources(tuple(searches), (*((wiki,) if wiki else ()), *archives), tuple(archives), fallback)


def _wikipedia(settings: "Settings") -> "Wikipedia":
    from tools.wikipedia import Wikipedia

    return Wikipedia(settings.wiki, settings.contact, settings.wiki_at_once, settings.source_seconds)


def _duckduckgo(settings: "Settings", wiki: str) -> "DocumentSearch":
    from tools.duckduckgo import DuckDuckGo

    return DuckDuckGo(wiki, settings.duckduckgo_url, settings.source_seconds)


def _archive(source: str, home: Path) -> "ZimArchive":
    from tools.zim import ZimArchive

    kind, _, path = source.partition(":")
    if source == "demo":
        return ZimArchive(home / "demo.zim")
    if kind != "zim" or not path:
        raise UnknownName(f"unknown source {source!r}; known are zim:PATH, wikipedia, duckduckgo")
    return ZimArchive(Path(path).expanduser())


def build_backends(settings: "Settings") -> Backends:
    """Build what outlives a question."""
    from indexers.evidence import EvidenceIndexes
    from indexers.models.alignment import OnnxWordAligner
    from indexers.models.cache import CachedEmbedder
    from indexers.models.onnx import OnnxEmbedder
    from memory.pages import FilePageStore

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


def build_services(
    settings: "Settings",
    backends: Backends,
    recorder: "Recorder",
    progress: Progress,
    earlier: "tuple[EvidenceId, ...]" = (),
) -> "Services":
    """Build one service a seam for one question, each effect behind the recorder."""
    from agent.citations import ExtractiveClaimVerifier
    from agent.extractive.answerer import ExtractiveAnswerer
    from agent.extractive.composer import Composer
    from agent.extractive.queries import ExtractiveQueryRewriter
    from agent.extractive.reflector import ExtractiveReflector
    from agent.library import Library
    from agent.record import NO_IMAGE_MODEL, NO_LANGUAGE_MODEL
    from agent.services import Limits, Services
    from indexers.fusion import EmbeddingReranker
    from memory.recorded import RecordedAligner, RecordedEmbedder, RecordedIndex, RecordedPages, RecordedSearch
    from tools.rerank import TitleReranker
    from tools.search import RememberedSearch

    embedder = RecordedEmbedder(backends.embedder, recorder)
    composer = Composer(embedder, RecordedAligner(backends.aligner, recorder))
    library = Library()
    sources = backends.sources
    searches, fallback = (
        tuple(RememberedSearch(RecordedSearch(search, recorder)) for search in asked)
        for asked in (sources.searches, sources.fallback)
    )
    return Services(
        recorder=recorder,
        searches=searches,
        fallback=fallback,
        earlier=earlier,
        pages=RecordedPages(sources.pages, backends.pages, recorder),
        library=library,
        index=RecordedIndex(backends.index, recorder),
        rewriter=ExtractiveQueryRewriter(searches, library.evidence),
        document_reranker=TitleReranker(embedder),
        evidence_reranker=EmbeddingReranker(embedder),
        reflector=ExtractiveReflector(composer),
        answerer=ExtractiveAnswerer(composer),
        verifier=ExtractiveClaimVerifier,
        limits=Limits(
            rounds=settings.rounds,
            pages_per_round=settings.pages_per_round,
            retrieve_k=settings.retrieve_k,
            evidence_k=settings.evidence_k,
            max_seconds=settings.max_seconds,
            max_pages=settings.max_pages,
        ),
        policy=settings.citations,
        notes=(NO_LANGUAGE_MODEL, NO_IMAGE_MODEL),
        progress=progress,
    )


class Root:
    """The composition root as the commands see it (`agent.cli.application`)."""

    def home(self) -> Path:
        """Return the home folder that the settings name."""
        from heliograph.config import load_settings

        return load_settings({}).home

    def asker(self, preset: str | None, config: Path | None, settings: Mapping[str, Any]) -> Heliograph:
        """Build a Heliograph from flags."""
        return Heliograph(preset, config, **settings)

    def replay_services(self, recorder: "ReplayRecorder", manifest: "Manifest") -> "Services":
        """Build the services of a recorded run from its settings; nothing behind the record is ever opened."""
        from heliograph.config import Settings

        settings = Settings.model_validate(manifest.settings)
        backends = build_backends(settings)
        unread = replace(backends, sources=replace(backends.sources, pages=()))
        return build_services(settings, unread, recorder, lambda _: None, manifest.earlier)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="heliograph")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Answer open questions from text, tables and images, and cite every claim."""
    ctx.obj = Root()


for command in COMMANDS:
    main.add_command(command)


if __name__ == "__main__":
    main()
