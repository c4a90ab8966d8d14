"""Star-based refinement in one list: all stars of all needs of a round by one call (HELIOS, section 4.3).

The paper asks about each star in a prompt of its own (`tools.refinement.refiner` does, for measuring), since a prompt
with the whole graph lost it 12.4 % of nDCG@50 (section 5.3). That was twenty to seventy calls for a question. Here one
call judges all, which differs in three ways (docs/decisions/045):

- What a model refuses loses its boost in the ledger and keeps its own score there, so that a mistake costs less than in
  a ranking of edges.
- A passage stands below its row, as in a star, and each pair is judged by itself; but whether a question aggregates is
  not asked first. Code decides which tables are shown with all rows, and the model may compare what it is shown.
- Rows that the model selects bring in their passages unverified: they would take a second call.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from heliograph.errors import ModelError
from heliograph.protocols import LLM, DataGraph, EdgeScorer
from heliograph.types import Edge, EvidenceId, Subgraph
from tools.arithmetic import TableReader
from tools.refinement.aggregation import Aggregation, Judges, aggregate
from tools.refinement.framing import PromptRoom
from tools.refinement.refiner import added_edges, ordered
from tools.refinement.replies import NeedVerdict, NeedVerdicts
from tools.refinement.result import Refinement, TablePicks, agreed_rows
from tools.refinement.star_list import RowPassage, StarList, StarTask, star_lists
from tools.refinement.stars import by_score
from tools.refinement.tables import MOST_TABLES, restored
from tools.refinement.verification import Verified
from tools.refinement.waves import in_waves

MOST_LISTS = 2
"""Calls of a round: the second where one list has no room for all. What fits neither is not judged."""

_ROW = re.compile(r"\W*+E?\s*+(\d{1,6})\s*\.\s*(?:row\s*|r)?(\d{1,6})\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidates:
    """A need in its words and its candidate subgraph."""

    need: str
    graph: Subgraph


@dataclass(frozen=True, slots=True)
class _CodeRefinement:
    """What code alone refines: the edges of a need with those of the rows that it selects, all scored."""

    need: str
    edges: tuple[Edge, ...]
    added: tuple[Edge, ...]
    rows: Aggregation
    notes: tuple[str, ...]


class ListwiseRefiner:
    """Refine the subgraphs of the needs of a round by one list; two where one has no room for it.

    One refiner serves one run. The first verdict on a need and an edge stays for the run, and so do the rows that were
    first selected of a table: the same pair is never judged twice, and a round that brings nothing new asks nothing.
    Edges that were not judged are kept, whether the model failed, said nothing of a need, or had no room for them.
    """

    def __init__(
        self, llm: LLM, reader: TableReader | None = None, *, lists: int = MOST_LISTS, tables: int = MOST_TABLES
    ) -> None:
        self._llm = llm
        self._reader = reader
        self._lists = lists
        self._tables = tables
        self._helps: dict[tuple[str, RowPassage], bool] = {}
        self._selected: dict[tuple[str, EvidenceId], tuple[EvidenceId, ...]] = {}

    async def refine(
        self, candidates: Sequence[Candidates], data: DataGraph, scorer: EdgeScorer
    ) -> tuple[Refinement, ...]:
        """Return the refined subgraphs in their order, edges that the model refuses last; notes are in the first."""
        begun = [await self._begun(each, data, scorer) for each in candidates]
        notes = await self._judge([self._wanted(each, data) for each in begun], data)
        done = [await self._refined(each, data, scorer) for each in begun]
        return tuple(_noted(each, () if place else notes) for place, each in enumerate(done))

    async def _begun(self, asked: Candidates, data: DataGraph, scorer: EdgeScorer) -> _CodeRefinement:
        edges = asked.graph.edges
        rows = await aggregate(asked.need, edges, data, Judges(self._reader), self._tables, 1)
        named = [row for table in rows.picks for row in table.code]
        added, notes = await added_edges(asked.need, edges, named, data, scorer)
        return _CodeRefinement(asked.need, (*edges, *added), added, rows, (*rows.notes, *notes))

    def _wanted(self, begun: _CodeRefinement, data: DataGraph) -> StarTask:
        """Return what nobody has judged for a need yet; tables where code finds that it is one over rows."""
        joined = ((edge.segment, edge.passage) for edge in by_score(begun.edges))
        pairs = tuple((row, name) for row, name in joined if name is not None)
        new = tuple(each for each in pairs if (begun.need, each) not in self._helps)
        tables = restored(begun.edges, data, self._tables) if begun.rows.detected.judges else ()
        unseen = tuple(table for table in tables if (begun.need, table.id) not in self._selected)
        return StarTask(begun.need, new, unseen)

    async def _judge(self, wanted: Sequence[StarTask], data: DataGraph) -> tuple[str, ...]:
        """Ask about what is wanted and keep what the model says; return notes on what was not judged."""
        asked = [want for want in wanted if want.pairs or want.tables]
        lists = star_lists(asked, data, PromptRoom.of(self._llm), self._lists)
        calls = [partial(self._llm.ask, each.prompt, NeedVerdicts) for each in lists]
        failures: dict[str, None] = {}
        for listed, reply in zip(lists, await in_waves(calls, self._lists), strict=True):
            if isinstance(reply, ModelError):
                failures[type(reply).__name__] = None
            else:
                self._keep(asked, listed, reply, data)
        left = sum((want.need, each) not in self._helps for want in asked for each in want.pairs)
        why = ", ".join(failures) or "no room, or no verdict"
        return (f"{left} edges of {len(asked)} needs were not verified ({why}); they were kept",) if left else ()

    def _keep(self, asked: Sequence[StarTask], listed: StarList, reply: NeedVerdicts, data: DataGraph) -> None:
        """Keep the first verdict on each need: a model that is asked about one only may number it as it likes."""
        said = {each.need: each for each in reversed(reply.needs)}
        if len(asked) == 1 and reply.needs:
            said = {1: reply.needs[0]}
        for place, want in enumerate(asked, start=1):
            if (verdict := said.get(place)) is not None:
                helpful = frozenset(verdict.passages)
                for number in listed.judged[place - 1]:
                    self._helps[want.need, listed.pairs[number]] = number in helpful
                compared = {table.id for table in want.tables}
                for table, rows in _selected(verdict, listed, data).items():
                    if rows or table in compared:
                        self._selected.setdefault((want.need, table), rows)

    async def _refined(self, begun: _CodeRefinement, data: DataGraph, scorer: EdgeScorer) -> Refinement:
        picks = self._picks(begun, data)
        named = [row for table in picks for row in table.model]
        added, notes = await added_edges(begun.need, begun.edges, named, data, scorer)
        edges = (*begun.edges, *added)
        refused = tuple(edge for edge in edges if self._refuses(begun.need, edge))
        kept = tuple(edge for edge in edges if not self._refuses(begun.need, edge))
        judges = begun.rows.detected.judges
        return Refinement(
            Subgraph(ordered(Verified(kept, refused), agreed_rows(picks), len(edges))),
            (*begun.added, *added),
            by_score(refused),
            (),
            (*judges, "model") if named else judges,
            picks,
            begun.rows.computed,
            (*begun.notes, *notes),
        )

    def _picks(self, begun: _CodeRefinement, data: DataGraph) -> tuple[TablePicks, ...]:
        """Return the tables of which code or the model selects rows, those with the best edges first."""
        code = {each.table: each.code for each in begun.rows.picks}
        tables = dict.fromkeys(data.segment(edge.segment).table for edge in by_score(begun.edges))
        picks = (TablePicks(each, code.get(each, ()), self._selected.get((begun.need, each), ())) for each in tables)
        return tuple(each for each in picks if each.code or each.model)

    def _refuses(self, need: str, edge: Edge) -> bool:
        return edge.passage is not None and not self._helps.get((need, (edge.segment, edge.passage)), True)


def _selected(verdict: NeedVerdict, listed: StarList, data: DataGraph) -> Mapping[EvidenceId, tuple[EvidenceId, ...]]:
    """Return the rows that a verdict names, by table; none of a table that was shown and has none named."""
    found: dict[EvidenceId, list[EvidenceId]] = {data.segment(row).table: [] for row in listed.rows.values()}
    handles = (_ROW.fullmatch(handle) for handle in dict.fromkeys(verdict.rows))
    places = ((int(each[1]), int(each[2])) for each in handles if each)
    for row in [listed.rows[place] for place in dict.fromkeys(places) if place in listed.rows]:
        found[data.segment(row).table].append(row)
    return {table: tuple(rows) for table, rows in found.items()}


def _noted(done: Refinement, notes: tuple[str, ...]) -> Refinement:
    return replace(done, notes=(*done.notes, *notes)) if notes else done
