"""The articles that questions are made from: an archive, the demo articles, or a folder that becomes an archive."""

from dataclasses import dataclass
from pathlib import Path

from eval.omgqa.elsewhere import ANOTHER
from heliograph.errors import UnknownName, UsageError
from heliograph.storage import storage_error
from heliograph.types import Document
from indexers.pace import Say
from indexers.parser import parse_page
from tools.zim import ZimArchive, build_snapshot

DEMO, ZIM = "demo", "zim:"


@dataclass(frozen=True, slots=True)
class ArchiveReading:
    """Articles of an archive."""

    archive: ZimArchive

    async def document(self, title: str) -> Document:
        """Return an article as its tree.

        Raises:
            ArchiveUnreadable | PageUnavailable | HostilePage: it cannot be read.
        """
        return parse_page(await self.archive.fetch(title))


def archive_of(source: str, home: Path, pages: Path, say: Say) -> ZimArchive:
    """Return the archive that a source names, opened.

    Args:
        source: `zim:PATH`, `demo`, or a folder of pages as `heliograph snapshot build` takes it.
        home: the home folder, in which the demo archive is.
        pages: the archive that a folder becomes.
        say: told what is left out of it.

    Raises:
        UnknownName: the source is none of these.
        UsageError: the folder cannot be used, or has other pages than the archive that it became.
        ArchiveUnreadable: the archive is missing, cut or damaged.
        StoreFull: the archive of a folder cannot be written.
    """
    archive = _archive(source, home, pages, say)
    archive.open()
    return archive


def _archive(source: str, home: Path, pages: Path, say: Say) -> ZimArchive:
    if source == DEMO:
        return ZimArchive(home / "demo.zim")
    if source.startswith(ZIM) and source != ZIM:
        return ZimArchive(Path(source.removeprefix(ZIM)).expanduser())
    folder = Path(source).expanduser()
    if not source or source == ZIM or not folder.is_dir():
        raise UnknownName(f"unknown source {source!r}; known are zim:PATH, demo and folders of pages")
    return _built(folder, pages, say)


def _built(folder: Path, pages: Path, say: Say) -> ZimArchive:
    """Make the archive of a folder anew, so that a page that changed since is seen, and not overwrite another."""
    fresh = pages.with_name("pages.fresh.zim")
    report = build_snapshot([folder], fresh, name=folder.resolve().name or pages.stem, force=True)
    try:
        if pages.exists() and ZimArchive(pages).edition != ZimArchive(fresh).edition:
            raise UsageError(f"the pages of {folder} have changed since; name another folder with --out")
        fresh.replace(pages)
    except OSError as err:
        raise storage_error(err, pages, ANOTHER) from err
    finally:
        fresh.unlink(missing_ok=True)
    for what in report.left_out:
        say(f"left out: {what}")
    return ZimArchive(pages)
