"""The paths that a row of a base's page states: read from its cells, then looked up in the base.

A row of triples is a path of one step. A row of answers has a path per column whose cells link entities; its header
names the relations from the answer on, and behind an arrow the type that one comes from which leads to the answer.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from heliograph.errors import UnknownName
from heliograph.types import Cell, Citation, Entity, EvidenceId, TableEvidence, TableSegment, Triple
from indexers.parser.ids import page_name, parse_id
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.entity_documents import spelled_out, spelled_triple
from tools.skb.lookup import entity_of_title

DIGEST_DIGITS = 8
"""Hexadecimal digits that tell bases of one name, or pages of answers, from each other."""
TRIPLE_HEADER = ("From", "Relation", "To")
"""Column names of a table of triples; behind them stands what a triple says."""
MOST_ROWS = 20
"""Rows whose paths are shown of one citation, the first ones."""
_WIKI = re.compile(rf"(.*) knowledge base(?: \(([0-9a-f]{{{DIGEST_DIGITS}}})\))?", re.DOTALL)
_ANSWERS = re.compile(r" \(answers [0-9a-f]+\)$")
"""How the title of a page of answers ends."""


@dataclass(frozen=True, slots=True)
class BaseName:
    """What the wiki of a base's pages says: the name of the base, and a digest of its folder where others share it."""

    name: str
    digest: str = ""

    @property
    def wiki(self) -> str:
        """What the pages of the base say they are of."""
        return f"{self.name} knowledge base" + f" ({self.digest})" * bool(self.digest)

    def is_of(self, base: BuiltKnowledgeBase) -> bool:
        """Tell whether a base has this name, and its folder the digest."""
        return base.name == self.name and self.digest in ("", folder_digest(base.folder))


@dataclass(frozen=True, slots=True)
class PathNode:
    """An entity on a path by its name and the title of its page; `entity` is what the base knows by them."""

    name: str
    title: str
    entity: Entity | None = None


@dataclass(frozen=True, slots=True)
class PathStep:
    """A relation between two nodes that follow one another.

    Attributes:
        relation: its words.
        forward: whether it goes from the first node to the second; None where the row does not say.
        text: what the triple says.
        found: whether the base has it; None where no base was asked.
    """

    relation: str
    forward: bool | None = None
    text: str = ""
    found: bool | None = None


@dataclass(frozen=True, slots=True)
class RowPath:
    """Nodes that are joined one by one, the answer or the source first."""

    nodes: tuple[PathNode, ...]
    steps: tuple[PathStep, ...]


def base_of(wiki: str) -> BaseName | None:
    """Return the name of the base whose pages a wiki has; None for any other wiki."""
    found = _WIKI.fullmatch(wiki)
    return BaseName(found[1], found[2] or "") if found else None


def folder_digest(folder: Path) -> str:
    """Return what tells a base from another of its name: a digest of its folder, as a source names it."""
    return sha256(str(folder).encode("utf-8", "replace")).hexdigest()[:DIGEST_DIGITS]


def stated_rows(citation: Citation) -> tuple[EvidenceId, ...]:
    """Return the rows of a base that a citation rests on: the one that it quotes, or the first that it computes of."""
    rows = citation.computation.rows if citation.computation else (citation.evidence,)
    return tuple(each for each in rows[:MOST_ROWS] if _is_row_of_base(each))


def is_computed(table: TableEvidence | TableSegment) -> bool:
    """Tell whether a table or its row was computed by a plan: it stands on a page of answers."""
    return _ANSWERS.search(table.place.title) is not None


def row_paths(row: TableSegment) -> tuple[RowPath, ...]:
    """Return the paths of a row of a base's page; one that another goes on with is left out. None for other rows."""
    if row.header[:3] == TRIPLE_HEADER and len(row.cells) >= 3:
        return (_triple(row),)
    if not is_computed(row) or not row.cells:
        return ()
    answer = _node(row.cells[0], row.place.title)
    columns = zip(row.header[1:], row.cells[1:], strict=False)
    found = list(dict.fromkeys(path for name, cell in columns for path in _column(answer, name, cell)))
    return tuple(each for each in found if not any(_begins(other, each) for other in found if other != each))


