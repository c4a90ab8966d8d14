"""Tables become rectangles with column names, captions, and the links of each cell."""

import pytest

from heliograph.types import Cell, Link, Page, TableEvidence
from indexers.parser import parse_page, segments


def tables(html: str) -> list[TableEvidence]:
    page = Page("w", "Io", "7", "https://en.example.org/wiki/Io", html, "")
    return [leaf for leaf in parse_page(page).leaves if isinstance(leaf, TableEvidence)]


def words(table: TableEvidence) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


TOWERS = """<table class="wikitable sortable"><caption>Towers designed by Mercer</caption>
<tr><th rowspan="2">Name</th><th colspan="2">Years</th><th rowspan="2">Height<br>(m)</th></tr>
<tr><th>Begun</th><th>Lit</th></tr>
<tr><td rowspan="2"><a href="/wiki/Mercer_Lighthouse">Mercer</a></td><td>1868</td><td>1871</td><td>54</td></tr>
<tr><td>1902</td><td>1904</td><td>61<sup class="reference">[1]</sup></td></tr>
<tr><td>Gull Rock</td><td colspan="2">never finished</td><td>—</td></tr></table>"""


def test_spans_are_expanded_and_stacked_names_joined():
    (table,) = tables(TOWERS)
    mercer = (Link("Mercer", "Mercer Lighthouse"),)
    assert (table.kind, table.caption) == ("table", "Towers designed by Mercer")
    assert table.header == ("Name", "Years Begun", "Years Lit", "Height (m)")
    assert table.rows == (
        (Cell("Mercer", mercer), Cell("1868"), Cell("1871"), Cell("54")),
        (Cell("Mercer", mercer, spanned=True), Cell("1902"), Cell("1904"), Cell("61")),
        (Cell("Gull Rock"), Cell("never finished"), Cell("never finished", spanned=True), Cell("—")),
    )


def test_a_segment_is_the_header_with_one_row_counted_from_one():
    (table,) = tables(TOWERS)
    first, second, third = segments(table)
    assert (first.id, first.number, third.id, third.number) == ("w:Io@7#s0/t1/r1", 1, "w:Io@7#s0/t1/r3", 3)
    assert (second.table, second.caption, second.header, second.cells) == (
        table.id,
        "Towers designed by Mercer",
        table.header,
        table.rows[1],
    )


def test_row_headers_are_marked_and_do_not_make_a_row_of_names():
    (table,) = tables("<table><tr><td></td><th>A</th><th>B</th></tr><tr><th>x</th><td>1</td><td>2</td></tr></table>")
    assert table.header == ("", "A", "B")
    assert table.rows == ((Cell("x", header=True), Cell("1"), Cell("2")),)


def test_a_table_of_row_headers_alone_has_no_column_names():
    (table,) = tables("<table><tr><th>Height</th><td>54 m</td></tr><tr><th>Range</th><td>21</td></tr></table>")
    assert table.header == ("", "")
    assert table.rows == ((Cell("Height", header=True), Cell("54 m")), (Cell("Range", header=True), Cell("21")))


def test_a_first_row_in_bold_names_the_columns_where_no_cell_is_a_header():
    (table,) = tables("<table><tr><td><b>A</b></td><td><b>B</b></td></tr><tr><td>1</td><td><b>2</b></td></tr></table>")
    assert (table.header, words(table)) == (("A", "B"), [["1", "2"]])


def test_a_row_of_marks_alone_is_no_header():
    (table,) = tables("<table><tr><td>-<td>*<tr><td>1<td>2</table>")
    assert (table.header, words(table)) == (("", ""), [["-", "*"], ["1", "2"]])


def test_punctuation_beside_a_bold_name_does_not_stop_it_from_naming_a_column():
    (table,) = tables("<table><tr><td><b>A</b><td><b>B (at 20 °C</b>)<tr><td>1<td>2</table>")
    assert (table.header, words(table)) == (("A", "B (at 20 °C)"), [["1", "2"]])


def test_a_table_that_is_bold_throughout_or_without_names_keeps_all_rows():
    bold, plain = tables(
        "<table><tr><td><b>1</b><td><b>2</b><tr><td><b>3</b><td><b>4</b></table><table><tr><td>1<td>2<tr>"
        "<td>3<td>4</table>"
    )
    assert [(table.header, words(table)) for table in (bold, plain)] == [(("", ""), [["1", "2"], ["3", "4"]])] * 2


