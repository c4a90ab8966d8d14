"""The composition root and the command line: the only place that reads settings and builds services.

Nothing heavy is imported before it is needed: help and the first line of progress come at once.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from heliograph.errors import HeliographError, NotBuilt, UnknownName, UsageError

if TYPE_CHECKING:
    from agent.services import Services
    from heliograph.config import Settings
    from heliograph.protocols import Recorder
    from heliograph.types import Answer
    from memory.trace import Event, ReplayRecorder
    from memory.trace.folder import Manifest
    from tools.zim import ZimArchive

ABSTAINED = 3
INTERRUPTED = 130
Progress = Callable[[str], None]
Listener = Callable[["Event"], None]

LATER_COMMANDS = {
    "chat": "conversations are not built yet; use heliograph ask",
    "serve": "the page and the API are not built yet; use heliograph ask --json",
    "mcp": "the MCP server is not built yet; use heliograph ask --json",
    "resume": "runs can be replayed but not resumed yet; ask again: pages and vectors are kept",
    "verify": "live Wikipedia is not built yet; heliograph replay RUN checks a run against its record",
    "memory": "memory across questions is not built yet; each run remembers its own rounds",
    "eval": "evaluation runs are not built yet; make bench measures the demo questions",
    "train": "training is not built yet; it comes with the table-text graph",
}
LATER_SOURCES = {
    "wikipedia": "live Wikipedia is not built yet; use --source zim:PATH with a Kiwix archive",
    "duckduckgo": "DuckDuckGo is not built yet; use --source zim:PATH with a Kiwix archive",
}


class SystemClock:
    """The clock of the machine."""

    def now(self) -> float:
        """Return seconds since the epoch, UTC."""
        return time.time()


class Heliograph:
    """Answer questions from Python: `await Heliograph(sources=["zim:wiki.zim"]).ask("…")`.

    Settings have the names of heliograph.toml; an unknown one raises UsageError.
    """

    def __init__(self, preset: str | None = None, config: Path | None = None, **settings: Any) -> None:
        from heliograph.config import load_settings

        self.settings: Settings = load_settings(settings, preset, config)

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
        from memory.trace import open_run, write_answer

        question = valid_question(question)
        archives = open_sources(self.settings)
        home, settings = self.settings.home, snapshot(self.settings)
        with open_run(home, question, settings, __version__, SystemClock(), listener=listener) as recorder:
            answer = await ask(question, build_services(self.settings, archives, recorder, progress))
            write_answer(recorder.folder, answer_json(answer))
        return answer


def open_sources(settings: "Settings") -> "tuple[ZimArchive, ...]":
    """Open every archive that the settings name; each is opened once here so that a bad one is found at once.

    Raises:
        ArchiveUnreadable: an archive is missing, truncated or no archive.
        NotBuilt | UnknownName | UsageError: a source that cannot be used.
    """
    if not settings.sources:
        raise UsageError("no source: name an archive with --source zim:PATH, or try --preset demo")
    archives = tuple(map(lambda source: _archive(source, settings.home), settings.sources))
    for archive in archives:
        archive.open()
    return archives


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


def build_services(
    settings: "Settings", archives: "Sequence[ZimArchive]", recorder: "Recorder", progress: Progress
) -> "Services":
    """Build one service a seam, each effect behind the recorder; nothing is opened before its first use."""
    from agent.citations import ExtractiveClaimVerifier
    from agent.extractive.answerer import ExtractiveAnswerer
    from agent.extractive.composer import Composer
    from agent.extractive.queries import ExtractiveQueryRewriter
    from agent.extractive.reflector import ExtractiveReflector
    from agent.library import Library
    from agent.services import Limits, Services
    from indexers.evidence import EvidenceIndexes
    from indexers.fusion import EmbeddingReranker
    from indexers.models.alignment import OnnxWordAligner
    from indexers.models.cache import CachedEmbedder
    from indexers.models.onnx import OnnxEmbedder
    from memory.pages import FilePageStore
    from memory.recorded import RecordedAligner, RecordedEmbedder, RecordedIndex, RecordedPages, RecordedSearch
    from tools.rerank import TitleReranker

    model = OnnxEmbedder()
    cached = CachedEmbedder(model, settings.home / "embeddings.sqlite")
    embedder = RecordedEmbedder(cached, recorder)
    aligner = RecordedAligner(OnnxWordAligner(model, settings.home / "alignments.sqlite"), recorder)
    index = EvidenceIndexes(settings.home / "index", cached, settings.indexing, settings.text_retriever)
    store = FilePageStore(settings.home / "pages", settings.store_bytes)
    composer = Composer(embedder, aligner)
    return Services(
        recorder=recorder,
        searches=tuple(RecordedSearch(archive, recorder) for archive in archives),
        pages=RecordedPages(archives, store, recorder),
        library=Library(),
        index=RecordedIndex(index, recorder),
        rewriter=ExtractiveQueryRewriter(),
        document_reranker=TitleReranker(embedder),
        evidence_reranker=EmbeddingReranker(embedder),
        reflector=ExtractiveReflector(composer),
        answerer=ExtractiveAnswerer(composer),
        verifier=ExtractiveClaimVerifier(),
        limits=Limits.of(settings),
        policy=settings.citations,
        progress=progress,
    )


def replay_services(recorder: "ReplayRecorder", manifest: "Manifest") -> "Services":
    """Build the services of a recorded run from the settings it had; nothing behind the record is ever opened."""
    from heliograph.config import Settings

    settings = Settings.model_validate(manifest.settings)
    archives = tuple(_archive(source, settings.home) for source in settings.sources)
    return build_services(settings, archives, recorder, lambda _: None)


def say(text: str) -> None:
    """Report progress on stderr, where it never mixes with an answer."""
    click.secho(text, err=True, dim=sys.stderr.isatty())


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn every error into one line that names the cause, and its documented exit code."""
    try:
        yield
    except HeliographError as err:
        click.secho(f"heliograph: {err}", err=True, fg="red")
        sys.exit(err.exit_code)
    except KeyboardInterrupt:
        click.echo("heliograph: interrupted; pages read and texts embedded so far are kept", err=True)
        sys.exit(INTERRUPTED)


