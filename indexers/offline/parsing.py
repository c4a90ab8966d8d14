"""The first map: pages of one shard to segments, passages, their words and token vectors."""

import asyncio
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from heliograph.errors import HostilePage, PageUnavailable
from heliograph.types import Document, Passage, TableEvidence
from indexers.edges.linearize import linearize
from indexers.edges.postings import Postings
from indexers.offline.filesets import writing
from indexers.offline.plan import Work, plan_in
from indexers.offline.postings import write_postings
from indexers.offline.records import NONE, TableRecord, write_tables
from indexers.offline.shelf import Pages, pages_of
from indexers.offline.texts import write_texts
from indexers.offline.tokens import write_tokens
from indexers.parser import DEFAULT_LIMITS, parse_page, segments
from indexers.pieces import lead_of

SHARDS = "shards"
SIDES = ("segments", "passages")
TABLES = "tables.jsonl"
LIMITS = replace(DEFAULT_LIMITS, seconds=math.inf)
"""A page is never refused for the time it takes, which would not be the same on every machine."""


@dataclass(slots=True)
class Parsed:
    """What the pages of one shard hold."""

    tables: list[TableRecord] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def add(self, document: Document) -> None:
        """Take the tables of a page, and what it begins with as its passage."""
        passage = NONE
        if (lead := lead_of(document)) is not None:
            passage = len(self.passages)
            self.passages.append(Passage(lead.id, document.title, lead.text))
        tables = (leaf for leaf in document.leaves if isinstance(leaf, TableEvidence))
        self.tables += [TableRecord(table, passage) for table in tables]


def shard_folder(out: Path, shard: int) -> Path:
    """Return where a parsed shard is kept."""
    return out / SHARDS / f"{shard:06}"


def parse_shard(work: Work, shard: int) -> None:
    """Parse the pages of a shard and write what they hold; nothing else decides the bytes that are written.

    Raises:
        ArchiveUnreadable | StoreDamaged: the pages cannot be read.
        ModelMissing: the encoder is not there.
        StoreFull | StoreError: the shard cannot be written.
    """
    plan = plan_in(work.out)
    titles = plan.titles_in(shard)
    parsed, named = asyncio.run(_read(pages_of(work.shelf), titles))
    with writing(shard_folder(work.out, shard), plan.identity) as draft:
        write_tables(draft.path / TABLES, parsed.tables, named)
        rows = [row for record in parsed.tables for row in segments(record.table)]
        lengths = [len(record.table.rows) for record in parsed.tables]
        np.save(draft.path / "segment_tables.npy", np.repeat(np.arange(len(lengths), dtype=np.int32), lengths))
        lines = {"segments": [*map(linearize, rows)], "passages": [*map(linearize, parsed.passages)]}
        ids = {"segments": [row.id for row in rows], "passages": [passage.id for passage in parsed.passages]}
        for side in SIDES:
            write_texts(draft.path, f"{side}.ids", ids[side])
            write_texts(draft.path, f"{side}.lines", lines[side])
            write_postings(draft.path / f"{side}.words", Postings.build(lines[side]))
        write_texts(draft.path, "passages.titles", (passage.title for passage in parsed.passages))
        write_texts(draft.path, "passages.texts", (passage.text for passage in parsed.passages))
        write_texts(draft.path, "left_out", parsed.left_out)
        if work.settings.encoding is not None:
            write_tokens(draft.path / "tokens", work.settings.encoding, [*lines["segments"], *lines["passages"]])
        draft.counts |= {"pages": len(titles), "tables": len(parsed.tables), "left_out": len(parsed.left_out)}
        draft.counts |= {"segments": len(rows), "passages": len(parsed.passages)}


async def _read(pages: Pages, titles: Sequence[str]) -> tuple[Parsed, dict[str, str]]:
    """Return what pages hold, and the titles of the pages that their tables link to under other names."""
    parsed = Parsed()
    for title in titles:
        try:
            page = await pages.fetch(title)
            if page.title == title:  # else it only redirects, and the other page has its own turn
                parsed.add(parse_page(page, LIMITS))
        except (HostilePage, PageUnavailable) as err:
            parsed.left_out.append(f"page {title[:80]!r}: {err}")
    targets = tuple(dict.fromkeys(_targets(parsed)))
    found = await pages.titles_of(targets)
    return parsed, {target: title for target, title in zip(targets, found, strict=True) if title is not None}


def _targets(parsed: Parsed) -> Iterator[str]:
    for record in parsed.tables:
        for row in record.table.rows:
            yield from (link.target for cell in row for link in cell.links)
