"""Which rows of a table a question is about, and how sure that is.

Confidence is a product: CLEAR to begin with; UNSCOPED where the table is about something that the question does not
say; NARROWED where its caption restricts its items and the question does not; and the share of rows that a condition
could be tested on.
"""

import re
from dataclasses import dataclass

from agent.arithmetic.binding import GENERIC, SELECTIVE, Bound, View, bind, named_columns, names_items, narrows
from agent.arithmetic.choice import compared_column
from agent.arithmetic.comparisons import Comparison
from agent.arithmetic.questions import Asked
from agent.arithmetic.words import STOP_WORDS, akin, content_stems, stem, stems

CLEAR = 0.95
UNSCOPED = 0.6
NARROWED = 0.5
LISTED = re.compile(r"\b(?:listed|tabulated|in the (?:list|table))\b", re.IGNORECASE)
"""Words by which a question asks for what a table lists, be it complete or not."""
_GAINED = re.compile(r" (?:won|received|scored|got|gained|took) ,")
"""Verbs before a condition on a column say no more than that the column holds the amount."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Rows of one table that a question is about, and how sure that is."""

    view: View
    rows: tuple[int, ...]
    bound: Bound
    restricted: bool
    confidence: float


def scope_of(asked: Asked, question: str, view: View) -> Scope | None:
    """Bind all words and conditions; aggregates need all items, so captions of selections do not serve them."""
    bound = bind(_GAINED.sub(" ,", f"{asked.noun} , {asked.rest}"), view)
    if bound is None or not is_about(asked, view) or _is_kind_of(question, asked, view):
        return None
    conditions = tested(asked.comparisons, bound.rows, view)
    if conditions is None:
        return None
    rows, unknown = conditions
    listed = LISTED.search(question) is not None
    whole = asked.operation in ("count", "sum", "mean") and not listed
    if not rows or ((whole or not (asked.descending or listed)) and set(view.limits) & SELECTIVE):
        return None
    narrowed = narrows(view, stems(question))
    if narrowed and whole:
        return None
    confidence = CLEAR * (NARROWED if narrowed else 1.0) * (1.0 if is_scoped(question, view) else UNSCOPED)
    restricted = bool(bound.filters or asked.comparisons)
    return Scope(view, rows, bound, restricted, confidence * (1 - unknown / len(view.rows)))


def tested(
    comparisons: tuple[Comparison, ...], rows: tuple[int, ...], view: View
) -> tuple[tuple[int, ...], int] | None:
    """Return the rows that meet all conditions, and how many could not be tested; None where a test is in doubt."""
    unknown = 0
    for comparison in comparisons:
        column = compared_column(comparison, view)
        if column is None:
            return None
        verdicts = {row: comparison.holds(value) for row in rows if (value := column.values[row]) is not None}
        unknown += len(rows) - len(verdicts)
        if None in verdicts.values() or unknown > len(view.rows) // 4:
            return None
        rows = tuple(row for row in rows if verdicts.get(row))
    return rows, unknown


def is_about(asked: Asked, view: View) -> bool:
    """Say whether the question asks for the items that the rows of the table are, or for a column beside them."""
    phrase = leading(asked.rest if asked.operation in ("sum", "mean") else asked.noun)
    if asked.operation not in ("count", "sum", "mean") and (not phrase or answer_column(asked, view) != view.label):
        return bool(not phrase or named_columns(phrase[:1], view))
    return any(names_items(word, view) for word in phrase)


def _is_kind_of(question: str, asked: Asked, view: View) -> bool:
    """Say whether the rows are only a kind of what is asked for: `Dwarf planet` where the question says planet."""
    said = stems(question)
    kind = [word for word in view.headers[view.label] if not any(akin(word, other) for other in said)]
    known = len(kind) < len(view.headers[view.label])
    return known and answer_column(asked, view) == view.label and not set(kind) <= GENERIC


def leading(text: str) -> tuple[str, ...]:
    """Return the stems of the noun phrase at the beginning, up to the first word of grammar."""
    found: list[str] = []
    for word in text.removeprefix("the ").removeprefix("all ").removeprefix("the ").split():
        if word.casefold() in STOP_WORDS or word == ",":
            break
        found.append(stem(word))
    return tuple(found)


def is_scoped(question: str, view: View) -> bool:
    """Say whether the question says what the page is about: all of its title, or a word of it besides the items."""
    said = stems(question)
    title = [word for word in content_stems(view.table.place.title) if word not in ("list", "tabl")]
    told = [word for word in title if any(akin(word, other) for other in said)]
    return told == title or any(not names_items(word, view) for word in told)


def answer_column(asked: Asked, view: View) -> int:
    """Return the column that names what is asked for: the row names, or another column of text that the noun names."""
    phrase = leading(asked.noun)
    if not phrase or any(names_items(word, view) for word in phrase):
        return view.label
    texts = [index for index in named_columns(phrase[:1], view) if view.columns[index].kind == "text"]
    return texts[0] if len(texts) == 1 else view.label
