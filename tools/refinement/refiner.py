"""Star-based refinement of a candidate subgraph: aggregate, verify, put in order (HELIOS, section 4.3)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from heliograph.errors import ModelError
from heliograph.protocols import LLM, DataGraph, EdgeScorer
from heliograph.types import Edge, EvidenceId, Subgraph
from tools.arithmetic import TableReader
from tools.refinement.aggregation import Judges, aggregate, edges_of
from tools.refinement.result import Policy, Refinement, agreed_rows
from tools.refinement.stars import by_score, pair
from tools.refinement.tables import MOST_TABLES
from tools.refinement.verification import Verified, verify

FINAL_EDGES = 50
"""k: the longest list of edges that the paper evaluates (section 5.1)."""
WIDTH = 8
"""Prompts that are sent at once."""


@dataclass(frozen=True, slots=True)
class Refiner:
    """Refine the subgraph of a question star by star; without a model, code alone adds rows and nothing is verified.

    Code is the `reader` of tables; without one it selects none.

    That is the paper's way, by which it is measured: a prompt per table and per star, twenty to seventy for a question.
    The agent asks about all stars of a round at once (`tools.refinement.listwise`).

    Scores are never changed. Edges that aggregation adds get theirs from `scorer`, the reranker of the candidates, and
    compete by them: a selected row of the wrong table must not pass the right one for being selected. Under `promote`
    there is one exception. Where code and model name the same row by themselves, its edges go first, since neither
    depends on the other and similarity cannot see that a row holds the greatest value.

    policy:
        remove: edges that the model finds irrelevant are dropped; where fewer than `k` stay, the best of them follow
            the others after all (section 5.1).
        promote: they all follow the others, as the authors' published code has it; the better one where both were
            tried (docs/results/helios.md), and it loses nothing that a model refuses by mistake.
    """

    scorer: EdgeScorer
    llm: LLM | None = None
    policy: Policy = "promote"
    k: int = FINAL_EDGES
    tables: int = MOST_TABLES
    width: int = WIDTH
    reader: TableReader | None = None

    async def refine(self, question: str, graph: Subgraph, data: DataGraph) -> Refinement:
        """Return the refined subgraph and what was done; a model that fails loses no edge, and a note says so."""
        rows = await aggregate(question, graph.edges, data, Judges(self.reader, self.llm), self.tables, self.width)
        named = (row for table in rows.picks for row in (*table.code, *table.model))
        added, unscored = await added_edges(question, graph.edges, named, data, self.scorer)
        edges = (*graph.edges, *added)
        checked = await verify(question, edges, data, self.llm, self.width) if self.llm else Verified(edges)
        first = agreed_rows(rows.picks) if self.policy == "promote" else ()
        kept = ordered(checked, first, len(edges) if self.policy == "promote" else self.k)
        held = set(kept)
        return Refinement(
            Subgraph(kept),
            added,
            by_score(checked.refused),
            by_score(edge for edge in checked.refused if edge not in held),
            rows.detected.judges,
            rows.picks,
            rows.computed,
            (*rows.notes, *unscored, *checked.notes),
        )


async def added_edges(
    question: str, edges: Sequence[Edge], rows: Iterable[EvidenceId], data: DataGraph, scorer: EdgeScorer
) -> tuple[tuple[Edge, ...], tuple[str, ...]]:
    """Return the edges of selected rows that a subgraph lacks, scored; as low as its last where that fails."""
    known = {pair(edge) for edge in edges}
    new = [edge for edge in edges_of(tuple(dict.fromkeys(rows)), data) if pair(edge) not in known]
    if not new:
        return (), ()
    try:
        scores = await scorer.score(question, new, edges)
    except ModelError as err:
        least = min((edge.score for edge in edges), default=0.0)
        note = f"{len(new)} added edges were not scored ({type(err).__name__}); they stand as low as the last"
        return tuple(replace(edge, score=least) for edge in new), (note,)
    return by_score(replace(edge, score=score) for edge, score in zip(new, scores, strict=True)), ()


def ordered(checked: Verified, first: Collection[EvidenceId], least: int) -> tuple[Edge, ...]:
    """Return the edges of the rows that go first, then the others that were kept, then refused ones up to `least`."""
    leading = by_score(edge for edge in checked.kept if edge.segment in first)
    following = by_score(edge for edge in checked.kept if edge.segment not in first)
    short = max(0, least - len(checked.kept))
    return (*leading, *following, *by_score(checked.refused)[:short])
