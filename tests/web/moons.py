"""A server whose answers cite rows of the base of moons: of a page of answers, and of an entity's page."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from heliograph.types import Answer, Computation, EvidenceId, Query, TableEvidence
from heliograph.types.streaming import StreamEvent
from indexers.parser import parse_page
from indexers.parser.ids import leaf_of, row_id
from indexers.skb.base_building import build_base
from indexers.skb.record_files import open_record_files
from memory.pages import FilePageStore
from tests.web.researchers import Scripted, answer_to, told
from tools.skb.entity_pages import KnowledgeBasePages
from web.desk import Desk
from web.office import Office
from web.researcher import About, Staff
from web.security import Guard, hosts
from web.sessions import Sessions

DEMO = Path(__file__).resolve().parents[2] / "demo" / "skb"
MOONS = "Which moons of Saturn were discovered by Giovanni Domenico Cassini?"
BY_NAME = {"Tethys": MOONS, "Titan": '"Titan"'}
"""What begins the rows that are cited, and what their pages are searched with."""


def built(folder: Path) -> Path:
    """Build the base of the demo."""
    build_base(open_record_files([DEMO]), folder / "demo.skb", lambda _said: None)
    return folder / "demo.skb"


def cited_rows(base: Path, home: Path, beside: Sequence[Path] = ()) -> tuple[EvidenceId, ...]:
    """Keep the pages of a row of answers and of a triple in a home, and return the rows; other bases stand beside.

    It has a thread of its own: that of a test of the page has a loop already.
    """
    pages = KnowledgeBasePages(base, beside=beside)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(_cited(pages, FilePageStore(home / "pages")))).result()


async def _cited(pages: KnowledgeBasePages, kept: FilePageStore) -> tuple[EvidenceId, ...]:
    rows = list[EvidenceId]()
    for name, searched in BY_NAME.items():
        page = await pages.fetch((await pages.search(Query(searched), 3)).hits[0].title)
        kept.put(page, pages.edition, page.title)
        tables = [leaf for leaf in parse_page(page).leaves if isinstance(leaf, TableEvidence)]
        rows.append(next(row_id(tables[-1].id, at) for at, row in enumerate(tables[-1].rows, 1) if row[0].text == name))
    return tuple(rows)


def citing(
    question: str, rows: Sequence[EvidenceId], run: str = "run", computed_of: tuple[EvidenceId, ...] = ()
) -> Answer:
    """Return an answer with a claim per row, or per table that it is computed of some rows of."""
    answer = answer_to(question, *(f"Row {number} says so." for number in range(1, len(rows) + 1)), url="", run=run)
    cited = zip(answer.citations, rows, strict=True)
    how = Computation("filter", leaf_of(rows[0]), "moon", computed_of, "Tethys") if computed_of else None
    return replace(
        answer,
        citations=tuple(replace(each, evidence=row, modality="table", computation=how) for each, row in cited),
    )


def office_over(
    base: Path,
    home: Path,
    rows: Sequence[EvidenceId],
    sources: Sequence[str] | None = None,
    computed_of: tuple[EvidenceId, ...] = (),
) -> Office:
    """Return the parts of a server over a base, or over other sources, that answers everything with these rows."""

    async def script(question: str, _earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
        async for event in told(citing(question, rows, computed_of=computed_of)):
            yield event

    about = About("extractive", "", tuple(sources) if sources is not None else (f"skb:{base}",), 3)
    staff = Staff(home, {"heliograph": Scripted(script)}, {"heliograph": about}, lambda: None)
    return Office(staff, Desk(8, 200, 15), Sessions(home), Guard(hosts("127.0.0.1", ())))
