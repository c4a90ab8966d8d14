"""What is true of each unit of a ranking: it says the answer, it is gold, it stands in the gold table.

A row is gold where a cell of it holds the answer, an edge (row, passage) where the passage does; both as traced in the
gold table. From these follow the units, with how many gold ones there are to find:

- edge: gold where its row or its pair is. To find: of a gold row every edge (at least one), else the gold edges,
  counted in the links of the corpus whatever the retriever links.
- node: a row is gold by itself; a passage where any gold edge ends in it. To find: gold rows and those passages.
  A passage stands in no table.
- star: gold where its row is or any of its edges. To find: rows with gold.

Strictly gold is what is gold and says the answer itself (`Verdicts.strict`). The agent's evidence is judged by the same
two verdicts (eval/ott/outcome.py): there a gold row may have the answer in a linked passage alone, and is not strict.

A gold table that the corpus lacks has nothing to find and nothing gold; the question still counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from eval.ott.corpus import OttCorpus
from eval.ott.matching import matchable, says
from eval.ott.questions import OttQuestion
from eval.ott.ranking import CUT, Ranking, Unit, UnitKind


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What is true of each of some units, or pieces of evidence: it says the answer, the answer was traced to it."""

    says: tuple[bool, ...]
    gold: tuple[bool, ...]

    @property
    def strict(self) -> tuple[bool, ...]:
        """Which are gold and say the answer themselves."""
        return tuple(gold and said for gold, said in zip(self.gold, self.says, strict=True))


@dataclass(frozen=True, slots=True)
class Judged(Verdicts):
    """The verdicts on a ranking, best first, and how many gold units there are to find."""

    in_table: tuple[bool, ...]
    to_find: int


@dataclass(frozen=True, slots=True)
class Gold:
    """Where a question's answer stands, by numbers of the corpus; `table` are the rows of the gold table."""

    table: range
    rows: frozenset[int]
    edges: frozenset[tuple[int, int]]

    def holds(self, unit: Unit) -> bool:
        """Tell whether a unit is gold."""
        if unit.row is None:
            return not self.passages.isdisjoint(unit.passages)
        return unit.row in self.rows or any((unit.row, passage) in self.edges for passage in unit.passages)

    @property
    def passages(self) -> frozenset[int]:
        """The passages that hold the answer for some row."""
        return frozenset(passage for _, passage in self.edges)


def gold_of(question: OttQuestion, corpus: OttCorpus) -> Gold:
    """Find the traced nodes of a question in the corpus; those that it lacks are left out."""
    table = corpus.rows_of(question.gold_table)
    nodes = [(table[node.row], node.passage_id) for node in question.answer_nodes if node.row < len(table)]
    edges = [(row, corpus.passages.position(passage)) for row, passage in nodes if passage is not None]
    return Gold(
        table=table,
        rows=frozenset(row for row, passage in nodes if passage is None),
        edges=frozenset((row, passage) for row, passage in edges if passage is not None),
    )


def judge(ranking: Ranking, question: OttQuestion, corpus: OttCorpus, kind: UnitKind) -> Judged:
    """Judge the first CUT units of a ranking; a unit that comes again is not gold again."""
    gold = gold_of(question, corpus)
    answers = tuple(map(matchable, question.answers))
    cut = ranking[:CUT]
    return Judged(
        says=tuple(any(says(text, answer) for text in _texts(unit, corpus) for answer in answers) for unit in cut),
        gold=tuple(gold.holds(unit) and unit not in cut[:place] for place, unit in enumerate(cut)),
        in_table=tuple(unit.row in gold.table for unit in cut),
        to_find=_to_find(gold, corpus, kind),
    )


def _texts(unit: Unit, corpus: OttCorpus) -> Iterator[str]:
    if unit.row is not None:
        yield matchable(corpus.row_text(unit.row))
    yield from (matchable(corpus.passage_text(passage)) for passage in unit.passages)


def _to_find(gold: Gold, corpus: OttCorpus, kind: UnitKind) -> int:
    edges = [(row, passage) for row, passage in corpus.edges_of(gold.table) if gold.holds(Unit.edge(row, passage))]
    match kind:
        case "edge":
            return len(edges)
        case "node":
            return len(gold.rows) + len(gold.passages)
        case "star":
            return len({row for row, _ in edges})
