"""Session fixtures that give the addresses of the MediaWikis that `tests/servers/mediawiki.sh start` leaves running."""

import os
from typing import NoReturn

import pytest

START = "tests/servers/mediawiki.sh start"


@pytest.fixture(scope="session")
def mediawiki_plain() -> str:
    """Give the base URL of the wiki with MediaWiki's own search: its API is at /w/api.php."""
    return _address("MEDIAWIKI_PLAIN_URL")


@pytest.fixture(scope="session")
def mediawiki_cirrus() -> str:
    """Give the base URL of the wiki whose search keeps the rules of CirrusSearch."""
    return _address("MEDIAWIKI_CIRRUS_URL")


def _address(variable: str) -> str:
    """Read an address; without one the test is skipped, save in continuous integration, where it fails."""
    address = os.environ.get(variable, "").rstrip("/")
    return address or _without(f"{variable} is not set: `export $({START})` starts the wikis and sets it")


def _without(reason: str) -> NoReturn:
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
