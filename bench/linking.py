"""Measure the linking of table cells on OTT-QA: recall, rejection, edges a row, seconds and memory.

usage: python -m bench.linking --data OTT_FOLDER [--tables 400] [--cells 1200] [--without-about] [--spacy] [--tuning]

Cells are sampled with a seed from tables of the parts that are never tuned on (bench/ott_links.py). A linked cell is
found within k when one of the passages that it links to is among its first k. Cells without a link are the negatives of
rejection, in tables that have links: weak, for editors link a name once and not each time. Twins are passages of one
text, as a page and its redirect are; up to twins, either counts.
"""

import argparse
import random
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.ott_links import FITTED, LinkedTable, fitting_tables, part, read_passages, read_tables
from heliograph.types import EvidenceId
from indexers.linking.candidates import SEARCHED
from indexers.linking.linker import CellLink, Linker, Weighed
from indexers.linking.ragged import Floats
from indexers.linking.spacy_names import SpacyNames
from indexers.linking.titles import TITLE, TitleIndex

LEAST, DEEPEST = 0.005, 10
"""The chance and the links of a cell down to which the curves are drawn."""
THRESHOLDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7)
DEPTHS = (1, 2, 3, 5, 10)

Place = tuple[int, int]


STAGES: dict[str, Callable[[Weighed], Floats]] = {
    "the title": lambda each: np.where(each.pairs.source == TITLE, each.alone, 0.0),
    "and names": lambda each: np.where(each.pairs.source < SEARCHED, each.alone, 0.0),
    "and words in context": lambda each: each.alone,
    "and columns": lambda each: each.chances,
}
"""What the linker does, one after the other: the chances after each."""
LAST = "and columns"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A table, and the links found in each of its cells after each stage, likeliest first."""

    linked: LinkedTable
    stages: dict[str, dict[Place, tuple[CellLink, ...]]]

    @property
    def found(self) -> dict[Place, tuple[CellLink, ...]]:
        """Return the links after the last stage."""
        return self.stages[LAST]

    def cells(self) -> list[Place]:
        """Return the cells that hold a text."""
        rows = enumerate(self.linked.table.rows)
        return [(row, column) for row, cells in rows for column, cell in enumerate(cells) if cell.text.strip()]


def main() -> None:
    """Print one Markdown table for each question."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--tables", type=int, default=400)
    ask.add_argument("--cells", type=int, default=1200)
    ask.add_argument("--without-about", action="store_true")
    ask.add_argument("--spacy", action="store_true")
    ask.add_argument("--tuning", action="store_true", help="measure on tables that are tuned on")
    args = ask.parse_args()
    tables = sampled(args.data, args.tables, tuning=args.tuning)
    began, before = time.process_time(), memory()
    index = TitleIndex.build(read_passages(args.data))
    print(f"index: {len(index.ids)} passages, {time.process_time() - began:.0f} s of CPU, {memory() - before:.0f} MB\n")
    linker = Linker(index, threshold=LEAST, most=DEEPEST, recognise=SpacyNames() if args.spacy else None)
    began = time.process_time()
    outcomes = [outcome(linker, each, "" if args.without_about else each.about) for each in tables]
    seconds = time.process_time() - began
    cells = sum(len(row) for each in tables for row in each.table.rows)
    print(f"linking: {len(tables)} tables, {cells} cells, {seconds:.0f} s of CPU; peak {memory():.0f} MB in all\n")
    for table in (
        recall(outcomes, args.cells, index),
        steps(outcomes, args.cells),
        rejection(outcomes),
        edges(outcomes),
    ):
        print("\n".join(table), end="\n\n")


def sampled(data: Path, count: int, *, tuning: bool) -> list[LinkedTable]:
    """Return some tables, the same each time: of the parts reported on, or of those that may be tuned on."""
    allowed = fitting_tables(data) if tuning else frozenset[str]()
    tables = [
        each
        for each in read_tables(data)
        if (each.table.id in allowed and part(each.table.id) < FITTED if tuning else part(each.table.id) >= FITTED)
    ]
    return random.Random(7).sample(tables, min(count, len(tables)))


def outcome(linker: Linker, linked: LinkedTable, about: str) -> Outcome:
    """Link one table."""
    weighed = linker.weigh(linked.table, about)
    stages = {name: replace(weighed, chances=chances(weighed)) for name, chances in STAGES.items()}
    return Outcome(linked, {name: by_cell(linker.kept(stage)) for name, stage in stages.items()})


def by_cell(links: Iterable[CellLink]) -> dict[Place, tuple[CellLink, ...]]:
    """Return links by their cell."""
    found: dict[Place, tuple[CellLink, ...]] = {}
    for link in links:
        place = (link.row, link.column)
        found[place] = (*found.get(place, ()), link)
    return found


