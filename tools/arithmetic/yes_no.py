"""Decide a question of yes or no by a comparison over one table: `Is Elm longer than Ash?`, `Is Elm over 2 km?`."""

import re
from collections.abc import Sequence

from heliograph.errors import CalculationError
from heliograph.text.units import header_words
from heliograph.text.words import content_stems, stem, stems
from heliograph.types import Calculation, Relation, TableEvidence
from tools.arithmetic.calculations import calculate
from tools.arithmetic.columns import Column, row_id
from tools.arithmetic.comparisons import Comparison, split_comparisons
from tools.arithmetic.conditions import compared_column
from tools.arithmetic.derivation import told
from tools.arithmetic.explanation import CLEAR
from tools.arithmetic.lexicon import LIGHT, VERBS, among
from tools.arithmetic.resolution import bound_of
from tools.arithmetic.result import Computed
from tools.arithmetic.rewording import one_line
from tools.arithmetic.scope import UNSCOPED, is_titled
from tools.arithmetic.superlatives import ADJECTIVE_IDEAS, COMPARATIVES, SMALLER, Idea
from tools.arithmetic.view import View, measures, view_of

_ASKS = re.compile(r"(?:is|are|was|were|does|do|did|has|have|had)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|no|n't|or|any|all|every|each|both)\b|n't\b", re.IGNORECASE)
_THAN = re.compile(
    rf"\b(?P<word>more|fewer|less|{'|'.join(COMPARATIVES)}|before|after)(?P<of>(?: [a-z]+){{0,3}}?)(?: than)? ?$", re.I
)
_DATED = {"before": "below", "after": "above"}
VALUE_WORDS = 4
"""Words of a question among which the value that it compares with is looked for."""


def decide(question: str, tables: Sequence[TableEvidence]) -> list[Computed]:
    """Return what each table decides; nothing where the question asks for more than one comparison."""
    text = one_line(question).rstrip("?!. ")
    if not _ASKS.match(text) or _NEGATED.search(text):
        return []
    views = (view for table in tables if (view := view_of(table)) is not None and view.named)
    return [decided for view in views if (decided := _decided(text, view)) is not None]


def _decided(text: str, view: View) -> Computed | None:
    named = _named(text, view)
    calculation = None
    if len(named) == 2:
        calculation = _of_two(text, named, view)
    elif len(named) == 1:
        calculation = _of_one(text, named[0][0], view)
    if calculation is None or _unexplained(text, named, calculation, view):
        return None
    try:
        found = calculate(calculation, [view.table])
    except CalculationError:
        return None
    scope = 1.0 if is_titled(view, stems(text)) else UNSCOPED
    names = tuple(view.name(row) for row, _, _ in named)
    column = next(each for each in view.columns if each.name == calculation.column)
    cells = ", ".join(f"{view.name(row)} {told(view.table, column, row)}" for row, _, _ in named)
    sentence = f"{found.value} ({header_words(column.name).lower()}: {cells})."
    return Computed(found.computation, sentence, names, (), CLEAR, scope=scope)


def _named(text: str, view: View) -> list[tuple[int, int, int]]:
    """Return the rows that a question names, with where their names stand, in its order."""
    found: list[tuple[int, int, int]] = []
    for row in sorted(view.rows, key=lambda row: -len(view.cell(row, view.label))):
        name = re.search(rf"(?<!\w){re.escape(view.cell(row, view.label))}(?!\w)", text)
        if name and not any(start < name.end() and name.start() < end for _, start, end in found):
            found.append((row, *name.span()))
    return sorted(found, key=lambda each: each[1])


def _of_two(text: str, named: list[tuple[int, int, int]], view: View) -> Calculation | None:
    """Compare two rows by the column that stands before `than` and the second."""
    (first, _, start), (second, end, _) = named
    between = re.sub(r" (?:the|its) ?$", "", text[start:end].rstrip())
    found = _THAN.search(between)
    if found is None:
        return None
    word = found["word"].casefold()
    columns = _columns(word, content_stems(f"{between[: found.start()]} {found['of']} {text[named[1][2] :]}"), view)
    if len(columns) != 1:
        return None
    relation: Relation = "below" if word in SMALLER or _DATED.get(word) == "below" else "above"
    rows = (row_id(view.table, first), row_id(view.table, second))
    return Calculation("comparison", view.table.id, columns[0].name, rows, relation=relation)


def _columns(word: str, said: tuple[str, ...], view: View) -> list[Column]:
    """Return the columns that a comparative measures by; of `more` and `fewer` those that are named."""
    dated = word in _DATED or COMPARATIVES.get(word) == "date"
    fitting = [each for each in view.columns if each.kind != "text" and (each.kind == "date") == dated]
    named = [each for each in fitting if any(among(part, view.headers[each.index]) for part in said)]
    idea: Idea | None = "date" if dated else COMPARATIVES.get(word)
    meant = [each for each in fitting if idea and (dated or _measures(each, idea, view))]
    return named or meant


def _measures(column: Column, idea: Idea, view: View) -> bool:
    return measures(column, idea, view) or (idea == "extent" and measures(column, "distance", view))


def _of_one(text: str, row: int, view: View) -> Calculation | None:
    """Compare a row with the value that a question states."""
    _, comparisons, loose = split_comparisons(text)
    if len(comparisons) != 1 or loose or comparisons[0].relation == "within":
        return None
    column = compared_column(comparisons[0], view)
    value = _value(text, comparisons[0], column) if column else None
    if column is None or value is None:
        return None
    relation = comparisons[0].relation
    return Calculation(
        "comparison", view.table.id, column.name, (row_id(view.table, row),), relation=relation, value=value
    )


def _value(text: str, comparison: Comparison, column: Column) -> str | None:
    """Return the words of a question that a column reads as what it is compared with, the most of them."""
    parts = text.split()
    for width in range(VALUE_WORDS, 0, -1):
        for start in range(len(parts) - width + 1):
            words = " ".join(parts[start : start + width])
            bound = bound_of(words, column)
            if bound and (bound.low, bound.high) == (comparison.low, comparison.high):
                return words
    return None


def _unexplained(text: str, named: list[tuple[int, int, int]], calculation: Calculation, view: View) -> bool:
    """Say whether a question says anything that neither the table nor the comparison does."""
    rest = split_comparisons(text)[0] if calculation.value else text
    for row, _, _ in named:
        rest = rest.replace(view.cell(row, view.label), " ")
    column = next(each for each in view.columns if each.name == calculation.column)
    known = (*view.subject, *view.headers[column.index], *view.headers[view.label], *view.heads)
    spare = {*LIGHT, *VERBS, *map(stem, (*COMPARATIVES, *ADJECTIVE_IDEAS, "more", "fewer", "less", "before", "after"))}
    return any(word not in spare and not among(word, known) for word in content_stems(rest))
