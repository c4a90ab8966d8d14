"""The composition root and the command line: it alone reads settings and builds services. Imports wait."""

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli import Commands, doctor_command, say, show_command, snapshot_group, store_group, trace_group
from heliograph.errors import NotBuilt, UnknownName, UsageError

if TYPE_CHECKING:
    from agent.services import Services
    from heliograph.config import Settings
    from heliograph.protocols import Recorder
    from heliograph.types import Answer
    from indexers.evidence import EvidenceIndexes
    from indexers.models.alignment import OnnxWordAligner
    from indexers.models.cache import CachedEmbedder
    from memory.pages import FilePageStore
    from memory.trace import Event, ReplayRecorder
    from memory.trace.folder import Manifest
    from tools.zim import ZimArchive

ABSTAINED = 3
Progress = Callable[[str], None]
Listener = Callable[["Event"], None]

LATER_SOURCES = {
    "wikipedia": "live Wikipedia is not built yet; use --source zim:PATH with a Kiwix archive",
    "duckduckgo": "DuckDuckGo is not built yet; use --source zim:PATH with a Kiwix archive",
}


@dataclass(frozen=True, slots=True)
class Backends:
    """What outlives a question, not opened before its first use; `sources` are read, of which a replay needs none."""

    archives: "tuple[ZimArchive, ...]"
    sources: "tuple[ZimArchive, ...]"
    embedder: "CachedEmbedder"
    aligner: "OnnxWordAligner"
    index: "EvidenceIndexes"
    pages: "FilePageStore"


class Heliograph:
    """Answer questions from Python: `await Heliograph(sources=["zim:wiki.zim"]).ask("…")`.

    Settings have the names of heliograph.toml; an unknown one raises UsageError. Questions may be asked one after the
    other; `close` gives the home folder free for another process.
    """

    def __init__(self, preset: str | None = None, config: Path | None = None, **settings: Any) -> None:
        from heliograph.config import load_settings

        self.settings: Settings = load_settings(settings, preset, config)
        self._backends: Backends | None = None

    async def ask(
        self, question: str, progress: Progress = lambda _: None, listener: Listener = lambda _: None
    ) -> "Answer":
        """Answer one question and keep the run under the home folder.

        `progress` is told each step in words, `listener` hears each trace event as it ends.

        Raises:
            HeliographError: bad input, no source, no model, or a store that cannot be used.
        """
        from agent.asking import ask
        from agent.question import valid_question
        from agent.record import answer_json
        from heliograph import __version__
        from heliograph.config import snapshot
        from memory.trace import SystemClock, open_run, write_answer

        question = valid_question(question)
        backends = self._open()
        home, settings = self.settings.home, snapshot(self.settings)
        with open_run(home, question, settings, __version__, SystemClock(), listener=listener) as recorder:
            answer = await ask(question, build_services(self.settings, backends, recorder, progress))
            write_answer(recorder.folder, answer_json(answer))
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
            for archive in backends.archives:
                archive.open()
            backends.index.reserve()
            self._backends = backends
        return self._backends


def archives_of(settings: "Settings") -> "tuple[ZimArchive, ...]":
    """Name every archive of the settings, opening none.

    Raises:
        NotBuilt | UnknownName | UsageError: a source that cannot be used, or none.
    """
    if not settings.sources:
        raise UsageError("no source: name an archive with --source zim:PATH, or try --preset demo")
    return tuple(_archive(source, settings.home) for source in settings.sources)


def _archive(source: str, home: Path) -> "ZimArchive":
    from tools.zim import ZimArchive

    kind, _, path = source.partition(":")
    if kind in LATER_SOURCES:
        raise NotBuilt(f"source {kind!r}: {LATER_SOURCES[kind]}")
    if source == "demo":
        return ZimArchive(home / "demo.zim")
    if kind != "zim" or not path:
        raise UnknownName(f"unknown source {source!r}; known are zim:PATH, {', '.join(LATER_SOURCES)}")
    return ZimArchive(Path(path).expanduser())


def build_backends(settings: "Settings") -> Backends:
    """Build what outlives a question."""
    from indexers.evidence import EvidenceIndexes
    from indexers.models.alignment import OnnxWordAligner
    from indexers.models.cache import CachedEmbedder
    from indexers.models.onnx import OnnxEmbedder
    from memory.pages import FilePageStore

    home, model, archives = settings.home, OnnxEmbedder(), archives_of(settings)
    embedder = CachedEmbedder(model, home / "embeddings.sqlite")
    return Backends(
        archives=archives,
        sources=archives,
        embedder=embedder,
        aligner=OnnxWordAligner(model, home / "alignments.sqlite"),
        index=EvidenceIndexes(home, embedder, strategy=settings.indexing, text_retriever="sparse" if settings.text_retriever == "sparse" else "dense"),
        pages=FilePageStore(home / "pages", settings.store_bytes),
    )


