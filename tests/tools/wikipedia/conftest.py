"""The test wiki, straight or through a proxy that goes wrong, as Heliograph sees it."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from tests.servers.fixtures import mediawiki_cirrus, mediawiki_plain
from tools.politeness import Manners
from tools.wikipedia import Wikipedia

__all__ = ["mediawiki_cirrus", "mediawiki_plain"]

CONTACT = "keeper@marrowdale.example"
OpenWiki = Callable[..., Wikipedia]


@pytest.fixture
def wiki_at() -> OpenWiki:
    """Return a function that opens the wiki at an address of this machine."""

    def open_wiki(url: str, at_once: int = 1, **manners: float) -> Wikipedia:
        parts = urlsplit(url)
        return Wikipedia(f"http://{parts.netloc}/w/", CONTACT, at_once, manners=Manners(**manners))

    return open_wiki


@pytest.fixture(params=["mediawiki_plain", "mediawiki_cirrus"])
def wiki(request: pytest.FixtureRequest, wiki_at: OpenWiki) -> Wikipedia:
    """Open the test wiki, once with each of its two search engines."""
    return wiki_at(request.getfixturevalue(request.param))


@pytest.fixture
def cirrus(mediawiki_cirrus: str, wiki_at: OpenWiki) -> Wikipedia:
    """Open the test wiki whose search behaves like Wikipedia's."""
    return wiki_at(mediawiki_cirrus)
