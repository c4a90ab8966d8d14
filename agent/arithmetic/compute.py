"""Answer a question by arithmetic over one table, or not at all.

Confidence, in [0, 1], is a product: that of the scope (`agent.arithmetic.scope`); MEANT where the column was found by
what a superlative means rather than by its name; FURTHER where its name says more than the measure asked for; UNPROVED
where all rows are counted though nothing says that the table lists everything there is; and the share of the rows
whose value could be read.
"""

from collections.abc import Sequence

from agent.arithmetic.binding import View, named_columns, names_items, view_of
from agent.arithmetic.choice import idea_columns, stated_columns
from agent.arithmetic.columns import Column, cell_text
from agent.arithmetic.cued import compute_cued
from agent.arithmetic.cues import read_cues
from agent.arithmetic.derivation import Derived, derive, entering, joined, told
from agent.arithmetic.questions import Asked, parse_operation
from agent.arithmetic.result import Computed, computation_of, ranked_by, row_ids
from agent.arithmetic.scope import LISTED, Scope, answer_column, leading, scope_of
from agent.arithmetic.superlatives import ADJECTIVE_IDEAS
from agent.arithmetic.wording import aggregated, counted, counted_all, ranked
from agent.arithmetic.words import akin, content_stems, stems
from heliograph.types import TableEvidence

MEANT = 0.95
UNPROVED = 0.6
FURTHER = 0.6
_COUNTING = stems("number of count total")


def compute(question: str, tables: Sequence[TableEvidence]) -> Computed | None:
    """Compute the answer from the table that fits best; None where none fits or two that fit as well disagree."""
    distinct = tuple({table.id: table for table in tables}.values())
    formed = _formed(question, distinct)
    if formed and formed.confidence >= 0.6 and not formed.continues:
        return formed
    return _cued(question, distinct) or formed


def _formed(question: str, tables: Sequence[TableEvidence]) -> Computed | None:
    """Compute by the form of the whole question."""
    asked = parse_operation(question)
    if asked is None:
        return None
    views = (view_of(table) for table in tables)
    return _agreed([computed for view in views if view and (computed := _attempt(asked, question, view))])


def _cued(question: str, tables: Sequence[TableEvidence]) -> Computed | None:
    """Compute by the cues of a question, whatever its form."""
    cues = read_cues(question)
    if cues is None:
        return None
    views = (view_of(table, events=True) for table in tables)
    return _agreed([computed for view in views if view and (computed := compute_cued(cues, question, view))])


def _agreed(found: list[Computed]) -> Computed | None:
    found.sort(key=lambda computed: (-computed.confidence, computed.computation.table))
    if not found:
        return None
    best = found[0]
    rivals = (other for other in found[1:] if other.confidence >= 0.9 * best.confidence)
    return None if any(other.computation.value != best.computation.value for other in rivals) else best


def _attempt(asked: Asked, question: str, view: View) -> Computed | None:
    scope = scope_of(asked, question, view)
    if scope is None:
        return None
    match asked.operation:
        case "count":
            return _count(asked, scope)
        case "sum" | "mean":
            return _aggregate(asked, scope)
    return _rank(asked, scope)


def _count(asked: Asked, scope: Scope) -> Computed | None:
    view = scope.view
    items = [word for word in leading(asked.noun) if names_items(word, view)]
    if any(view.columns[index].kind != "text" for word in items for index in named_columns((word,), view)):
        return None
    column = view.columns[scope.bound.filters[0] if scope.bound.filters else view.label]
    derived = derive(view.table, column, scope.rows, "count", 1, 1, True)
    if derived is None:
        return None
    names = tuple(dict.fromkeys(cell_text(view.table, row, view.label) for row in scope.rows))
    if scope.restricted:
        everything = derive(view.table, column, view.rows, "count", 1, 1, True)
        sentence = counted(asked, int(derived.figure), names, int(everything.figure) if everything else len(view.rows))
        computation = computation_of(asked, scope, column, scope.rows, derived.figure)
        return Computed(computation, sentence, names, row_ids(scope, scope.rows), round(scope.confidence, 3))
    sentence = counted_all(asked, int(derived.figure), names)
    complete = 1.0 if LISTED.search(asked.noun) else UNPROVED
    computation = computation_of(asked, scope, column, scope.rows, derived.figure)
    return Computed(computation, sentence, names, (), round(scope.confidence * complete, 3))