def build_services(settings: "Settings", backends: Backends, recorder: "Recorder", progress: Progress) -> "Services":
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
    searches = tuple(RememberedSearch(RecordedSearch(archive, recorder)) for archive in backends.archives)
    return Services(
        recorder=recorder,
        searches=searches,
        pages=RecordedPages(backends.sources, backends.pages, recorder),
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


def replay_services(recorder: "ReplayRecorder", manifest: "Manifest") -> "Services":
    """Build the services of a recorded run from the settings it had; nothing behind the record is ever opened."""
    from heliograph.config import Settings

    settings = Settings.model_validate(manifest.settings)
    return build_services(settings, replace(build_backends(settings), sources=()), recorder, lambda _: None)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="heliograph")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Answer open questions from text, tables and images, and cite every claim."""
    ctx.obj = home_folder


for command in (trace_group, show_command, store_group, snapshot_group, doctor_command):
    main.add_command(command)


@main.command("ask")
@click.argument("question", required=False)
@click.option("--preset", help="Settings that belong together: demo or fast.")
@click.option("--source", "sources", multiple=True, metavar="zim:PATH", help="Where to search; may be repeated.")
@click.option("--rounds", type=int, help="Retrieval rounds, 1 to 3.")
@click.option("--graph", help="Table-text graph: off; light and full are not built yet.")
@click.option("--citations", help="Unsupported claims: flag, drop, repair (once, then drop) or abstain.")
@click.option("--indexing", help="text-only, textual-visual or modality-specific.")
@click.option("--text-retriever", help="dense or sparse.")
@click.option("--pages-per-round", type=int, help="Pages read a round at most.")
@click.option("--max-seconds", type=float, help="Time budget; the answer is then written from what is there.")
@click.option("--max-pages", type=int, help="Page budget over all rounds.")
@click.option("--config", type=click.Path(path_type=Path), help="A heliograph.toml to read.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer record instead of text.")
@click.option("--jsonl", is_flag=True, help="Stream trace events as JSON lines, the answer record last.")
@click.option("--trace", type=click.Path(path_type=Path), help="Copy the trace to this file.")
@click.option("--batch", type=click.Path(path_type=Path), help='JSON lines of {"id", "question"}; needs --out.')
@click.option("--out", type=click.Path(path_type=Path), help="Where a batch writes; started again, it goes on.")
@click.option("--max-calls", "--max-tokens", "--wiki", "later", hidden=True)
def ask_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    question: str | None,
    preset: str | None,
    config: Path | None,
    as_json: bool,
    jsonl: bool,
    trace: Path | None,
    batch: Path | None,
    out: Path | None,
    later: str | None,
    **settings: Any,
) -> None:
    """Answer QUESTION with checked citations.

    Exit codes: 0 answered, 2 usage, 3 no evidence, 4 no model, 5 no search, 6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    if later is not None:
        raise NotBuilt("--max-calls, --max-tokens and --wiki come with language models and live sources")
    from agent.batch import ask_batch
    from agent.terminal import Output, show_answer

    with closing(Heliograph(preset, config, **settings)) as heliograph:
        if batch is not None or out is not None:
            asyncio.run(ask_batch(batch, out, lambda text: heliograph.ask(text, say), say))
            return
        output = Output(as_json, jsonl, trace)
        answer = asyncio.run(heliograph.ask(question or "", say, output.listener))
    click.echo(show_answer(answer, output, heliograph.settings.home))
    sys.exit(ABSTAINED if answer.abstained else 0)


@main.command("replay")
@click.argument("run")
def replay_command(run: str) -> None:
    """Run RUN again from its record, with no network, model or store, and compare every byte."""
    from agent.replaying import replay

    click.echo(asyncio.run(replay(home_folder(), run, replay_services)))


@main.group("config")
def config_group() -> None:
    """Look at the settings."""


@config_group.command("show")
@click.option("--config", type=click.Path(path_type=Path), help="A heliograph.toml to read.")
def config_show(config: Path | None) -> None:
    """Print every setting as it holds now, without secrets."""
    from heliograph.config import load_settings, snapshot

    click.echo(json.dumps(snapshot(load_settings({}, config=config)), indent=2))


def home_folder() -> Path:
    """Return the home folder that the settings name."""
    from heliograph.config import load_settings

    return load_settings({}).home


if __name__ == "__main__":
    main()
