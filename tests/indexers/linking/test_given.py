"""Links that cells carry, followed to passages."""

import pytest

from heliograph.types import Cell, Link
from indexers.linking import CellLink, TitleIndex, given_links
from indexers.linking.given import target
from indexers.parser import segments
from tests.indexers.linking.collection import passage


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Springfield, Oregon", "/Springfield, Oregon"),
        ("Springfield,_Oregon#History", "/Springfield, Oregon"),
        ("varn herons", "/Varn Herons"),
        ("Herring League", "/Sound League"),
        ("John Smith (astronomer)", "/John Smith (astronomer)"),
        ("John Smith", None),
        ("Kai Lund", "/Kai Lund (handballer)"),
        ("VH", None),
        ("Nobody", None),
        ("", None),
    ],
)
def test_a_target_leads_to_the_one_page_of_that_name(titles, title, found):
    assert target(title, titles) == found


def test_a_title_written_so_wins_over_its_spellings_and_redirects_of_one_page_are_one():
    index = TitleIndex.build(
        [
            passage("Long Jump", "A leap ."),
            passage("Long jump", "A leap ."),
            passage("X (a)", "X ."),
            passage("X (b)", "X ."),
        ]
    )
    assert [target(title, index) for title in ("Long jump", "LONG JUMP", "X")] == ["/Long jump", "/Long Jump", "/X (a)"]


def test_the_links_of_a_row_come_cell_by_cell_each_passage_once(titles, make_table):
    both = Cell(
        "Ada Brandt and John",
        links=(
            Link("Ada", "Ada Brandt (handballer)"),
            Link("Brandt", "Ada Brandt (handballer)"),
            Link("John", "Nobody"),
        ),
    )
    row = segments(make_table("T", ["A", "B"], ["x", "y"], [both, Cell("Oregon", links=(Link("Oregon", "Oregon"),))]))[
        1
    ]
    assert given_links(row, titles) == (
        CellLink(1, 0, "Ada", "/Ada Brandt (handballer)", 1.0, "given"),
        CellLink(1, 1, "Oregon", "/Oregon", 1.0, "given"),
    )
