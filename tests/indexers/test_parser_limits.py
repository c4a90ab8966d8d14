"""A page that costs too much is refused with a reason; it never hangs and never fills the machine."""

import pytest

from heliograph.errors import HostilePage, PageUnavailable
from heliograph.types import Page
from indexers.parser import DEFAULT_LIMITS, ParserLimits, parse_page
from indexers.parser.drafts import LEAF_CHARACTERS

CELLS_67 = "<table><tr><td colspan=10000000 rowspan=10000000>x</td></tr></table>"


def page(html: str) -> Page:
    return Page("w", "Io", "7", "", html, "")


def refusal(html: str, limits: ParserLimits = DEFAULT_LIMITS) -> str:
    with pytest.raises(HostilePage) as error:
        parse_page(page(html), limits)
    assert error.value.exit_code == 5
    return str(error.value)


def message(found: str, over: str) -> str:
    return f'page "Io" of w has {found}, over {over}; it is left unread: leave it out, or ask another source'


NESTED = message("elements nested deeper", "the cap of 120 (ParserLimits.nesting)")


def test_a_cell_of_ten_million_columns_is_one_cell():
    (table,) = parse_page(page(CELLS_67)).leaves
    assert [[cell.text for cell in row] for row in table.rows] == [["x"]]


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>" * 2_000 + "x",
        "<table><tr><td>" * 2_000 + "x" + "</td></tr></table>" * 2_000,
        "<div>" * 100_000 + "x",
        "<p>" + "<span>" * 100_000 + "x",
        "<ul><li>" * 100 + "x",
    ],
)
def test_deep_nesting_is_refused(html):
    assert refusal(html) == NESTED


def test_nesting_below_the_cap_is_read():
    tables = parse_page(page("<table><tr><td>a<td>" * 30 + "x")).leaves
    assert len(tables) == 30
    assert parse_page(page("<div>" * 100 + "x")).leaves[0].text == "x"


def test_hidden_depth_costs_nothing():
    leaves = parse_page(page("<p>a</p><div hidden>" + "<b>" * 500 + "</b>" * 500 + "</div><p>b</p>")).leaves
    assert [leaf.text for leaf in leaves] == ["a", "b"]


def test_too_many_cells_are_refused_before_they_are_made():
    rows = "<tr>" + "<td>x" * 500
    assert refusal("<table>" + rows * 500) == message("250,000 table cells", "the cap of 200,000 (ParserLimits.cells)")
    diagonal = "<table>" + "<tr><td rowspan=65534>x" * 2_000
    assert refusal(diagonal) == message("4,000,000 table cells", "the cap of 200,000 (ParserLimits.cells)")


def test_cells_are_counted_over_all_tables_of_a_page():
    tables = "<table><tr><td>1<td>2<tr><td>3<td>4</table>" * 3
    assert len(parse_page(page(tables), ParserLimits(cells=12)).leaves) == 3
    assert refusal(tables, ParserLimits(cells=11)) == message("12 table cells", "the cap of 11 (ParserLimits.cells)")


def test_a_long_cell_repeated_by_a_span_is_refused():
    table = "<table><tr><td rowspan=2000>" + "x" * 100_000 + "<td>1" + "<tr><td>2" * 1_999
    assert "characters in tables, over the cap of 50,000,000 (ParserLimits.characters)" in refusal(table)


def test_long_column_names_repeated_in_every_row_are_refused():
    table = "<table><tr><th>" + "x" * 100_000 + "<th>b" + "<tr><td>1<td>2" * 2_000
    assert "characters in tables" in refusal(table)


def test_a_page_over_the_cap_of_bytes_is_refused():
    assert refusal("<p>" + "é" * 50 + "</p>", ParserLimits(bytes=100)) == message(
        "107 bytes", "the cap of 100 (ParserLimits.bytes)"
    )


def test_a_page_of_too_many_tags_is_refused_before_it_is_read():
    expected = message("3,000,000 tags", "the cap of 2,000,000 (ParserLimits.tags)")
    assert refusal("<p>x" * 3_000_000) == expected


def test_a_page_of_ten_megabytes_is_read_to_its_end():
    section = "<h2>Section</h2><p>" + "word " * 400 + "</p>"
    document = parse_page(page(section * 5_000))
    assert (len(document.sections), len(document.leaves)) == (5_001, 5_000)