def _aggregate(asked: Asked, scope: Scope) -> Computed | None:
    found = stated_columns(asked.measure, scope.view, derived=False)
    if len(found) != 1:
        return None
    column = found[0]
    rows = entering(scope.view.table, column, scope.rows)
    derived = derive(scope.view.table, column, rows, asked.operation, 1, 1, True)
    missing = len(set(scope.rows) & set(column.missing))
    if derived is None or missing * 4 > len(scope.rows):
        return None
    sentence = aggregated(asked, derived.figure, len(rows), missing)
    confidence = scope.confidence * (1 - missing / len(scope.rows))
    computation = computation_of(asked, scope, column, rows, derived.figure)
    return Computed(computation, sentence, (), (), round(confidence, 3))


def _rank(asked: Asked, scope: Scope) -> Computed | None:
    """Rank by the column that is meant; where several may be meant, all must put the same rows in the same place."""
    columns = _measured(asked, scope)
    results = [(column, derived) for column in columns if (derived := ranked_by(asked, scope, column)) is not None]
    if not results or len(results) < len(columns) or len({derived.winners for _, derived in results}) > 1:
        return None
    return _told(asked, scope, *results[0])


def _told(asked: Asked, scope: Scope, column: Column, derived: Derived) -> Computed | None:
    """Tell the rows at the place asked for: by name, by their figure, or by another column that is asked for."""
    table, answer = scope.view.table, answer_column(asked, scope.view)
    if asked.superlative in ("most", "fewest", "least") and _repeats(scope, answer):
        return None
    names = tuple(dict.fromkeys(cell_text(table, row, answer) for row in derived.winners))
    attribute = _attribute(asked, scope.view, column)
    other = ""
    if attribute is not None and attribute.index != column.index:
        other = joined(tuple(dict.fromkeys(told(table, attribute, row) for row in derived.winners)))
    is_figure = asked.wants == "value" and not other and (attribute is not None or not asked.attribute)
    rows = tuple(row for row in scope.rows if column.values[row] is not None)
    computation = computation_of(asked, scope, column, rows, derived.figure if is_figure else other or joined(names))
    share = len(rows) / len(scope.rows) * (_fit(asked, scope, column) if asked.measure else MEANT)
    continues = asked.continues or (bool(asked.attribute) and attribute is None)
    sentence = ranked(asked, names, derived.figure, other)
    winners = row_ids(scope, derived.winners)
    return Computed(computation, sentence, names, winners, round(scope.confidence * share, 3), continues)


def _fit(asked: Asked, scope: Scope, column: Column) -> float:
    """Return 1 where a column's name says no more than the measure asked for; `New moons` are not all moons."""
    said = (*content_stems(asked.measure), *scope.view.subject, *_COUNTING)
    return (
        1.0 if all(any(akin(word, other) for other in said) for word in scope.view.headers[column.index]) else FURTHER
    )


def _measured(asked: Asked, scope: Scope) -> tuple[Column, ...]:
    if asked.measure:
        found = stated_columns(asked.measure, scope.view)
        return tuple(column for column in found if (column.kind == "date") == (asked.idea == "date"))
    ordered = asked.superlative.split()[-1] in ("first", "last")
    return () if asked.idea is None else idea_columns(asked.idea, scope.view, scope.bound.hints, ordered=ordered)


def _repeats(scope: Scope, answer: int) -> bool:
    """Say whether an item has several rows, so that its best row is not its total."""
    names = [cell_text(scope.view.table, row, answer).casefold() for row in scope.rows]
    return len(set(names)) < len(names)


def _attribute(asked: Asked, view: View, column: Column) -> Column | None:
    """Return the column of what is asked about the item found; None where the table does not hold it."""
    attribute = asked.attribute.casefold()
    if not attribute:
        return None
    if attribute == "when":
        return column if column.kind == "date" else None
    if attribute in ADJECTIVE_IDEAS:
        return column if ADJECTIVE_IDEAS[attribute] == asked.idea else None
    stated = stated_columns(attribute, view)
    if any(each.index == column.index for each in stated):
        return column
    named = stated or tuple(view.columns[index] for index in named_columns(content_stems(attribute), view))
    return named[0] if len(named) == 1 else None
