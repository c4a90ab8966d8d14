"""Links of rows with their table in view."""

import pytest

from heliograph.protocols import EntityLinker
from heliograph.types import Cell, Link, Scored
from indexers.linking import Linker, SegmentLinker
from indexers.parser import segments


def linker_of(table, titles, about=""):
    asked = []

    def find(id):
        asked.append(id)
        return {table.id: table}[id]

    return SegmentLinker(Linker(titles), titles, find, lambda _: about), asked


def test_a_row_is_linked_as_in_its_table_and_a_table_is_linked_once(titles, make_table):
    table = make_table("Cities", ["City", "State"], ["Springfield", "Illinois"], ["Springfield", "Oregon"])
    linker, asked = linker_of(table, titles)
    entity_linker: EntityLinker = linker
    rows = [entity_linker.link(segment) for segment in segments(table)]
    links = Linker(titles).link_table(table)
    for number, row in enumerate(rows):
        best = {link.passage: link.score for link in sorted(links, key=lambda link: link.score) if link.row == number}
        assert row == tuple(
            Scored(passage, score) for passage, score in sorted(best.items(), key=lambda each: -each[1])
        )
    assert asked == [table.id]


@pytest.mark.parametrize(("target", "given"), [("Springfield, Oregon", ["/Springfield, Oregon"]), ("Elsewhere", [])])
def test_a_table_that_carries_links_is_linked_by_these_alone(titles, make_table, target, given):
    carried = Cell("Springfield", links=(Link("Springfield", target),))
    table = make_table("Cities", ["City", "State"], [carried, "Illinois"], ["Springfield", "Oregon"])
    linker, _ = linker_of(table, titles)
    first, second = (linker.cell_links(segment) for segment in segments(table))
    assert [(link.column, link.passage, link.how) for link in first] == [(0, passage, "given") for passage in given]
    assert second == ()


def test_a_row_that_names_nothing_links_nothing(titles, make_table):
    table = make_table("Results", ["Rank"], ["1"])
    assert linker_of(table, titles)[0].link(segments(table)[0]) == ()
