"""Answer a question by arithmetic over one table, or not at all.

Confidence, in [0, 1], is a product: CLEAR to begin with; MEANT where the column was found by what a superlative means
rather than by its name; UNSCOPED where the table is about something that the question does not say; NARROWED where its
caption restricts its items and the question does not; UNPROVED where all rows are counted though nothing says that the
table lists everything there is; and the share of the rows whose value could be read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.arithmetic.binding import SELECTIVE, Bound, View, bind, named_columns, names_items, narrows, view_of
from agent.arithmetic.choice import compared_column, idea_columns, stated_columns
from agent.arithmetic.columns import Column, cell_text, row_id
from agent.arithmetic.derivation import Derived, derive, entering, joined, told
from agent.arithmetic.questions import Asked, parse_operation
from agent.arithmetic.superlatives import ADJECTIVE_IDEAS
from agent.arithmetic.wording import aggregated, counted, counted_all, ranked
from agent.arithmetic.words import STOP_WORDS, akin, content_stems, stem, stems
from heliograph.types import Computation, EvidenceId, TableEvidence

CLEAR = 0.95
MEANT = 0.95
UNSCOPED = 0.6
NARROWED = 0.5
UNPROVED = 0.6
READABLE = 0.75
"""Share of the rows of a ranking that must hold a value that can be read."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed answer: its computation, a sentence that tells it, and the rows that it names.

    `continues`: the question goes on from the item found (`names`), so this is its first hop and not its answer.
    """

    computation: Computation
    sentence: str
    names: tuple[str, ...]
    winners: tuple[EvidenceId, ...]
    confidence: float
    continues: bool = False


@dataclass(frozen=True, slots=True)
class _Scope:
    """Rows of one table that a question is about, and how sure that is."""

    view: View
    rows: tuple[int, ...]
    bound: Bound
    restricted: bool
    confidence: float


def compute(question: str, tables: Sequence[TableEvidence]) -> Computed | None:
    """Compute the answer from the table that fits best; None where none fits or two that fit as well disagree."""
    asked = parse_operation(question)
    if asked is None:
        return None
    views = (view_of(table) for table in {table.id: table for table in tables}.values())
    found = [computed for view in views if view and (computed := _attempt(asked, question, view))]
    found.sort(key=lambda computed: (-computed.confidence, computed.computation.table))
    if not found:
        return None
    best = found[0]
    rivals = (other for other in found[1:] if other.confidence >= 0.9 * best.confidence)
    return None if any(other.computation.value != best.computation.value for other in rivals) else best


def _attempt(asked: Asked, question: str, view: View) -> Computed | None:
    scope = _scope(asked, question, view)
    if scope is None:
        return None
    match asked.operation:
        case "count":
            return _count(asked, scope)
        case "sum" | "mean":
            return _aggregate(asked, scope)
    return _rank(asked, scope)


def _scope(asked: Asked, question: str, view: View) -> _Scope | None:
    """Bind all words and conditions; aggregates need all items, so captions of selections do not serve them."""
    bound = bind(f"{asked.noun} , {asked.rest}", view)
    if bound is None or not _is_about(asked, view):
        return None
    rows, unknown = bound.rows, 0
    for comparison in asked.comparisons:
        column = compared_column(comparison, view)
        if column is None:
            return None
        verdicts = {row: comparison.holds(value) for row in rows if (value := column.values[row]) is not None}
        unknown += len(rows) - len(verdicts)
        if None in verdicts.values() or unknown > len(view.rows) // 4:
            return None
        rows = tuple(row for row in rows if verdicts.get(row))
    whole = asked.operation in ("count", "sum", "mean")
    if not rows or ((whole or not asked.descending) and set(view.limits) & SELECTIVE):
        return None
    narrowed = narrows(view, stems(question))
    if narrowed and whole:
        return None
    confidence = CLEAR * (NARROWED if narrowed else 1.0) * (1.0 if _is_scoped(question, view) else UNSCOPED)
    restricted = bool(bound.filters or asked.comparisons)
    return _Scope(view, rows, bound, restricted, confidence * (1 - unknown / len(view.rows)))


def _is_about(asked: Asked, view: View) -> bool:
    """Say whether the question asks for the items that the rows of the table are, or for a column beside them."""
    phrase = _leading(asked.rest if asked.operation in ("sum", "mean") else asked.noun)
    if asked.operation not in ("count", "sum", "mean") and (not phrase or _answer_column(asked, view) != view.label):
        return bool(not phrase or named_columns(phrase[:1], view))
    return any(names_items(word, view) for word in phrase)


def _leading(text: str) -> tuple[str, ...]:
    """Return the stems of the noun phrase at the beginning, up to the first word of grammar."""
    found: list[str] = []
    for word in text.removeprefix("the ").removeprefix("all ").removeprefix("the ").split():
        if word.casefold() in STOP_WORDS or word == ",":
            break
        found.append(stem(word))
    return tuple(found)


def _is_scoped(question: str, view: View) -> bool:
    """Say whether the question says what the table is about: some word of its title besides the items, or all of it."""
    said = stems(question)
    title = content_stems(view.table.place.title)
    unsaid = [word for word in title if not any(akin(word, other) for other in said) and word not in ("list", "tabl")]
    named = [word for word in title if word not in unsaid and not names_items(word, view)]
    captioned = [word for word in content_stems(view.table.caption) if any(akin(word, other) for other in said)]
    return not unsaid or bool(named) or any(not names_items(word, view) for word in captioned)


def _count(asked: Asked, scope: _Scope) -> Computed | None:
    view = scope.view
    items = [word for word in _leading(asked.noun) if names_items(word, view)]
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
        return _computed(
            asked, scope, column, scope.rows, derived.figure, sentence, names, scope.rows, scope.confidence
        )
    sentence = counted_all(asked, int(derived.figure), names)
    complete = 1.0 if re.search(r"\b(?:listed|in the (?:list|table))\b", asked.noun) else UNPROVED
    return _computed(asked, scope, column, scope.rows, derived.figure, sentence, names, (), scope.confidence * complete)


def _aggregate(asked: Asked, scope: _Scope) -> Computed | None:
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
    return _computed(asked, scope, column, rows, derived.figure, sentence, (), (), confidence)


def _rank(asked: Asked, scope: _Scope) -> Computed | None:
    """Rank by the column that is meant; where several may be meant, all must put the same rows in the same place."""
    columns = _measured(asked, scope)
    results = [(column, derived) for column in columns if (derived := _ranked_by(asked, scope, column)) is not None]
    if not results or len(results) < len(columns) or len({derived.winners for _, derived in results}) > 1:
        return None
    column, derived = results[0]
    table, answer = scope.view.table, _answer_column(asked, scope.view)
    if asked.superlative in ("most", "fewest", "least") and _repeats(scope, answer):
        return None
    names = tuple(dict.fromkeys(cell_text(table, row, answer) for row in derived.winners))
    attribute = _attribute(asked, scope.view, column)
    told_other = joined(tuple(told(table, attribute, row) for row in derived.winners)) if attribute else ""
    is_figure = asked.wants == "value" and attribute is not None and attribute.index == column.index
    continues = asked.continues or (bool(asked.attribute) and attribute is None)
    other = "" if is_figure or not attribute else told_other
    value = derived.figure if is_figure or (asked.wants == "value" and not asked.attribute) else other or joined(names)
    rows = tuple(row for row in scope.rows if column.values[row] is not None)
    share = len(rows) / len(scope.rows) * (1.0 if asked.idea == "stated" else MEANT)
    sentence = ranked(asked, names, derived.figure, other)
    return _computed(
        asked, scope, column, rows, value, sentence, names, derived.winners, scope.confidence * share, continues
    )


def _ranked_by(asked: Asked, scope: _Scope, column: Column) -> Derived | None:
    rows = tuple(row for row in scope.rows if column.values[row] is not None)
    if len(rows) < max(2, asked.position + asked.take - 1) or len(rows) < READABLE * len(scope.rows):
        return None
    return derive(scope.view.table, column, rows, asked.operation, asked.position, asked.take, asked.descending)


def _measured(asked: Asked, scope: _Scope) -> tuple[Column, ...]:
    if asked.measure:
        found = stated_columns(asked.measure, scope.view)
        return tuple(column for column in found if (column.kind == "date") == (asked.idea == "date"))
    ordered = asked.superlative.split()[-1] in ("first", "last")
    return () if asked.idea is None else idea_columns(asked.idea, scope.view, scope.bound.hints, ordered=ordered)


def _answer_column(asked: Asked, view: View) -> int:
    """Return the column that names what is asked for: the row names, or another column of text that the noun names."""
    phrase = _leading(asked.noun)
    if not phrase or any(names_items(word, view) for word in phrase):
        return view.label
    texts = [index for index in named_columns(phrase[:1], view) if view.columns[index].kind == "text"]
    return texts[0] if len(texts) == 1 else view.label


def _repeats(scope: _Scope, answer: int) -> bool:
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


def _computation(asked: Asked, scope: _Scope, column: Column, rows: Sequence[int], value: str) -> Computation:
    table = scope.view.table
    entered = tuple(row_id(table, row) for row in rows)
    return Computation(asked.operation, table.id, column.name, entered, value, asked.position, asked.descending)


def _row_ids(scope: _Scope, rows: Sequence[int]) -> tuple[EvidenceId, ...]:
    return tuple(row_id(scope.view.table, row) for row in rows)
