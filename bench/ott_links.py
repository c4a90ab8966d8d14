"""The tables of OTT-QA with the links of their cells, in the parts that links are fitted and reported on."""

import hashlib
import json
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from heliograph.types import Cell, EvidenceId, PageKey, Passage, Place, TableEvidence
from indexers.linking.segments import ABOUT_CHARACTERS

FITTED = 7
"""Of ten parts of the tables, by their ids: the first seven are fitted and tuned on, the others reported on."""

Links = Mapping[tuple[int, int], frozenset[EvidenceId]]
"""The passages that the cells of a table link to, by row and column from 0."""


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A table without its links, what its page begins with, and the links."""

    table: TableEvidence
    about: str
    links: Links


def read_passages(data: Path) -> Iterator[Passage]:
    """Read all passages; a title is what the id says."""
    with lzma.open(data / "passages.jsonl.xz", "rt", encoding="utf8") as lines:
        for line in lines:
            record = json.loads(line)
            title = unquote(record["passage_id"].removeprefix("/wiki/")).replace("_", " ")
            yield Passage(EvidenceId(record["passage_id"]), title, record["text"])


def read_tables(data: Path) -> Iterator[LinkedTable]:
    """Read all tables."""
    with lzma.open(data / "tables.jsonl.xz", "rt", encoding="utf8") as lines:
        for line in lines:
            record = json.loads(line)
            links: dict[tuple[int, int], set[EvidenceId]] = {}
            for row, linked in enumerate(record["links"]):
                for column, passage in linked:
                    links.setdefault((row, column), set()).add(EvidenceId(passage))
            table = TableEvidence(
                id=EvidenceId(record["table_id"]),
                place=Place(PageKey(record["title"]), record["title"], "s1", (record["section_title"],)),
                kind="table",
                caption="",
                header=tuple(record["header"]),
                rows=tuple(tuple(map(Cell, row)) for row in record["rows"]),
            )
            yield LinkedTable(
                table, record["intro"][:ABOUT_CHARACTERS], {place: frozenset(found) for place, found in links.items()}
            )


def fitting_tables(data: Path) -> frozenset[str]:
    """Return the ids that may be fitted on: tables of the questions set aside for it, never one that is evaluated."""
    folder = data / "questions"
    return frozenset(
        _gold_tables(folder / "hybridqa_dev_on_distractor_tables.jsonl") - _gold_tables(folder / "ott_dev_public.jsonl")
    )


def part(table: str) -> int:
    """Return which of ten parts a table is in."""
    return int(hashlib.sha256(table.encode()).hexdigest(), 16) % 10


def _gold_tables(path: Path) -> set[str]:
    return {json.loads(line)["gold_table"] for line in path.read_text(encoding="utf8").splitlines()}
