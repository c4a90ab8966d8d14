"""Links of rows with their table in view."""

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


def test_links_of_the_page_are_kept_and_only_other_cells_are_guessed(titles, make_table):
    carried = Cell("Springfield", links=(Link("Springfield", "Springfield, Oregon"),))
    table = make_table("Cities", ["City", "State"], [carried, "Illinois"])
    linker, _ = linker_of(table, titles)
    links = linker.cell_links(segments(table)[0])
    assert [(link.column, link.passage, link.how) for link in links[:2]] == [
        (0, "/Springfield, Oregon", "given"),
        (1, "/Illinois", "exact"),
    ]
    assert [link.column for link in links].count(0) == 1


def test_a_row_that_names_nothing_links_nothing(titles, make_table):
    table = make_table("Results", ["Rank"], ["1"])
    assert linker_of(table, titles)[0].link(segments(table)[0]) == ()
