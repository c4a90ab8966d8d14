"""Live pages become an archive that reads like the wiki."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from agent.cli.fetching import fetch_command
from agent.fetching import fetch_pages
from heliograph.errors import ContactMissing, PageUnavailable, RateLimited, UsageError
from heliograph.types import ImageEvidence, Page, TextEvidence
from indexers.parser import parse_page
from tests.servers.fault_proxy import FaultProxy
from tests.servers.faults import Forward, too_many_requests
from tests.servers.fixtures import mediawiki_cirrus
from tools.disambiguation import is_disambiguation
from tools.wikipedia import Wikipedia
from tools.zim import ZimArchive
from tools.zim.content import credit_path, read_credit

__all__ = ["mediawiki_cirrus"]

pytestmark = pytest.mark.mediawiki
Fetch = Callable[..., Result]
CONTACT = "keeper@marrowdale.example"


@pytest.fixture
def fetch(mediawiki_cirrus: str) -> Fetch:
    """Run the command with arguments against the test wiki."""
    wiki = f"http://{urlsplit(mediawiki_cirrus).netloc}/w/"

    def run(*args: object, contact: str = CONTACT) -> Result:
        given = ["--wiki", wiki, *(["--contact", contact] if contact else []), *map(str, args)]
        return CliRunner().invoke(fetch_command, given)

    return run


def read(out: Path, *titles: str) -> list[Page]:
    async def pages() -> list[Page]:
        archive = ZimArchive(out)
        return [await archive.fetch(title) for title in titles]

    return asyncio.run(pages())


def test_pages_redirects_and_what_is_missing(fetch: Fetch, tmp_path: Path, mediawiki_cirrus: str) -> None:
    out = tmp_path / "dale.zim"
    done = fetch("Tarnwick", "Tarrant's viaduct", "Heron", "Nowhere at all", out, "--no-pictures")
    assert done.exit_code == 0, done.output
    assert "3 pages, 0 images, 3 redirects" in done.output
    assert "left out: page 'Nowhere at all': no page" in done.output
    assert "2/4 Great Pell Viaduct: 0 pictures" in done.stderr
    assert "Heron (disambiguation): 0 pictures, tells meanings apart" in done.stderr
    town, bridge, heron = read(out, "Tarnwick", "Pell Viaduct", "Heron")
    assert bridge.title == "Great Pell Viaduct" and is_disambiguation(heron.html)
    assert town.url.startswith(f"{mediawiki_cirrus.removesuffix('/w/api.php')}/w/index.php?title=Tarnwick&oldid=")
    assert (town.attribution, town.wiki) == ("Marrowdale Wiki contributors", "dale")


def test_links_within_the_archive_lead_to_its_pages_and_others_to_the_wiki(fetch: Fetch, tmp_path: Path) -> None:
    out = tmp_path / "dale.zim"
    assert fetch("I. Tarrant", "Great Pell Viaduct", out, "--no-pictures").exit_code == 0
    (bridge,) = read(out, "Great Pell Viaduct")
    links = [link for leaf in parse_page(bridge).leaves if isinstance(leaf, TextEvidence) for link in leaf.links]
    assert {"Ilse Tarrant", "River Lenn"} <= {link.target for link in links}
    assert 'href="./Ilse_Tarrant"' in bridge.html
    assert 'href="/wiki/' not in bridge.html and 'href="http://127.0.0.1' in bridge.html
    assert 'src="/' not in bridge.html


def test_pictures_come_along_with_their_credits(fetch: Fetch, tmp_path: Path) -> None:
    out = tmp_path / "dale.zim"
    done = fetch("Tarnwick Clock", out)
    assert done.exit_code == 0, done.output
    (page,) = read(out, "Tarnwick Clock")
    image = next(leaf for leaf in parse_page(page).leaves if isinstance(leaf, ImageEvidence))
    archive = ZimArchive(out)
    data = asyncio.run(archive.read_image("Tarnwick Clock", image.source))
    credit = read_credit(asyncio.run(archive.read_image("Tarnwick Clock", credit_path(image.source))))
    assert data.startswith(b"\x89PNG") and image.source.startswith("./_images/Tarnwick_Clock-")
    assert credit.licence.startswith("CC BY-SA 4.0") and credit.attribution == "Anneke Stroud"
    assert credit.url.endswith("/wiki/File:Tarnwick_Clock.png")


def test_where_no_page_can_be_had_nothing_is_written(fetch: Fetch, tmp_path: Path) -> None:
    out = tmp_path / "dale.zim"
    done = fetch("Nowhere at all", out)
    assert isinstance(done.exception, PageUnavailable) and not out.exists()


def test_without_a_contact_nothing_is_fetched(fetch: Fetch, tmp_path: Path) -> None:
    done = fetch("Tarnwick", tmp_path / "dale.zim", contact="")
    assert isinstance(done.exception, ContactMissing)


def test_an_archive_that_is_there_is_refused_before_anything_is_fetched(fetch: Fetch, tmp_path: Path) -> None:
    out = tmp_path / "dale.zim"
    out.write_bytes(b"mine")
    done = fetch("Tarnwick", out)
    assert isinstance(done.exception, UsageError) and "add --force" in str(done.exception)
    assert (done.stderr, out.read_bytes()) == ("", b"mine")
    assert fetch("Tarnwick", out, "--force", "--no-pictures").exit_code == 0


def test_the_same_pages_make_the_same_edition(fetch: Fetch, tmp_path: Path) -> None:
    editions = []
    for name in ("one.zim", "two.zim"):
        assert fetch("Tarnwick Clock", "Heron", tmp_path / name).exit_code == 0
        editions.append(ZimArchive(tmp_path / name).edition)
    assert editions[0] == editions[1]


async def test_a_rate_limit_half_way_leaves_what_was_had(mediawiki_cirrus: str) -> None:
    proxy = FaultProxy(mediawiki_cirrus, [Forward(), Forward(), too_many_requests(retry_after=600)])
    said: list[str] = []
    async with proxy as url:
        wiki = Wikipedia(f"{url}/w/", CONTACT)
        fetched = await fetch_pages(wiki, ("Tarnwick", "Ostrey", "Marrowdale"), False, said.append)
        assert list(fetched.pages) == ["Tarnwick"]
        assert [("asks to wait" in line) for line in (*said, *fetched.lacking)] == [False, True, True, True, True]
        with pytest.raises(RateLimited):
            await fetch_pages(wiki, ("Ostrey",), False, said.append)
    assert len(proxy.requests) == 3