def recall(outcomes: Sequence[Outcome], cells: int, index: TitleIndex) -> list[str]:
    """Return the share of linked cells whose link is found within some depths, after each stage and up to twins."""
    twin = {id: int(index.twins[number]) for number, id in enumerate(index.ids)}
    sample = linked_cells(outcomes, cells)
    lines = [f"| {len(sample)} linked cells | {' | '.join(f'within {depth}' for depth in DEPTHS)} |", line(DEPTHS)]
    for stage in STAGES:
        lines.append(f"| {stage} | {' | '.join(recalled(sample, stage, lambda id: id))} |")
    return [*lines, f"| up to twins | {' | '.join(recalled(sample, LAST, twin.__getitem__))} |"]


def recalled(sample: Sequence[tuple[Outcome, Place]], stage: str, same: Callable[[EvidenceId], object]) -> list[str]:
    """Return the share of cells whose link is found within each depth, after a stage."""
    return [
        share(right(each.stages[stage].get(place, ())[:depth], each, place, same) for each, place in sample)
        for depth in DEPTHS
    ]


def steps(outcomes: Sequence[Outcome], cells: int) -> list[str]:
    """Return by what the first links were found, and how often that was right."""
    hows: Counter[str] = Counter()
    rights: Counter[str] = Counter()
    for each, place in linked_cells(outcomes, cells):
        links = each.found.get(place, ())[:1]
        how: str = links[0].how if links else "nothing"
        hows[how] += 1
        rights[how] += right(links, each, place, lambda id: id)
    lines = ["| first link by | cells | right |", line(range(2))]
    for how, count in hows.most_common():
        lines.append(f"| {how} | {100 * count / hows.total():.1f} | {100 * rights[how] / count:.1f} |")
    return lines


def rejection(outcomes: Sequence[Outcome]) -> list[str]:
    """Return precision and recall of telling cells that link nothing from others, at some thresholds."""
    cells = [(best(each, place), place in each.linked.links) for each in outcomes for place in each.cells()]
    lines = [
        f"| threshold, {len(cells)} cells | rejected: precision | recall | linked: precision | recall |",
        line(range(4)),
    ]
    for threshold in THRESHOLDS:
        kept = [chance >= threshold for chance, _ in cells]
        gold = [linked for _, linked in cells]
        figures = (
            share(not g for g, k in zip(gold, kept, strict=True) if not k),
            share(not k for g, k in zip(gold, kept, strict=True) if not g),
            share(g for g, k in zip(gold, kept, strict=True) if k),
            share(k for g, k in zip(gold, kept, strict=True) if g),
        )
        lines.append(f"| {threshold} | {' | '.join(figures)} |")
    return lines


def edges(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the share of given (row, passage) links that are found, and edges a row, for thresholds and depths."""
    lines = [f"| threshold | {' | '.join(f'{depth} a cell' for depth in DEPTHS[1:])} |", line(DEPTHS[1:])]
    for threshold in THRESHOLDS:
        figures = [edge_recall(outcomes, threshold, depth) for depth in DEPTHS[1:]]
        lines.append(f"| {threshold} | {' | '.join(f'{found} at {size:.1f}' for found, size in figures)} |")
    return lines


def edge_recall(outcomes: Sequence[Outcome], threshold: float, depth: int) -> tuple[str, float]:
    """Return the share of given links found, and the edges found a row."""
    hits: list[bool] = []
    found_edges = rows = 0
    for each in outcomes:
        rows += len(each.linked.table.rows)
        found = {
            (row, link.passage)
            for (row, _), links in each.found.items()
            for link in links[:depth]
            if link.score >= threshold
        }
        given = {(row, passage) for (row, _), passages in each.linked.links.items() for passage in passages}
        found_edges += len(found)
        hits += [edge in found for edge in given]
    return share(hits), found_edges / rows


def linked_cells(outcomes: Sequence[Outcome], count: int) -> list[tuple[Outcome, Place]]:
    """Sample linked cells, the same each time."""
    cells = [(each, place) for each in outcomes for place in each.linked.links]
    return random.Random(7).sample(cells, min(count, len(cells)))


def right(links: Iterable[CellLink], each: Outcome, place: Place, same: Callable[[EvidenceId], object]) -> bool:
    """Tell whether one of some links of a cell is right."""
    wanted = {same(passage) for passage in each.linked.links[place]}
    return not wanted.isdisjoint(same(link.passage) for link in links)


def best(each: Outcome, place: Place) -> float:
    """Return the highest chance in a cell."""
    return max((link.score for link in each.found.get(place, ())), default=0.0)


def share(values: Iterable[bool]) -> str:
    """Return a share in %."""
    each = list(values)
    return f"{100 * sum(each) / len(each):.1f}" if each else "–"


def line(columns: Iterable[object]) -> str:
    """Return the line under the head of a table."""
    return f"| --- |{' --- |' * len(list(columns))}"


def memory() -> float:
    """Return the most memory that this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
