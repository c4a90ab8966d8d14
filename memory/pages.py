"""The page store: pages once read, addressed by their content."""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import fields
from pathlib import Path

from heliograph.errors import StoreDamaged, StoreFull, UnknownName
from heliograph.storage import database_error, storage_error
from heliograph.types import Page, PageKey
from indexers.parser import page_key
from memory.trace.disk import write_whole

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS pages (key BLOB PRIMARY KEY, wiki BLOB, title BLOB, revision BLOB, url BLOB, "
    "fetched BLOB, licence BLOB, attribution BLOB, content TEXT NOT NULL, used INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS pages_by_use ON pages (used)",
    "CREATE INDEX IF NOT EXISTS pages_by_content ON pages (content)",
    "CREATE TABLE IF NOT EXISTS contents (content TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS asked (wiki BLOB, edition BLOB, title BLOB, key BLOB NOT NULL, "
    "PRIMARY KEY (wiki, edition, title)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS asked_by_key ON asked (key)",
)
INDEX = "pages.sqlite"
SAID = tuple(field.name for field in fields(Page) if field.name != "html")
"""What the index keeps of a page; its text is in a file."""
_LATEST = "(SELECT COALESCE(MAX(used), 0) + 1 FROM pages)"
WAIT_SECONDS = 30.0
DEFAULT_BYTES = 2_000_000_000
REMEDY = "run heliograph store purge --pages; pages are then read again"


