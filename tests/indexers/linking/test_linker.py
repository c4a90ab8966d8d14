"""Linking the cells of whole tables."""

import sys
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.types import Cell, Link
from indexers.linking import MOST, THRESHOLD, Linker, TitleIndex
from tests.indexers.linking.collection import LEADS, passage

CELLS = st.one_of(
    st.sampled_from(sorted(LEADS)), st.sampled_from(["", "2004", "Springfield", "12", "Kai Lund"]), st.text(max_size=40)
)


def first(links, row, column):
    """Return the likeliest link of a cell: what is linked, and how."""
    return next(((link.passage, link.how) for link in links if (link.row, link.column) == (row, column)), None)


def test_a_title_is_linked_exactly(titles, make_table):
    links = Linker(titles).link_table(make_table("Handball", ["Team"], ["Varn Herons"]))
    assert first(links, 0, 0) == ("/Varn Herons", "exact")


def test_a_name_in_the_lead_is_an_alias(titles, make_table):
    links = Linker(titles).link_table(make_table("Handball", ["League"], ["Herring League"]))
    assert first(links, 0, 0) == ("/Sound League", "alias")


def test_years_are_completed_by_the_title_of_the_table(titles, make_table):
    table = make_table("Varn Herons", ["Season", "Goals"], ["2004", "310"], ["2005", "298"], section="Seasons")
    links = Linker(titles).link_table(table)
    assert [first(links, row, 0) for row in (0, 1)] == [
        (f"/{year} Varn Herons season", "context") for year in (2004, 2005)
    ]


def test_a_place_is_told_from_its_namesakes_by_the_row(titles, make_table):
    table = make_table("Cities", ["City", "State"], ["Springfield", "Illinois"], ["Springfield", "Oregon"])
    links = Linker(titles).link_table(table)
    assert [first(links, row, 0) for row in (0, 1)] == [(f"/Springfield, {s}", "exact") for s in ("Illinois", "Oregon")]


def test_a_namesake_is_told_by_what_the_rest_of_the_column_names(titles, make_table):
    table = make_table("Roster", ["Who"], ["Ada Brandt"], ["Kai Lund"], ["John Smith"])
    links = Linker(titles).link_table(table)
    assert first(links, 2, 0) == ("/John Smith (handballer)", "column")


@pytest.mark.parametrize(
    ("cell", "title"),
    [("Muller's Pass", "Müller's Pass"), ("Varn Heroms", "Varn Herons"), ("東京", "東京"), ("москва", "Москва")],
)
def test_accents_typos_and_other_scripts_do_not_hide_a_title(titles, make_table, cell, title):
    table = make_table("A list", ["Name"], [cell])
    assert first(Linker(titles, threshold=0.01).link_table(table), 0, 0)[0] == f"/{title}"


def test_numbers_and_dates_link_nothing(titles, make_table):
    table = make_table("Results", ["Rank", "Date", "Points"], *([str(n), f"{n} May", f"{n}.5"] for n in range(1, 20)))
    assert Linker(titles).link_table(table) == ()


@pytest.mark.parametrize("rows", [[], [[""]], [[" ", "–"]], [["", "", ""]]])
def test_empty_cells_and_tables_link_nothing(titles, make_table, rows):
    assert Linker(titles).link_table(make_table("Nothing", ["A", "B", "C"], *rows)) == ()


def test_without_passages_nothing_is_linked(make_table):
    linker = Linker(TitleIndex.build([]))
    assert linker.link_table(make_table("Varn Herons", ["Season"], ["2004"], ["Varn Herons"])) == ()


def test_each_of_several_names_in_a_cell_is_linked(titles, make_table):
    links = Linker(titles).link_table(make_table("Handball", ["Players"], ["Ada Brandt , Kai Lund"]))
    assert {link.passage for link in links} >= {"/Ada Brandt (handballer)", "/Kai Lund (handballer)"}


def test_a_cell_keeps_its_likeliest_links_only(titles, make_table):
    table = make_table("Cities", ["City"], ["Springfield"])
    every = Linker(titles, threshold=0.0, most=100).link_table(table)
    assert Linker(titles, threshold=0.0, most=2).link_table(table) == every[:2]
    assert [link for link in every if link.score >= 0.2] == list(Linker(titles, threshold=0.2).link_table(table))


def test_links_that_cells_carry_are_not_looked_at(titles, make_table):
    table = make_table("Cities", ["City", "State"], ["Springfield", "Illinois"])
    carried = replace(table, rows=tuple(tuple(replace(c, links=(Link("x", "Q"),)) for c in row) for row in table.rows))
    assert Linker(titles).link_table(carried) == Linker(titles).link_table(table)


@settings(max_examples=40)
@given(st.lists(st.tuples(CELLS, CELLS), max_size=6))
def test_any_table_is_linked_within_bounds_and_always_alike(titles, make_table, rows):
    table = make_table("Varn Herons", ["Season", "Player"], *rows)
    linker = Linker(titles)
    links = linker.link_table(table)
    assert links == linker.link_table(table)
    assert list(links) == sorted(links, key=lambda link: (link.row, link.column, -link.score))
    assert all(THRESHOLD <= link.score <= 1.0 for link in links)
    assert all(table.rows[link.row][link.column].text.strip() for link in links)
    assert max(Counter((link.row, link.column) for link in links).values(), default=0) <= MOST
    assert len({(link.row, link.column, link.passage) for link in links}) == len(links)


def test_what_a_few_rows_name_does_not_depend_on_how_many_follow(titles, make_table):
    rows = [["Springfield", "Illinois"], ["Springfield", "Oregon"]] * 60
    links = Linker(titles).link_table(make_table("Cities", ["City", "State"], *rows))
    assert [first(links, row, 0)[0] for row in (0, 119)] == ["/Springfield, Illinois", "/Springfield, Oregon"]


def test_a_few_dozen_pages_just_fetched_are_indexed_and_linked(make_table):
    table = make_table("Varn Herons", ["Season", "Player"], *([str(year), "Kai Lund"] for year in range(1998, 2008)))
    index = TitleIndex.build(passage(title, text) for title, text in LEADS.items())
    assert first(Linker(index).link_table(table), 6, 0) == ("/2004 Varn Herons season", "context")


def test_a_table_of_two_thousand_rows_takes_ten_times_the_calls_of_two_hundred(titles, make_table):
    def calls(count):
        rows = [[str(1990 + n % 20), f"Player {n}", "Springfield"] for n in range(count)]
        table = make_table("Varn Herons", ["Season", "Player", "Home"], *rows)
        counted = Counter()
        sys.setprofile(lambda _frame, event, _of: counted.update([event]))
        try:
            Linker(titles).link_table(table)
        finally:
            sys.setprofile(None)
        return counted["call"] + counted["c_call"]

    assert calls(2_000) < 12 * calls(200)


def test_cells_that_a_span_copied_are_linked_like_the_first(titles, make_table):
    table = make_table(
        "Cities", ["City", "State"], ["Springfield", Cell("Illinois")], ["Varn Herons", Cell("Illinois", spanned=True)]
    )
    links = Linker(titles).link_table(table)
    assert [first(links, row, 1) for row in (0, 1)] == [("/Illinois", "exact")] * 2
