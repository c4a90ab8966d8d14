"""Pages in memory, and what is built of them."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np

from heliograph.errors import PageUnavailable
from heliograph.types import Page
from indexers.offline.build import Build, Report
from indexers.offline.plan import Settings, Work
from indexers.offline.searching import OfflineGraph
from tests.indexers.edges.worlds import WIDTH, WordEncoder

WIKI = "sky"


@dataclass(frozen=True)
class MemoryShelf:
    """A shelf of titles with HTML, of redirects, and of pages that only redirect.

    `listed` are further titles, which `fetch` may have or not.
    """

    html: tuple[tuple[str, str], ...]
    redirects: tuple[tuple[str, str], ...] = ()
    listed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    wiki: str = WIKI

    @property
    def edition(self) -> str:
        return hashlib.sha256(repr((self.html, self.redirects)).encode()).hexdigest()

    def opened(self) -> "MemoryShelf":
        return self

    async def titles(self) -> tuple[str, ...]:
        return (*(title for title, _ in (*self.html, *self.moved)), *self.listed)

    async def titles_of(self, names: Sequence[str]) -> tuple[str | None, ...]:
        known = {title: title for title, _ in self.html} | dict(self.redirects)
        return tuple(map(known.get, names))

    async def fetch(self, title: str) -> Page:
        title = dict(self.moved).get(title, title)
        if title in dict(self.html):
            return Page(self.wiki, title, "1", "", dict(self.html)[title], "")
        raise PageUnavailable(f'no page "{title}" in {self.wiki}')


@dataclass(frozen=True)
class WordEncoding:
    """The encoder of words, in any process."""

    def opened(self) -> WordEncoder:
        return WordEncoder()

    @property
    def dimensions(self) -> int:
        return WIDTH


def table(header: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """Return the HTML of a table; a cell `[[Title]]` or `[[Title|words]]` is a link."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    named = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table class='wikitable'>{named}<tr>{head}</tr>{body}</table>"


def _cell(text: str) -> str:
    if not text.startswith("[["):
        return escape(text)
    title, _, words = text[2:-2].partition("|")
    return f'<a href="/wiki/{title.replace(" ", "_")}">{escape(words or title)}</a>'


def page(lead: str, *more: str) -> str:
    """Return the HTML of a page; what follows the lead stands below a heading."""
    return f"<p>{escape(lead)}</p>" + (f"<h2>Facts</h2>{''.join(more)}" if more else "")


SKY = MemoryShelf(
    (
        ("Jupiter", page("Jupiter is a giant planet.", table(["Moon", "Found"], [["[[Io]]", "1610"], ["none", "x"]]))),
        ("Io", page("Io has volcanoes.")),
        ("Saturn", page("Saturn has rings.", table(["Moon", "Note"], [["[[Great Moon|Titan]]", "[[Io|like Io]]"]]))),
        ("Titan (moon)", page("Titan is a moon of Saturn.")),
    ),
    (("Great Moon", "Titan (moon)"),),
)
"""Four pages, two tables, a link by a redirect, a row that links nothing."""


def built(shelf: MemoryShelf, out: Path, **settings: object) -> Report:
    """Build in this process."""
    return build(shelf, out, **settings).run()


def build(shelf: MemoryShelf, out: Path, **settings: object) -> Build:
    """Return a build that says nothing."""
    return Build(Work(shelf, out, Settings(**settings)), lambda _: None)  # type: ignore[arg-type]


def links(graph: OfflineGraph) -> Iterator[tuple[str, str]]:
    """Yield the lines of the two nodes of each edge, "" for no passage."""
    for row, passage in graph.graph.edges.tolist():
        yield graph.graph.segments.lines[row], "" if passage < 0 else graph.graph.passages.lines[passage]


def sums(folder: Path) -> Mapping[str, str]:
    """Return the sha256 of every file of a build but its lock's."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith("writer."))
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def arrays(graph: OfflineGraph) -> list[object]:
    """Return all that is searched, as values."""
    both = [graph.graph.segments, graph.graph.passages]
    nodes = [(list(side.ids), [side.lines[each] for each in range(len(side))], list(side.tables)) for side in both]
    return [nodes, np.asarray(graph.graph.edges).tolist()]
