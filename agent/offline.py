"""The offline build of a data graph from what the command line names."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from heliograph.errors import StoreDamaged, UsageError
from heliograph.storage import storage_error
from indexers.lock import WriterLock
from indexers.offline.build import Build
from indexers.offline.encodings import keep_name, named
from indexers.offline.filesets import opened
from indexers.offline.plan import Links, Settings, Work
from indexers.offline.ray_data import on_ray
from indexers.offline.running import in_process
from indexers.offline.shelf import Shelf
from indexers.offline.spool import LEFT_OUT, Spool, Spooled, SpooledRedirect, write_spool
from indexers.offline.texts import MappedTexts
from tools.zim import SourcePage, SourceRedirect, ZimShelf
from tools.zim.sources import read_sources

SPOOL, STAMP = "pages", "pages.json"
ZIM = "zim:"

Say = Callable[[str], None]


def build_of(source: str, out: Path, *, encoder: str, pages_a_shard: int, links: Links, ray: str, say: Say) -> Build:
    """Return the build of a source into a folder; pages of files are put down there first.

    Args:
        source: `zim:FILE`, or what `heliograph snapshot build` takes: a folder, a page or JSON lines.
        encoder: a late-interaction model, or nothing.
        ray: `local`, the address of a Ray, or nothing for this process.

    Raises:
        UsageError: the source cannot be used.
        ModelMissing: there is no such encoder.
        StoreFull | StoreError: the folder cannot be written.
    """
    out, encoding = out.expanduser().resolve(), named(encoder) if encoder else None
    if encoding is not None:
        encoding.opened()
        keep_name(encoding, out)
    work = Work(_shelf(source, out, say), out, Settings(pages_a_shard, encoding, links))
    return Build(work, say, (lambda: on_ray(ray)) if ray else in_process)


def _shelf(source: str, out: Path, say: Say) -> Shelf:
    if source.startswith(ZIM):
        return ZimShelf(Path(source.removeprefix(ZIM)).expanduser().resolve())
    path = Path(source).expanduser().resolve()
    if path.suffix == ".zim":
        raise UsageError(f"{source} is an archive; name it zim:{source}")
    spool = Spool(out / SPOOL, path.name.partition(".")[0] or path.name)
    stamp = _stamp(path)
    if not _whole(spool.folder, say) or _kept_stamp(out) != stamp:
        say(f"reading {path}")
        with WriterLock(out):
            write_spool(_pages(path), spool.folder)
        for what in MappedTexts(spool.folder, LEFT_OUT):
            say(f"left out: {what}")
        _keep_stamp(out, stamp)
    return spool


def _pages(path: Path) -> Iterator[Spooled | SpooledRedirect]:
    for content in read_sources([path]):
        match content:
            case SourcePage(title, html, url):
                yield Spooled(title, html, url)
            case SourceRedirect(title, target):
                yield SpooledRedirect(title, target)


def _whole(folder: Path, say: Say) -> bool:
    try:
        found = opened(folder)
        if found is not None:
            found.verify()
    except StoreDamaged as err:
        say(f"{str(err).partition(';')[0]}; it is made again")
        return False
    return found is not None


def _stamp(path: Path) -> str:
    """Return what changes when a file of the source does: names, sizes and times."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    said = [(str(file.relative_to(path)), file.stat()) for file in files if file.is_file()]
    told = [(name, stat.st_size, stat.st_mtime_ns) for name, stat in said]
    return hashlib.sha256(json.dumps(told).encode("utf-8", "surrogatepass")).hexdigest()


def _kept_stamp(out: Path) -> str:
    try:
        return str(json.loads((out / STAMP).read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _keep_stamp(out: Path, stamp: str) -> None:
    try:
        (out / STAMP).write_text(json.dumps({"files": stamp}), encoding="utf-8")
    except OSError as err:
        raise storage_error(err, out / STAMP) from err
