"""Reading the corpus of a folder: its tables, and the passages that they link to."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, Self, get_args
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError, model_validator

from eval.lines import read_lines
from eval.ott.corpus import CellLink, OttCorpus, OttTable, Passages, make_corpus
from eval.ott.texts import Texts
from heliograph.errors import UnknownName, UsageError
from heliograph.storage import plain_file

Scope = Literal["mini", "small", "full"]
"""How many of the tables are searched: 120, 1,000 or all 8,891."""

TABLES = "tables.jsonl.xz"
PASSAGES = "passages.jsonl.xz"
SUBSETS = Path("questions") / "corpus_subsets.json"


def read_corpus(folder: Path, scope: Scope) -> OttCorpus:
    """Read the tables of a scope and the passages that their cells and headers link to.

    Raises:
        UnknownName: there is no such scope.
        UsageError: a file is missing or damaged, a line has another shape, or a linked passage is nowhere.
    """
    if scope not in get_args(Scope):
        raise UnknownName(f'no scope "{scope}"; try {", ".join(get_args(Scope))}')
    kept = None if scope == "full" else _subset(folder / SUBSETS, scope)
    lines = _tables(folder / TABLES, kept)
    if not any(line.rows for line in lines):
        raise UsageError(f"{folder / TABLES} has no row in a table of the scope {scope}; name other data or --scope")
    passages = _passages(folder / PASSAGES, {target for line in lines for target in line.targets()})
    return make_corpus([line.table() for line in lines], passages, list(_links(lines)))


def page_title(passage_id: str) -> str:
    """Return the title of the page that a passage id names: "/wiki/Holm_Light" is "Holm Light"."""
    return unquote(passage_id.rsplit("/wiki/", maxsplit=1)[-1]).replace("_", " ")


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class _TableLine(_Strict):
    table_id: str
    url: str
    title: str
    section_title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    links: tuple[tuple[tuple[int, str], ...], ...]
    header_links: tuple[tuple[int, str], ...] = Field(default=())
    intro: str = ""

    @model_validator(mode="after")
    def _the_table_is_a_rectangle_and_links_start_in_it(self) -> Self:
        width = len(self.header)
        if any(len(row) != width for row in self.rows):
            raise ValueError(f"a row is not {width} cells wide, as the header is")
        if len(self.links) != len(self.rows):
            raise ValueError(f"{len(self.links)} lists of links for {len(self.rows)} rows")
        if not all(0 <= column < width for row in (*self.links, self.header_links) for column, _ in row):
            raise ValueError(f"a link starts outside the {width} columns")
        return self

    def table(self) -> OttTable:
        return OttTable(self.table_id, self.url, self.title, self.section_title, self.header, self.rows, self.intro)

    def targets(self) -> Iterator[str]:
        return (target for row in (*self.links, self.header_links) for _, target in row)


class _PassageLine(_Strict):
    passage_id: str
    text: str


class _Subsets(RootModel[dict[str, frozenset[str]]]):
    """Scope to table ids."""


def _subset(path: Path, scope: str) -> frozenset[str]:
    try:
        return _Subsets.model_validate_json(plain_file(path).read_bytes()).root[scope]
    except FileNotFoundError as err:
        raise UsageError(f"no file {path}; name the folder of the data, or give --scope full") from err
    except OSError as err:
        raise UsageError(f"{path} cannot be read ({err.strerror}); --scope full does without it") from err
    except (ValidationError, KeyError) as err:
        raise UsageError(f'{path} has no list of table ids for "{scope}"; add it, or give --scope full') from err


def _tables(path: Path, kept: frozenset[str] | None) -> list[_TableLine]:
    lines = [line for line in read_lines(path, _TableLine) if kept is None or line.table_id in kept]
    known = {line.table_id for line in lines}
    if len(known) < len(lines):
        raise UsageError(f"{path} has a table_id twice; give each table one of its own")
    if kept is not None and known != kept:
        raise UsageError(f"{path} lacks {len(kept - known)} tables of the scope, such as {min(kept - known)}; add them")
    return lines


def _passages(path: Path, needed: set[str]) -> Passages:
    ids: list[str] = []

    def texts() -> Iterator[str]:
        for line in read_lines(path, _PassageLine):
            if line.passage_id in needed:
                ids.append(line.passage_id)
                yield line.text

    packed = Texts.pack(texts())
    known = set(ids)
    if len(known) < len(ids):
        raise UsageError(f"{path} has a passage_id twice; give each passage one of its own")
    if known != needed:
        raise UsageError(f"{path} lacks {len(needed - known)} linked passages, such as {min(needed - known)}; add them")
    order = sorted(range(len(ids)), key=ids.__getitem__)
    ordered = tuple(ids[at] for at in order)
    return Passages(ordered, tuple(map(page_title, ordered)), Texts.pack(packed[at] for at in order))


def _links(lines: Sequence[_TableLine]) -> Iterator[CellLink]:
    for row, links in enumerate(links for line in lines for links in line.links):
        yield from (CellLink(row, column, target) for column, target in links)
