"""The test wiki before it is imported: titles that MediaWiki takes, and pictures that are what their pages say."""

from collections import Counter

import pytest
from PIL import Image

from tests.servers.pictures import draw_pictures
from tests.servers.wiki_pages import LONG_TITLE, LONGEST_TITLE, annals, made_pages, write, written_pages

REFUSED = set("#<>[]|{}_")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Draw the pictures once."""
    folder = tmp_path_factory.mktemp("pictures")
    draw_pictures(folder)
    return folder


def test_every_title_is_written_once_and_allowed():
    titles = [title for title, _ in [*written_pages(), *made_pages()]]
    assert [title for title, times in Counter(titles).items() if times > 1] == []
    assert [title for title in titles if REFUSED & set(title) or len(title.encode()) > LONGEST_TITLE] == []


def test_the_long_title_is_as_long_as_a_title_may_be():
    assert len(LONG_TITLE.encode()) == LONGEST_TITLE


def test_the_annals_are_long_and_the_same_each_time():
    assert 300_000 <= len(annals()) < 320_000
    assert annals() == annals()


def test_every_picture_has_a_file_page_and_every_file_page_a_picture(pictures):
    described = {title.removeprefix("File:") for title, _ in written_pages() if title.startswith("File:")}
    assert {path.name for path in pictures.iterdir()} == described


def test_the_panorama_is_huge_in_pixels_and_small_in_bytes(pictures):
    panorama = pictures / "Corvane Mere panorama.png"
    with Image.open(panorama) as picture:
        assert picture.size == (6000, 5000)
    assert panorama.stat().st_size < 20_000


@pytest.mark.parametrize(
    ("name", "point", "colour"),
    [
        ("Regatta boats.gif", (600, 75), "red"),
        ("Regatta boats.gif", (460, 175), "yellow"),
        ("Regatta boats.gif", (320, 275), "blue"),
        ("Great Pell Viaduct.png", (450, 170), "red"),
        ("Reyle's gentian.webp", (200, 90), "mediumblue"),
    ],
)
def test_a_picture_shows_the_colours_that_its_page_tells_of(pictures, name, point, colour):
    with Image.open(pictures / name) as picture:
        shown = picture.convert("RGB").getpixel(point)
    expected = Image.new("RGB", (1, 1), colour).getpixel((0, 0))
    assert max(abs(one - other) for one, other in zip(shown, expected, strict=True)) < 12


def test_a_folder_is_written_for_the_import(tmp_path):
    write(tmp_path)
    assert (tmp_path / "pages.xml").read_text(encoding="utf8").count("<page>") > 40
    pictures = {path.name for path in (tmp_path / "images").iterdir()}
    assert {name for name in pictures if name.endswith(".txt")} == {
        name.rpartition(".")[0] + ".txt" for name in pictures if not name.endswith(".txt")
    }
