import asyncio
import hashlib
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.errors import PageUnavailable
from heliograph.types import Hit, Page, Query
from tools.zim import ZimArchive, build_snapshot

TITLE = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=40).map(str.strip)
ODD = (
    "C#",
    "100% Wolf",
    "What? Who!",
    'The "Fox"',
    "It's",
    "AC/DC",
    "A/B/C",
    "I/O",
    "東京",
    "Ünïcode (α)",
    "a & b < c",
    "+1",
    ".",
)
FOOT = '<p>Text</p><div>issued from <a href="https://en.wikipedia.org/wiki/Red_fox?oldid=123">here</a></div>'


@pytest.fixture(scope="module")
def kiwix(make_zim, stored):
    """Make an archive as Kiwix's have it now: pages and pictures side by side, underscores in paths."""
    return make_zim(
        [
            stored("Red_fox", "Red fox", "<p>The <b>red</b> fox</p>"),
            stored("AC/DC", "AC/DC", "<p>A band; <img src='../_assets_/x/dc.png'></p>"),
            stored("_assets_/x/dc.png", "", b"\x89PNG band", "image/png"),
            stored("DC", "DC", "<p>Direct current</p>"),
            stored("Report", "Report", b"%PDF report", "application/pdf"),
            stored("X", "X", "<p>XHTML</p>", "application/xhtml+xml"),
            stored("Vulpes", "Vulpes", '<head><meta http-equiv="refresh" content="0;URL=\'./Red_fox\'" /></head>'),
            stored("Slow", "Slow", '<meta http-equiv="refresh" content="30;url=Red_fox"><p>Read this first</p>'),
            stored("Away", "Away", '<meta http-equiv="refresh" content="0;url=https://example.org/"><p>Gone</p>'),
            stored("Ping", "Ping", '<meta http-equiv="refresh" content="0;url=Pong">'),
            stored("Pong", "Pong", '<meta http-equiv="refresh" content="0;url=Ping">'),
            stored("Blank", "Blank", " \n\t"),
        ],
        redirects={"Red Fox": "Red_fox", "Reynard": "Red_fox", "The Report": "Report"},
        metadata={"Name": "wikipedia_en_all", "Source": "en.wikipedia.org", "Creator": "Wikipedia"},
    )


async def test_a_page_of_a_kiwix_archive_has_its_address_licence_and_makers(kiwix):
    html = "<p>The <b>red</b> fox</p>"
    assert await kiwix.fetch("Red fox") == Page(
        wiki="wikipedia_en_all",
        title="Red fox",
        revision=hashlib.sha256(html.encode()).hexdigest()[:16],
        url="https://en.wikipedia.org/wiki/Red_fox",
        html=html,
        fetched="2026-01-01T00:00:00+00:00",
        licence="CC BY-SA 4.0",
        attribution="Wikipedia",
    )


@pytest.mark.parametrize("title", ["Red_fox", "red fox", "Red Fox", "Red_Fox", "Reynard", "Vulpes", "vulpes"])
async def test_every_way_to_a_page_leads_to_the_same_page(kiwix, title):
    assert await kiwix.fetch(title) == await kiwix.fetch("Red fox")


@pytest.mark.parametrize("title", ["AC/DC", "DC", "X", "Slow", "Away"])
async def test_a_page_is_called_by_its_own_title(kiwix, title):
    assert (await kiwix.fetch(title)).title == title


@pytest.mark.parametrize(
    ("title", "message"),
    [
        ("A/DC", 'no page "A/DC" in made.zim; try another title or another --source'),
        ("Nothing", 'no page "Nothing" in made.zim; try another title or another --source'),
        ("", 'no page "" in made.zim; try another title or another --source'),
        ("Red fox#Diet", 'no page "Red fox#Diet" in made.zim; try another title or another --source'),
        ("Red fox\x00", 'no page "Red fox\x00" in made.zim; try another title or another --source'),
        ("\ud800", 'no page "\ud800" in made.zim; try another title or another --source'),
        ("x" * 9000, f'no page "{"x" * 9000}" in made.zim; try another title or another --source'),
        ("Report", '"Report" in made.zim is application/pdf and no page'),
        ("The Report", '"Report" in made.zim is application/pdf and no page'),
        ("_assets_/x/dc.png", '"_assets_/x/dc.png" in made.zim is image/png and no page'),
        ("Ping", "made.zim redirects in a loop: Ping > Pong > Ping"),
        ("Blank", 'page "Blank" of made.zim is empty; another --source may have it'),
    ],
)
async def test_what_is_no_page_is_named_with_its_cause(kiwix, title, message):
    with pytest.raises(PageUnavailable) as caught:
        await kiwix.fetch(title)
    assert str(caught.value) == message


