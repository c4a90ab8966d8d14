"""Check a claim that tells a computed value: calculate the value again, and hold the claim to it."""

from collections.abc import Iterable, Mapping, Sequence

from agent.citations.grounds import context_of
from agent.citations.quotes import find_words
from heliograph.text.figures import missing_figures
from heliograph.text.numbers import ORDINALS
from heliograph.text.words import stems
from heliograph.types import Cell, ClaimVerdict, Computation, Evidence, EvidenceId, TableEvidence
from tools.arithmetic import Calculated, calculated_again
from tools.arithmetic.columns import body_rows, cell_text, label_index


def check_computation(
    text: str, computation: Computation, table: Evidence | None, question: str, others: Iterable[Evidence] = ()
) -> ClaimVerdict:
    """Calculate the value again, then see that the claim tells it, no other figure, and no item that does not have it.

    The calculation may join one of the `others`.
    """
    if not isinstance(table, TableEvidence):
        return "unchecked"
    again = _again(computation, table, others)
    if again is None:
        return "unsupported"
    by_worth = again.amount is not None and not missing_figures(again.value, [text])
    listed, own = _listed(again, table), _entered(again, table)
    by_cells = bool(listed) and all(find_words(each, text) for each in listed)
    tells = bool(find_words(again.value, text)) or by_worth or by_cells
    figures = missing_figures(text, (*_told(again, table), question))
    # what is compared may be named beside who won
    named = (*_limits(again), *_compared(again, table)) if all(find_words(name, text) for name in own) else ()
    kept = tells and not figures and not _strangers(text, table, (*own, *listed, again.value, *named), question)
    return "computed" if kept else "unsupported"


def told_by(computation: Computation, table: TableEvidence, others: Iterable[Evidence] = ()) -> tuple[str, ...]:
    """Return all that a computation allows a claim to tell; nothing where its table does not give its value again."""
    again = _again(computation, table, others)
    return _told(again, table) if again is not None else ()


def describe(computation: Computation, cited: Mapping[EvidenceId, Evidence]) -> str:
    """Say what was calculated of what, by the names of rows, and its value.

    Where the tables do not give it again, as of early records that name no calculation, it is operation, column, rows.
    """
    table = cited.get(computation.table)
    if isinstance(table, TableEvidence) and (again := _again(computation, table, joined_tables(computation, cited))):
        return again.description
    return f"{_operands(computation)}: {computation.value}"


def _operands(computation: Computation) -> str:
    own = [row for row in computation.rows if row.startswith(f"{computation.table}/r")]
    rows = row_ranges(own)
    if computation.calculation and computation.calculation.join:
        joined = [row for row in computation.rows if row not in own]
        rows += f", joined with {row_ranges(joined)} of {computation.calculation.join.table}"
    column = f" of column “{computation.column}”" if computation.column else ""
    place = ""
    if computation.operation == "ordinal":
        place = f" (place {computation.position} from the {'top' if computation.descending else 'bottom'})"
    return f"{computation.operation}{place}{column} over rows {rows}"


def joined_tables(computation: Computation, cited: Mapping[EvidenceId, Evidence]) -> tuple[Evidence, ...]:
    """Return the tables beside its own that a calculation joins."""
    join = computation.calculation.join if computation.calculation else None
    return (cited[join.table],) if join and join.table in cited else ()


def _again(computation: Computation, table: TableEvidence, others: Iterable[Evidence]) -> Calculated | None:
    return calculated_again(computation, (table, *(each for each in others if isinstance(each, TableEvidence))))


def _told(again: Calculated, table: TableEvidence) -> tuple[str, ...]:
    counts = (str(len(again.rows)), str(len(body_rows(table))))
    places = (word for word, place in ORDINALS.items() if place == again.computation.position)
    cells = (cell.text for row in again.winners if row.startswith(f"{table.id}/") for cell in _row(row, table))
    entered = _entered(again, table)
    return (again.value, again.description, *cells, *entered, *_limits(again), context_of(table), *counts, *places)


def _limits(again: Calculated) -> tuple[str, ...]:
    """Return the values of the conditions."""
    calculation = again.computation.calculation
    return tuple(each.value for each in calculation.where) if calculation else ()


def _row(row: EvidenceId, table: TableEvidence) -> tuple[Cell, ...]:
    return table.rows[int(row.rpartition("/r")[2]) - 1]


def _listed(again: Calculated, table: TableEvidence) -> tuple[str, ...]:
    """Return the cells that a list is made of: a sentence may say each with its unit, "3 min and 4 min"."""
    if again.computation.operation != "filter" or again.computation.column not in table.header:
        return ()
    told = _cells(again.rows, table, table.header.index(again.computation.column))
    return tuple(dict.fromkeys(filter(None, told)))


def _entered(again: Calculated, table: TableEvidence) -> tuple[str, ...]:
    return _names(again.winners or again.rows, table)


def _compared(again: Calculated, table: TableEvidence) -> tuple[str, ...]:
    """Return the names of the rows among which one was chosen, where a calculation names them."""
    calculation = again.computation.calculation
    return _names(again.rows, table) if calculation and calculation.rows else ()


def _names(rows: Sequence[EvidenceId], table: TableEvidence) -> tuple[str, ...]:
    return _cells(rows, table, label_index(table) or 0)


def _cells(rows: Sequence[EvidenceId], table: TableEvidence, column: int) -> tuple[str, ...]:
    numbers = [int(row.rpartition("/r")[2]) - 1 for row in rows if row.startswith(f"{table.id}/")]
    return tuple(cell_text(table, number, column) for number in numbers)


def row_ranges(rows: Sequence[EvidenceId]) -> str:
    """Write row ids short, neighbours as a range: `r1–r3, r5`; `none` where a count found none."""
    if not rows:
        return "none"
    numbers = [int(row.rpartition("/r")[2]) for row in rows]
    starts = [place for place, number in enumerate(numbers) if place == 0 or number != numbers[place - 1] + 1]
    runs = zip(starts, [*starts[1:], len(numbers)], strict=True)
    return ", ".join(
        f"r{numbers[start]}" if end == start + 1 else f"r{numbers[start]}–r{numbers[end - 1]}" for start, end in runs
    )


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


def _all_names(table: TableEvidence) -> tuple[str, ...]:
    label = label_index(table)
    return () if label is None else tuple(cell_text(table, row, label) for row in body_rows(table))
