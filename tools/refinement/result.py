"""What the refinement of one question did: the record that its caller traces."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from heliograph.types import Edge, EvidenceId, Subgraph
from tools.arithmetic import Computed

Policy = Literal["remove", "promote"]
"""What becomes of edges that the model finds irrelevant: dropped, as in the paper, or ranked behind all others."""

Judge = Literal["code", "model"]
Agreement = Literal["agreed", "overlapping", "disagreed", "code alone", "model alone"]


@dataclass(frozen=True, slots=True)
class TablePicks:
    """Rows of one restored table that aggregation selects, by code and by the model."""

    table: EvidenceId
    code: tuple[EvidenceId, ...] = ()
    model: tuple[EvidenceId, ...] = ()

    @property
    def shared(self) -> tuple[EvidenceId, ...]:
        """The rows that both name."""
        return tuple(row for row in self.code if row in self.model)

    @property
    def agreement(self) -> Agreement:
        """How the two compare."""
        if not self.code or not self.model:
            return "code alone" if self.code else "model alone"
        if set(self.code) == set(self.model):
            return "agreed"
        return "overlapping" if self.shared else "disagreed"


def agreed_rows(picks: Iterable[TablePicks]) -> tuple[EvidenceId, ...]:
    """Return the rows that code and model both name, table by table."""
    return tuple(row for table in picks for row in table.shared)


@dataclass(frozen=True, slots=True)
class Refinement:
    """A refined subgraph (G_q) and how it came about.

    `added` are edges of selected rows that the candidate subgraph had not; `refused` those that the model found
    irrelevant; `removed` those of them that are not in `graph`. `detected` names who found that the question
    aggregates, `picks` the tables of which rows were selected, `computed` what arithmetic alone makes of the question.
    `notes` say what could not be done, for a reader.
    """

    graph: Subgraph
    added: tuple[Edge, ...] = ()
    refused: tuple[Edge, ...] = ()
    removed: tuple[Edge, ...] = ()
    detected: tuple[Judge, ...] = ()
    picks: tuple[TablePicks, ...] = ()
    computed: Computed | None = None
    notes: tuple[str, ...] = ()

    @property
    def by_code(self) -> tuple[EvidenceId, ...]:
        """The rows that code selects, best table first."""
        return tuple(row for table in self.picks for row in table.code)

    @property
    def by_model(self) -> tuple[EvidenceId, ...]:
        """The rows that the model selects, best table first."""
        return tuple(row for table in self.picks for row in table.model)

    @property
    def agreed(self) -> tuple[EvidenceId, ...]:
        """The rows that both select, best table first."""
        return agreed_rows(self.picks)
