"""The paths that citations of a knowledge base's rows state, as lines below them in a terminal."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from heliograph.errors import HeliographError, StoreError, UsageError
from heliograph.paths import base_folders
from heliograph.protocols import PageStore
from heliograph.types import Answer, EvidenceId, PageKey, TableSegment
from indexers.parser import find_evidence, page_of, parse_page
from indexers.parser.ids import page_name
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
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
    kept = kept_rows((each for rows in cited.values() for each in rows), FilePageStore(home / "pages"))
    found = {marker: [kept[each] for each in rows if each in kept] for marker, rows in cited.items()}
    return asyncio.run(_looked_up(found, _folders(answer.run, home)))


def kept_rows(rows: Iterable[EvidenceId], pages: PageStore) -> Mapping[EvidenceId, TableSegment]:
    """Return the rows whose pages are kept; each page is read and parsed once."""
    by_page = defaultdict[PageKey, list[EvidenceId]](list)
    for each in dict.fromkeys(rows):
        by_page[page_of(each)].append(each)
    found = dict[EvidenceId, TableSegment]()
    for page, several in by_page.items():
        try:
            document = parse_page(pages.get(page))
        except HeliographError:
            continue
        for each in several:
            with suppress(HeliographError):
                if isinstance(piece := find_evidence(document, each), TableSegment):
                    found[each] = piece
    return found


async def _looked_up(
    found: Mapping[int, Sequence[TableSegment]], folders: Sequence[Path]
) -> Mapping[int, tuple[str, ...]]:
    """Return the paths of each marker as lines, looked up in the base that a row is of, if a folder has it."""
    bases = list[BuiltKnowledgeBase]()
    for folder in folders:
        with suppress(StoreError, UsageError):
            bases.append(await asyncio.to_thread(open_base, folder))
    return {
        marker: tuple([line for row in rows for line in await _lines(row, bases)]) for marker, rows in found.items()
    }


async def _lines(row: TableSegment, bases: Sequence[BuiltKnowledgeBase]) -> tuple[str, ...]:
    paths, name = row_paths(row), base_of(page_name(row.place.page).wiki)
    meant = [each for each in bases if name and name.is_of(each)]
    try:
        return tuple(map(path_line, await look_up_paths(meant[0], paths) if len(meant) == 1 else paths))
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
