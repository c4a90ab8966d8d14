"""What a build reads and encodes by: small values that travel to the process that opens them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from heliograph.protocols import PageSource, TokenEncoder


class Pages(PageSource, Protocol):
    """Pages of one wiki, all of whose titles are known."""

    async def titles(self) -> tuple[str, ...]:
        """Return the title of every page, redirects left out, in any order."""

    async def titles_of(self, names: Sequence[str]) -> tuple[str | None, ...]:
        """Return for each name the title of the page that it leads to, redirects followed; None where there is none."""


class Shelf(Protocol):
    """Where pages are; it can be hashed and pickled, and opened in any process that sees the same disk."""

    def __hash__(self) -> int: ...

    def opened(self) -> Pages:
        """Open the collection for this process."""


class Encoding(Protocol):
    """Which model encodes tokens; it can be hashed and pickled, and opened in any process."""

    def __hash__(self) -> int: ...

    def opened(self) -> TokenEncoder:
        """Load the model for this process.

        Raises:
            ModelMissing: it is not there.
        """


@lru_cache(maxsize=1)
def pages_of(shelf: Shelf) -> Pages:
    """Open a shelf once a process."""
    return shelf.opened()


@lru_cache(maxsize=1)
def encoder_of(encoding: Encoding) -> TokenEncoder:
    """Load a model once a process."""
    return encoding.opened()


def forget() -> None:
    """Close what was opened: pages and models may have changed since the last build of this process."""
    pages_of.cache_clear()
    encoder_of.cache_clear()
