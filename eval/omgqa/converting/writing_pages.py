"""The pages of a data set as HTML that is read back as it was written: paragraphs, images, tables under headings."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from eval.omgqa.converting.titles import page_title
from heliograph.types import SourcePage
from indexers.parser.text import tidy


@dataclass(frozen=True, slots=True)
class WrittenCell:
    """What a cell says, and the title of the page that it links to; empty where it links none."""

    text: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table; rows may be shorter than the header, and the header may be blank."""

    section: str
    header: tuple[str, ...]
    rows: tuple[tuple[WrittenCell, ...], ...]


@dataclass(slots=True)
class _Draft:
    """A page in the making; what comes twice stands once."""

    url: str = ""
    paragraphs: dict[str, None] = field(default_factory=dict)
    images: dict[str, None] = field(default_factory=dict)
    tables: list[WrittenTable] = field(default_factory=list)


class PageWriter:
    """Gather what a data set gives piece by piece, and write one page for each title."""

    def __init__(self) -> None:
        self._drafts: dict[str, _Draft] = {}

    def add_paragraph(self, title: str, text: str, url: str = "") -> None:
        """Add a paragraph to the page of a title; one that is there already, up to its white space, is not added."""
        if one_line(text):
            self._draft(title, url).paragraphs.setdefault(one_line(text))

    def add_table(self, title: str, table: WrittenTable, url: str = "") -> None:
        """Add a table under a heading of its own."""
        self._draft(title, url).tables.append(table)

    def add_image(self, title: str, file: str, url: str = "") -> None:
        """Add an image by its file, with the page's title as its caption."""
        self._draft(title, url).images.setdefault(file)

    def pages(self) -> tuple[SourcePage, ...]:
        """Return the pages in the order in which their titles came."""
        return tuple(SourcePage(title, _html(title, draft), draft.url) for title, draft in self._drafts.items())

    def _draft(self, title: str, url: str) -> _Draft:
        draft = self._drafts.setdefault(page_title(title), _Draft())
        draft.url = draft.url or url
        return draft


def one_line(text: str) -> str:
    """Return a text as the parser reads it from a page: white space collapsed, nothing unseen in it."""
    return tidy(text.replace("\0", ""))


def _html(title: str, draft: _Draft) -> str:
    name = escape(title)
    return "".join(
        [
            f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{name}</title></head><body><h1>{name}</h1>',
            *(f"<p>{escape(text)}</p>" for text in draft.paragraphs),
            *(_figure(file, name) for file in draft.images),
            *map(_table, draft.tables),
            "</body></html>",
        ]
    )


def _figure(file: str, caption: str) -> str:
    return f'<figure><img src="{escape(quote(file))}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'


def _table(table: WrittenTable) -> str:
    """Write a table; rows that show nothing are left out, since a blank first one would make names of the second."""
    heading = f"<h2>{escape(one_line(table.section) or 'Table')}</h2>"
    header = tuple(map(one_line, table.header))
    names = _row("th", map(escape, header)) if any(header) else ""
    rows = (_row("td", map(_cell, row)) for row in table.rows if any(one_line(cell.text) for cell in row))
    return f"{heading}<table>{names}{''.join(rows)}</table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def _cell(cell: WrittenCell) -> str:
    text = escape(one_line(cell.text))
    return f'<a href="/wiki/{quote(cell.target, safe="")}">{text}</a>' if cell.target and text else text
