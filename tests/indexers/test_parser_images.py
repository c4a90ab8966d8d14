"""Images are known by their caption, their alternative text and the words around them."""

import pytest

from heliograph.types import ImageEvidence, Page
from indexers.parser import parse_page


def images(html: str) -> list[tuple[str, str, str, str]]:
    page = Page("w", "Io", "7", "https://en.example.org/wiki/Io", html, "")
    leaves = [leaf for leaf in parse_page(page).leaves if isinstance(leaf, ImageEvidence)]
    return [(leaf.source, leaf.caption, leaf.alt, leaf.nearby) for leaf in leaves]


@pytest.mark.parametrize(
    "html",
    [
        '<figure class="mw-default-size" typeof="mw:File/Thumb"><a href="/wiki/File:I.png">'
        '<img src="i.png" alt="A tower" width="220"'
        ' height="165"></a><figcaption>The tower in <a href="/wiki/Ellery">Ellery</a></figcaption></figure>',
        '<div class="thumb tright"><div class="thumbinner"><a class="image">'
        '<img src="i.png" alt="A tower" width="220"></a>'
        '<div class="thumbcaption"><div class="magnify"><a>Enlarge</a></div>The tower in Ellery</div></div></div>',
        '<ul class="gallery"><li class="gallerybox"><div class="thumb"><a>'
        '<img src="i.png" alt="A tower" width="120"></a></div>'
        '<div class="gallerytext"><p>The tower in Ellery</p></div></li></ul>',
        '<div class="thumb tmulti"><div class="tsingle"><div class="thumbimage"><img src="i.png" alt="A tower"></div>'
        '<div class="thumbcaption">The tower in Ellery</div></div></div>',
        '<p><img src="i.png" alt="A tower" title="The tower in Ellery"></p>',
        '<table class="infobox"><tr><th colspan=2>Io<tr><td colspan=2><img src="i.png" alt="A tower">'
        "<div>The tower in Ellery</div>"
        "<tr><th>Height<td>54 m</table>",
    ],
)
def test_every_form_of_a_captioned_image_gives_the_same_evidence(html):
    assert images(html + "<p>Text after.</p>") == [("i.png", "The tower in Ellery", "A tower", "Text after.")]


def test_an_image_follows_its_paragraph_and_has_its_words_nearby():
    page = Page("w", "Io", "7", "", '<p>First.</p><p>Around <img src="../I/x.png" alt="x"> it.</p><p>Last.</p>', "")
    leaves = parse_page(page).leaves
    assert [leaf.id.partition("#")[2] for leaf in leaves] == ["s0/p1", "s0/p2", "s0/i1", "s0/p3"]
    assert leaves[2] == ImageEvidence(leaves[2].id, leaves[2].place, "../I/x.png", "", "x", "Around it.")


def test_words_of_another_section_are_not_nearby():
    assert images('<p>Lead.</p><h2>S</h2><img src="a.png" alt="a"><h2>T</h2><p>Other.</p>') == [("a.png", "", "a", "")]


def test_words_nearby_are_cut_between_words():
    ((_, _, _, nearby),) = images("<p>" + "word " * 200 + '</p><img src="a.png">')
    assert nearby == ("word " * 120).strip()


def test_an_image_in_a_row_has_the_row_nearby():
    html = (
        '<p>Text.</p><table><tr><th>Moon<th>View<tr><td>Io<td><img src="io.png" alt="yellow"><tr>'
        '<td>Europa<td><img src="e.png"></table>'
    )
    assert images(html) == [("io.png", "", "yellow", "Io"), ("e.png", "", "", "Europa")]


@pytest.mark.parametrize(
    "attributes",
    ['src="flag.png" width="23" height="15"', 'src="dot.gif" width="1" height="1"', 'alt="no source"', 'src=""',
     f'src="data:image/png;base64,{"A" * 3000}"', 'src="h.png" style="display:none"'],
)  # fmt: skip
def test_ornaments_and_images_without_an_address_are_no_evidence(attributes):
    assert images(f"<p>a <img {attributes}></p>") == []


def test_a_wide_low_image_is_no_icon():
    assert [source for source, *_ in images('<p>a <img src="signature.png" width="150" height="40"></p>')] == [
        "signature.png"
    ]


def test_a_film_is_known_by_its_poster():
    html = '<figure><video poster="p.jpg" src="v.webm"></video><figcaption>Eruption</figcaption></figure>'
    assert images(html) == [("p.jpg", "Eruption", "", "")]


def test_the_caption_of_an_image_that_is_missing_stays_as_a_paragraph():
    html = (
        '<figure typeof="mw:Error mw:File/Thumb"><a><span class="mw-broken-media">File:X.png</span></a>'
        "<figcaption>The lamp</figcaption></figure>"
    )
    (leaf,) = parse_page(Page("w", "Io", "7", "", html, "")).leaves
    assert (leaf.id, leaf.text) == ("w:Io@7#s0/p1", "The lamp")


def test_a_figure_with_two_images_captions_both():
    html = '<figure><img src="a.png"><img src="b.png"><figcaption>Before and after</figcaption></figure>'
    assert [(source, caption) for source, caption, *_ in images(html)] == [
        ("a.png", "Before and after"),
        ("b.png", "Before and after"),
    ]
