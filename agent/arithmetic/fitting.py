"""Bind the words that cues leave over to one table: units and verbs of measure, column names, cells, its subject."""

import re
from dataclasses import dataclass

from agent.arithmetic.binding import (
    GENERIC,
    SELECTIVE,
    Bound,
    View,
    exact_rows,
    in_subject,
    names_items,
    narrows,
    phrases_of,
    picked_rows,
    repeating,
)
from agent.arithmetic.choice import compared_column
from agent.arithmetic.columns import Column
from agent.arithmetic.cues import Cues
from agent.arithmetic.lexicon import LIGHT, NATIONS, VERBS, alike
from agent.arithmetic.scope import CLEAR, NARROWED, UNSCOPED, Scope, is_scoped, tested
from agent.arithmetic.superlatives import ADJECTIVE_IDEAS, Idea
from agent.arithmetic.units import parse_measure
from agent.arithmetic.words import content_stems, stem, stems, words


@dataclass(frozen=True, slots=True)
class Fit:
    """A question bound to a table: its rows, and what its words said of columns.

    `hits` has one entry a word that column names hold: the columns that hold it. `used` are the columns of conditions.
    """

    scope: Scope
    hits: tuple[tuple[str, frozenset[int]], ...]
    dimensions: frozenset[str]
    ideas: frozenset[Idea]
    used: frozenset[int]
    counts_items: bool

    def score(self, column: Column) -> int:
        """Return how well the words name a column; a word that the table is about anyway says less."""
        view = self.scope.view
        named = sum(1 if word in view.subject else 3 for word, held in self.hits if column.index in held)
        return named + (3 if column.measure.dimension in self.dimensions else 0)

    def explained(self, chosen: frozenset[int]) -> bool:
        """Say whether every word that names a column names one that is used; others would be passed over."""
        subject = self.scope.view.subject
        return all(word in subject or held & (chosen | self.used) for word, held in self.hits)


def fit(cues: Cues, question: str, view: View) -> Fit | None:
    """Bind a question; None where a word is left over, a condition is in doubt, or the table is not what is asked for."""
    units = _units(cues)
    hits: list[tuple[str, frozenset[int]]] = []
    ideas: set[Idea] = set()
    rows, used = view.rows, set[int]()
    said = phrases_of(cues.text)
    for phrase in said:
        if len(phrase) == 1 and phrase[0] in units:
            continue
        held = _headed(phrase, view)
        picked = _cells(phrase, view, tuple(index for _, held in hits for index in held))
        if picked is not None and not (held and not picked[2]):
            if not picked[1]:
                return None
            used.add(picked[0])
            rows = tuple(row for row in rows if row in picked[1])
        elif held and not is_item(phrase[-1], view):
            hits.extend((word, held) for word in phrase)
        elif len(phrase) == 1 and phrase[0] in VERBS:
            ideas.add(VERBS[phrase[0]])
        elif not (_about(phrase, view) or set(phrase) <= LIGHT):
            return None
    kind = [word for word in view.headers[view.label] if not any(alike(word, other) for other in stems(question))]
    items = any(is_item(word, view) for phrase in said for word in phrase)
    if kind and len(kind) < len(view.headers[view.label]) and not set(kind) <= GENERIC and view.named:
        return None
    return _scoped(cues, question, view, rows, frozenset(used), tuple(hits), units, ideas, items)


def _scoped(cues, question, view, rows, used, hits, units, ideas, items):
    conditions = tested(cues.comparisons, rows, view)
    if conditions is None or not conditions[0]:
        return None
    rows, unknown = conditions
    compared = {column.index for each in cues.comparisons if (column := compared_column(each, view))}
    if cues.stated is not None and cues.stated not in (len(rows), len(view.rows)):
        return None
    listed = cues.listed or cues.stated is not None
    whole = cues.cue != "rank"
    descending = cues.superlative is not None and cues.superlative.descending
    if (whole or not descending) and not listed and set(view.limits) & SELECTIVE:
        return None
    narrowed = () if listed else narrows(view, stems(question))
    if narrowed and whole:
        return None
    known = is_scoped(question, view) or _captioned(question, view)
    confidence = CLEAR * (NARROWED if narrowed else 1.0) * (1.0 if known else UNSCOPED)
    scope = Scope(view, rows, Bound(rows, (), tuple(used)), bool(used or cues.comparisons),
                  confidence * (1 - unknown / len(view.rows)))
    return Fit(scope, hits, frozenset(units.values()), frozenset(ideas), used | compared, items)


def is_item(word: str, view: View) -> bool:
    """Say whether a word is what the rows are; rows that no column names are what the heading says."""
    if names_items(word, view) and view.named:
        return True
    if not view.named or repeating(view):
        return any(alike(word, head) for head in view.heads)
    return any(alike(word, other) for other in view.headers[view.label])


def _units(cues: Cues) -> dict[str, str]:
    """Return the dimensions of units in which the question wants its figure, by their stems."""
    asked = words(cues.asked)[:1] if cues.asks == "how many" else ()
    named = (*asked, *re.findall(r"\bin ([a-z]+)\b", cues.text))
    found = {stem(word): parse_measure(word) for word in named if len(word) > 2 or word in ("km", "kg")}
    return {word: measure.dimension for word, measure in found.items() if measure is not None and measure.dimension}


def _headed(phrase: tuple[str, ...], view: View) -> frozenset[int]:
    return frozenset(
        index
        for index, header in enumerate(view.headers)
        if (index != view.label or not view.named) and all(any(alike(word, other) for other in header) for word in phrase)
    )


def _cells(
    phrase: tuple[str, ...], view: View, hints: tuple[int, ...]
) -> tuple[int, frozenset[int], bool] | None:
    """Return the column whose cells a phrase picks, its rows, and whether whole cells match; no rows in doubt."""
    texts = [column.index for column in view.columns if column.kind == "text"]
    free = [index for index in texts if index != view.label or not view.named or repeating(view)]
    for wording in (phrase, stems(NATIONS_BY_STEM.get(phrase[0], "")) if len(phrase) == 1 else ()):
        if not wording:
            continue
        exact = {index: rows for index in free if (rows := exact_rows(wording, view, index))}
        hinted = {index: rows for index, rows in exact.items() if index in hints} or exact
        if len(hinted) > 1:
            return next(iter(hinted)), frozenset(), True
        if hinted:
            index = next(iter(hinted))
            return index, picked_rows(wording, view, (index,))[1] if picked_rows(wording, view, (index,)) else hinted[index], True
        if not _about(phrase, view) and not set(phrase) <= LIGHT and not (len(phrase) == 1 and phrase[0] in VERBS):
            found = picked_rows(wording, view, hints)
            if found is not None:
                return *found, False
    return None


NATIONS_BY_STEM = {stem(word): nation for word, nation in NATIONS.items()}


def _about(phrase: tuple[str, ...], view: View) -> bool:
    return in_subject(phrase, view) or all(
        is_item(word, view) or any(alike(word, other) for other in view.subject) for word in phrase
    )


def _captioned(question: str, view: View) -> bool:
    """Say whether the question says all of a heading of two words or more: `the Galilean moons`."""
    heading = [word for word in (*view.limits, *view.heads[:1])]
    said = stems(question)
    return len(heading) > 1 and all(any(alike(word, other) for other in said) for word in heading)
