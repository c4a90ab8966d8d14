"""Tables as lines of JSON, with what linking needs of them; links are titles."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from heliograph.types import Cell, EvidenceId, Link, PageKey, Place, TableEvidence
from indexers.links import links_of

NONE = -1
"""Where a page has no passage."""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A table, and the number in its shard of its page's own passage, or NONE."""

    table: TableEvidence
    passage: int

    @property
    def linked(self) -> bool:
        """Whether any cell carries a link."""
        return bool(links_of(self.table))


def write_tables(path: Path, records: Iterable[TableRecord], titles: Mapping[str, str]) -> None:
    """Write tables; `titles` says under which title a linked page stands, where it is not the one that is linked."""
    with path.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        for record in records:
            json.dump(_packed(record, titles), file, ensure_ascii=False, separators=(",", ":"))
            file.write("\n")


def read_tables(path: Path) -> Iterator[TableRecord]:
    """Yield tables one at a time."""
    with path.open(encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        yield from map(_unpacked, file)


def _packed(record: TableRecord, titles: Mapping[str, str]) -> list[object]:
    table, place = record.table, record.table.place
    rows = [[_cell(cell, titles) for cell in row] for row in table.rows]
    where = [place.page, place.title, place.section, list(place.path)]
    return [table.id, record.passage, where, table.kind, table.caption, list(table.header), rows]


def _cell(cell: Cell, titles: Mapping[str, str]) -> object:
    if not cell.links:
        return cell.text
    return [cell.text, *dict.fromkeys(titles.get(link.target, link.target) for link in cell.links)]


def _unpacked(line: str) -> TableRecord:
    id, passage, (page, title, section, path), kind, caption, header, rows = json.loads(line)
    place = Place(PageKey(page), title, section, tuple(path))
    cells = tuple(tuple(_read_cell(cell) for cell in row) for row in rows)
    return TableRecord(TableEvidence(EvidenceId(id), place, kind, caption, tuple(header), cells), passage)


def _read_cell(cell: str | list[str]) -> Cell:
    if isinstance(cell, str):
        return Cell(cell)
    return Cell(cell[0], tuple(Link(cell[0], target) for target in cell[1:]))
