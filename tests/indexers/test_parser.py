"""A page becomes a tree of sections with paragraphs and lists, whoever made its HTML."""

import pytest

from heliograph.errors import UnknownName
from heliograph.types import Document, EvidenceId, Link, Page, Section, TableSegment, TextEvidence
from indexers.parser import find_evidence, parse_page, segments

WIKIPEDIA_1_39 = """<div class="mw-parser-output"><p>
<b>Io</b> is a moon of <a href="/wiki/Jupiter" title="Jupiter">Jupiter</a>.</p>
<h2><span class="mw-headline" id="Orbit">Orbit</span><span class="mw-editsection">[edit]</span></h2><p>It is close.</p>
<h3><span class="mw-headline" id="Period">Period</span></h3><p>It takes 42 hours.</p>
<h2><span class="mw-headline" id="Surface">Surface</span></h2><p>It is yellow.</p></div>"""

WIKIPEDIA_NOW = """<div class="mw-content-ltr mw-parser-output"><p>
<b>Io</b> is a moon of <a href="/wiki/Jupiter">Jupiter</a>.</p>
<div class="mw-heading mw-heading2"><h2 id="Orbit">Orbit</h2><span class="mw-editsection">[edit]</span></div>
<p>It is close.</p>
<div class="mw-heading mw-heading3"><h3 id="Period">Period</h3></div><p>It takes 42 hours.</p>
<div class="mw-heading mw-heading2"><h2 id="Surface">Surface</h2></div><p>It is yellow.</p></div>"""

PARSOID = """<!DOCTYPE html><html prefix="dc: http://purl.org/dc/terms/"><head><title>Io</title></head><body>
<section data-mw-section-id="0" id="mwAQ"><p id="mwAg"><b>Io</b> is a moon of
<a rel="mw:WikiLink" href="./Jupiter" title="Jupiter">Jupiter</a>.<sup class="mw-ref reference"
 typeof="mw:Extension/ref"><a href="./Io#cite_note-1"><span class="mw-reflink-text">[1]</span></a></sup></p></section>
<section data-mw-section-id="1"><h2 id="Orbit">Orbit</h2><p>It is close.</p>
<section data-mw-section-id="2"><h3 id="Period">Period</h3><p>It takes 42 hours.</p></section></section>
<section data-mw-section-id="3"><h2 id="Surface">Surface</h2><p>It is yellow.</p></section></body></html>"""

KIWIX_MOBILE = """<html><head><title>Io</title><script>var a = "<p>no</p>";</script></head><body>
<h1 id="titleHeading">Io</h1><p>Io is a moon of <a href="../A/Jupiter">Jupiter</a>.</p>
<details data-level="2" open><summary class="section-heading"><h2 id="Orbit">Orbit</h2></summary><p>It is close.</p>
<details data-level="3" open><summary class="section-heading">Period</summary><p>It takes 42 hours.</p></details>
</details>
<details data-level="2"><summary class="section-heading"><h2>Surface</h2></summary><p>It is yellow.</p></details>
</body></html>"""

PLAIN = """<!DOCTYPE html><html><head><meta charset='utf-8'><title>Io</title></head><body><h1>Io</h1>
<p>Io is a moon of <a href="Jupiter">Jupiter</a>.</p><h2>Orbit</h2><p>It is close.</p><h3>Period</h3>
<p>It takes 42 hours.</p>
<h2>Surface</h2><p>It is yellow.</p></body></html>"""


def page(html: str, title: str = "Io", url: str = "https://en.example.org/wiki/Io") -> Page:
    return Page("w", title, "7", url, html, "2026-01-01T00:00:00Z", "CC BY-SA 4.0", "its authors")


def texts(html: str) -> list[tuple[str, str]]:
    leaves = parse_page(page(html)).leaves
    return [(leaf.kind, leaf.text) for leaf in leaves if isinstance(leaf, TextEvidence)]


def links(html: str) -> list[tuple[str, str]]:
    return [(link.text, link.target) for leaf in parse_page(page(html)).leaves for link in leaf.links]


@pytest.mark.parametrize("html", [WIKIPEDIA_1_39, WIKIPEDIA_NOW, PARSOID, KIWIX_MOBILE, PLAIN])
def test_every_dialect_of_a_page_gives_the_same_document(html):
    document = parse_page(page(html))
    assert document.sections == (
        Section("s0", "Io", 1, None),
        Section("s1", "Orbit", 2, "s0"),
        Section("s2", "Period", 3, "s1"),
        Section("s3", "Surface", 2, "s0"),
    )
    assert [(leaf.id, leaf.place.path, leaf.text, leaf.links) for leaf in document.leaves] == [
        ("w:Io@7#s0/p1", (), "Io is a moon of Jupiter.", (Link("Jupiter", "Jupiter"),)),
        ("w:Io@7#s1/p1", ("Orbit",), "It is close.", ()),
        ("w:Io@7#s2/p1", ("Orbit", "Period"), "It takes 42 hours.", ()),
        ("w:Io@7#s3/p1", ("Surface",), "It is yellow.", ()),
    ]


