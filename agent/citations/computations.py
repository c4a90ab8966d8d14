"""Check a claim that tells a computed value: derive the value again, and hold the claim to it."""

from agent.arithmetic import derivation_of, winner_names
from agent.arithmetic.columns import body_rows, cell_text, label_index
from agent.arithmetic.recompute import tellings
from agent.citations.figures import figures_in, missing_figures
from agent.citations.grounds import context_of
from agent.citations.quotes import find_words
from heliograph.types import ClaimVerdict, Computation, Evidence, TableEvidence


def check_computation(text: str, computation: Computation, table: Evidence | None, question: str) -> ClaimVerdict:
    """Derive the value again, then see that the claim tells it, and names no item that does not have it."""
    if not isinstance(table, TableEvidence):
        return "unchecked"
    derived = derivation_of(computation, table)
    if derived is None or computation.value not in tellings(derived, table):
        return "unsupported"
    entered = _names(table, computation)
    winners = winner_names(derived, table) or entered
    strangers = [name for name in _all_names(table) if _tells(name, text, question) and name not in winners]
    told = [
        *tellings(derived, table),
        *winners,
        context_of(table),
        question,
        str(len(computation.rows)),
        str(len(body_rows(table))),
    ]
    figures = missing_figures(text, told)
    value = not missing_figures(computation.value, [text]) and (
        bool(figures_in(computation.value)) or computation.value in text
    )
    return "computed" if value and not strangers and not figures else "unsupported"


def _names(table: TableEvidence, computation: Computation) -> tuple[str, ...]:
    label = label_index(table)
    numbers = [int(row.rpartition("/r")[2]) - 1 for row in computation.rows]
    return () if label is None else tuple(cell_text(table, row, label) for row in numbers)


def _all_names(table: TableEvidence) -> tuple[str, ...]:
    label = label_index(table)
    return () if label is None else tuple(cell_text(table, row, label) for row in body_rows(table))


def _tells(name: str, text: str, question: str) -> bool:
    """Say whether a claim names an item of itself; what it takes from the question or the table's title is no news."""
    return find_words(name, text) is not None and find_words(name, question) is None