def test_a_table_of_header_cells_alone_keeps_a_body():
    (table,) = tables("<table><tr><th>A<th>B<tr><th>1<th>2<tr><th>3<th>4</table>")
    assert (table.header, words(table)) == (("A", "B"), [["1", "2"], ["3", "4"]])


def test_repeated_column_names_and_rows_without_words_are_dropped():
    (table,) = tables(
        "<table><tr><th>A<th>B<tr><td>1<td>2<tr><td><td><tr><th>A<th>B<tr><td>3<td>4<tfoot><tr><th>A<th>B</table>"
    )
    assert words(table) == [["1", "2"], ["3", "4"]]


def test_a_header_across_the_body_stays_as_a_row():
    (table,) = tables("<table><tr><th>A<th>B<tr><th colspan=2>Group<tr><td>1<td>2</table>")
    assert table.rows[0] == (Cell("Group", header=True), Cell("Group", header=True, spanned=True))


def test_a_title_across_the_top_is_the_caption_where_there_is_none():
    html = "<table>{}<tr><th colspan=2>Season<tr><th>A<th>B<tr><td>1<td>2</table>"
    (titled,), (captioned,) = tables(html.format("")), tables(html.format("<caption>Own</caption>"))
    assert (titled.caption, titled.header) == ("Season", ("A", "B"))
    assert (captioned.caption, captioned.header) == ("Own", ("Season A", "Season B"))


def test_row_groups_stand_in_reading_order_and_end_row_spans():
    (table,) = tables(
        "<table><tfoot><tr><td>sum<td>9</tfoot><tbody><tr><td rowspan=5>x<td>1</tbody><tbody><tr><td>y<td>2</tbody>"
        "<thead><tr><th>A<th>B</thead></table>"
    )
    assert (table.header, words(table)) == (("A", "B"), [["x", "1"], ["y", "2"], ["sum", "9"]])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><td rowspan=0>a<td>1<tr><td>2<tr><td>3", [["a", "1"], ["a", "2"], ["a", "3"]]),
        ("<tr><td colspan=0>a<td>1<tr><td>b<td>2", [["a", "1"], ["b", "2"]]),
        ("<tr><td colspan=-3>a<td rowspan=x>1<tr><td>b<td>2", [["a", "1"], ["b", "2"]]),
        ("<tr><td colspan=9999999999999>a<tr><td>b<td>2", [["a", "a"], ["b", "2"]]),
        ("<tr><td>a<td>1<tr><td>b", [["a", "1"], ["b", ""]]),
        ("<tr><td>a<td rowspan=2>1<tr><td colspan=2>b", [["a", "1"], ["b", "1"]]),
    ],
)
def test_odd_spans_are_read_as_browsers_do(rows, expected):
    (table,) = tables(f"<table>{rows}</table>")
    assert words(table) == expected


def test_columns_that_hold_only_copies_are_dropped():
    (table,) = tables("<table><tr><th>A<th colspan=100>B<tr><td>1<td>2</table>")
    assert (table.header, words(table)) == (("A", "B"), [["1", "2"]])


def test_a_nested_table_is_a_leaf_of_its_own_and_not_in_the_outer_cell():
    outer, inner = tables(
        "<table><caption>Outer</caption><tr><th>Keepers<td>two: <table><caption>Inner</caption><tr><th>Name<th>From"
        "<tr><td>Clara<td>1871</table><tr><th>Range<td>21</table>"
    )
    assert (outer.id, outer.caption, words(outer)) == ("w:Io@7#s0/t1", "Outer", [["Keepers", "two:"], ["Range", "21"]])
    assert (inner.id, inner.caption, inner.header, words(inner)) == (
        "w:Io@7#s0/t2",
        "Inner",
        ("Name", "From"),
        [["Clara", "1871"]],
    )


def test_a_layout_table_is_read_through():
    html = (
        "<table><tr><td><h2>In</h2><p>Text.</p></td></tr></table>"
        '<table role="presentation"><tr><td><p>Left.</p></td><td><p>Right.</p></td></tr></table>'
    )
    document = parse_page(Page("w", "Io", "7", "", html, ""))
    assert [section.title for section in document.sections] == ["Io", "In"]
    assert [(leaf.id, leaf.text) for leaf in document.leaves] == [
        ("w:Io@7#s1/p1", "Text."),
        ("w:Io@7#s1/p2", "Left."),
        ("w:Io@7#s1/p3", "Right."),
    ]