async def look_up_paths(base: BuiltKnowledgeBase, paths: Sequence[RowPath]) -> tuple[RowPath, ...]:
    """Return paths with their entities, which way each relation goes, what it says, and whether the base has it."""
    return tuple(await asyncio.gather(*(_look_up(base, each) for each in paths)))


def path_line(path: RowPath) -> str:
    """Return a path as one line: "Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn"."""
    parts = [path.nodes[0].name]
    for step, node in zip(path.steps, path.nodes[1:], strict=True):
        begins, ends = "←" if step.forward is False else "—", "→" if step.forward else "—"
        lost = " (not in the base now)" if step.found is False else ""
        parts.append(f"{begins}{step.relation}{ends} {node.name}{lost}")
    return " ".join(parts)


def _is_row_of_base(evidence: EvidenceId) -> bool:
    try:
        place = parse_id(evidence)
        return place.row is not None and base_of(page_name(place.page).wiki) is not None
    except UnknownName:
        return False


def _triple(row: TableSegment) -> RowPath:
    source, relation, target, *said = row.cells
    nodes = _node(source, row.place.title), _node(target, row.place.title)
    return RowPath(nodes, (PathStep(relation.text, True, said[0].text if said else ""),))


def _column(answer: PathNode, name: str, cell: Cell) -> Iterator[RowPath]:
    """Yield the path of a cell if all of it are links; a relation of several words may have commas in a type's name."""
    if not cell.links or ", ".join(each.text for each in cell.links) != cell.text:
        return
    nodes = tuple(PathNode(each.text, each.target) for each in cell.links)
    parts = name.split(", ")
    if len(parts) != len(nodes):
        parts = [name, *[""] * (len(nodes) - 1)]
    yield RowPath((answer, *nodes), tuple(map(_named_step, parts)))


def _named_step(part: str) -> PathStep:
    words, _, comes_from = part.strip().partition(" ← ")
    return PathStep(words, forward=None if not words else not comes_from)


def _node(cell: Cell, page: str) -> PathNode:
    """Return the entity of a cell; a page does not link to itself."""
    return PathNode(cell.text, cell.links[0].target if cell.links else page)


def _begins(longer: RowPath, path: RowPath) -> bool:
    return longer.nodes[: len(path.nodes)] == path.nodes and longer.steps[: len(path.steps)] == path.steps


async def _look_up(base: BuiltKnowledgeBase, path: RowPath) -> RowPath:
    entities = await asyncio.gather(*(entity_of_title(base, each.title) for each in path.nodes))
    steps = [
        await _step(base, step, *ends, path.steps) for step, ends in zip(path.steps, pairwise(entities), strict=True)
    ]
    nodes = (replace(node, entity=entity) for node, entity in zip(path.nodes, entities, strict=True))
    return RowPath(tuple(nodes), tuple(steps))


async def _step(
    base: BuiltKnowledgeBase, step: PathStep, first: Entity | None, second: Entity | None, steps: Sequence[PathStep]
) -> PathStep:
    if first is None or second is None:
        return replace(step, found=False)
    triples = await base.between(first.number, second.number)
    every = " ".join(each.relation for each in steps)
    unsure = not all(each.relation for each in steps)
    called = {each: _names(each, first, second) for each in triples}
    found = [
        each
        for each in triples
        if _states(each, called[each], step, first) or (unsure and any(_is_in(every, name) for name in called[each]))
    ]
    if not found:
        return replace(step, found=False)
    triple = found[0]
    return PathStep(spelled_out(triple.relation), triple.source == first.number, triple.text, found=True)


def _names(triple: Triple, first: Entity, second: Entity) -> frozenset[str]:
    """Return what the relation of a triple may be called: its name, and that without types, as a plan has it."""
    is_out = triple.source == first.number
    source, target = (first, second) if is_out else (second, first)
    said = spelled_triple(source.type, triple.relation, target.type)
    return frozenset((spelled_out(triple.relation), said.of_source if is_out else said.relation))


def _states(triple: Triple, names: Set[str], step: PathStep, first: Entity) -> bool:
    return step.relation in names and (triple.source == first.number) is step.forward


def _is_in(column: str, name: str) -> bool:
    return f" {name} " in f" {column.replace(',', ' ')} "