async def test_a_picture_is_read_by_its_address_on_a_page_in_a_folder(kiwix):
    assert await kiwix.read_image("AC/DC", "../_assets_/x/dc.png") == b"\x89PNG band"


async def test_documents_and_pictures_are_no_hits(kiwix):
    assert [(await kiwix.search(Query(text), 5)).hits for text in ("report", "dc.png")] == [(), ()]


async def test_pages_that_share_a_title_are_told_apart_by_their_paths(make_zim, stored):
    paths = ("one", "two", "three")
    archive = make_zim([stored(path, "Home", f"<p>kiwi {path}</p>") for path in paths])
    hits = (await archive.search(Query("kiwi"), 5)).hits
    pages = [await archive.fetch(hit.title) for hit in hits]
    assert sorted(page.html for page in pages) == sorted(f"<p>kiwi {path}</p>" for path in paths)
    assert [page.title for page in pages] == [hit.title for hit in hits]
    assert "Home" in {hit.title for hit in hits}


async def test_a_page_goes_before_a_picture_of_the_same_name(make_zim, stored):
    archive = make_zim([stored("Mars", "Mars", b"png", "image/png"), stored("Mars.html", "Mars", "<p>Planet</p>")])
    assert (await archive.fetch("Mars")).html == "<p>Planet</p>"


async def test_an_archive_without_an_index_is_searched_by_its_titles(make_zim, stored):
    archive = make_zim(
        [stored("Red_fox", "Red fox", "<p>kiwi</p>"), stored("Red_dog", "Red dog", "<p>kiwi</p>")],
        redirects={"Vulpes": "Red_fox"},
        indexed=False,
    )
    assert (await archive.search(Query("kiwi"), 5)).hits == ()
    assert (await archive.search(Query('"red'), 5)).hits == (Hit("Red dog", 1, "made"), Hit("Red fox", 2, "made"))
    assert (await archive.search(Query("vulpes"), 5)).hits == (Hit("Red fox", 1, "made"),)


@pytest.mark.parametrize(
    ("content", "mimetype", "text"),
    [
        ("<p>Zürich</p>".encode(), "text/html", "<p>Zürich</p>"),
        ("<p>Zürich</p>".encode("latin-1"), "text/html;charset=ISO-8859-1", "<p>Zürich</p>"),
        (b"<meta charset=iso-8859-1><p>\x93Z\xfcrich\x94", "text/html", "<meta charset=iso-8859-1><p>“Zürich”"),
        ('<meta charset="koi8-r">Москва'.encode("koi8-r"), "text/html", '<meta charset="koi8-r">Москва'),
        ("<p>Zürich</p>".encode("utf-8-sig"), "text/html", "<p>Zürich</p>"),
        ("<p>Zürich</p>".encode("utf-16"), "text/html", "<p>Zürich</p>"),
        (b"<meta charset=utf-16><p>Z\xc3\xbcrich", "text/html", "<meta charset=utf-16><p>Zürich"),
        (b"<meta charset=idna><p>Z\xc3\xbcrich", "text/html", "<meta charset=idna><p>Zürich"),
        (b"<meta charset=klingon><p>Z\xc3\xbcrich", "text/html", "<meta charset=klingon><p>Zürich"),
        (b"<p>Z\xfcrich</p>", "text/html", "<p>Z\ufffdrich</p>"),
    ],
)
async def test_a_page_is_read_in_the_encoding_it_declares(make_zim, stored, content, mimetype, text):
    assert (await make_zim([stored("P", "P", content, mimetype)]).fetch("P")).html == text


