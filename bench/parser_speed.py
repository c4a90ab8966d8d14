"""Time page to Document against BeautifulSoup with pandas.read_html doing the same work.

usage: parser_speed.py [--repeats N] [FOLDER]

The page is made here: sections, linked paragraphs, lists, figures, tables with spans and two rows of column names,
edit links and, as in every real article, a list of references, which both sides leave out.
Both sides read every paragraph, list, image and table with its section and its links, and every cell with its link.
What they find is compared, cell by cell, and a difference ends the run.
Each repetition times both, one after the other, in seconds of processor time, so that what else the machine does weighs
little and on both alike. BeautifulSoup leaves much garbage, so each ratio is given twice: with a collection before
every reading, outside the time, and with garbage collected as it comes, as in a program that reads page after page.
FOLDER holds pages saved by parser_on_real_articles.py --save; of real tables those that agree are counted.
"""

import argparse
import gc
import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import pandas as pd
from bs4 import BeautifulSoup, Tag

from heliograph.types import Document, ImageEvidence, Leaf, Page, TableEvidence, TextEvidence
from indexers.parser import parse_page

SECTIONS = 45
REFERENCES = 180
READINGS = 5
SYLLABLES = ("ba", "co", "di", "fu", "ge", "ha", "jo", "ki", "lu", "me", "no", "pa", "ri", "so", "tu", "ve")

Piece = tuple[str, str, str, tuple[str, ...]]
"""Kind, section, text and targets of the links in it."""

Grid = list[list[tuple[str, str]]]
"""Column names, then rows: the text of each cell and the target of its link."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What either side finds on a page, in document order."""

    pieces: list[Piece]
    tables: list[Grid]


class PageMaker:
    """Makes an article like Wikipedia's present markup, always the same."""

    def __init__(self) -> None:
        self._random = random.Random(3)

    def page(self) -> str:
        """Return about 450 KB of HTML."""
        body = "".join(map(self._section, range(SECTIONS)))
        return f'<div class="mw-content-ltr mw-parser-output">{body}{self._references()}</div>'

    def _section(self, number: int) -> str:
        level = 2 + number % 3
        heading = (
            f'<div class="mw-heading mw-heading{level}"><h{level} id="S{number}">{self._words(3)}</h{level}></div>\n'
        )
        return heading + "".join(self._paragraph() for _ in range(4)) + self._figure() + self._list() + self._table()

    def _words(self, count: int) -> str:
        return " ".join(self._word() for _ in range(count))

    def _word(self) -> str:
        return "".join(self._random.choices(SYLLABLES, k=self._random.randint(1, 4)))

    def _link(self) -> str:
        title = self._word().title()
        return f'<a href="/wiki/{title}_{self._word()}" title="{title}">{title}</a>'

    def _paragraph(self) -> str:
        note = '<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">[1]</a></sup>'
        body = " ".join(
            f"{self._words(12)} {self._link()} <i>{self._words(2)}</i> {self._words(6)}.{note}" for _ in range(4)
        )
        return f"<p>{body}</p>\n"

    def _figure(self) -> str:
        return (
            '<figure class="mw-default-size" typeof="mw:File/Thumb">'
            '<a href="/wiki/File:X.jpg" class="mw-file-description">'
            f'<img src="//x/{self._word()}.jpg" alt="{self._words(4)}" width="220" height="165"></a>'
            f"<figcaption>{self._words(8)} {self._link()}</figcaption></figure>\n"
        )

    def _list(self) -> str:
        return "<ul>" + "".join(f"<li>{self._link()}, {self._words(6)}</li>\n" for _ in range(6)) + "</ul>\n"

    def _table(self) -> str:
        names = "".join(f'<th scope="col">{name}</th>' for name in ("Begun", "Lit"))
        head = (
            f'<table class="wikitable sortable"><caption>{self._words(4)}</caption><tbody>\n'
            '<tr><th rowspan="2">Name</th>'
            f'<th colspan="2">Years</th><th rowspan="2">Height</th><th rowspan="2">Place</th></tr>\n<tr>{names}</tr>\n'
        )
        return head + "".join(map(self._row, range(14))) + "</tbody></table>\n"

    def _references(self) -> str:
        return (
            '<div class="reflist"><ol class="references">'
            + "".join(map(self._reference, range(REFERENCES)))
            + "</ol></div>"
        )

    def _reference(self, number: int) -> str:
        address = f"https://example.org/{self._word()}"
        return (
            f'<li id="cite_note-{number}"><span class="mw-cite-backlink"><a href="#cite_ref-{number}">^</a></span> '
            f'<span class="reference-text"><cite class="citation web cs1">{self._words(2)} (2001). '
            f'<a rel="nofollow" class="external text" href="{address}">"{self._words(6)}"</a>. <i>{self._words(2)}</i>.'
            f'</cite><span title="ctx_ver=Z39.88-2004&amp;rft.title={self._word()}" class="Z3988"></span></span></li>\n'
        )

    def _row(self, number: int) -> str:
        year, height = self._random.randint(1800, 1999), self._random.randint(10, 99)
        years = f"<td>{year}</td>\n<td>{year + 2}</td>"
        if number % 7 == 3:
            years = '<td colspan="2">never finished</td>'
        place = f"<td>{self._link()}, {self._words(2)}</td>"
        return f"<tr><td>{self._link()}</td>\n{years}\n<td>{height} m</td>\n{place}</tr>\n"


