"""The offline build of a data graph from what the command line names."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from heliograph.errors import UsageError
from heliograph.paths import expanded
from heliograph.storage import storage_error
from heliograph.types import SourcePage, SourceRedirect
from indexers.lock import WriterLock
from indexers.offline.build import ANOTHER_OUT, Build
from indexers.offline.encodings import named
from indexers.offline.filesets import PART, sweep, whole
from indexers.offline.plan import Links, Proposals, Settings, Work, planned
from indexers.offline.ray_data import on_ray
from indexers.offline.running import in_process
from indexers.offline.shelf import forget
from indexers.offline.spool import LEFT_OUT, SPOOL, STAMP, Spool, kept_stamp, write_spool
from indexers.offline.texts import MappedTexts
from memory.trace.disk import write_whole
from tools.zim import ZimShelf
from tools.zim.sources import read_sources, source_files

FRESH = f"{SPOOL}.fresh{PART}"
ZIM = "zim:"

Say = Callable[[str], None]


def build_of(
    source: str,
    out: Path,
    *,
    encoder: str,
    pages_a_shard: int,
    links: Links,
    proposals: Proposals,
    ray: str,
    say: Say,
) -> Build:
    """Return the build of a source into a folder; pages of files are put down there first, unless it holds others.

    Args:
        source: `zim:FILE`, or what `heliograph snapshot build` takes: a folder, a page or JSON lines.
        encoder: a late-interaction model, or nothing.
        ray: `local`, the address of a Ray, or nothing for this process.

    Raises:
        UsageError: the source cannot be used, the folder holds another build, or there are no vectors to propose by.
        ModelMissing: there is no such encoder.
        StoreLocked: another process builds in the folder.
        StoreFull | StoreError: the folder cannot be written.
    """
    if proposals == "all" and not encoder:
        raise UsageError("--proposals all is of token vectors; add --encoder shipped, or another model")
    out, encoding = _absolute(out), named(encoder) if encoder else None
    if encoding is not None:
        encoding.opened()
    settings = Settings(pages_a_shard, encoding, links, proposals)
    if not source.removeprefix(ZIM):
        raise UsageError("the source is empty; name zim:FILE, a folder of pages or a file of JSON lines")
    if source.startswith(ZIM):
        work = Work(ZimShelf(_absolute(source.removeprefix(ZIM))), out, settings)
    else:
        work = _spooled(source, out, settings, say)
    return Build(work, say, (lambda: on_ray(ray)) if ray else in_process)


def _absolute(given: str | Path) -> Path:
    """Return the place itself, whatever links lead to it; links in a circle, which lead nowhere, stay."""
    return Path(os.path.realpath(expanded(given)))


def _spooled(source: str, out: Path, settings: Settings, say: Say) -> Work:
    """Put pages down beside those of before, and in their place once the plan has agreed to them."""
    path = _absolute(source)
    if path.suffix == ".zim":
        raise UsageError(f"{source} is an archive; name it zim:{source}")
    spool, stamp = Spool(out / SPOOL, path.name.partition(".")[0] or path.name), _stamp(path)
    with WriterLock(out, ANOTHER_OUT):
        sweep(out)
        if not whole(spool.folder, say) or kept_stamp(out) != stamp:
            say(f"reading {path}")
            fresh = Spool(out / FRESH, spool.wiki)
            try:
                write_spool(_pages(path), fresh.folder)
                forget()
                planned(Work(fresh, out, settings))
                _move(fresh.folder, spool.folder)
            finally:
                shutil.rmtree(fresh.folder, ignore_errors=True)
            for what in MappedTexts(spool.folder, LEFT_OUT):
                say(f"left out: {what}")
            _keep_stamp(out, stamp)
    return Work(spool, out, settings)


def _move(fresh: Path, folder: Path) -> None:
    try:
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)
    except OSError as err:
        raise storage_error(err, folder) from err


def _pages(path: Path) -> Iterator[SourcePage | SourceRedirect]:
    return (content for content in read_sources([path]) if isinstance(content, SourcePage | SourceRedirect))


def _stamp(source: Path) -> str:
    """Return what changes when a page of the source does: names, sizes and times."""
    said = [(file, file.stat()) for file in source_files(source)]
    told = [(str(file), stat.st_size, stat.st_mtime_ns) for file, stat in said]
    return hashlib.sha256(json.dumps(told).encode("utf-8", "surrogatepass")).hexdigest()


def _keep_stamp(out: Path, stamp: str) -> None:
    write_whole(out / STAMP, json.dumps({"files": stamp}).encode())