@pytest.mark.parametrize(
    ("metadata", "html", "url", "licence", "attribution"),
    [
        ({}, "x", "zim://made/Red_fox", "", ""),
        ({"Name": "my wiki"}, "x", "zim://my%20wiki/Red_fox", "", ""),
        (
            {"Source": "https://de.wikipedia.org/", "License": "CC BY-SA 3.0", "Creator": "Wikipedia"},
            "x",
            "https://de.wikipedia.org/wiki/Red_fox",
            "CC BY-SA 3.0",
            "Wikipedia",
        ),
        ({"Name": "wiktionary_pt-br_all_nopic"}, "x", "https://pt-br.wiktionary.org/wiki/Red_fox", "CC BY-SA 4.0", ""),
        ({"Source": "en.wikinews.org"}, "x", "https://en.wikinews.org/wiki/Red_fox", "", ""),
        (
            {"Source": "https://example.org/wiki/Main", "Creator": "us", "Publisher": "them"},
            "x",
            "https://example.org/wiki/Red_fox",
            "",
            "us, published by them",
        ),
        ({"Source": "javascript:alert(1)//.wikipedia.org"}, "x", "zim://made/Red_fox", "", ""),
        (
            {"Source": "en.wikipedia.org"},
            FOOT,
            "https://en.wikipedia.org/wiki/Red_fox?oldid=123",
            "CC BY-SA 4.0",
            "",
        ),
        ({"Source": "fr.wikipedia.org"}, FOOT, "https://fr.wikipedia.org/wiki/Red_fox", "CC BY-SA 4.0", ""),
        ({}, '<link href="https://a.org/x?a=1&amp;b" rel="canonical">x', "https://a.org/x?a=1&b", "", ""),
        ({}, "<link rel=canonical href='javascript:alert(1)'>x", "zim://made/Red_fox", "", ""),
    ],
)
async def test_address_licence_and_makers_are_what_the_archive_says(
    make_zim, stored, metadata, html, url, licence, attribution
):
    page = await make_zim([stored("Red_fox", "Red fox", html)], metadata=metadata).fetch("Red fox")
    assert (page.url, page.licence, page.attribution) == (url, licence, attribution)


async def test_odd_titles_are_found_and_read(tmp_path):
    lines = [json.dumps({"title": title, "html": f"<p>kiwi {number}</p>"}) for number, title in enumerate(ODD)]
    (tmp_path / "odd.jsonl").write_text("\n".join(lines), encoding="utf8")
    build_snapshot([tmp_path / "odd.jsonl"], tmp_path / "odd.zim")
    archive = ZimArchive(tmp_path / "odd.zim")
    assert {hit.title for hit in (await archive.search(Query("kiwi"), 50)).hits} == set(ODD)
    for number, title in enumerate(ODD):
        page = await archive.fetch(title)
        assert (page.title, f"kiwi {number}<" in page.html) == (title, True)


@settings(max_examples=15, deadline=None)
@given(titles=st.lists(TITLE.filter(bool), min_size=1, max_size=6, unique=True))
def test_a_page_fetched_by_its_own_title_is_the_same_page_again(titles):
    with TemporaryDirectory() as folder:
        lines, out = Path(folder) / "p.jsonl", Path(folder) / "p.zim"
        records = [{"title": title, "html": f"<p>kiwi {title.encode().hex()}</p>"} for title in titles]
        lines.write_text("\n".join(map(json.dumps, records)), encoding="utf8")
        build_snapshot([lines], out)
        archive = ZimArchive(out, now=lambda: "now")
        found = asyncio.run(archive.search(Query("kiwi"), 50))
        pages = [asyncio.run(archive.fetch(hit.title)) for hit in found.hits]
    expected = {title.replace(" ", "_"): title for title in reversed(titles)}
    assert {page.html.partition("kiwi ")[2].partition("<")[0] for page in pages} == {
        title.encode().hex() for title in expected.values()
    }
    assert [page.title for page in pages] == [hit.title for hit in found.hits]