def read_with_heliograph(page: Page) -> Reading:
    """Read a page with our parser."""
    return _reading(parse_page(page))


def read_with_soup(page: Page) -> Reading:
    """Read a page as one would without us: BeautifulSoup for the text, pandas for the tables."""
    soup = BeautifulSoup(page.html, "html.parser")
    for unseen in soup.select("sup.reference, .mw-editsection, style, script, .toc, .navbox, .reflist"):
        unseen.decompose()
    pieces: list[Piece] = []
    section = ""
    for block in soup.find_all(["h2", "h3", "h4", "h5", "h6", "p", "ul", "img", "table"]):
        match block.name:
            case "p" | "ul":
                targets = tuple(_target(link["href"]) for link in block.find_all("a", href=True))
                pieces.append(("text", section, _flat(block.get_text()), targets))
            case "img":
                pieces.append(("image", section, _caption(block.find_parent("figure"), "figcaption"), ()))
            case "table":
                pieces.append(("table", section, _caption(block, "caption"), ()))
            case _:
                section = _flat(block.get_text())
    return Reading([piece for piece in pieces if piece[2]], [_grid(frame) for frame in _frames(page.html)])


def _caption(element: Tag | None, name: str) -> str:
    found = element.find(name) if element else None
    return _flat(found.get_text()) if found else ""


def _target(href: object) -> str:
    path = str(href or "")
    return unquote(path.removeprefix("/wiki/").partition("#")[0]).replace("_", " ") if path.startswith("/wiki/") else ""


def _frames(html: str) -> list[pd.DataFrame]:
    """Read the tables with the parser that pandas tries first, the faster of its two."""
    try:
        frames: list[pd.DataFrame] = pd.read_html(StringIO(html), flavor="lxml", extract_links="body")
    except ValueError:
        return []
    return frames


def _grid(frame: pd.DataFrame) -> Grid:
    names = (dict.fromkeys(name) if isinstance(name, tuple) else [name] for name in frame.columns)
    header = [(_flat(" ".join(map(str, name))), "") for name in names]
    return [header] + [[_cell(cell) for cell in row] for row in frame.to_numpy().tolist()]


def _cell(cell: object) -> tuple[str, str]:
    text, href = cell if isinstance(cell, tuple) else (cell, None)
    return _flat(str(text)), _target(href)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _reading(document: Document) -> Reading:
    titles = {section.id: section.title for section in document.sections[1:]}
    tables = [_rows(leaf) for leaf in document.leaves if isinstance(leaf, TableEvidence)]
    return Reading([_piece(leaf, titles.get(leaf.place.section, "")) for leaf in document.leaves], tables)


