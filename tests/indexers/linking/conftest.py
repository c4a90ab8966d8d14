"""The index of the small collection, and tables that name its passages."""

from collections.abc import Callable, Sequence

import pytest

from heliograph.types import Cell, EvidenceId, PageKey, Place, TableEvidence
from indexers.linking import TitleIndex
from tests.indexers.linking.collection import LEADS, passage

MakeTable = Callable[..., TableEvidence]


@pytest.fixture(scope="session")
def titles() -> TitleIndex:
    return TitleIndex.build(passage(title, text) for title, text in LEADS.items())


@pytest.fixture(scope="session")
def make_table() -> MakeTable:
    """Make a table of texts or cells under a header."""

    def make(
        title: str, header: Sequence[str], *rows: Sequence[str | Cell], section: str = "", id: str = "/t1"
    ) -> TableEvidence:
        return TableEvidence(
            id=EvidenceId(id),
            place=Place(PageKey(title), title, "s1", (section,) if section else ()),
            kind="table",
            caption="",
            header=tuple(header),
            rows=tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows),
        )

    return make
