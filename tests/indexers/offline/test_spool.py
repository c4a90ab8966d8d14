"""Pages that were put down are read by their titles, wherever they stood."""

import asyncio
import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import PageUnavailable, StoreDamaged
from heliograph.types import SourcePage, SourceRedirect
from indexers.offline.spool import LEFT_OUT, Spool, write_spool
from indexers.offline.texts import MappedTexts

titles = st.lists(st.text(min_size=1, max_size=4).filter(str.strip), max_size=8)


@given(titles)
def test_every_page_is_read_by_its_title(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    folder = tmp_path_factory.mktemp("spool") / "pages"
    write_spool((SourcePage(name, f"<p>{number}</p>") for number, name in enumerate(names)), folder)
    pages = Spool(folder, "sky").opened()
    assert list(asyncio.run(pages.titles())) == sorted(set(names))
    for name in names:
        assert asyncio.run(pages.fetch(name)).html == f"<p>{names.index(name)}</p>"
    assert len(MappedTexts(folder, LEFT_OUT)) == len(names) - len(set(names))


def test_of_two_pages_of_one_title_the_first_counts_and_the_other_is_said(tmp_path: Path) -> None:
    found = [
        SourcePage("Io", "<p>a</p>", "https://sky.example/Io"),
        SourcePage("Io", "<p>b</p>"),
        SourcePage(" ", "<p>c</p>"),
    ]
    write_spool(found, tmp_path / "pages")
    pages = Spool(tmp_path / "pages", "sky").opened()
    page = asyncio.run(pages.fetch("Io"))
    assert (page.wiki, page.title, page.html, page.url) == ("sky", "Io", "<p>a</p>", "https://sky.example/Io")
    assert page.revision == hashlib.sha256(b"<p>a</p>").hexdigest()[:16]
    assert asyncio.run(pages.titles()) == ("Io",)
    assert list(MappedTexts(tmp_path / "pages", LEFT_OUT)) == [
        "page 'Io': stands twice, the first one counts",
        "page ' ': has no title",
    ]


def test_redirects_lead_on_and_loops_lead_nowhere(tmp_path: Path) -> None:
    hops = [("Moon one", "First moon#Orbit"), ("First moon", "Io"), ("Round", "About"), ("About", "Round")]
    write_spool([SourcePage("Io", "<p>x</p>"), *(SourceRedirect(*hop) for hop in hops)], tmp_path / "pages")
    pages = Spool(tmp_path / "pages", "sky").opened()
    asked = ("Io", "io", "Moon one", "Round", "Gone", "")
    assert asyncio.run(pages.titles_of(asked)) == ("Io", "Io", "Io", None, None, None)


def test_a_page_that_is_not_there_is_said(tmp_path: Path) -> None:
    write_spool([SourcePage("Io", "<p>x</p>")], tmp_path / "pages")
    with pytest.raises(PageUnavailable, match='no page "Zeta" in sky'):
        asyncio.run(Spool(tmp_path / "pages", "sky").opened().fetch("Zeta"))


def test_the_edition_is_that_of_the_content(tmp_path: Path) -> None:
    for name, text in (("a", "x"), ("b", "x"), ("c", "y")):
        write_spool([SourcePage("Io", f"<p>{text}</p>")], tmp_path / name)
    first, second, third = (Spool(tmp_path / name, "sky").opened().edition for name in "abc")
    assert first == second != third


def test_a_spool_that_is_not_there_is_damage(tmp_path: Path) -> None:
    with pytest.raises(StoreDamaged, match="pages is damaged: it is missing"):
        Spool(tmp_path / "pages", "sky").opened()
