"""The pages of an archive as entities, and rows of their tables that link two of them as relations.

A cell that links a page stands beside another such cell of its row: the two pages are joined by a relation that has
the names of both columns, and the row as what states it. The page of the table is joined to each by a relation that has
the name of its column. Neither has the words of captions: the same columns of all tables are one relation. A page has
the type of the column that links it most often, and the words of such links as aliases.
"""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from pathlib import Path
from typing import TextIO

from heliograph.errors import HostilePage, PageUnavailable, UsageError
from heliograph.storage import writing_into
from heliograph.text.names import plain_title
from heliograph.text.units import header_words
from heliograph.types import Document, TableEvidence, TableSegment, TripleRecord
from indexers.edges.linearize import linearize
from indexers.parser import parse_page, segments
from indexers.pieces import lead_of
from indexers.skb.base_building import Progress
from indexers.skb.record_files import RecordFiles, open_record_files
from tools.zim import ZimArchive

PAGES, ENTITIES, RELATIONS = "pages.jsonl", "entities.jsonl", "relations.jsonl"
DONE, FORMAT = "done", 2
"""The file that says what was written in full, and the version of what is written, which begins it."""
PAGE = "page"
"""The type of a page that no column links."""
MOST_ALIASES = 5
MOST_LINKED = 12
"""Linked pages of one row that are joined: a cell that lists dozens says little of each pair."""
EVERY = 1_000
"""Pages between two lines of progress."""


@dataclass(slots=True)
class _Linked:
    """What tables say of a page: the columns that link it, and the words of the links."""

    columns: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Mention:
    """A page that a cell of a row links."""

    title: str
    column: str


def page_records(path: Path, folder: Path, say: Progress) -> RecordFiles:
    """Write entities and relations of an archive into a folder, unless they are there, and return them.

    Callers hold the lock of the folder: two that write it at once would mix their lines.

    Raises:
        ArchiveUnreadable: the archive is missing, cut or damaged.
        UsageError: none of its pages can be read.
        StoreError: the disk is full, or the folder cannot be written.
    """
    archive = ZimArchive(path)
    archive.open()
    stamp = f"{FORMAT} {path.resolve()} {path.stat().st_size} {path.stat().st_mtime_ns}"
    with writing_into(folder, "name another place"):
        if not (folder / DONE).exists() or (folder / DONE).read_text(encoding="utf8") != stamp:
            (folder / DONE).unlink(missing_ok=True)
            asyncio.run(_Extraction(archive, folder, say).run())
            (folder / DONE).write_text(stamp, encoding="utf8")
    found = open_record_files([folder / ENTITIES, *filter(Path.exists, [folder / RELATIONS])])
    return RecordFiles(archive.wiki, found.files)


class _Extraction:
    """Pages are read one by one; what they begin with is put down at once, and types when all tables are known."""

    def __init__(self, archive: ZimArchive, folder: Path, say: Progress) -> None:
        self._archive, self._folder, self._say = archive, folder, say
        self._linked = defaultdict[str, _Linked](_Linked)
        self._left_out = 0

    async def run(self) -> None:
        """Read all pages, then tell their types."""
        titles = sorted(await self._archive.titles())
        count = 0
        with (
            (self._folder / PAGES).open("w", encoding="utf8") as pages,
            (self._folder / RELATIONS).open("w", encoding="utf8") as relations,
        ):
            for number, title in enumerate(titles, start=1):
                if (document := await self._read(title)) is not None:
                    lead = lead_of(document)
                    _write(pages, {"id": document.title, "text": lead.text if lead else ""})
                    count += await self._add_relations(document, relations)
                if number % EVERY == 0 or number == len(titles):
                    self._say(f"{number:,} of {len(titles):,} pages read, {count:,} relations")
        if not count:
            (self._folder / RELATIONS).unlink()
        if self._left_out == len(titles):
            raise UsageError(f"no page of {self._archive.wiki} can be read; a knowledge base needs some")
        if self._left_out:
            self._say(f"{self._left_out:,} pages left out, which cannot be read")
        with (
            (self._folder / PAGES).open(encoding="utf8") as pages,
            (self._folder / ENTITIES).open("w", encoding="utf8") as out,
        ):
            for line in pages:
                page = json.loads(line)
                _write(out, {**page, **self._told(page["id"])})
        (self._folder / PAGES).unlink()

    async def _read(self, title: str) -> Document | None:
        """Return a page; None for one that only redirects, or that cannot be read."""
        try:
            page = await self._archive.fetch(title)
            return parse_page(page) if page.title == title else None
        except (HostilePage, PageUnavailable):
            self._left_out += 1
            return None

    async def _add_relations(self, document: Document, out: TextIO) -> int:
        """Write the relations of a page's tables, and return how many there are."""
        rows = [
            row
            for leaf in document.leaves
            if isinstance(leaf, TableEvidence) and leaf.kind == "table"
            for row in segments(leaf)
        ]
        names = tuple(dict.fromkeys(link.target for row in rows for cell in row.cells for link in cell.links))
        found = await self._archive.titles_of(names) if names else ()
        pages = {name: title for name, title in zip(names, found, strict=True) if title is not None}
        count = 0
        for row in rows:
            for one in _triples(row, self._mentions(row, pages), document.title):
                _write(out, {name: getattr(one, name) for name in one.__slots__})
                count += 1
        return count

    def _mentions(self, row: TableSegment, pages: Mapping[str, str]) -> Sequence[_Mention]:
        """Return the pages that a row links, each once, and count how they are linked."""
        found = dict[str, _Mention]()
        for column, cell in zip(row.header, row.cells, strict=False):
            for link in cell.links:
                if (title := pages.get(link.target)) is None:
                    continue
                name = header_words(column)
                found.setdefault(title, _Mention(title, name))
                self._linked[title].columns[name] += 1
                self._linked[title].words[" ".join(link.text.split())] += 1
        return tuple(islice(found.values(), MOST_LINKED))

    def _told(self, title: str) -> Mapping[str, object]:
        """Return type, name and aliases of a page."""
        known, name = self._linked.get(title, _Linked()), plain_title(title)
        columns = (column for column, _ in known.columns.most_common() if column)
        words = (each for each, _ in known.words.most_common() if any(map(str.isalpha, each)))
        aliases = (each for each in (title, *words) if each != name)
        return {
            "type": next(columns, PAGE),
            "name": name,
            "aliases": list(islice(dict.fromkeys(aliases), MOST_ALIASES)),
        }


def _triples(row: TableSegment, mentions: Sequence[_Mention], page: str) -> Iterator[TripleRecord]:
    """Yield a relation for each two pages of a row that stand in different columns, and from its page to each."""
    text = linearize(row)
    for first, second in combinations(mentions, 2):
        if first.column != second.column:
            relation = f"{first.column} – {second.column}".casefold()
            yield TripleRecord(first.title, relation, second.title, text, row.id)
    for each in mentions:
        if each.column and each.title != page:
            yield TripleRecord(page, each.column.casefold(), each.title, text, row.id)


def _write(file: TextIO, record: Mapping[str, object]) -> None:
    file.write(json.dumps(record, ensure_ascii=False) + "\n")
