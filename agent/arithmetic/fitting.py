"""Bind the words that cues leave over to one table: units and verbs of measure, column names, cells, its subject."""

import re
from dataclasses import dataclass, field

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
from agent.arithmetic.superlatives import Idea
from agent.arithmetic.units import parse_measure
from agent.arithmetic.words import content_stems, stem, stems, words

_PLAIN = frozenset(stems("list table programme program project series"))


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
    filtered: tuple[tuple[str, ...], ...] = ()
    spoken: str = ""
    """The question's own words for the rows, in the plural: `Apollo landings`."""

    def score(self, column: Column) -> int:
        """Return how well the words name a column; a word that the table is about anyway says less."""
        view = self.scope.view
        named = sum(1 if _subject(word, view) else 3 for word, held in self.hits if column.index in held)
        return named + (3 if column.measure.dimension in self.dimensions else 0)

    def explained(self, chosen: frozenset[int]) -> bool:
        """Say whether every word that names a column names one that is used; others would be passed over."""
        view = self.scope.view
        return all(_subject(word, view) or held & (chosen | self.used) for word, held in self.hits)


@dataclass(slots=True)
class _Said:
    """What the phrases of a question came to, one after the other."""

    rows: tuple[int, ...]
    hits: list[tuple[str, frozenset[int]]] = field(default_factory=list)
    ideas: set[Idea] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    filtered: list[tuple[str, ...]] = field(default_factory=list)


def fit(cues: Cues, question: str, view: View) -> Fit | None:
    """Bind a question; None where a word is left over, a condition is in doubt, or the table is about other things."""
    units = _units(cues)
    said = _Said(view.rows)
    phrases = [phrase for phrase in phrases_of(cues.text) if len(phrase) > 1 or phrase[0] not in units]
    if not all(_bind(phrase, view, said) for phrase in phrases) or _is_kind(question, view):
        return None
    scoped = _scoped(cues, question, view, said)
    if scoped is None:
        return None
    items = any(is_item(word, view) for phrase in phrases for word in phrase) or _titled(question, view)
    compared = {column.index for each in cues.comparisons if (column := compared_column(each, view))}
    return Fit(
        scoped, tuple(said.hits), frozenset(units.values()), frozenset(said.ideas), frozenset(said.used | compared),
        items, tuple(said.filtered), _spoken(cues.text, view),
    )  # fmt: skip


def _bind(phrase: tuple[str, ...], view: View, said: _Said) -> bool:
    """Note what one phrase says; False where it says nothing that the table knows, or leaves a doubt."""
    held = _headed(phrase, view)
    if set(phrase) <= LIGHT and all(view.columns[index].kind == "text" for index in held):
        held = frozenset()
    picked = _cells(phrase, view, tuple(index for _, others in said.hits for index in others))
    if picked is not None and (picked[2] or not held):
        said.used.add(picked[0])
        said.filtered.append(phrase)
        said.rows = tuple(row for row in said.rows if row in picked[1])
        return bool(picked[1])
    if held and not is_item(phrase[-1], view):
        said.hits.extend((word, held) for word in phrase)
        return True
    if len(phrase) == 1 and phrase[0] in VERBS:
        said.ideas.add(VERBS[phrase[0]])
        return True
    return _about(phrase, view) or set(phrase) <= LIGHT


def _is_kind(question: str, view: View) -> bool:
    """Say whether the rows are only a kind of what is asked for: `Dwarf planet` where the question says planet."""
    said = stems(question)
    header = view.headers[view.label]
    kind = [word for word in header if not any(alike(word, other) for other in said)]
    return view.named and 0 < len(kind) < len(header) and not set(kind) <= GENERIC


def _scoped(cues: Cues, question: str, view: View, said: _Said) -> Scope | None:
    """Apply the conditions, hold the figure that the question states against the rows, and refuse selections."""
    conditions = tested(cues.comparisons, said.rows, view)
    if conditions is None or not conditions[0]:
        return None
    rows, unknown = conditions
    if cues.stated is not None and cues.stated not in (len(said.rows), len(view.rows)):
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
    restricted = bool(said.used or cues.comparisons)
    bound = Bound(rows, (), tuple(sorted(said.used)))
    return Scope(view, rows, bound, restricted, confidence * (1 - unknown / len(view.rows)))


def _spoken(text: str, view: View) -> str:
    """Return the words for the rows with the names before them; nothing where they do not stand in the plural."""
    for found in re.finditer(r"((?:[A-Z][\w-]*(?: \d{1,3}\b)? )*)([a-z][\w-]*s)\b", text):
        if is_item(stem(found[2]), view):
            return found[0]
    return ""


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
        if (index != view.label or not view.named)
        and all(any(alike(word, other) for other in header) for word in phrase)
    )


def _cells(phrase: tuple[str, ...], view: View, hints: tuple[int, ...]) -> tuple[int, frozenset[int], bool] | None:
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
            agreed = picked_rows(wording, view, (index,))
            return index, agreed[1] if agreed else hinted[index], True
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


def _subject(word: str, view: View) -> bool:
    return any(alike(word, other) for other in view.subject)


def _titled(question: str, view: View) -> bool:
    """Say whether the question says the whole title, so that all that its table lists is meant."""
    title = [word for word in content_stems(re.sub(r"\(.*\)", "", view.table.place.title)) if word not in _PLAIN]
    said = stems(question)
    return all(any(alike(word, other) for other in said) for word in title)


def _captioned(question: str, view: View) -> bool:
    """Say whether the question says all of a heading of two words or more: `the Galilean moons`."""
    heading = (*view.limits, *view.heads[:1])
    said = stems(question)
    return len(heading) > 1 and all(any(alike(word, other) for other in said) for word in heading)
