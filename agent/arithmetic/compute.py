"""Answer a question by arithmetic over one table, or not at all.

Every reading of the question (`agent.arithmetic.question`) is tried on every table and scored by what the table
explains of it (`agent.arithmetic.fitting`). The most certain one answers, unless another that is nearly as certain
gives another value. UNPROVED lowers a count of all rows where nothing says that the table lists everything there is,
SHARED one of rows that hold what is asked for beside something else (`ESA and Russia`); the share of rows whose value
could be read lowers every result.
"""

from collections.abc import Sequence

from agent.arithmetic.columns import Column, row_id
from agent.arithmetic.derivation import derive, entering
from agent.arithmetic.fitting import Fit, fit
from agent.arithmetic.measuring import added_column
from agent.arithmetic.question import Asked, read_question
from agent.arithmetic.ranks import computed_rank
from agent.arithmetic.result import Computed
from agent.arithmetic.view import View, is_item, names_items, view_of
from agent.arithmetic.wording import tell_count, tell_total
from agent.arithmetic.words import content_stems
from heliograph.types import Computation, Operation, TableEvidence

UNPROVED = 0.6
SHARED = 0.6
NEAR = 0.9
"""Share of the best confidence from which another value is a rival."""
LEAST = 0.25
"""Confidence below which nothing is returned."""
UNNAMED = 2.0
"""Doubt where a column is known by its unit only and the question calls what it holds by another word."""


def compute(question: str, tables: Sequence[TableEvidence]) -> Computed | None:
    """Compute the answer from the table that fits best; None where none fits or two that fit as well disagree."""
    readings = read_question(question)
    views = [view for table in {table.id: table for table in tables}.values() if readings and (view := view_of(table))]
    found = [answer for view in views for asked in readings for answer in _answers(asked, question, view)]
    found = [answer for answer in found if answer.confidence >= LEAST]
    found.sort(key=lambda answer: (-answer.confidence, answer.continues, answer.computation.table))
    if not found:
        return None
    best = found[0]
    rivals = (other for other in found[1:] if other.confidence >= NEAR * best.confidence)
    return None if any(_disagree(best, other) for other in rivals) else best


def _disagree(best: Computed, other: Computed) -> bool:
    """Say whether two results cannot both be meant; an item and what is asked of it can."""
    if best.continues or other.continues:
        return best.names != other.names
    return best.computation.value != other.computation.value


def _answers(asked: Asked, question: str, view: View) -> list[Computed]:
    if asked.kind == "rank":
        return computed_rank(asked, question, view)
    found = fit(asked, view, question, asked.phrases)
    if found is None or found.factor == 0:
        return []
    answer = _count(asked, found) if asked.kind == "count" else _total(asked, found)
    return [answer] if answer else []


def _count(asked: Asked, found: Fit) -> Computed | None:
    """Count the rows left; all rows only where the question asks for what is listed."""
    view = found.view
    if not _counts_items(asked, found):
        return None
    column = view.columns[min(found.used, default=view.label)]
    derived = derive(view.table, column, found.rows, "count", 1, 1, True)
    everything = derive(view.table, column, view.rows, "count", 1, 1, True)
    if derived is None or everything is None:
        return None
    restricted = bool(found.used)
    if not restricted and found.confidence(set()) < found.factor:
        return None
    kind = restricted and not (asked.listed or asked.stated) and _only_kind(asked, found)
    certain = (
        (UNPROVED if kind else 1.0)
        * (SHARED if found.shared else 1.0)
        * (1.0 if restricted or asked.listed else UNPROVED)
    )
    names = (
        tuple(dict.fromkeys(view.name(row) for row in found.rows)) if view.named and view.serial != view.label else ()
    )
    computation = _recorded(asked, found, column, found.rows, derived.figure)
    sentence = tell_count(asked, view, int(derived.figure), names, int(everything.figure) if restricted else 0)
    winners = tuple(row_id(view.table, row) for row in found.rows) if restricted else ()
    return Computed(computation, sentence, names, winners, round(found.confidence(set()) * certain, 3))


def _counts_items(asked: Asked, found: Fit) -> bool:
    """Say whether what is to be counted are the rows: by name, or as events that the heading names."""
    view, nouns = found.view, content_stems(asked.asked)
    if nouns[:1] == ("time",):
        return not view.named and found.items
    if any(
        is_item(word, view) and view.columns[index].kind == "number" for word in nouns for index in _held(word, view)
    ):
        return False
    return any(
        word in found.cells or (is_item(word, view) and (not view.repeating or names_items(word, view)))
        for word in nouns
    )


def _only_kind(asked: Asked, found: Fit) -> bool:
    """Say whether all that is left out are items of another kind than those counted: the craters among the features."""
    kinds = len(found.used) == 1 and not asked.comparisons and not found.excluded and not found.items
    return kinds and found.cells <= set(content_stems(asked.asked))


def _held(word: str, view: View) -> list[int]:
    return [index for index, header in enumerate(view.headers) if word in header and index != view.label]


def _total(asked: Asked, found: Fit) -> Computed | None:
    """Add up, or average, the one column that the words name best."""
    view = found.view
    column = added_column(asked, found) if found.items or found.titled else None
    if column is None:
        return None
    operation: Operation = "sum" if asked.kind == "sum" else "mean"
    rows = entering(view.table, column, found.rows)
    derived = derive(view.table, column, rows, operation, 1, 1, True)
    missing = len(set(found.rows) & set(column.missing))
    if derived is None or missing * 2 > len(found.rows):
        return None
    if found.stuff and found.naming(column) <= 3:
        found.doubt(UNNAMED)
    certain = found.confidence({column.index}) * (
        1 if missing * 4 <= len(found.rows) or len(rows) in asked.stated else 1 - missing / len(found.rows)
    )
    sentence = tell_total(asked, view, column, derived.figure, len(rows), missing)
    return Computed(_recorded(asked, found, column, rows, derived.figure), sentence, (), (), round(certain, 3))


def _recorded(asked: Asked, found: Fit, column: Column, rows: Sequence[int], value: str) -> Computation:
    table = found.view.table
    operation: Operation = "count" if asked.kind == "count" else "sum" if asked.kind == "sum" else "mean"
    return Computation(operation, table.id, column.name, tuple(row_id(table, row) for row in rows), value)