def test_too_many_leaves_are_refused():
    for piece, count in (
        ("<p>x", 9),
        ("<ul><li>x</ul>", 9),
        ("<p>x<img src=a>", 5),
        ("<table><tr><td>x<td>y</table>", 9),
    ):
        assert "pieces of evidence, over the cap of 8 (ParserLimits.leaves)" in refusal(
            piece * count, ParserLimits(leaves=8)
        )


def test_time_is_checked_along_the_way():
    late = message("more than can be read in time", "the cap of 0 (ParserLimits.seconds)")
    assert refusal("<p>x", ParserLimits(seconds=0)) == late


def test_a_crowd_of_attributes_is_refused():
    crowd = "<p " + " ".join(f"a{number}=1" for number in range(100_000)) + ">x"
    expected = message("an element with more than 256 attributes", "what the HTML parser reads in bounded time")
    assert refusal(crowd) == expected
    assert refusal("<!--><p a='>' " + "b c " * 200 + ">x") == expected


def test_long_words_comments_and_values_are_no_crowd():
    html = "<!-- " + "<p a b c " * 300 + "--><p title='" + "word " * 400 + "'>" + "a < b c " * 400 + "</p>"
    assert parse_page(page(html)).leaves[0].text.startswith("a < b c a < b c")


@pytest.mark.parametrize(
    "html", ["", " \n", "\0\0", "<!-- x -->", "<p></p>", "<p hidden>x</p>", "<h2>Only a heading</h2>", "<p>—</p>"]
)
def test_a_page_without_words_is_unavailable(html):
    with pytest.raises(PageUnavailable) as error:
        parse_page(page(html))
    assert str(error.value) == 'page "Io" of w is empty; ask another source, or fetch it again'


@pytest.mark.parametrize(
    "html",
    ["<p>x" + "<br>" * 20_000 + "y", "<p>x" + "&#8203;" * 50_000, "<p>x<" + "<" * 50_000, "<p>x" + "<!--" * 20_000,
     "<p>x<table", "<p>x<a href=", "<p>x\ud800y", "<p>x<p style='" + "color:white;" * 5_000,
     "<p>x</p>" + "<table><tr>" * 20],
)  # fmt: skip
def test_broken_and_swollen_html_is_still_read(html):
    assert parse_page(page(html)).leaves[0].text.startswith("x")


@pytest.mark.parametrize(
    ("part", "end"), [("St. ", "St."), ("Io is a moon. ", "moon."), ("word ", "word"), ("x", "x"), ("é", "é")]
)
@pytest.mark.parametrize("form", ["<p>{}</p>", "<ul><li>{}</li></ul>"])
def test_a_paragraph_as_long_as_a_book_is_several_leaves_that_hold_all_of_it(form, part, end):
    text = (part * (240_000 // len(part))).strip()
    leaves = parse_page(page(form.format(text) + "<p>Last.</p>")).leaves
    cut = [leaf.text for leaf in leaves[:-1]]
    assert "".join("".join(cut).split()) == "".join(text.split())
    assert max(map(len, cut)) <= LEAF_CHARACTERS
    assert all(leaf.endswith(end) for leaf in cut)
    assert [leaf.id.rpartition("/")[2] for leaf in leaves if leaf.kind == "paragraph"][-1] == (
        f"p{len(leaves)}" if "<p>{" in form else "p1"
    )


def test_each_leaf_of_a_long_paragraph_has_the_links_that_stand_in_it():
    html = "".join(f'<a href="/wiki/Page_{number}">page {number}</a> is a page. ' for number in range(3_000))
    first, *others = parse_page(page(f"<p>{html}</p>")).leaves
    assert all(link.text in leaf.text for leaf in (first, *others) for link in leaf.links)
    assert sum(len(leaf.links) for leaf in (first, *others)) == 3_000


def test_a_paragraph_of_the_longest_length_stays_one_leaf():
    (leaf,) = parse_page(page(f"<p>{'word ' * (LEAF_CHARACTERS // 5)}</p>")).leaves
    assert leaf.id.endswith("#s0/p1")
