"""Commands that look after what a home folder keeps."""

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.fetching import fetch_command
from agent.cli.places import DESTINATION, PLACE
from agent.cli.speaking import say, show
from heliograph.errors import UsageError

if TYPE_CHECKING:
    from heliograph.config import Settings
    from indexers.vector_server import VectorServer


def home() -> Path:
    """Return the home folder of this command."""
    from agent.cli.application import application

    return application().settings().home


def server() -> "VectorServer | None":
    """Return the Chroma server of this command, if the settings name one."""
    from agent.cli.application import application
    from indexers.vector_server import vector_server

    return vector_server(application().settings())


@click.command("show")
@click.argument("evidence")
def show_command(evidence: str) -> None:
    """Show a piece of EVIDENCE by its id, as it stands in the page store."""
    from agent.terminal import evidence_text
    from memory.pages import FilePageStore

    show(evidence_text(evidence, FilePageStore(home() / "pages")), whole=True)


@click.group("store")
def store_group() -> None:
    """Look after the pages, vectors and indexes that are kept."""


@store_group.command("home")
def store_home() -> None:
    """Print the home folder, where everything is kept."""
    click.echo(home())


@store_group.command("size")
def store_size() -> None:
    """Say how much is kept, part by part."""
    from memory.housekeeping import render_sizes

    click.echo(render_sizes(home(), server()))


@store_group.command("purge")
@click.option("--indexes", is_flag=True, help="Remove indexes and vectors; they are made again when needed.")
@click.option("--pages", is_flag=True, help="Remove the pages that were read.")
@click.option("--runs", is_flag=True, help="Remove recorded runs.")
@click.option("--eval", "measurements", is_flag=True, help="Remove indexes and results of heliograph eval.")
@click.option("--to-bytes", type=int, help="With --pages: keep as many bytes, those used last.")
@click.option("--older-than", type=float, metavar="DAYS", help="With --runs: only runs that began as many days ago.")
def store_purge(**chosen: Any) -> None:
    """Remove what can be made again, or recorded runs, while no other process works in the home folder; say what."""
    from memory.housekeeping import purge

    click.echo(purge(home(), **chosen, server=server()))


@click.group("snapshot")
def snapshot_group() -> None:
    """Make ZIM archives for use without a network."""


@snapshot_group.command("build")
@click.argument("sources", nargs=-1, required=True, type=PLACE)
@click.argument("out", type=DESTINATION)
@click.option("--name", help="Name of the wiki; the file's by default.")
@click.option("--title", help="Title of the archive.")
@click.option("--language", default="eng", help="ISO 639-3 code; it chooses the stemming of the search.")
@click.option("--creator", help="Who wrote the pages; citations show it.")
@click.option("--licence", help="Licence of the pages; citations show it.")
@click.option("--source-url", help="URL of the wiki that the pages come from.")
@click.option("--force", is_flag=True, help="Replace an archive that is there.")
def snapshot_build(  # noqa: PLR0913, PLR0917 - one parameter an option
    sources: tuple[Path, ...],
    out: Path,
    name: str | None,
    title: str | None,
    language: str,
    creator: str | None,
    licence: str | None,
    source_url: str | None,
    force: bool,
) -> None:
    """Make the ZIM archive OUT from folders of HTML, Markdown, text or CSV, or JSON lines of {title, url, html}."""
    from tools.zim import build_snapshot

    told = {"Creator": creator, "License": licence, "Source": source_url}
    report = build_snapshot(
        sources,
        out,
        name=name,
        title=title,
        language=language,
        metadata={key: value for key, value in told.items() if value},
        force=force,
        progress=lambda done: say(f"{done:,} pages"),
    )
    show(report.summary, whole=True)


snapshot_group.add_command(fetch_command)


@click.group("config")
def config_group() -> None:
    """Look at the settings."""


@config_group.command("show")
@click.option("--config", type=click.Path(path_type=Path), help="A heliograph.toml to read.")
def config_show(config: Path | None) -> None:
    """Print every setting as it holds now, without secrets."""
    from heliograph.config import load_settings
    from heliograph.kept_settings import snapshot

    click.echo(json.dumps(snapshot(load_settings({}, config=config)), indent=2))


@click.command("doctor")
@click.option(
    "--archive",
    "archives",
    multiple=True,
    type=PLACE,
    help="Read a ZIM archive whole and compare it with its checksum, about 2 s for each GB; may be repeated.",
)
def doctor_command(archives: tuple[Path, ...]) -> None:
    """Say what is missing and the command that adds it."""
    from agent.assembly.backends import wants_models
    from agent.cli.application import application
    from heliograph.doctor import examine
    from indexers.models.reader import SHIPPED_READER
    from tools.zim import verify_archive

    settings = application().settings()
    wanted = settings.graph != "off" or settings.evidence_reranker == "late-interaction"
    retriever = partial(find_retriever, settings) if wanted else None
    kept_at = server()
    vectors = partial(find_vectors, kept_at, settings.home) if kept_at else None
    reader = find_reader if SHIPPED_READER.is_dir() else None
    wants = wants_models(settings)
    findings = tuple(examine(settings.home, load_model, archives, verify_archive, wants, retriever, vectors, reader))
    for finding in findings:
        show(f"{'ok  ' if finding.good else 'MISS'} {finding.name}: {finding.detail}", whole=True)
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


def find_vectors(kept_at: "VectorServer", place: Path) -> str:
    """Return what a Chroma server keeps of a home folder."""
    from indexers.chroma import stored_at

    return stored_at(kept_at, place)


def find_retriever(settings: "Settings") -> str:
    """Return the name of the model that compares tokens: the graph's, with its reranker's weights, or the shipped."""
    from agent.assembly import edge_retriever
    from indexers.models.onnx_tokens import OnnxTokenEncoder

    return OnnxTokenEncoder().name if settings.graph == "off" else edge_retriever(settings).name


def find_reader() -> str:
    """Return the names of what ships to read evidence, tables and follow-ups."""
    from indexers.models.follow_ups import follow_up_reader
    from indexers.models.retrievers import shipped_reader
    from indexers.models.semantic_parser import question_parser

    return f"{shipped_reader().name}, {question_parser('').name}, {follow_up_reader('').name}"
