"""The paths that citations of a knowledge base's rows state, as lines below them in a terminal."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from heliograph.errors import HeliographError, StoreError, UsageError
from heliograph.paths import base_folders
from heliograph.protocols import KnowledgeBase
from heliograph.types import Answer, EvidenceId, TableSegment
from indexers.parser import find_evidence, page_of, parse_page
from indexers.parser.ids import page_name
from indexers.skb.knowledge_base import open_base
from memory.pages import FilePageStore
from memory.trace import find_run
from memory.trace.folder import read_manifest
from tools.skb.row_paths import base_of, look_up_paths, path_line, row_paths, stated_rows


def path_lines(answer: Answer, home: Path) -> Mapping[int, tuple[str, ...]]:
    """Return the paths of each citation of a row of a base, by its marker; the base is asked if the run had it.

    A page that is not kept any more has none, and of a base that is gone they are what the row alone says.
    """
    cited = {each.marker: rows for each in answer.citations if (rows := stated_rows(each))}
    if not cited:
        return {}
    pages = FilePageStore(home / "pages")
    found = {marker: [segment for each in rows if (segment := _row(each, pages))] for marker, rows in cited.items()}
    return asyncio.run(_looked_up(found, _folders(answer.run, home)))


def _row(evidence: EvidenceId, pages: FilePageStore) -> TableSegment | None:
    try:
        piece = find_evidence(parse_page(pages.get(page_of(evidence))), evidence)
    except HeliographError:
        return None
    return piece if isinstance(piece, TableSegment) else None


async def _looked_up(
    found: Mapping[int, Sequence[TableSegment]], folders: Sequence[Path]
) -> Mapping[int, tuple[str, ...]]:
    """Return the paths of each marker as lines, looked up in the base of that name, if one of the folders holds it."""
    bases = dict[str, KnowledgeBase]()
    for folder in folders:
        try:
            base = open_base(folder)
            bases[base.name] = base
        except (StoreError, UsageError):
            continue
    return {
        marker: tuple([line for row in rows for line in await _lines(row, bases)]) for marker, rows in found.items()
    }


async def _lines(row: TableSegment, bases: Mapping[str, KnowledgeBase]) -> tuple[str, ...]:
    paths, name = row_paths(row), base_of(page_name(row.place.page).wiki) or ""
    try:
        return tuple(map(path_line, await look_up_paths(bases[name], paths) if name in bases else paths))
    except (StoreError, UsageError):
        return tuple(map(path_line, paths))


def _folders(run: str, home: Path) -> tuple[Path, ...]:
    """Return the folders of the bases that were sources of a run."""
    try:
        sources = read_manifest(find_run(home, run)).settings.get("sources")
    except (StoreError, UsageError):
        return ()
    named = [each for each in sources if isinstance(each, str)] if isinstance(sources, list | tuple) else []
    return base_folders(named)