def test_a_document_carries_what_the_page_says_about_itself():
    document = parse_page(page("<p>Text.</p>"))
    assert document == Document(
        key="w:Io@7",
        wiki="w",
        title="Io",
        revision="7",
        url="https://en.example.org/wiki/Io",
        sections=(Section("s0", "Io", 1, None),),
        leaves=document.leaves,
        licence="CC BY-SA 4.0",
        attribution="its authors",
    )


def test_a_skipped_heading_level_hangs_under_the_nearest_higher_one():
    document = parse_page(page("<p>a</p><h4>Deep</h4><p>b</p><h2>Wide</h2><h5>Deeper</h5><p>c</p>"))
    assert [(section.title, section.parent) for section in document.sections] == [
        ("Io", None),
        ("Deep", "s0"),
        ("Wide", "s0"),
        ("Deeper", "s2"),
    ]


def test_a_first_order_heading_in_the_body_is_a_section():
    document = parse_page(
        page('<p>a</p><h1><span class="mw-headline" id="Part">Part</span></h1><h2>Inner</h2><p>b</p>')
    )
    assert [(section.title, section.level, section.parent) for section in document.sections[1:]] == [
        ("Part", 1, "s0"),
        ("Inner", 2, "s1"),
    ]


def test_numbers_of_leaves_begin_anew_in_every_section():
    document = parse_page(page("<p>a</p><ul><li>b</li></ul><p>c</p><h2>S</h2><p>d</p><ul><li>e</li></ul>"))
    assert [leaf.id.partition("#")[2] for leaf in document.leaves] == ["s0/p1", "s0/l1", "s0/p2", "s1/p1", "s1/l1"]


def test_a_list_is_one_leaf_with_nested_items_indented():
    html = "<ul><li>First<ul><li>Inner <a href='/wiki/X'>x</a></li><li>Other</li></ul></li><li>Second<br>line</li></ul>"
    assert texts(html) == [("list", "First\n  Inner x\n  Other\nSecond line")]
    assert links(html) == [("x", "X")]


def test_a_long_list_is_cut_between_items():
    items = [f"Item {number} " + "x" * 290 for number in range(10)]
    leaves = texts("<ol>" + "".join(f"<li>{item}</li>" for item in items) + "</ol>")
    assert [kind for kind, _ in leaves] == ["list"] * 3
    assert [line for _, text in leaves for line in text.split("\n")] == items
    assert max(len(text) for _, text in leaves) <= 1_210


def test_a_definition_list_indents_its_definitions():
    assert texts("<dl><dt>Term</dt><dd>Meaning</dd><dd>Second</dd></dl>") == [("list", "Term\n  Meaning\n  Second")]
    assert texts("<dl><dd>Indented remark</dd></dl>") == [("list", "Indented remark")]


def test_quotations_and_preformatted_text_are_paragraphs():
    html = (
        "<blockquote><p>To be,</p><p>or not.</p></blockquote><pre>a = 1\nb  = 2</pre><div>loose <b>words</b></div>tail"
    )
    assert texts(html) == [
        ("paragraph", "To be,"),
        ("paragraph", "or not."),
        ("paragraph", "a = 1\nb = 2"),
        ("paragraph", "loose words"),
        ("paragraph", "tail"),
    ]