class Commands(click.Group):
    """The commands, and a plain word for those of later releases."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or one that says why it is not there yet."""
        if cmd_name in LATER_COMMANDS:
            return _later(cmd_name)
        return super().get_command(ctx, cmd_name)


def _later(name: str) -> click.Command:
    def refuse(**_: Any) -> None:
        with exit_codes():
            raise NotBuilt(f"{name}: {LATER_COMMANDS[name]}")

    anything = click.Argument(["anything"], nargs=-1, type=click.UNPROCESSED)
    return click.Command(
        name, callback=refuse, params=[anything], context_settings={"ignore_unknown_options": True}, add_help_option=False
    )


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="heliograph")
def main() -> None:
    """Answer open questions from text, tables and images, and cite every claim."""


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
def ask_command(
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

    Exit codes: 0 answered, 2 usage or configuration, 3 no evidence (abstained), 4 model missing, 5 search unavailable,
    6 store locked, damaged or full, 130 interrupted.
    """
    say("heliograph: starting")
    with exit_codes():
        if later is not None:
            raise NotBuilt("--max-calls, --max-tokens and --wiki belong to language models and live sources; leave them away")
        from agent.batch import ask_batch
        from agent.terminal import Output, show_answer

        heliograph = Heliograph(preset, config, **{name: value or None for name, value in settings.items()})
        if batch is not None or out is not None:
            asyncio.run(ask_batch(batch, out, lambda text: heliograph.ask(text, say), say))
            return
        output = Output(as_json, jsonl, trace)
        answer = asyncio.run(heliograph.ask(question or "", say, output.listener))
        click.echo(show_answer(answer, output, heliograph.settings.home))
        sys.exit(ABSTAINED if answer.abstained else 0)


@main.group("trace")
def trace_group() -> None:
    """Look into recorded runs."""


@trace_group.command("list")
def trace_list() -> None:
    """List all runs, the latest last."""
    with exit_codes():
        from memory.trace import list_runs, render_list

        click.echo(render_list(list_runs(home_folder())))


@trace_group.command("show")
@click.argument("run")
@click.option("--depth", type=int, help="Levels of the tree.")
@click.option("--only", multiple=True, metavar="TEXT", help="A kind (TOOL) or a part of a name; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print the events as JSON lines, ordered by span.")
def trace_show(run: str, depth: int | None, only: tuple[str, ...], as_json: bool) -> None:
    """Show what RUN did: a name, the beginning of one, or last."""
    with exit_codes():
        from memory.trace import COLOURED, UNCOLOURED, find_run, load_trace, ordered_bytes, render_tree

        events = load_trace(find_run(home_folder(), run))
        ink = COLOURED if sys.stdout.isatty() and "NO_COLOR" not in os.environ else UNCOLOURED
        click.echo(ordered_bytes(events) if as_json else render_tree(events, depth, filters=only, ink=ink))


@main.command("replay")
@click.argument("run")
def replay_command(run: str) -> None:
    """Run RUN again from its record, with no network, model or store, and compare every byte."""
    with exit_codes():
        from agent.replaying import replay

        click.echo(asyncio.run(replay(home_folder(), run, replay_services)))


@main.command("show")
@click.argument("evidence")
def show_command(evidence: str) -> None:
    """Show a piece of EVIDENCE by its id, as it stands in the page store."""
    with exit_codes():
        from agent.terminal import evidence_text
        from memory.pages import FilePageStore

        click.echo(evidence_text(evidence, FilePageStore(home_folder() / "pages")))


@main.group("store")
def store_group() -> None:
    """Look after the pages, vectors and indexes that are kept."""


@store_group.command("size")
def store_size() -> None:
    """Say how much is kept, part by part."""
    with exit_codes():
        from memory.housekeeping import render_sizes

        click.echo(render_sizes(home_folder()))


@store_group.command("purge")
@click.option("--indexes", is_flag=True, help="Remove indexes and vectors; they are made again when needed.")
@click.option("--pages", is_flag=True, help="Remove the pages that were read.")
@click.option("--runs", is_flag=True, help="Remove all recorded runs.")
def store_purge(indexes: bool, pages: bool, runs: bool) -> None:
    """Remove what can be made again, or recorded runs; say what."""
    with exit_codes():
        from memory.housekeeping import purge

        click.echo(purge(home_folder(), indexes=indexes, pages=pages, runs=runs))


@main.group("snapshot")
def snapshot_group() -> None:
    """Make ZIM archives for use without a network."""


@snapshot_group.command("build")
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--name", help="Name of the wiki; the file's by default.")
@click.option("--title", help="Title of the archive.")
@click.option("--language", default="eng", help="ISO 639-3 code; it chooses the stemming of the search.")
@click.option("--force", is_flag=True, help="Replace an archive that is there.")
def snapshot_build(
    sources: tuple[Path, ...], out: Path, name: str | None, title: str | None, language: str, force: bool
) -> None:
    """Make the ZIM archive OUT from folders of HTML or Markdown, or JSON lines of {title, url, html}."""
    with exit_codes():
        from tools.zim import build_snapshot

        report = build_snapshot(
            sources, out, name=name, title=title, language=language, force=force, progress=lambda done: say(f"{done:,} pages")
        )
        click.echo(report.summary)


@snapshot_group.command("fetch", hidden=True)
@click.argument("anything", nargs=-1)
def snapshot_fetch(anything: tuple[str, ...]) -> None:
    """Fetch live pages into an archive (not built yet)."""
    with exit_codes():
        raise NotBuilt(f"snapshot fetch {' '.join(anything)}: live sources are not built yet; use snapshot build")


@main.group("config")
def config_group() -> None:
    """Look at the settings."""


@config_group.command("show")
@click.option("--config", type=click.Path(path_type=Path), help="A heliograph.toml to read.")
def config_show(config: Path | None) -> None:
    """Print every setting as it holds now, without secrets."""
    with exit_codes():
        import json

        from heliograph.config import load_settings, snapshot

        click.echo(json.dumps(snapshot(load_settings({}, config=config)), indent=2))


@main.command("doctor")
def doctor_command() -> None:
    """Say what is missing and the command that adds it."""
    from heliograph.doctor import examine

    with exit_codes():
        findings = tuple(examine(home_folder(), load_model))
        for finding in findings:
            click.echo(f"{'ok  ' if finding.good else 'MISS'} {finding.name}: {finding.detail}")
            if finding.remedy:
                click.echo(f"     {finding.remedy}")
        if not all(finding.good for finding in findings):
            raise UsageError("something is missing; the lines marked MISS say what to do")


def load_model() -> str:
    """Load the embedding model and embed one text."""
    from indexers.models.onnx import OnnxEmbedder

    model = OnnxEmbedder()
    asyncio.run(model.embed(["a heliograph signals with the light of the sun"]))
    return f"{model.name}, {model.dimensions} dimensions"


def home_folder() -> Path:
    """Return the home folder that the settings name."""
    from heliograph.config import load_settings

    return load_settings({}).home


if __name__ == "__main__":
    main()
