"""`heliograph snapshot fetch`: live pages and their pictures into a ZIM archive. Imports wait until it runs."""

import asyncio
from pathlib import Path

import click

from agent.cli.places import DESTINATION
from agent.cli.speaking import say, show


@click.command("fetch")
@click.argument("titles", nargs=-1, required=True)
@click.argument("out", type=DESTINATION)
@click.option("--wiki", help="Host of a wiki, or the address of its script path; en.wikipedia.org by default.")
@click.option("--contact", help="Mail address or URL by which the wiki's operators reach you.")
@click.option("--name", help="Name of the wiki in the archive; the file's by default.")
@click.option("--language", default="eng", help="ISO 639-3 code; it chooses the stemming of the search.")
@click.option("--pictures/--no-pictures", default=True, help="Whether pictures are fetched too.")
@click.option("--force", is_flag=True, help="Replace an archive that is there.")
@click.option("--config", type=click.Path(path_type=Path), help="A heliograph.toml to read.")
def fetch_command(
    titles: tuple[str, ...],
    out: Path,
    name: str | None,
    language: str,
    pictures: bool,
    force: bool,
    config: Path | None,
    **settings: str | None,
) -> None:
    """Fetch the pages TITLES of a live wiki into the ZIM archive OUT.

    What could not be had is named in the end. Exit code 5: nothing could.
    """
    from agent.fetching import fetch_pages
    from heliograph.config import load_settings
    from tools.wikipedia import Wikipedia
    from tools.zim import refuse_present, write_snapshot

    refuse_present(out, force)
    found = load_settings(settings, config=config)
    wiki = Wikipedia(found.wiki, found.contact, found.wiki_at_once, found.source_seconds)
    fetched = asyncio.run(fetch_pages(wiki, titles, pictures, say))
    said = {**fetched.labels, "Name": name or out.stem, "Title": name or out.stem, "Language": language}
    show(write_snapshot(fetched.contents(), out, said, place=wiki.wiki).summary, whole=True)
