"""The articles of the demo corpus, read from Markdown: titles, links, tables, pictures and prose."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

HERE = Path(__file__).parent
LINK = re.compile(r"(!?)\[([^\]]*)\]\(((?:[^()\s]|\([^()]*\))+)(?:\s+\"([^\"]*)\")?\)")
HREF = re.compile(r'href="([^"]+)"')
ROW = re.compile(r"<tr>(.*?)</tr>", re.S)
CELL = re.compile(r"<t[hd]([^>]*)>(.*?)</t[hd]>", re.S)
SPAN = re.compile(r'(row|col)span="(\d+)"')
RULE = re.compile(r"^\|(?:\s*:?-+:?\s*\|)+$")
Table: TypeAlias = list[list[str]]
Question: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Article:
    """One page with its file name and Markdown source."""

    name: str
    source: str

    @property
    def title(self) -> str:
        """Return the words of the first heading."""
        return self.source.partition("\n")[0].removeprefix("# ").strip()

    @property
    def pictures(self) -> list[tuple[str, str, str]]:
        """Return the path, alternative text and caption of each picture."""
        found = LINK.findall(self.source)
        return [(path, alt, caption) for mark, alt, path, caption in found if mark]

    @property
    def targets(self) -> set[str]:
        """Return the file names of the pages that this page links to."""
        inline = [path for mark, _, path, _ in LINK.findall(self.source) if not mark]
        return set(inline + HREF.findall(self.source))

    @property
    def tables(self) -> list[Table]:
        """Return the rows of every table as plain text."""
        blocks = re.findall(r"<table>.*?</table>", self.source, re.S)
        return [_html_table(block) for block in blocks] + _pipe_tables(self.source)

    @property
    def captioned(self) -> dict[str, Table]:
        """Return the rows of every table by its caption."""
        blocks = re.findall(r"<table>\s*<caption>(.*?)</caption>(.*?)</table>", self.source, re.S)
        pipes = re.findall(r"^\*Table: (.+)\*\n\n((?:\|.*\n?)+)", self.source, re.M)
        tables = {plain(caption): _html_table(block) for caption, block in blocks}
        return tables | {plain(caption): _pipe_rows(block) for caption, block in pipes}

    @property
    def has_spans(self) -> bool:
        """Tell whether a cell of a table stands in several places."""
        return SPAN.search(self.source) is not None

    @property
    def prose(self) -> str:
        """Return the text outside tables and pictures."""
        text = re.sub(r"<table>.*?</table>", "", self.source, flags=re.S)
        lines = [line for line in text.split("\n") if line[:1] not in ("|", "!")]
        return plain("\n".join(lines))


def plain(source: str) -> str:
    """Strip links, tags and emphasis."""
    text = LINK.sub(lambda found: found[2], source)
    text = re.sub(r"<[^>]+>", "", text)
    return re.sub(r"\s+", " ", html.unescape(text).replace("*", "")).strip()


def _pipe_tables(source: str) -> list[Table]:
    """Return the rows of every pipe table."""
    blocks = re.findall(r"(?:^\|.*\n?)+", source, re.M)
    return [_pipe_rows(block) for block in blocks]


def _pipe_rows(block: str) -> Table:
    """Split a pipe table into cells."""
    lines = [line for line in block.strip().split("\n") if not RULE.match(line)]
    return [[plain(cell) for cell in line.strip("|").split("|")] for line in lines]


def _html_table(block: str) -> Table:
    """Split a table into cells, repeating each that spans several places."""
    rows = ROW.findall(block)
    grid: dict[tuple[int, int], str] = {}
    for row, body in enumerate(rows):
        for attributes, inner in CELL.findall(body):
            _place(grid, row, attributes, plain(inner))
    width = 1 + max(column for _, column in grid)
    return [[grid.get((row, column), "") for column in range(width)] for row in range(len(rows))]


def _place(grid: dict[tuple[int, int], str], row: int, attributes: str, words: str) -> None:
    """Put a cell into the first free column of its row."""
    spans = {axis: int(number) for axis, number in SPAN.findall(attributes)}
    column = next(n for n in range(100) if (row, n) not in grid)
    for down in range(spans.get("row", 1)):
        for across in range(spans.get("col", 1)):
            grid[row + down, column + across] = words


def holders(page: Article, piece: dict[str, str]) -> int:
    """Count the places of a page that a piece of evidence names: a quote, a row or a picture."""
    if "quote" in piece:
        return int(piece["quote"] in page.prose)
    if "picture" in piece:
        return sum(piece["picture"] == Path(path).name for path, _, _ in page.pictures)
    rows = page.captioned.get(piece["table"], [])[1:]
    return sum(row[0] == piece["row"] and piece.get("with", row[0]) in row for row in rows)


def load(folder: Path = HERE) -> dict[str, Article]:
    """Read every article of an archive by its file name."""
    paths = sorted((folder / "articles").glob("*.md"))
    return {path.name: Article(path.name, path.read_text("utf-8")) for path in paths}
