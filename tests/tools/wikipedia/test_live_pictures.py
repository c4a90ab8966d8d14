"""Pictures of a real MediaWiki, and of one that lies about where they are."""

import json
from io import BytesIO

import pytest
from PIL import Image

from heliograph.errors import PageUnavailable
from heliograph.types import EvidenceId, ImageEvidence, PageKey, Place
from indexers.parser import parse_page
from tests.servers.fault_proxy import FaultProxy
from tests.servers.faults import Answer, Forward, redirect
from tests.tools.wikipedia.conftest import OpenWiki
from tools.wikipedia import Wikipedia

pytestmark = pytest.mark.mediawiki


def shown(source: str) -> ImageEvidence:
    return ImageEvidence(EvidenceId("w:T@1#s0/i1"), Place(PageKey("w:T@1"), "T", "s0"), source, "", "")


async def image_of(wiki: Wikipedia, title: str) -> ImageEvidence:
    leaves = parse_page(await wiki.fetch(title)).leaves
    return next(leaf for leaf in leaves if isinstance(leaf, ImageEvidence))


async def test_a_picture_comes_with_licence_maker_and_page(cirrus: Wikipedia) -> None:
    picture = await cirrus.picture(await image_of(cirrus, "Tarnwick Clock"))
    assert (picture.media_type, picture.width, picture.height) == ("image/png", 640, 640)
    assert picture.url.endswith("/wiki/File:Tarnwick_Clock.png")
    assert picture.licence == "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0)"
    assert picture.attribution == "Anneke Stroud"
    assert Image.open(BytesIO(picture.data)).size == (640, 640)


async def test_a_drawing_comes_as_the_wikis_own_png(cirrus: Wikipedia) -> None:
    picture = await cirrus.picture(shown("/images/thumb/c/c8/Map_of_Marrowdale.svg/330px-Map_of_Marrowdale.svg.png"))
    assert (picture.media_type, picture.width) == ("image/png", 960)
    assert "<" not in picture.attribution and "Joakim" in picture.attribution


async def test_a_photograph_loses_its_metadata(cirrus: Wikipedia) -> None:
    picture = await cirrus.picture(shown("/images/a/ac/Ilse_Tarrant.jpg"))
    assert picture.media_type == "image/jpeg" and not Image.open(BytesIO(picture.data)).getexif()


@pytest.mark.parametrize(
    "source",
    [
        "https://evil.example/images/a/ac/Ilse_Tarrant.jpg",
        "//upload.wikimedia.org/wikipedia/commons/a/ab/X.png",
        "data:image/png;base64,AAAA",
        "/images/no-name",
        "",
    ],
)
async def test_a_picture_of_elsewhere_is_not_asked_for(mediawiki_cirrus: str, wiki_at: OpenWiki, source: str) -> None:
    proxy = FaultProxy(mediawiki_cirrus)
    async with proxy as url:
        with pytest.raises(PageUnavailable, match="is no file of 127"):
            await wiki_at(url).picture(shown(source))
    assert proxy.requests == []


async def test_a_missing_picture_is_named(cirrus: Wikipedia) -> None:
    with pytest.raises(PageUnavailable, match=r'has no picture "Never\.png"'):
        await cirrus.picture(shown("/images/1/12/Never.png"))


CLOCK = shown("/images/8/87/Tarnwick_Clock.png")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (redirect("http://192.0.2.1/x.png"), "does not lie on the file hosts"),
        (redirect("http://127.0.0.1:1/x.png"), "does not lie on the file hosts"),
        (redirect("file:///etc/passwd"), "does not lie on the file hosts"),
        (redirect("http://["), "does not lie on the file hosts"),
        (Answer(404), "status 404"),
        (Answer(200, b"<svg/>", "image/svg+xml"), "cannot be decoded"),
        (Answer(200, b"\x89PNG\r\n\x1a\n" + b"x" * 60, "image/png"), "cannot be decoded"),
    ],
)
async def test_a_picture_that_leads_elsewhere_or_is_none_is_refused(
    mediawiki_cirrus: str, wiki_at: OpenWiki, answer: Answer, reason: str
) -> None:
    proxy = FaultProxy(mediawiki_cirrus, [Forward(), answer])
    async with proxy as url:
        with pytest.raises(PageUnavailable, match=reason):
            await wiki_at(url).picture(CLOCK)
    assert len(proxy.requests) == 2


async def test_a_redirect_within_the_wiki_is_followed_and_a_loop_is_not(
    mediawiki_cirrus: str, wiki_at: OpenWiki
) -> None:
    async with FaultProxy(mediawiki_cirrus, [Forward(), redirect("/images/8/87/Tarnwick_Clock.png")]) as url:
        assert (await wiki_at(url).picture(CLOCK)).width == 640
    proxy = FaultProxy(mediawiki_cirrus, [Forward(), *[redirect("/images/8/87/Tarnwick_Clock.png")] * 9])
    async with proxy as url:
        with pytest.raises(PageUnavailable, match="status 302"):
            await wiki_at(url).picture(CLOCK)
    assert len(proxy.requests) == 5


async def test_a_file_that_claims_to_lie_elsewhere_is_not_fetched(mediawiki_cirrus: str, wiki_at: OpenWiki) -> None:
    info = {"thumburl": "http://192.0.2.1/x.png", "descriptionurl": "", "extmetadata": {}}
    lie = json.dumps({"query": {"pages": [{"imageinfo": [info]}]}}).encode()
    async with FaultProxy(mediawiki_cirrus, [Answer(200, lie, "application/json")]) as url:
        with pytest.raises(PageUnavailable, match="does not lie on the file hosts"):
            await wiki_at(url).picture(CLOCK)


async def test_too_many_bytes_are_not_read(mediawiki_cirrus: str, wiki_at: OpenWiki) -> None:
    endless = Answer(200, b"\x89PNG\r\n\x1a\n" + bytes(11_000_000), "image/png")
    async with FaultProxy(mediawiki_cirrus, [Forward(), endless]) as url:
        with pytest.raises(PageUnavailable, match="10,000,000 bytes"):
            await wiki_at(url).picture(CLOCK)
