"""Check a claim that tells a computed value: derive the value again, and hold the claim to it."""

import re
from collections.abc import Iterable, Sequence

from agent.citations.grounds import context_of
from agent.citations.quotes import find_words
from heliograph.text.figures import missing_figures
from heliograph.text.words import stems
from heliograph.types import Cell, ClaimVerdict, Computation, Evidence, EvidenceId, TableEvidence
from tools.arithmetic import Calculated, derivation_of, winner_names
from tools.arithmetic.columns import body_rows, cell_text, label_index
from tools.arithmetic.derivation import Derived, count_items
from tools.arithmetic.recompute import calculated_again, tellings


def check_computation(
    text: str, computation: Computation, table: Evidence | None, question: str, others: Iterable[Evidence] = ()
) -> ClaimVerdict:
    """Derive the value again, then see that the claim tells it, no other figure, and no item that does not have it.

    A named calculation may join one of the `others`.
    """
    if not isinstance(table, TableEvidence):
        return "unchecked"
    if computation.calculation is not None:
        return _check_calculation(text, computation, table, question, others)
    derived = _derived(computation, table)
    if derived is None:
        return "unsupported"
    known = winner_names(derived, table) or _names(table, computation.rows)
    told = (*_told(computation, derived, table), question)
    sound = _tells_value(text, computation, derived) and not missing_figures(text, told)
    return "computed" if sound and not _strangers(text, table, known, question) else "unsupported"


def told_by(computation: Computation, table: TableEvidence, others: Iterable[Evidence] = ()) -> tuple[str, ...]:
    """Return all that a computation allows a claim to tell; nothing where its table does not give its value again."""
    if computation.calculation is not None:
        again = _calculated(computation, table, others)
        return _told_again(again, table) if again is not None else ()
    derived = _derived(computation, table)
    return _told(computation, derived, table) if derived is not None else ()


def _check_calculation(
    text: str, computation: Computation, table: TableEvidence, question: str, others: Iterable[Evidence]
) -> ClaimVerdict:
    """Calculate again, and hold a claim to the value, the rows that entered and the operands that are described."""
    again = _calculated(computation, table, others)
    if again is None:
        return "unsupported"
    if not find_words(again.value, text) and missing_figures(again.value, [text]):
        return "unsupported"
    told = (*_told_again(again, table), question)
    sound = bool(find_words(again.value, text) or again.amount is not None) and not missing_figures(text, told)
    known = _entered(again, table)
    return "computed" if sound and not _strangers(text, table, known, question) else "unsupported"


def _calculated(computation: Computation, table: TableEvidence, others: Iterable[Evidence]) -> Calculated | None:
    again = calculated_again(computation, (table, *(each for each in others if isinstance(each, TableEvidence))))
    return again if again is not None and again.value == computation.value else None


def _told_again(again: Calculated, table: TableEvidence) -> tuple[str, ...]:
    counts = (str(len(again.rows)), str(len(body_rows(table))))
    cells = (cell.text for row in again.winners if row.startswith(f"{table.id}/") for cell in _row(row, table))
    return (again.value, again.description, *cells, *_entered(again, table), context_of(table), *counts)


def _row(row: EvidenceId, table: TableEvidence) -> tuple[Cell, ...]:
    return table.rows[int(row.rpartition("/r")[2]) - 1]


def _entered(again: Calculated, table: TableEvidence) -> tuple[str, ...]:
    rows = again.winners or again.rows
    return _names(table, [row for row in rows if row.startswith(f"{table.id}/")])


def row_ranges(rows: Sequence[EvidenceId]) -> str:
    """Write row ids short, neighbours as a range: `r1–r3, r5`."""
    numbers = [int(row.rpartition("/r")[2]) for row in rows]
    starts = [place for place, number in enumerate(numbers) if place == 0 or number != numbers[place - 1] + 1]
    runs = zip(starts, [*starts[1:], len(numbers)], strict=True)
    return ", ".join(
        f"r{numbers[start]}" if end == start + 1 else f"r{numbers[start]}–r{numbers[end - 1]}" for start, end in runs
    )


def _derived(computation: Computation, table: TableEvidence) -> Derived | None:
    derived = derivation_of(computation, table)
    return derived if derived is not None and computation.value in tellings(derived, table) else None


def _told(computation: Computation, derived: Derived, table: TableEvidence) -> tuple[str, ...]:
    known = winner_names(derived, table) or _names(table, computation.rows)
    counts = (str(len(computation.rows)), str(count_items(table, body_rows(table))))
    return (*tellings(derived, table), *known, context_of(table), *counts)


def _tells_value(text: str, computation: Computation, derived: Derived) -> bool:
    """Say whether a claim tells the value, as written or, where that is a figure, by its worth; `One` counts as 1."""
    if find_words(computation.value, text):
        return True
    spelled = re.sub(r"\bone\b", "1", text, flags=re.IGNORECASE)
    return computation.value == derived.figure and not missing_figures(computation.value, [spelled])


def _strangers(text: str, table: TableEvidence, known: tuple[str, ...], question: str) -> tuple[str, ...]:
    """Return items that a claim names though they do not have the value.

    Those that the question or the title of the page names, in whatever form, are no news.
    """
    rest, named = text, set(stems(f"{question}\n{table.place.title}"))
    for name in sorted(known, key=len, reverse=True):
        rest = rest.replace(name, "")
    return tuple(
        name
        for name in _all_names(table)
        if name not in known and find_words(name, rest) and not set(stems(name)) <= named
    )


def _names(table: TableEvidence, rows: Sequence[EvidenceId]) -> tuple[str, ...]:
    label = label_index(table) or 0
    numbers = [int(row.rpartition("/r")[2]) - 1 for row in rows]
    return tuple(cell_text(table, row, label) for row in numbers)


def _all_names(table: TableEvidence) -> tuple[str, ...]:
    label = label_index(table)
    return () if label is None else tuple(cell_text(table, row, label) for row in body_rows(table))
