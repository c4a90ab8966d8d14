"""What holds for every page."""

import unicodedata

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from heliograph.errors import HeliographError
from heliograph.types import Document, Page, TableEvidence, TextEvidence
from indexers.parser import find_evidence, page_of, parse_page, segments
from indexers.toc import node_at, nodes, table_of_contents

TAGS = (
    "p div span a b i em ul ol li dl dt dd table caption thead tbody tfoot tr td th h1 h2 h3 h6 figure "
    "figcaption img br hr "
    "sup sub pre blockquote details summary section math video script style template svg body html head q zz"
)
ATTRIBUTES = (
    'class="thumb"', 'class="gallery"', 'class="gallerybox"', 'class="infobox"', 'class="mwe-math-element"',
    'class="thumbcaption"',
    'class="navbox"', 'class=""', 'style="display:none"', 'style="color:#"', 'style="color:rgb("',
    'style="\\\\"', 'style="\\0;"', 'hidden',
    'rowspan="2"', 'rowspan="0"', 'colspan="3"', 'colspan="1001"', 'colspan="-1"', 'rowspan="9e9"',
    'href="/wiki/A"', 'href="//["',
    'href="%ff%zz"', 'src="x.png"', 'src=""', 'width="9"', 'width="٣"', 'alt="alt"', 'title="t"',
    'role="presentation"', 'data-level="2"',
    'poster="p.png"', 'id="firstHeading"',
)  # fmt: skip
opening = st.builds(
    "<{} {}>".format, st.sampled_from(TAGS.split()), st.lists(st.sampled_from(ATTRIBUTES), max_size=2).map(" ".join)
)
closing = st.builds("</{}>".format, st.sampled_from(TAGS.split()))
words = st.one_of(
    st.text(st.characters(), max_size=8),
    st.sampled_from(["word", "&nbsp;", "&#0;", "&#x202e;", "<", "&", "<!--", "-->", "Table: x"]),
)
soup = st.lists(st.one_of(opening, opening, closing, words), max_size=40).map("".join)


def page(html: str) -> Page:
    return Page("w", "Io", "7", "https://en.example.org/wiki/Io", html, "")


def document_of(html: str) -> Document:
    try:
        return parse_page(page(html))
    except HeliographError:
        event("refused")
        assume(False)
        raise


@settings(max_examples=300)
@given(st.one_of(soup, st.text(st.characters(), max_size=200)))
def test_any_html_gives_a_document_or_a_heliograph_error(html):
    try:
        parse_page(page(html))
    except HeliographError as err:
        assert '"Io"' in str(err)


@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much])
@given(soup)
def test_ids_are_unique_and_each_is_found_again(html):
    document = document_of(html)
    rows = [row for leaf in document.leaves if isinstance(leaf, TableEvidence) for row in segments(leaf)]
    pieces = [*document.leaves, *rows]
    assert len({piece.id for piece in pieces}) == len(pieces)
    assert [find_evidence(document, piece.id) for piece in pieces] == pieces
    assert {page_of(piece.id) for piece in pieces} == {document.key}


@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much])
@given(soup)
def test_tables_are_rectangles_and_leaves_stand_in_sections(html):
    document = document_of(html)
    order = [section.id for section in document.sections]
    places = [order.index(leaf.place.section) for leaf in document.leaves]
    assert places == sorted(places)
    for leaf in document.leaves:
        if isinstance(leaf, TableEvidence):
            assert {len(row) for row in leaf.rows} == {len(leaf.header)}


@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much])
@given(soup)
def test_texts_are_tidy(html):
    for leaf in document_of(html).leaves:
        if isinstance(leaf, TextEvidence):
            assert leaf.text.strip()
            assert not {unicodedata.category(character) for character in leaf.text.replace("\n", "")} & {
                "Cc",
                "Cf",
                "Zl",
                "Zp",
            }
            assert all(line.strip() and line == line.rstrip() for line in leaf.text.split("\n"))


@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(soup)
def test_parsing_is_deterministic_and_contents_lead_to_nodes(html):
    document = document_of(html)
    assert parse_page(page(html)) == document
    listed = nodes(document)
    for line in table_of_contents(document).splitlines():
        if line.endswith("]"):
            assert node_at(document, int(line.rpartition("[")[2][:-1])) in listed


spans = st.integers(0, 4)
cells = st.tuples(spans, st.sampled_from([0, 1, 1, 2, 3, 1001]))
grids = st.lists(st.lists(st.lists(cells, max_size=4), min_size=1, max_size=4), min_size=1, max_size=2)


def reference(groups: list[list[list[tuple[int, int]]]]) -> list[list[str]]:
    """Lay cells out one slot at a time, as the HTML standard words it, in a dictionary."""
    slots: dict[tuple[int, int], str] = {}
    begun, above, number = [], 0, 0
    for group in groups:
        for row, cells_of_row in enumerate(group, above):
            column = 0
            for rowspan, colspan in cells_of_row:
                while (row, column) in slots:
                    column += 1
                begun.append(column)
                bottom = above + len(group) if rowspan == 0 else min(row + rowspan, above + len(group))
                for y in range(row, bottom):
                    for x in range(column, column + min(max(colspan, 1), 1000)):
                        slots.setdefault((y, x), f"c{number}")
                number += 1
                column += min(max(colspan, 1), 1000)
        above += len(group)
    width = max(begun, default=-1) + 1
    rows = [[slots.get((y, x), "") for x in range(width)] for y in range(above)]
    return [row for row in rows if any(row)]


@settings(max_examples=200, deadline=None)
@given(grids)
def test_spans_fill_the_rectangle_that_the_standard_describes(groups):
    assume(sum(len(row) for group in groups for row in group) > 1)
    number, html = 0, "<table>"
    for group in groups:
        html += "<tbody>"
        for row in group:
            html += "<tr>"
            for rowspan, colspan in row:
                html += f"<td rowspan={rowspan} colspan={colspan}>c{number}</td>"
                number += 1
            html += "</tr>"
        html += "</tbody>"
    (table,) = parse_page(page(html + "</table>")).leaves
    assert [[cell.text for cell in row] for row in table.rows] == reference(groups)
    first = [cell.text for row in table.rows for cell in row if cell.text and not cell.spanned]
    assert sorted(first) == sorted(f"c{at}" for at in range(number))


@given(
    st.lists(st.lists(st.sampled_from(["", "A", "B", "7"]), min_size=2, max_size=4), min_size=1, max_size=5),
    st.integers(0, 5),
)
def test_no_word_of_a_table_with_column_names_is_lost(rows, names):
    html = "<table>"
    for at, row in enumerate(rows):
        tag = "th" if at < names else "td"
        html += "<tr>" + "".join(f"<{tag}>{text}</{tag}>" for text in row)
    written = {text for row in rows for text in row if text}
    if not written:
        with pytest.raises(HeliographError):
            parse_page(page(html))
        return
    (table,) = parse_page(page(html)).leaves
    kept = {word for name in table.header for word in name.split()} | {
        cell.text for row in table.rows for cell in row if cell.text
    }
    assert kept == written