def test_lists_of_literature_are_left_out():
    html = (
        "<p>Kept.</p><h2>References</h2><ul><li>Smith 2001</li></ul><div class='reflist'><ol><li>Jones</li>"
        "</ol></div><p>Also.</p>"
    )
    assert texts(html) == [("paragraph", "Kept."), ("paragraph", "Also.")]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("one<br>two<br/><br/>three", "one\ntwo\nthree"),
        ("54&nbsp;m\u2009wide\n  and  high", "54 m wide and high"),
        ("21 m<sup>2</sup> and 10<sup>−3</sup>", "21 m² and 10⁻³"),
        ("H<sub>2</sub>O, the 19<sup>th</sup>", "H2O, the 19th"),
        ("x<sup>a+1</sup>, y<sup>n</sup>", "x^a+1, yⁿ"),
        ("said<sup>[1]</sup> so<sup>*</sup>", "said so"),
        ("zero\u200bwidth\u2060 bi\u202edi so\u00adft \U000e0041tag", "zerowidth bidi soft tag"),
        ('<span class="mwe-math-element"><span style="display:none"><math alttext="{\\displaystyle E=mc^{2}}">'
        '</math></span>'
         '<img aria-hidden="true" alt="E=mc^{2}" src="x.svg"></span>', "E=mc^{2}"),
        ('energy <span class="mwe-math-element"><img alt="{\\displaystyle a+b}" src="x.svg"></span>.', "energy a+b ."),
        ('<span class="geo-default"><span class="geo-dms">12°N 3°E</span></span>'
        '<span class="geo-multi-punct"> / </span>'
         '<span class="geo-nondefault">12.0; 3.0</span>', "12°N 3°E"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢kan"),
    ],
)  # fmt: skip
def test_words_are_read_as_a_reader_sees_them(html, text):
    assert texts(f"<p>{html}</p>") == [("paragraph", text)]


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("/wiki/Zo%C3%AB_%C3%85kerstr%C3%B6m", "Zoë Åkerström"),
        ("/wiki/Mercury_(planet)#Orbit", "Mercury (planet)"),
        ("./AC/DC", "AC/DC"),
        ("../A/Jupiter_%28planet%29", "Jupiter (planet)"),
        ("../../A/Jupiter", "Jupiter"),
        ("Jupiter.html", "Jupiter"),
        ("2001:_A_Space_Odyssey", "2001: A Space Odyssey"),
        ("/wiki/Star_Trek:_Picard", "Star Trek: Picard"),
        ("https://en.example.org/wiki/Jupiter", "Jupiter"),
        ("//en.example.org/wiki/Jupiter?action=view", "Jupiter"),
    ],
)
def test_a_link_names_the_canonical_title(href, target):
    assert links(f'<p>a <a href="{href}">link</a></p>') == [("link", target)]


@pytest.mark.parametrize(
    "attributes",
    [
        'href="/wiki/File:X.png"',
        'href="/wiki/Category:Moons"',
        'href="/wiki/Kategorie:Monde"',
        'href="/wiki/User_talk:X"',
        'href="https://fr.example.org/wiki/Io"',
        'href="https://example.com/"',
        'href="mailto:a@example.org"',
        'href="javascript:alert(1)"',
        'href="/w/index.php?title=Red&amp;action=edit&amp;redlink=1"',
        'href="/wiki/Red" class="new"',
        'href="/wiki/Wikt" class="extiw"',
        'href="./Red" rel="mw:ExtLink"',
        'href="#Orbit"',
        'href="/wiki/Io#Orbit"',
        'href="//[broken"',
        'href=""',
        "",
    ],
)
def test_what_names_no_other_page_of_the_wiki_is_no_link(attributes):
    assert parse_page(page(f"<p>a <a {attributes}>link</a></p>")).leaves[0].links == ()


def test_a_link_is_kept_once_in_order():
    html = '<p><a href="/wiki/B">b</a> <a href="/wiki/A">a</a> <a href="/wiki/B">b</a> <a href="/wiki/B">B!</a></p>'
    assert links(html) == [("b", "B"), ("a", "A"), ("B!", "B")]


def test_broken_html_is_read_to_its_end():
    assert texts("<p>one<p>two <b>bold <i>both</b> rest<ul><li>item<li>last") == [
        ("paragraph", "one"),
        ("paragraph", "two bold both rest"),
        ("list", "item\nlast"),
    ]


def test_an_encoding_named_in_the_page_does_not_matter():
    assert texts(
        '<?xml version="1.0" encoding="latin-1"?><html><meta charset="ascii"><body><p>Ōkami é</p></body></html>'
    ) == [("paragraph", "Ōkami é")]


def test_evidence_is_found_by_its_id_down_to_the_row():
    document = parse_page(page("<p>a</p><table><tr><th>N<th>M<tr><td>1<td>2<tr><td>3<td>4</table>"))
    paragraph, table = document.leaves
    assert find_evidence(document, EvidenceId("w:Io@7#s0/p1")) == paragraph
    assert find_evidence(document, EvidenceId("w:Io@7#s0/t1")) == table
    row = TableSegment(EvidenceId("w:Io@7#s0/t1/r2"), table.place, table.id, 2, "", ("N", "M"), table.rows[1])
    assert find_evidence(document, EvidenceId("w:Io@7#s0/t1/r2")) == row
    assert segments(table)[1] == row


@pytest.mark.parametrize(
    "absent", ["w:Io@7#s0/p2", "w:Io@7#s0/t1/r3", "w:Io@7#s0/t1/r0", "w:Io@8#s0/p1", "w:Io@7#s4/p1"]
)
def test_absent_evidence_is_refused_by_name(absent):
    document = parse_page(page("<p>a</p><table><tr><th>N<th>M<tr><td>1<td>2<tr><td>3<td>4</table>"))
    with pytest.raises(UnknownName) as error:
        find_evidence(document, EvidenceId(absent))
    assert str(error.value).startswith(f'no evidence "{absent}" on page "Io"')
