"""Archives as Kiwix made them before 2021: articles under A/, pictures under I/, no full-text index."""

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from heliograph.errors import PageUnavailable
from heliograph.types import Hit, Query, SearchResult
from tools.zim import ZimArchive

REDIRECT = 0xFFFF
TYPES = ("text/html", "image/png", "text/plain", "text/html; charset=iso-8859-1")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: `space` is its namespace; a redirect has a target instead of content."""

    space: str
    url: str
    title: str = ""
    content: bytes = b""
    mimetype: str = "text/html"
    target: str = ""


def old_zim(entries: Sequence[Entry]) -> bytes:
    """Lay out a ZIM file of version 5 with one cluster that is not compressed."""
    ordered = sorted(entries, key=lambda entry: (entry.space, entry.url))
    place = {f"{entry.space}/{entry.url}": number for number, entry in enumerate(ordered)}
    blobs = [entry.content for entry in ordered if not entry.target]
    blob_of = {id(entry): number for number, entry in enumerate(e for e in ordered if not e.target)}
    types = b"".join(name.encode() + b"\0" for name in TYPES) + b"\0"
    dirents = []
    for entry in ordered:
        names = entry.url.encode() + b"\0" + entry.title.encode() + b"\0"
        if entry.target:
            dirents.append(struct.pack("<HBcII", REDIRECT, 0, entry.space.encode(), 0, place[entry.target]) + names)
        else:
            kind = TYPES.index(entry.mimetype)
            dirents.append(struct.pack("<HBcIII", kind, 0, entry.space.encode(), 0, 0, blob_of[id(entry)]) + names)
    by_title = sorted(range(len(ordered)), key=lambda n: (ordered[n].space, ordered[n].title or ordered[n].url))
    offsets = [4 * (len(blobs) + 1)]
    for blob in blobs:
        offsets.append(offsets[-1] + len(blob))
    cluster = b"\x01" + struct.pack(f"<{len(offsets)}I", *offsets) + b"".join(blobs)
    starts = [80 + len(types)]
    for dirent in dirents:
        starts.append(starts[-1] + len(dirent))
    urls, titles = starts[-1], starts[-1] + 8 * len(dirents)
    clusters = titles + 4 * len(dirents)
    data = clusters + 8
    counts = (len(dirents), 1)
    header = struct.pack(
        "<IHH16sIIQQQQIIQ",
        *(0x044D495A, 5, 0, bytes(range(16)), *counts),
        *(urls, titles, clusters, 80, 0xFFFFFFFF, 0xFFFFFFFF, data + len(cluster)),
    )
    body = header + types + b"".join(dirents) + struct.pack(f"<{len(dirents)}Q", *starts[:-1])
    body += struct.pack(f"<{len(dirents)}I", *by_title) + struct.pack("<Q", data) + cluster
    return body + hashlib.md5(body, usedforsecurity=False).digest()


FOX = b"<html><body><p>The red fox.</p><img src='../I/fox.png'><a href='Wolf'>wolf</a></body></html>"
ENTRIES = (
    Entry("A", "Red_fox", "Red fox", FOX),
    Entry("A", "Wolf", "", b"<p>The wolf.</p>"),
    Entry("A", "Vulpes_vulpes", "Vulpes vulpes", target="A/Red_fox"),
    Entry("A", "Around", "Around", target="A/About"),
    Entry("A", "About", "About", target="A/Around"),
    Entry("A", "Ping", "Ping", b'<html><meta http-equiv="refresh" content="0;url=Pong"></html>'),
    Entry("A", "Pong", "Pong", b"<html><meta http-equiv='refresh' content='0; URL=Ping#top'></html>"),
    Entry("A", "Fox", "Fox", b'<head><meta http-equiv="Refresh" content="0;url=Red_fox"></head>'),
    Entry("A", "Lost", "Lost", b'<head><meta http-equiv="refresh" content="0;url=Nowhere"></head>'),
    Entry("A", "Blank", "Blank", b" \n"),
    Entry("A", "Note", "Note", b"plain", "text/plain"),
    Entry("A", "Zoo", "Zoo", "<p>Zürich Zoo</p>".encode("latin-1"), "text/html; charset=iso-8859-1"),
    Entry("I", "fox.png", "", b"\x89PNG fox", "image/png"),
    Entry("M", "License", "", b"CC BY-SA 3.0", "text/plain"),
    Entry("M", "Name", "", b"wikipedia_de_animals", "text/plain"),
    Entry("M", "Creator", "", b"Wikipedia", "text/plain"),
    Entry("M", "Publisher", "", b"Kiwix", "text/plain"),
)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> ZimArchive:
    path = tmp_path_factory.mktemp("old") / "animals.zim"
    path.write_bytes(old_zim(ENTRIES))
    return ZimArchive(path, now=lambda: "2026-01-01T00:00:00+00:00")


async def test_an_article_is_read_by_its_title(old):
    page = await old.fetch("Red fox")
    assert (page.wiki, page.title, page.url) == (
        "wikipedia_de_animals",
        "Red fox",
        "https://de.wikipedia.org/wiki/Red_fox",
    )
    assert (page.html, page.revision) == (FOX.decode(), hashlib.sha256(FOX).hexdigest()[:16])
    assert (page.licence, page.attribution) == ("CC BY-SA 3.0", "Wikipedia, published by Kiwix")
    assert page.fetched == "2026-01-01T00:00:00+00:00"


@pytest.mark.parametrize("title", ["Red_fox", "red fox", "Vulpes vulpes", "vulpes_vulpes", "Fox", "fox"])
async def test_underscores_first_letters_and_both_kinds_of_redirect_lead_to_the_article(old, title):
    assert (await old.fetch(title)).title == "Red fox"


async def test_an_article_without_a_title_is_called_by_its_path(old):
    assert (await old.fetch("Wolf")).title == "Wolf"


async def test_titles_are_searched_where_there_is_no_full_text_index(old):
    query = Query("vulpes")
    assert await old.search(query, 5) == SearchResult(query, (Hit("Red fox", 1, "wikipedia_de_animals"),), 1)


async def test_an_encoding_named_by_the_type_is_heeded(old):
    assert (await old.fetch("Zoo")).html == "<p>Zürich Zoo</p>"


async def test_a_picture_is_read_by_the_address_it_has_on_its_page(old):
    assert await old.read_image("Vulpes vulpes", "../I/fox.png") == b"\x89PNG fox"


@pytest.mark.parametrize("source", ["../I/cat.png", "Wolf", "", "https://example.org/fox.png", "../../../fox.png"])
async def test_a_picture_that_is_not_there_is_refused_by_its_address(old, source):
    with pytest.raises(PageUnavailable) as caught:
        await old.read_image("Red fox", source)
    assert str(caught.value) == f'no picture "{source}" of the page "Red fox" in animals.zim'


@pytest.mark.parametrize(
    ("title", "message"),
    [
        ("Around", "animals.zim redirects in a loop: A/Around > A/About > A/Around"),
        ("Ping", "animals.zim redirects in a loop: A/Ping > A/Pong > A/Ping"),
        ("Lost", "animals.zim redirects to a missing page: A/Lost > A/Nowhere"),
        ("Blank", 'page "Blank" of animals.zim is empty; another --source may have it'),
        ("Note", '"Note" in animals.zim is text/plain and no page'),
        ("Nothing", 'no page "Nothing" in animals.zim; try another title or another --source'),
        ("", 'no page "" in animals.zim; try another title or another --source'),
    ],
)
async def test_what_cannot_be_read_is_named_with_its_cause(old, title, message):
    with pytest.raises(PageUnavailable) as caught:
        await old.fetch(title)
    assert str(caught.value) == message


async def test_a_loop_found_by_a_search_is_passed_over(old):
    assert (await old.search(Query("around"), 5)).hits == ()
