"""Measure the row picker on HybridQA: where a question asks for an order, is a gold row among those picked?

usage: python -m bench.row_picking OTT_FOLDER [first|rest]

OTT_FOLDER holds tables.jsonl.xz and questions/hybridqa_dev_on_distractor_tables.jsonl. Questions are taken in the order
of the sha256 of their ids, all but the first 300 (`rest`, the default) or these. The gold table is given, and gold rows
are those that hold an answer by string match, so figures are of weak labels. Beside it stand the first row of each such
table and as many rows at random.
"""

import asyncio
import hashlib
import json
import lzma
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

from eval.ott.models import table_reader
from heliograph.types import Cell, EvidenceId, Place, TableEvidence
from indexers.parser import page_key, parse_id

HELD_BACK = 300


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its gold table and gold rows, counted from 0."""

    question: str
    table: TableEvidence
    gold: frozenset[int]


def cases(folder: Path, held_back: bool) -> Iterator[Case]:
    """Yield the questions that have an answer node."""
    lines = (folder / "questions" / "hybridqa_dev_on_distractor_tables.jsonl").read_text(encoding="utf8").splitlines()
    asked = sorted(map(json.loads, lines), key=lambda one: hashlib.sha256(one["question_id"].encode()).hexdigest())
    chosen = asked[:HELD_BACK] if held_back else asked[HELD_BACK:]
    chosen = [one for one in chosen if one["answer_nodes"]]
    tables = dict(_tables(folder, {one["gold_table"] for one in chosen}))
    for one in chosen:
        yield Case(one["question"], tables[one["gold_table"]], frozenset(node["row"] for node in one["answer_nodes"]))


def _tables(folder: Path, names: set[str]) -> Iterator[tuple[str, TableEvidence]]:
    with lzma.open(folder / "tables.jsonl.xz", "rt", encoding="utf8") as lines:
        for line in map(json.loads, lines):
            if line["table_id"] in names:
                yield line["table_id"], _table(line)


def _table(line: Mapping[str, Any]) -> TableEvidence:
    key = page_key("ott", line["title"], line["table_id"])
    place = Place(key, line["title"], "s1", (line["section_title"],) if line["section_title"] else ())
    rows = tuple(tuple(map(Cell, row)) for row in line["rows"])
    return TableEvidence(EvidenceId(f"{key}#s1/t1"), place, "table", "", tuple(line["header"]), rows)


async def measure(found: Sequence[Case]) -> str:
    """Return the figures as one line."""
    reader = table_reader()
    picked, hits, first, chance = 0, 0, 0, 0.0
    for case in found:
        pick = await reader.pick_rows(case.question, case.table)
        if pick is None or not pick.rows:
            continue
        rows = {(parse_id(row).row or 0) - 1 for row in pick.rows}
        picked, hits, first = picked + 1, hits + bool(rows & case.gold), first + (0 in case.gold)
        of = len(case.table.rows)
        chance += 1 - comb(of - len(case.gold), len(rows)) / comb(of, len(rows))
    rates = (
        f"gold row among them {hits / picked:.3f}, first row {first / picked:.3f}, random rows {chance / picked:.3f}"
    )
    return f"{len(found)} questions; rows picked for {picked} ({picked / len(found):.3f}): {rates}"


if __name__ == "__main__":
    print(asyncio.run(measure(list(cases(Path(sys.argv[1]), "first" in sys.argv[2:])))))