def _piece(leaf: Leaf, section: str) -> Piece:
    match leaf:
        case TextEvidence():
            return "text", section, _flat(leaf.text), tuple(link.target for link in leaf.links)
        case TableEvidence():
            return "table", section, leaf.caption, ()
        case ImageEvidence():
            return "image", section, leaf.caption, ()


def _rows(table: TableEvidence) -> Grid:
    rows = [[(_flat(cell.text), cell.links[0].target if cell.links else "") for cell in row] for row in table.rows]
    return [[(name, "") for name in table.header], *rows]


def _seconds(read: Callable[[Page], object], pages: list[Page], before: Callable[[], object]) -> float:
    gc.collect()
    seconds = 0.0
    for page in pages:
        before()
        start = time.process_time()
        read(page)
        seconds += time.process_time() - start
    return seconds


def compare(name: str, pages: list[Page], repeats: int, before: Callable[[], object]) -> None:
    """Print the median ratio over paired repetitions; `before` runs untimed before every reading."""
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(_seconds(parse_page, pages, before))
        theirs.append(_seconds(read_with_soup, pages, before))
    ratios = sorted(their / our for our, their in zip(ours, theirs, strict=True))
    ratio, our, their = (statistics.median(values) for values in (ratios, ours, theirs))
    verdict = "at least 10" if ratio >= 10 else "BELOW 10"
    print(f"  {name}: ours {our * 1e3:.1f} ms, BeautifulSoup + pandas {their * 1e3:.1f} ms;", end=" ")
    print(f"ratio {ratio:.1f}, {verdict} (median of {repeats} pairs, {ratios[0]:.1f} to {ratios[-1]:.1f})")


def compare_twice(pages: list[Page], repeats: int) -> None:
    """Print both ratios."""
    compare("collected before each reading", pages, repeats, gc.collect)
    compare("collected as it comes", pages, repeats, _leave)


def _leave() -> None:
    """Do nothing before a reading."""


def check_made(page: Page) -> None:
    """End the run unless both sides find the same on the page that we made."""
    ours, theirs = read_with_heliograph(page), read_with_soup(page)
    assert ours == theirs, "the two readings differ"
    cells = sum(len(row) for table in ours.tables for row in table)
    links = sum(len(targets) for _, _, _, targets in ours.pieces)
    links += sum(bool(target) for table in ours.tables for row in table for _, target in row)
    print(f"both find the same {len(ours.pieces)} pieces in their sections, {links} links,")
    print(f"  {len(ours.tables)} tables, {cells} cells")


def count_agreement(pages: list[Page]) -> None:
    """Say how many real tables have the same cells on both sides."""
    ours = [table for page in pages for table in read_with_heliograph(page).tables]
    theirs = [table for page in pages for table in read_with_soup(page).tables]
    equal = sum(table in theirs for table in ours)
    print(f"real tables: {len(ours)} of ours, {len(theirs)} of pandas, {equal} equal in every cell")


def main() -> None:
    """Print the ratio on the made page and, with a folder, on real ones."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", nargs="?", type=Path)
    ask.add_argument("--repeats", type=int, default=9)
    args = ask.parse_args()
    made = Page("bench", "Made", "1", "https://example.org/wiki/Made", PageMaker().page(), "1970-01-01T00:00:00Z")
    check_made(made)
    print(f"made page, {len(made.html.encode()) / 1e3:.0f} KB, {READINGS} readings a repetition")
    compare_twice([made] * READINGS, args.repeats)
    if args.folder:
        real = [Page(**json.loads(path.read_text(encoding="utf8"))) for path in sorted(args.folder.glob("*.json"))]
        count_agreement(real)
        print(f"{len(real)} real articles, {sum(len(page.html.encode()) for page in real) / 1e6:.1f} MB")
        compare_twice(real, max(1, args.repeats // 3))


if __name__ == "__main__":
    main()
