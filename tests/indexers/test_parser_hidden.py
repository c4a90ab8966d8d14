"""What a reader of the page does not see is not evidence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import Document, Page
from indexers.parser import parse_page

HIDDEN = [
    "hidden",
    'aria-hidden="true"',
    'style="display:none"',
    'style="DISPLAY : None !important"',
    'style="dis/**/play:none"',
    'style="d\\69splay:none"',
    'style="visibility:hidden"',
    'style="opacity:0"',
    'style="opacity:.0"',
    'style="opacity:0.01;"',
    'style="font-size:0"',
    'style="color:red;font-size:0px"',
    'style="font-size:0.0em"',
    'style="font-size:1px"',
    'style="font:0/0 a"',
    'style="position:absolute;left:-9999px"',
    'style="position:absolute; top: -5000px"',
    'style="text-indent:-9999em"',
    'style="width:1px;height:1px;overflow:hidden"',
    'style="clip:rect(0,0,0,0)"',
    'style="clip-path: inset(50%)"',
    'style="transform:scale(0)"',
    'style="color:white"',
    'style="color:#FFF"',
    'style="color: rgb(255, 255, 255)"',
    'style="color:transparent"',
    'style="color:rgba(0,0,0,0)"',
    'style="color:#123456;background-color:#123456"',
    'class="noprint"',
    'class="x navbox y"',
    'class="metadata ambox"',
    'class="mbox-small sistersitebox"',
    'class="hatnote navigation-not-searchable"',
    'class="sortkey"',
    'class="toc"',
    'class="reflist"',
    'class="reference"',
    'class="mw-editsection"',
    'class="thumb noprint"',
    'class="thumb" style="display:none"',
]
SEEN = [
    'style="display:block"',
    'style="opacity:0.9"',
    'style="opacity:.5"',
    'style="font-size:0.8em"',
    'style="font-size:small"',
    'style="font-size:10px"',
    'style="font-size:.9em"',
    'style="margin-left:-1.6em;text-indent:-1.5em"',
    'style="left:10px"',
    'style="height:0.5em;overflow:hidden"',
    'style="overflow:hidden;width:100%"',
    'style="color:#ccc"',
    'style="color:white;background:#000080"',
    'style="background:white"',
    'aria-hidden="false"',
    'class="mw-collapsed"',
    'class="nowrap"',
    'hidden="until-found"',
]
TEXT_TAGS = [
    "script",
    "style",
    "template",
    "noscript",
    "textarea",
    "nav",
    "footer",
    "select",
    "button",
    "svg",
    "iframe",
]


def parse(html: str) -> Document:
    return parse_page(Page("w", "Io", "7", "", html, ""))


@pytest.mark.parametrize("attributes", HIDDEN)
@pytest.mark.parametrize("tag", ["p", "span", "div", "ul", "table", "td", "li", "h2", "tr"])
def test_hidden_elements_leave_no_word(tag, attributes):
    inner = {"ul": "<li>secret</li>", "table": "<tr><td>secret<td>secret", "tr": "<td>secret<td>secret"}.get(
        tag, "secret"
    )
    element = f"<{tag} {attributes}>{inner}</{tag}>"
    around = {
        "td": "<table><tr><td>a</td>{}</tr><tr><td>b</td><td>c</td></tr></table>",
        "tr": "<table><tr><td>a</td><td>b</td></tr>{}</table>",
        "li": "<ul><li>a</li>{}</ul>",
    }.get(tag, "{}")
    document = parse(f"<p>seen</p>{around.format(element)}<p>also</p>")
    assert "secret" not in repr(document)
    assert [leaf.text for leaf in document.leaves if leaf.id.endswith(("p1", "p2"))] == ["seen", "also"]


@pytest.mark.parametrize("attributes", SEEN)
def test_visible_elements_keep_their_words(attributes):
    assert parse(f"<p>a</p><div {attributes}>seen</div>").leaves[1].text == "seen"


@pytest.mark.parametrize("tag", TEXT_TAGS)
def test_elements_that_hold_no_text_of_the_article_are_left_out(tag):
    assert [leaf.text for leaf in parse(f"<p>seen</p><{tag}>secret</{tag}><p>also</p>").leaves] == ["seen", "also"]


def test_comments_and_processing_instructions_are_left_out():
    assert [leaf.text for leaf in parse("<p>se<!-- secret -->en<?php secret ?></p>").leaves] == ["seen"]


def test_white_text_on_a_coloured_ground_further_out_is_seen():
    html = '<table><tr style="background:#036"><th><span style="color:white">Name</span><th>B<tr><td>1<td>2</table>'
    assert parse(html).leaves[0].header == ("Name", "B")


def test_a_heading_that_is_hidden_opens_no_section():
    assert len(parse('<p>a</p><h2 style="display:none">Secret</h2><p>b</p>').sections) == 1


@given(
    st.lists(st.sampled_from(["div", "span", "p", "b", "section", "blockquote"]), max_size=6),
    st.sampled_from(HIDDEN),
    st.lists(st.sampled_from(["div", "span", "i", "table><tr><td", "ul><li", "figure><figcaption"]), max_size=5),
)
def test_hidden_text_never_appears_however_it_nests(outside, attributes, inside):
    opened = "".join(f"<{tag}>" for tag in outside)
    document = parse(f"<p>seen</p>{opened}<div {attributes}>" + "".join(f"<{tag}>" for tag in inside) + "secret")
    assert "secret" not in repr(document)