def test_lists_in_a_cell_are_lines_and_breaks_are_spaces():
    (table,) = tables("<table><tr><th>A<th>B<tr><td><ul><li>x</li><li>y</li></ul><td>1<br>2</table>")
    assert words(table) == [["x\ny", "1 2"]]


def test_hidden_cells_and_rows_take_no_part():
    (table,) = tables(
        '<table><tr><th>A<th>B<tr style="display:none"><td>h<td>h<tr><td style="display: none">0<td>1'
        '<td>2<tr><td style="visibility:hidden">3<td>4</table>'
    )
    assert words(table) == [["1", "2"], ["", "4"]]


def test_a_sort_key_is_not_part_of_its_cell():
    (table,) = tables(
        '<table><tr><th>A<th>B<tr><td><span class="sortkey">0042</span>42<td>'
        '<span style="display:none">9</span>b</table>'
    )
    assert words(table) == [["42", "b"]]


@pytest.mark.parametrize("mark", ["em", "i"])
def test_an_italic_line_directly_before_a_table_is_its_caption(mark):
    html = f"<p>Before.</p><p><{mark}>Table: Moons of Jupiter</{mark}></p>\n<table><tr><th>A<th>B<tr><td>1<td>2</table>"
    document = parse_page(Page("w", "Io", "7", "", html, ""))
    assert [getattr(leaf, "caption", None) or leaf.text for leaf in document.leaves] == ["Before.", "Moons of Jupiter"]


@pytest.mark.parametrize(
    "html", ["<p><em>Table: x</em></p><p>y</p>", "<p>See <em>Table: x</em></p>", "<p>Table: x</p>"]
)
def test_another_line_about_a_table_stays_a_paragraph(html):
    document = parse_page(Page("w", "Io", "7", "", html + "<table><tr><th>A<th>B<tr><td>1<td>2</table>", ""))
    assert "x" in document.leaves[0].text
    assert document.leaves[-1].caption == ""


def test_a_figure_gives_its_caption_to_the_table_in_it():
    (table,) = tables(
        "<figure><table><tr><th>A<th>B<tr><td>1<td>2</table><figcaption>The caption</figcaption></figure>"
    )
    assert table.caption == "The caption"


def test_an_infobox_is_labels_and_values_under_its_title():
    (box,) = tables(
        '<table class="infobox vcard"><tr><th colspan="2">Alexander Mercer</th></tr><tr><td colspan="2">'
        '<img src="m.jpg" width="300">'
        '<div class="infobox-caption">Portrait, 1871</div></td></tr><tr><th>Born</th>'
        '<td>12 March 1831, <a href="/wiki/Ellery">Ellery</a>'
        '</td></tr><tr><th colspan="2">Works</th></tr><tr><td colspan="2">Many towers</td></tr></table>'
    )
    assert (box.kind, box.caption, box.header) == ("infobox", "Alexander Mercer", ("", ""))
    assert box.rows == (
        (Cell("Born", header=True), Cell("12 March 1831, Ellery", (Link("Ellery", "Ellery"),))),
        (Cell("Works", header=True), Cell("")),
        (Cell(""), Cell("Many towers")),
    )


def test_a_table_without_words_is_no_evidence():
    document = parse_page(Page("w", "Io", "7", "", "<p>a</p><table><tr><td><td></table><table></table>", ""))
    assert [leaf.id for leaf in document.leaves] == ["w:Io@7#s0/p1"]


def test_words_loose_in_a_table_are_not_lost():
    document = parse_page(Page("w", "Io", "7", "", "<table><div>Loose.</div><tr><th>A<th>B<tr><td>1<td>2</table>", ""))
    assert "Loose." in [getattr(leaf, "text", "") for leaf in document.leaves]


def test_a_blank_first_row_leaves_the_next_one_what_it_is():
    (table,) = tables("<table><tr><td></td><td></td></tr><tr><td>Pele</td><td>300</td></tr></table>")
    assert table.header == ("", "")
    assert words(table)[-1] == ["Pele", "300"]
