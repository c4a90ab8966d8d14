"""All pages of an archive by their titles, and where names lead."""

import asyncio
import pickle
from pathlib import Path

import pytest

from heliograph.errors import ArchiveUnreadable
from tools.zim import ZimShelf, build_snapshot


@pytest.fixture
def shelf(tmp_path: Path) -> ZimShelf:
    """An archive of three pages with odd titles, a picture and redirects."""
    lines = tmp_path / "odd.jsonl"
    lines.write_text(
        '{"title": "AC/DC", "html": "<p>A band</p>"}\n'
        '{"title": "Io", "html": "<p>A moon</p>"}\n'
        '{"title": "東京", "html": "<p>A city</p>"}\n'
        '{"title": "Jupiter I", "redirect": "Io"}\n'
        '{"title": "First moon", "redirect": "Jupiter I"}\n',
        encoding="utf8",
    )
    build_snapshot([lines], tmp_path / "odd.zim")
    return ZimShelf(tmp_path / "odd.zim")


def test_every_page_is_listed_by_the_title_that_reads_it(shelf: ZimShelf) -> None:
    archive = shelf.opened()
    titles = asyncio.run(archive.titles())
    assert sorted(titles) == ["AC/DC", "Io", "東京"]
    assert [asyncio.run(archive.fetch(title)).title for title in titles] == list(titles)


def test_pages_of_kiwix_are_listed_without_pictures_and_redirects(make_zim, stored) -> None:
    archive = make_zim(
        [
            stored("Red_fox", "Red fox", "<p>fox</p>"),
            stored("fox.png", "", b"\x89PNG", "image/png"),
            stored("Mercury", "Mercury", "<p>planet</p>"),
            stored("Mercury_(2)", "Mercury", "<p>element</p>"),
        ]
    )
    titles = asyncio.run(archive.titles())
    assert len(set(titles)) == len(titles) == 3
    assert [asyncio.run(archive.fetch(title)).title for title in titles] == list(titles)


def test_names_lead_to_pages(shelf: ZimShelf) -> None:
    asked = ("Io", "io", "Jupiter I", "First moon", "AC/DC", "Gone", "")
    assert asyncio.run(shelf.opened().titles_of(asked)) == ("Io", "Io", "Io", "Io", "AC/DC", None, None)


def test_a_shelf_travels_and_says_what_is_missing(shelf: ZimShelf, tmp_path: Path) -> None:
    sent = pickle.loads(pickle.dumps(shelf))
    assert (sent, hash(sent)) == (shelf, hash(shelf))
    with pytest.raises(ArchiveUnreadable, match="no archive at"):
        ZimShelf(tmp_path / "gone.zim").opened()
