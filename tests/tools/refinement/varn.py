"""The lighthouses of Varn as a data graph, and models that satisfy the LLM Protocol."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from heliograph.errors import ModelError
from heliograph.protocols import LLM
from heliograph.types import (
    Cell,
    Edge,
    EvidenceId,
    ModelRole,
    PageKey,
    Passage,
    Place,
    Prompt,
    Subgraph,
    TableEvidence,
    TableSegment,
)
from indexers.parser import segments
from tests.tools.slots import Plan, SaidSlots
from tools.arithmetic import TableReader
from tools.refinement import ListwiseRefiner, Refiner
from tools.refinement.replies import Aggregates, NeedVerdict, NeedVerdicts, PassageChoice, RowChoice

T = TypeVar("T")
QUESTION = "Where was the keeper of the second tallest lighthouse on Varn trained?"
PLAIN = "Where was Ada Holm trained?"
READER = TableReader(
    SaidSlots(
        {
            QUESTION: Plan("most", "Lighthouse", "Height (m)", 2),
            "What is the tallest lighthouse of Varn?": Plan("most", "Lighthouse", "Height (m)"),
        }
    )
)
"""Code that finds the second tallest lighthouse, and the tallest."""
code_refiner = partial(Refiner, reader=READER)


def code_listwise(llm: LLM, **given: Any) -> ListwiseRefiner:
    """Return a refiner by lists whose code is READER."""
    return ListwiseRefiner(llm, READER, **given)


UNLINKED = ("-", "Bare Rock", "Tor")


@dataclass(slots=True)
class FakeGraph:
    """A data graph of tables whose rows link the passages that are named for them."""

    tables: Mapping[EvidenceId, TableEvidence]
    passages: Mapping[EvidenceId, Passage]
    links: Mapping[EvidenceId, tuple[EvidenceId, ...]]
    rows: Mapping[EvidenceId, TableSegment] = field(init=False)

    def __post_init__(self) -> None:
        self.rows = {row.id: row for table in self.tables.values() for row in segments(table)}

    def segment(self, id: EvidenceId) -> TableSegment:
        return self.rows[id]

    def passage(self, id: EvidenceId) -> Passage:
        return self.passages[id]

    def linked(self, segment: EvidenceId) -> tuple[EvidenceId, ...]:
        return self.links.get(segment, ())

    def table(self, segment: EvidenceId) -> TableEvidence:
        return self.tables[EvidenceId(segment.rpartition("/r")[0])]

    def edge(self, row: int, number: int | None, score: float, table: str = "lights") -> Edge:
        """Return the edge of a row, counted from 1, to one of its passages, counted from 1."""
        segment = row_of(row, table)
        return Edge(segment, None if number is None else self.links[segment][number - 1], score)


@dataclass(slots=True)
class FakeEdgeScorer:
    """A scorer of edges that gives each the number of its row, in hundredths; `fault` makes it fail."""

    fault: ModelError | None = None
    asked: list[Edge] = field(default_factory=list)

    async def score(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        self.asked.extend(edges)
        if self.fault:
            raise self.fault
        return tuple(int(edge.segment.rpartition("/r")[2]) / 100 for edge in edges)


@dataclass(slots=True)
class FakeRefineLLM:
    """A model that aggregates or not, names rows by table title, and refuses passages whose titles it is given.

    `failing` has a prompt's name and words of it, and the error that such a prompt meets; `delay` gives each call its
    number of turns of the event loop.
    """

    aggregates: bool = True
    rows: Mapping[str, Sequence[int]] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    failing: Mapping[tuple[str, str], ModelError] = field(default_factory=dict)
    delay: Callable[[int], int] = lambda _: 0
    room: int = 6_000
    role: ModelRole = "rerank"
    prompts: list[Prompt] = field(default_factory=list)

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        self.prompts.append(prompt)
        for _ in range(self.delay(len(self.prompts))):
            await asyncio.sleep(0)
        for (name, words), error in self.failing.items():
            if prompt.name == name and words in "\n".join(prompt.parts):
                raise error
        said = self._said(prompt)
        assert isinstance(said, reply)
        return said

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        raise AssertionError("refinement asks for shapes only")

    def count(self, text: str) -> int:
        return len(text) // 4 + 1

    def asked(self, name: str) -> list[str]:
        """Return what the user's messages of a prompt said."""
        return ["\n\n".join(prompt.parts) for prompt in self.prompts if prompt.name == name]

    def _said(self, prompt: Prompt) -> object:
        text = "\n".join(prompt.parts)
        if prompt.name == "detect_aggregation":
            return Aggregates(aggregation=self.aggregates)
        if prompt.name == "select_rows":
            named = next((rows for title, rows in self.rows.items() if f"(table) {title}" in text), ())
            return RowChoice(reason="by height", rows=list(named))
        if prompt.name == "refine_stars":
            return self._listed(text)
        shown = re.findall(r"^\[E(\d+)\] \(text\) (.*?) ::", text, re.MULTILINE)
        return PassageChoice(passages=[int(number) for number, title in shown if title not in self.refused])

    def _listed(self, text: str) -> NeedVerdicts:
        """Judge a list as its stars would be judged one by one, for each need alike."""
        pieces = re.findall(r"^\[E(\d+)\] \((\w+)\) (.*?) ::", text, re.MULTILINE)
        passages = [int(number) for number, kind, title in pieces if kind == "text" and title not in self.refused]
        tables = [(number, title) for number, kind, title in pieces if kind == "table"] if self.aggregates else []
        named = [
            f"E{number}.{row}"
            for number, title in tables
            for of, rows in self.rows.items()
            if of in title
            for row in rows
        ]
        needs = re.findall(r"^\[N(\d+)\]", text, re.MULTILINE)
        return NeedVerdicts(
            needs=[NeedVerdict(need=int(need), reason="by height", rows=named, passages=passages) for need in needs]
        )


