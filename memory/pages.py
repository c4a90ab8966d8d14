"""The page store: pages once read, addressed by their content."""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from heliograph.errors import StoreDamaged, StoreFull, UnknownName
from heliograph.types import Page, PageKey
from indexers.parser import page_key

SCHEMA = """
CREATE TABLE IF NOT EXISTS pages (
  key TEXT PRIMARY KEY, wiki TEXT, title TEXT, revision TEXT, url TEXT, fetched TEXT, licence TEXT, attribution TEXT,
  content TEXT NOT NULL, bytes INTEGER NOT NULL, used INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS asked (
  wiki TEXT, edition TEXT, title TEXT, key TEXT NOT NULL, PRIMARY KEY (wiki, edition, title)
) WITHOUT ROWID;
"""
WAIT_SECONDS = 30
DEFAULT_BYTES = 2_000_000_000
REMEDY = "run heliograph store purge --pages; pages are then read again"


class FilePageStore:
    """Pages in compressed files named by the hash of their text, and a SQLite index of what they are.

    Several processes may share it. When it outgrows `max_bytes`, the pages used longest ago go first.

    Raises (from every method):
        StoreDamaged: the index or a page cannot be read.
        StoreFull: no space is left, or one page alone is larger than the store may be.
    """

    def __init__(self, folder: Path, max_bytes: int = DEFAULT_BYTES) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._index = folder / "index.sqlite"
        self._created = False

    def find(self, wiki: str, edition: str, title: str) -> Page | None:
        """Return the page that was kept under a title, or None."""
        with self._connection() as index:
            row = index.execute(
                "SELECT key FROM asked WHERE wiki = ? AND edition = ? AND title = ?", (wiki, edition, title)
            ).fetchone()
        return self.get(row[0]) if row else None

    def put(self, page: Page, edition: str, asked: str) -> PageKey:
        """Keep a page under its canonical title and under the title it was asked by."""
        key = page_key(page.wiki, page.title, page.revision)
        packed = zlib.compress(page.html.encode("utf-8", "surrogatepass"))
        content = hashlib.sha256(packed).hexdigest()
        if len(packed) > self._max_bytes:
            raise StoreFull(f'page "{page.title}" alone is larger than the page store may be; raise store_bytes')
        with self._connection() as index:
            self._write(content, packed)
            fields = {name: value for name, value in asdict(page).items() if name != "html"}
            self._enter(index, {**fields, "key": key, "content": content, "bytes": len(packed)})
            names = [(page.wiki, edition, title, key) for title in {asked, page.title}]
            index.executemany("INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?)", names)
            self._shrink(index, self._max_bytes)
        return key

    def get(self, key: PageKey) -> Page:
        """Return a page by its key.

        Raises:
            UnknownName: it is not kept, or not any more.
        """
        with self._connection() as index:
            index.execute("UPDATE pages SET used = (SELECT MAX(used) + 1 FROM pages) WHERE key = ?", (key,))
            row = index.execute(
                "SELECT wiki, title, revision, url, content, fetched, licence, attribution FROM pages WHERE key = ?",
                (key,),
            ).fetchone()
        if row is None:
            raise UnknownName(f"no page {key} is kept; ask a question that reads it, or see heliograph trace show")
        wiki, title, revision, url, content, fetched, licence, attribution = row
        return Page(wiki, title, revision, url, self._read(content), fetched, licence, attribution)

    def size(self) -> int:
        """Return the bytes that the kept pages take."""
        with self._connection() as index:
            return _size(index)

    def purge(self, to_bytes: int = 0) -> int:
        """Remove the pages used longest ago until no more than `to_bytes` are left; return the bytes freed."""
        with self._connection() as index:
            return self._shrink(index, to_bytes)

    def _enter(self, index: sqlite3.Connection, row: dict[str, Any]) -> None:
        columns = ("key", "wiki", "title", "revision", "url", "fetched", "licence", "attribution", "content", "bytes")
        values = ", ".join(f":{name}" for name in columns)
        index.execute(
            f"INSERT OR REPLACE INTO pages VALUES ({values}, (SELECT COALESCE(MAX(used), 0) + 1 FROM pages))", row
        )

    def _shrink(self, index: sqlite3.Connection, to_bytes: int) -> int:
        freed, total = 0, _size(index)
        for key, content, size in index.execute("SELECT key, content, bytes FROM pages ORDER BY used, key").fetchall():
            if total - freed <= to_bytes:
                break
            index.execute("DELETE FROM pages WHERE key = ?", (key,))
            index.execute("DELETE FROM asked WHERE key = ?", (key,))
            if not index.execute("SELECT 1 FROM pages WHERE content = ?", (content,)).fetchone():
                self._path(content).unlink(missing_ok=True)
            freed += size
        return freed

    def _path(self, content: str) -> Path:
        return self._folder / content[:2] / f"{content}.z"

    def _write(self, content: str, packed: bytes) -> None:
        path = self._path(content)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
                part.write(packed)
            Path(part.name).replace(path)

    def _read(self, content: str) -> str:
        path = self._path(content)
        try:
            packed = path.read_bytes()
            if hashlib.sha256(packed).hexdigest() != content:
                raise StoreDamaged(f"{path} is not what was written; {REMEDY}")
            return zlib.decompress(packed).decode("utf-8", "surrogatepass")
        except (OSError, zlib.error) as err:
            raise StoreDamaged(f"{path} cannot be read ({err}); {REMEDY}") from err

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._index, timeout=WAIT_SECONDS)) as index, index:
                if not self._created:
                    index.executescript(SCHEMA)
                    self._created = True
                yield index
        except sqlite3.OperationalError as err:
            raise StoreFull(f"cannot write {self._index} ({err}); free some space or set HELIOGRAPH_HOME") from err
        except sqlite3.DatabaseError as err:
            raise StoreDamaged(f"{self._index} cannot be read ({err}); {REMEDY}") from err
        except OSError as err:
            raise StoreFull(f"cannot write to {self._folder} ({err.strerror}); free some space") from err


def _size(index: sqlite3.Connection) -> int:
    total: int = index.execute("SELECT COALESCE(SUM(bytes), 0) FROM pages").fetchone()[0]
    return total
