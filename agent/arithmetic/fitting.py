"""Explain the phrases of a question by one table: its headings, column names, cells, units and verbs of measure.

A reading is as certain as it is explained: CLEAR * explained / (explained + UNKNOWN * unexplained). Names and figures
weigh more than other words, and a number of items that agrees with the rows left weighs as a name does.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.arithmetic.columns import Column
from agent.arithmetic.comparisons import Comparison
from agent.arithmetic.conditions import tested
from agent.arithmetic.lexicon import LIGHT, VERBS, alike
from agent.arithmetic.phrases import Phrase
from agent.arithmetic.question import Asked
from agent.arithmetic.scope import is_titled, scope_of
from agent.arithmetic.superlatives import ADJECTIVE_IDEAS, COLUMNS, Idea
from agent.arithmetic.units import parse_measure
from agent.arithmetic.view import (
    View,
    in_subject,
    is_item,
    named_rows,
    naming,
    picks,
)
from agent.arithmetic.words import content_stems, stem, stems, words

CLEAR = 0.95
UNKNOWN = 2.8
"""How much more an unexplained word takes from the confidence than an explained one adds."""
NAME, FATAL, FORGIVEN = 2.0, 12.0, 0.4
"""What a name weighs, what nothing may leave unexplained, and a word of a clause whose number of items agrees."""
IDLE = 0.5
"""What a word weighs that names a column which is not used."""
NOUNS: dict[str, frozenset[Idea]] = {
    stem(noun): frozenset(idea for idea, names in COLUMNS.items() if noun in names and idea != "date")
    for listed in COLUMNS.values()
    for noun in listed
}
"""Nouns of measure, and what else measures the same: `height` may be an altitude."""


@dataclass(slots=True)
class Fit:
    """What the phrases of a question came to in one table, so far.

    `hits` are words with the columns whose names hold them and their weight; `picked` the rows that cells leave, by
    column, and `cells` the words that picked them (`united`: joined ones add up; `shared`: a row holds more besides);
    `listed` the rows that names stand for, and whether the headings say them too; `used` the columns of conditions.
    `items`: a word says what the rows are. `stuff`: what is `measured` in a unit is called by an unknown word.
    """

    asked: Asked
    view: View
    rows: tuple[int, ...]
    explained: float = 1.0
    unexplained: float = 0.0
    factor: float = CLEAR
    hits: list[tuple[str, frozenset[int], float]] = field(default_factory=list)
    unknown: list[tuple[float, bool]] = field(default_factory=list)
    ideas: set[Idea] = field(default_factory=set)
    dimensions: set[str] = field(default_factory=set)
    picked: dict[int, frozenset[int]] = field(default_factory=dict)
    excluded: dict[int, int] = field(default_factory=dict)
    listed: list[tuple[frozenset[int], bool]] = field(default_factory=list)
    cells: set[str] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    shared: bool = False
    strange: set[str] = field(default_factory=set)
    united: bool = False
    items: bool = False
    titled: bool = False
    stuff: bool = False
    measured: bool = False

    def naming(self, column: Column) -> int:
        """Return how well the words name a column; a word that the table is about anyway says less."""
        told = sum(1 if self.about(word) else 3 for word, held, _ in self.hits if column.index in held)
        return told + (3 if column.measure.dimension in self.dimensions else 0)

    def best(self, columns: list[Column]) -> tuple[Column, ...]:
        """Return the columns that the words name best; none where they name none."""
        most = max((self.naming(column) for column in columns), default=0)
        named = [column for column in columns if most and self.naming(column) == most]
        return closest(named, self.view) if most >= 3 else tuple(named)

    def about(self, word: str) -> bool:
        """Say whether a word stands in the headings of the table."""
        return any(alike(word, other) for other in self.view.subject)

    def confidence(self, columns: set[int]) -> float:
        """Return how certain a reading is that uses these columns; a word for any other column is not explained."""
        explained, unexplained = self.explained, self.unexplained
        for word, held, weight in self.hits:
            if held & (columns | self.used) or self.about(word):
                explained += weight
            elif not any(self._happened(index) for index in held):
                unexplained += weight * IDLE
        return self.factor * explained / (explained + UNKNOWN * unexplained)

    def _happened(self, index: int) -> bool:
        """Say whether a column holds a date for every row left: that all of them were launched tells nothing."""
        column = self.view.columns[index]
        return column.kind == "date" and not set(self.rows) & {*column.missing, *column.unreadable}

    def doubt(self, weight: float = FATAL) -> None:
        """Leave something unexplained."""
        self.unexplained += weight


def closest(columns: Sequence[Column], view: View) -> tuple[Column, ...]:
    """Return, of columns that words name equally well, those whose names say nothing else."""
    shortest = min((len(view.headers[column.index]) for column in columns), default=0)
    short = tuple(column for column in columns if len(view.headers[column.index]) == shortest)
    return short if shortest == 1 else tuple(columns)


def fit(asked: Asked, view: View, question: str, phrases: tuple[Phrase, ...]) -> Fit | None:
    """Explain the phrases of a reading; None where no row is left or a condition cannot be tested."""
    found = Fit(asked, view, view.rows)
    units, hinted = _units(asked), _hinted(phrases, view)
    for phrase in phrases:
        _bind(phrase, found, units, hinted)
    _settle(found, phrases)
    conditions = tested(_untitled(asked.comparisons, found), found.rows, view)
    if conditions is None or not conditions[0]:
        return None
    before, found.rows = found.rows, conditions[0]
    found.titled = is_titled(view, stems(question))
    found.used |= {*found.picked, *conditions[2], *found.excluded.values()}
    found.explained += NAME * len(asked.comparisons) + asked.listed
    _agree(found, before)
    found.factor *= scope_of(asked, view, stems(question), named=len(found.listed) > 1)
    found.factor *= 1 - conditions[1] / len(view.rows)
    return found


def _untitled(comparisons: tuple[Comparison, ...], found: Fit) -> tuple[Comparison, ...]:
    """Return the conditions without years that only name the table or a column: `visitors in 2019`."""
    for each in comparisons:
        if each.year and (held := naming((each.year,), found.view)):
            found.hits.append((each.year, held, NAME))
    return tuple(
        each for each in comparisons if not (each.year and (found.about(each.year) or naming((each.year,), found.view)))
    )


def _bind(phrase: Phrase, found: Fit, units: dict[str, str], hinted: frozenset[int]) -> None:
    """Note what one phrase says."""
    view, said, weight = found.view, phrase.words, NAME if phrase.name else 1.0
    light, held = set(said) <= LIGHT, naming(said, view)
    if light and all(view.columns[index].kind == "text" for index in held):
        held = frozenset()
    measured = len(said) == 1 and (said[0] in VERBS or said[0] in units)
    known = in_subject(said, view)
    cells = picks(said, view, whole=light or measured or bool(held), strict=known)
    cells = {index: rows for index, rows in cells.items() if index in hinted} or cells
    cells = (picks(said, view, strict=True) or cells) if len(cells) > 1 else cells
    rows = named_rows(said, view) if phrase.name else frozenset()
    if phrase.denied and (cells or rows):
        _exclude(phrase, found, cells, rows)
    elif cells and said[0] not in units:
        _filter(phrase, found, cells)
        found.explained += weight
    elif rows:
        found.listed.append((rows, known))
    elif held and not is_item(said[-1], view) and not (known and held == {view.label}):
        found.hits.extend((word, held, weight / len(said)) for word in said)
    elif len(said) == 1 and said[0] in units:
        found.dimensions.add(units[said[0]])
        found.explained += 1
        found.measured = found.measured or re.match(r"\w+(?: \w+)? of\b", found.asked.clause) is not None
        return
    elif known or (len(said) == 1 and _idea(said[0], found)):
        found.explained += weight
    elif phrase.name and len(said) > 1:
        for word in said:
            _bind(replace(phrase, words=(word,)), found, units, hinted)
    elif not light:
        _unknown(phrase, found)
    found.items = found.items or any(is_item(word, view) or word in view.heads for word in said)
    found.measured = found.measured and not (known and found.items)


def _unknown(phrase: Phrase, found: Fit) -> None:
    """Weigh a phrase that nothing explains; several for the stuff that a unit measures count once."""
    view = found.view
    qualifies = any(phrase.before in view.headers[each.index] for each in view.columns if each.kind != "text")
    if phrase.figure or (phrase.name and not qualifies):
        found.doubt()
    elif found.measured and found.stuff:
        return
    elif found.measured:
        found.stuff = True
        found.unknown.append((1.0, False))
    else:
        found.strange.update(phrase.words)
        found.unknown.append((2.0 if found.asked.kind == "count" else 1.0, phrase.relative))


def _idea(word: str, found: Fit) -> bool:
    """Note what a verb, noun or adjective of measure says."""
    ideas = {*VERBS.get(word, ()), *NOUNS.get(word, ())}
    ideas |= {idea for adjective, idea in ADJECTIVE_IDEAS.items() if stem(adjective) == word}
    found.ideas |= ideas
    return bool(ideas)


def _filter(phrase: Phrase, found: Fit, cells: dict[int, frozenset[int]]) -> None:
    """Keep the rows that a phrase picks; those of phrases that are joined add up."""
    if len(cells) > 1 or not all(cells.values()):
        found.doubt()
    index, rows = next(iter(cells.items()))
    known = found.picked.get(index)
    found.united = found.united or (phrase.joined and known is not None)
    found.picked[index] = rows if known is None else known | rows if phrase.joined else known & rows
    found.cells.update(phrase.words)
    found.shared = (
        found.shared or len({len(content_stems(found.view.cell(row, index).split(";")[0])) for row in rows}) > 1
    )


def _exclude(phrase: Phrase, found: Fit, cells: dict[int, frozenset[int]], rows: frozenset[int]) -> None:
    """Drop the rows that a denial names; what follows in it restricts rows where it speaks of another column."""
    index, dropped = next(iter(cells.items())) if cells else (found.view.label, rows)
    done = found.excluded.get(phrase.denied)
    if done is not None and not phrase.joined and done != index:
        return _filter(phrase, found, cells) if cells else found.doubt()
    if len(cells) > 1 or not dropped:
        found.doubt()
    found.explained += NAME if phrase.name else 1.0
    if done is None or phrase.joined:
        found.rows = tuple(row for row in found.rows if row not in dropped)
    found.excluded[phrase.denied] = index
    return None


def _settle(found: Fit, phrases: tuple[Phrase, ...]) -> None:
    """Apply what the cells and the listed names leave, and weigh denials, comparisons and alternatives in the air."""
    if len(found.listed) > 1:
        rows = frozenset[int]().union(*(rows for rows, _ in found.listed))
        found.rows = tuple(row for row in found.rows if row in rows)
        found.explained += NAME * len(found.listed)
        found.items = True
    elif found.listed:
        found.explained += NAME if found.listed[0][1] else 0.0
        found.doubt(0.0 if found.listed[0][1] else FATAL)
    for rows in found.picked.values():
        found.rows = tuple(row for row in found.rows if row in rows)
    denials = {phrase.denied for phrase in phrases if phrase.denied}
    if denials - set(found.excluded) or found.asked.loose or (found.asked.either and not found.united):
        found.doubt()


def _agree(found: Fit, before: tuple[int, ...]) -> None:
    """Hold the numbers of items that the question states against the rows, and weigh the words left unknown."""
    total = found.asked.kind in ("sum", "mean")
    sizes = {len(found.rows)} if total else {len(before), len(found.view.rows)}
    valued = {index for _, held, _ in found.hits for index in held if total}
    sizes |= {sum(found.view.columns[index].values[row] is not None for row in found.rows) for index in valued}
    for number in found.asked.stated:
        if number in sizes:
            found.explained += NAME
            found.items = True
        else:
            found.doubt()
    stated = bool(found.asked.stated)
    found.doubt(sum(weight * (FORGIVEN if stated and relative else 1.0) for weight, relative in found.unknown))


def _hinted(phrases: tuple[Phrase, ...], view: View) -> frozenset[int]:
    """Return the columns of text that single words name."""
    named = (naming(phrase.words, view) for phrase in phrases if len(phrase.words) == 1)
    return frozenset(index for held in named for index in held if view.columns[index].kind == "text")


def _units(asked: Asked) -> dict[str, str]:
    """Return the dimensions of units in which the question wants its figure, by their stems."""
    text = asked.clause
    leads = (" ".join(words(text)[:2]), *words(text)[:1]) if asked.wanted == "how many" else ()
    named = (*leads, *re.findall(r"\bin ((?:square |cubic )?[a-z]+)\b", text))
    found = {name: parse_measure(name) for name in named if len(name) > 2 or name in ("km", "kg")}
    return {
        stem(word): measure.dimension
        for name, measure in found.items()
        if measure is not None and measure.dimension
        for word in name.split()
    }