def row_of(row: int, table: str = "lights") -> EvidenceId:
    """Return the id of a row, counted from 1."""
    return EvidenceId(f"w:{table}@1#s1/t1/r{row}")


def passage_of(title: str) -> EvidenceId:
    """Return the id of a passage."""
    return EvidenceId(f"w:{title.replace(' ', '_')}@1#s0/p1")


def make_table(name: str, title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> TableEvidence:
    """Make a table; its id has its name."""
    cells = tuple(tuple(Cell(text) for text in row) for row in rows)
    place = Place(PageKey(f"w:{name}@1"), title, "s1")
    return TableEvidence(EvidenceId(f"w:{name}@1#s1/t1"), place, "table", "", tuple(header), cells)


def make_graph(tables: Sequence[TableEvidence], texts: Mapping[str, str] = {}) -> FakeGraph:
    """Make a graph in which each cell of the first two columns links a passage, except for some that link none."""
    links = {
        segment.id: tuple(passage_of(cell.text) for cell in segment.cells[:2] if cell.text not in UNLINKED)
        for table in tables
        for segment in segments(table)
    }
    titles = {cell.text for table in tables for row in table.rows for cell in row[:2]}
    passages = {
        passage_of(title): Passage(passage_of(title), title, texts.get(title, f"{title} is known on Varn."))
        for title in sorted(titles)
    }
    return FakeGraph({table.id: table for table in tables}, passages, links)


LIGHTS = make_table(
    "lights",
    "Lighthouses of Varn",
    ("Lighthouse", "Keeper", "Height (m)"),
    (
        ("Holm Light", "Ada Holm", "31"),
        ("Skerry Light", "Jon Skar", "44"),
        ("North Light", "Ida Nord", "38"),
        ("Bare Rock", "-", "12"),
    ),
)
FERRIES = make_table(
    "ferries", "Ferries of Varn", ("Ferry", "Captain", "Built"), (("Solveig", "Per Gam", "1931"), ("Tor", "-", "1940"))
)
VARN = make_graph((LIGHTS, FERRIES))
CANDIDATES = Subgraph(
    (
        VARN.edge(1, 2, 0.9),
        VARN.edge(1, 1, 0.8),
        VARN.edge(2, 2, 0.7),
        VARN.edge(1, 1, 0.6, "ferries"),
        Edge(row_of(2, "ferries"), None, 0.5),
    )
)
