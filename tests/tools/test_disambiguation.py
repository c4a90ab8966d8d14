"""Pages that list what a title may mean are told from others by their HTML."""

import pytest

from tools.disambiguation import is_disambiguation, marked


@pytest.mark.parametrize(
    "html",
    [
        '<head><meta property="mw:PageProp/disambiguation"/></head>',
        '<p>Lenn may refer to:</p><div role="note" class="metadata plainlinks dmbox dmbox-disambig">…</div>',
        '<table id="disambigbox" class="x"><tr><td></td></tr></table>',
    ],
)
def test_the_signs_of_parsoid_and_of_wikipedias_template_are_known(html: str) -> None:
    assert is_disambiguation(html)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>Lenn may refer to a river.</p>",
        '<a class="mw-disambig" href="/wiki/Lenn">Lenn</a>',
        '<p>the id="disambigbox" of a page</p>',
    ],
)
def test_a_link_to_such_a_page_or_words_about_it_are_no_sign(html: str) -> None:
    assert not is_disambiguation(html)


def test_a_mark_is_set_once_and_found() -> None:
    once = marked("<p>Lenn</p>")
    assert is_disambiguation(once) and marked(once) == once and once.endswith("<p>Lenn</p>")