class FilePageStore:
    """Pages in compressed files named by the hash of their text, and a SQLite index of what they are.

    Several processes may share it. When the files outgrow `max_bytes`, the pages used longest ago go first. Text is
    kept as bytes, so that whatever a page or a title holds comes back as it was, lone surrogates too.

    Raises (from every method):
        StoreDamaged: the index or a page cannot be read.
        StoreFull: no space is left, or one page alone is larger than the store may be.
        StoreLocked: another process writes for longer than `wait_seconds`.
        StoreError: the folder may not be written to.
    """

    def __init__(self, folder: Path, max_bytes: int = DEFAULT_BYTES, wait_seconds: float = WAIT_SECONDS) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._wait_seconds = wait_seconds

    def find(self, wiki: str, edition: str, title: str) -> Page | None:
        """Return the page that was kept under a title, or None; a page whose file is gone or damaged is forgotten."""
        with self._index() as index:
            row = index.execute(
                "SELECT key FROM asked WHERE wiki = ? AND edition = ? AND title = ?", _packed(wiki, edition, title)
            ).fetchone()
            try:
                return self._page(index, row[0]) if row else None
            except StoreDamaged:
                self._forget(index, row[0])
                return None

    def put(self, page: Page, edition: str, asked: str) -> PageKey:
        """Keep a page under its canonical title and under the title it was asked by.

        A page in another state takes the place of one with the same key.
        """
        key = page_key(page.wiki, page.title, page.revision)
        text = page.html.encode("utf-8", "surrogatepass")
        content, packed = hashlib.sha256(text).hexdigest(), zlib.compress(text)
        if len(packed) > self._max_bytes:
            raise StoreFull(f"page {page.title!r} alone is larger than the page store may be; raise store_bytes")
        (bare,) = _packed(key)
        with self._index() as index:
            self._write(content, packed)
            self._forget(index, bare, but=content)
            index.execute("INSERT OR REPLACE INTO contents VALUES (?, ?)", (content, len(packed)))
            index.execute(
                f"INSERT OR REPLACE INTO pages VALUES ({', '.join('?' * (len(SAID) + 2))}, {_LATEST})",
                (bare, *_packed(*(getattr(page, name) for name in SAID)), content),
            )
            index.executemany(
                "INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?)",
                [(*_packed(page.wiki, edition, title), bare) for title in dict.fromkeys((asked, page.title))],
            )
            self._shrink(index, self._max_bytes)
        return key

    def get(self, key: PageKey) -> Page:
        """Return a page by its key.

        Raises:
            UnknownName: it is not kept, or not any more.
        """
        with self._index() as index:
            page = self._page(index, *_packed(key))
        if page is None:
            raise UnknownName(f"no page {key} is kept; ask a question that reads it, or see heliograph trace show")
        return page

    def size(self) -> int:
        """Return the bytes that the kept pages take, each text counted once."""
        with self._index() as index:
            return _size(index)

    def purge(self, to_bytes: int = 0) -> int:
        """Remove the pages used longest ago until no more than `to_bytes` are left; return the bytes freed."""
        with self._index() as index:
            return self._shrink(index, to_bytes)

    def _page(self, index: sqlite3.Connection, key: bytes) -> Page | None:
        row = index.execute(f"SELECT {', '.join(SAID)}, content FROM pages WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        html = self._read(row[-1])
        index.execute(f"UPDATE pages SET used = {_LATEST} WHERE key = ?", (key,))
        said = dict(zip(SAID, (part.decode("utf-8", "surrogatepass") for part in row[:-1]), strict=True))
        return Page(**said, html=html)

    def _shrink(self, index: sqlite3.Connection, to_bytes: int) -> int:
        freed, excess = 0, _size(index) - to_bytes
        while freed < excess and (oldest := index.execute("SELECT key FROM pages ORDER BY used LIMIT 1").fetchone()):
            freed += self._forget(index, oldest[0])
        return freed

    def _forget(self, index: sqlite3.Connection, key: bytes, but: str = "") -> int:
        """Remove a page, and its text unless another page has the same or it is `but`; return the bytes freed."""
        row = index.execute("SELECT content FROM pages WHERE key = ?", (key,)).fetchone()
        index.execute("DELETE FROM asked WHERE key = ?", (key,))
        index.execute("DELETE FROM pages WHERE key = ?", (key,))
        if row is None or row[0] == but or index.execute("SELECT 1 FROM pages WHERE content = ?", row).fetchone():
            return 0
        freed: int = index.execute("SELECT bytes FROM contents WHERE content = ?", row).fetchone()[0]
        index.execute("DELETE FROM contents WHERE content = ?", row)
        self._path(row[0]).unlink(missing_ok=True)
        return freed

    def _path(self, content: str) -> Path:
        return self._folder / content[:2] / f"{content}.z"

    def _write(self, content: str, packed: bytes) -> None:
        """Write a text unless it is there and whole."""
        path = self._path(content)
        if not path.exists() or path.read_bytes() != packed:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, packed)

    def _read(self, content: str) -> str:
        path = self._path(content)
        try:
            text = zlib.decompress(path.read_bytes())
        except (OSError, zlib.error) as err:
            raise StoreDamaged(f"{path} cannot be read ({err}); {REMEDY}") from err
        if hashlib.sha256(text).hexdigest() != content:
            raise StoreDamaged(f"{path} is not what was written; {REMEDY}")
        return text.decode("utf-8", "surrogatepass")

    @contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        """Open the index for one transaction that no other process writes beside."""
        path = self._folder / INDEX
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path, timeout=self._wait_seconds, isolation_level=None)) as index:
                index.execute("PRAGMA synchronous = NORMAL")
                index.execute("BEGIN IMMEDIATE")
                for statement in SCHEMA:
                    index.execute(statement)
                yield index
                index.execute("COMMIT")
        except sqlite3.Error as err:
            raise database_error(err, path, REMEDY) from err
        except OSError as err:
            raise storage_error(err, self._folder) from err


def _packed(*texts: str) -> tuple[bytes, ...]:
    return tuple(text.encode("utf-8", "surrogatepass") for text in texts)


def _size(index: sqlite3.Connection) -> int:
    total: int = index.execute("SELECT COALESCE(SUM(bytes), 0) FROM contents").fetchone()[0]
    return total
