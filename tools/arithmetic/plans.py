"""What may be asked of a table: conditions that a question may set, and the calculations that its slots stand for.

A trained parser (indexers/models/semantic_parser.py) says how probable each value of each slot is. Here stands what
it is shown, and what its slots mean: the logical forms that are most probable, each as a `Calculation`.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice, product

from heliograph.errors import Undecided, UnknownRow, WrongOperands
from heliograph.text.dates import MONTH, times_in
from heliograph.text.names import plain_title
from heliograph.text.numbers import ORDINALS, SPELLED, in_digits, plain
from heliograph.text.units import clocks, is_missing, leading_measure, states_none
from heliograph.text.words import STOP_WORDS, stem
from heliograph.types import (
    CONDITION_OPERATORS,
    ORDERING,
    RANKING,
    SELECTING,
    TABLE_OPERATIONS,
    Calculation,
    Condition,
    ConditionOperator,
    EvidenceId,
    Relation,
    Slots,
    TableOperation,
    TableQuestion,
)
from tools.arithmetic.columns import Column, texts_beside
from tools.arithmetic.question_words import LONGEST_CELL, WORDS, QuestionWords
from tools.arithmetic.resolution import resolve
from tools.arithmetic.sheet import Sheet

LONGEST_TITLE = 12
"""Words of a title that are looked for in a question."""
MOST_COLUMNS, MOST_VALUES, MOST_FIGURES = 16, 16, 10
"""Columns that are shown, values of cells that a question may name, and figures that it may set as a limit."""
FEW, SEVERAL, NAMED_ROWS = 4, 8, 16
"""Different cells of a column up to which each may be meant, though no word of it is said (`yes` and `no`); up to which
each is shown where there is room; and names of rows up to which each may be meant, where the question says none."""
SAMPLES, SAMPLE_CHARACTERS, SAMPLED = 2, 24, 50
"""Different cells of a column that are shown, of the first rows."""
MOST_LISTED = 30
"""Rows up to which all cells of a column are told."""
_PARTS = re.compile(r"\s*(?:,|;|/|\n|\band\b|&|\(|\))\s*")
_FIGURE = re.compile(
    rf"(?<![\w.,])\d{{1,2}}:\d\d(?:\s?[ap]m)?|(?<![\w.,])\d+(?:[.,]\d+)*(?:st|nd|rd|th)?|{SPELLED}|\b(?:{'|'.join(ORDINALS)})\b"
    rf"|\ban?\b(?= (?:hour|day|week|month|minute|year|kilo|kilometre|mile|metre|litre|euro|pound)\b)",
    re.IGNORECASE,
)
_MIDDAY = re.compile(r"\b(?:noon|midday|midnight)\b", re.IGNORECASE)
_MONTH_NAME = re.compile(rf"\b{MONTH}", re.IGNORECASE)


ALL, SOME, NONE, LIMIT = "&", "+", "-", "="
"""Marks of a value by which the parser knows it: Guo & Gao 2019 mark what table and question share."""
NAMED, UNNAMED = "*", "|"
"""Marks of a column of whose name the question says a word, or none."""


@dataclass(frozen=True, slots=True)
class CandidateCondition:
    """A condition that a question may set: a value that a cell of a column may have, or be held against.

    `words` are the characters of the question at which its words begin; `said` marks if the question says ALL, SOME or
    NONE of its words, or whether it is a LIMIT that was taken from the question.
    """

    column: int
    value: str
    words: tuple[int, ...] = ()
    said: str = NONE

    @property
    def at(self) -> float:
        """Return about where the question says it."""
        return sum(self.words) / len(self.words) if self.words else 0.0


Mention = tuple[CandidateCondition, ...]
"""Conditions that the same words of a question may mean, or unsaid values of one column: at most one of them is set."""
Where = tuple[tuple[CandidateCondition, ConditionOperator], ...]
"""Conditions that are set, with their operators."""


@dataclass(frozen=True, slots=True)
class LogicalForm:
    """What a question may mean: a value of every slot, columns as an index each, and the conditions that are set.

    `score` is the logarithm of its probability.
    """

    operation: TableOperation
    selected: int
    ordering: int
    place: int
    where: Where
    score: float


def table_question(question: str, sheet: Sheet, mentions: Sequence[Mention]) -> TableQuestion:
    """Return what the parser reads of a question and a table."""
    place, table = sheet.table.place, sheet.table
    about = " ; ".join(filter(None, (place.title, *place.path, table.caption)))
    said = QuestionWords(question)
    return TableQuestion(
        question,
        about,
        tuple(_described(column, sheet, said) for column in sheet.columns[:MOST_COLUMNS]),
        tuple(
            tuple(f"{each.said} {table.header[each.column]} {each.value}" for each in mention) for mention in mentions
        ),
    )


def _described(column: Column, sheet: Sheet, said: QuestionWords) -> str:
    texts = (text for row in sheet.rows[:SAMPLED] if not is_missing(text := sheet.cell(row, column.index)))
    samples = ", ".join(text[:SAMPLE_CHARACTERS] for text in list(dict.fromkeys(texts))[:SAMPLES])
    kind = "name" if sheet.named and column.index == sheet.label else sheet.kind(column)
    return f"{NAMED if said.names(column) else UNNAMED} {column.name} ({kind}: {samples})"


def candidate_conditions(question: str, sheet: Sheet) -> tuple[Mention, ...]:
    """Return the conditions that a question may set, by mention; in time linear in question and cells."""
    question = plain(question)
    values = sorted(_values(_beside_title(question, sheet), sheet), key=lambda found: -found[0])[:MOST_VALUES]
    figures = islice(_limits(question, sheet), MOST_FIGURES)
    every = (*_names(sheet, values), *figures, *(each for _, each in values))
    said = QuestionWords(question)
    lacked = (
        replace(each, column=column.index)
        for column in sheet.columns[:MOST_COLUMNS]
        if said.names(column)
        for each in every
        if each.said == ALL and each.value.casefold() in texts_beside(sheet.table, column.index)
    )
    found = {(each.column, each.value.casefold()): each for each in (*every, *lacked)}
    return by_mention(found.values())


def _beside_title(question: str, sheet: Sheet) -> str:
    """Leave out the title of the table's page, or the most of it that is said, unless a cell says it.

    Its words tell no row: "the Corrin Ridge" is no Corrin Hut on a page "Huts of the Corrin Ridge".
    """
    for run in _title_runs(plain_title(sheet.table.place.title)):
        said = re.compile(rf"\b{re.escape(run)}\b", re.IGNORECASE)
        if said.search(question):
            is_of_row = any(said.search(cell.text) for row in sheet.table.rows for cell in row)
            return question if is_of_row else said.sub(lambda found: " " * len(found[0]), question)
    return question


def _title_runs(title: str) -> Iterator[str]:
    """Yield a title, then what of it are two words of meaning or more in a row, the longest first."""
    yield title
    words = title.split()[:LONGEST_TITLE]
    for length in range(len(words) - 1, 1, -1):
        runs = (words[start : start + length] for start in range(len(words) - length + 1))
        yield from (" ".join(run) for run in runs if sum(word.casefold() not in STOP_WORDS for word in run) > 1)


def _names(sheet: Sheet, values: Sequence[tuple[float, CandidateCondition]]) -> Iterator[CandidateCondition]:
    """Yield the names of rows, one of which a question may mean that says none of them in full: by other words."""
    named = sheet.named and not any(each.column == sheet.label and each.said == ALL for _, each in values)
    names = dict.fromkeys(map(sheet.name, sheet.rows)) if named else ()
    if len(names) <= NAMED_ROWS:
        yield from (CandidateCondition(sheet.label, name) for name in names if not is_missing(name))


def by_mention(conditions: Iterable[CandidateCondition]) -> tuple[Mention, ...]:
    """Return conditions by what says them, in the order of the question, and then what nothing says by column."""
    found: dict[tuple[bool, tuple[int, ...]], list[CandidateCondition]] = {}
    for each in conditions:
        unsaid = each.said == NONE
        found.setdefault((unsaid, (each.column,) if unsaid else each.words), []).append(each)
    order = sorted(found, key=lambda key: (key[0], sum(key[1]) / len(key[1])))
    return tuple(tuple(sorted(found[key], key=lambda each: each.column)) for key in order)


def _values(question: str, sheet: Sheet) -> Iterator[tuple[float, CandidateCondition]]:
    """Yield values of cells, or of their parts, with the share of their words that the question says."""
    said = QuestionWords(question)
    for column in sheet.columns[:MOST_COLUMNS]:
        texts = [sheet.cell(row, column.index) for row in sheet.rows]
        cells = dict.fromkeys(text for text in texts if not is_missing(text))
        for missing in {states_none(text): text for text in reversed(texts) if is_missing(text)}.values():
            yield 0.04, CandidateCondition(column.index, missing)
        few = len(cells) <= FEW and len(texts) > len(cells)
        if column.kind in ("number", "duration") and not few:
            continue
        several = len(cells) <= SEVERAL and len(texts) > len(cells)
        for text in dict.fromkeys(part for cell in cells for part in _named_in(cell, said)):
            share, words = said.overlap(text)
            if share or ((few or several) and text in cells):
                mark = ALL if share == 1 else SOME if share else NONE
                yield share or (0.05 if few else 0.02), CandidateCondition(column.index, text, words, mark)


def _named_in(cell: str, said: QuestionWords) -> Iterator[str]:
    """Yield a cell; each of several things that it lists; and words in a row that the question says, if not all are."""
    yield cell
    parts = [part for part in _PARTS.split(cell[:LONGEST_CELL]) if part]
    if len(parts) > 1:
        yield from parts
    yield from _runs(cell, said)


def _runs(cell: str, said: QuestionWords) -> Iterator[str]:
    """Yield the longest stretches of words of a cell that are said, without words of little meaning at their ends."""
    start = end = -1
    for found in WORDS.finditer(cell[:LONGEST_CELL]):
        if said.position(stem(found[0])) is None:
            if start >= 0:
                yield cell[start:end]
            start = -1
        elif found[0].casefold() not in STOP_WORDS:
            start, end = (start if start >= 0 else found.start()), found.end()
    if start > 0:
        yield cell[start:end]
    elif start == 0 and end < len(cell):
        yield cell[:end]


def _limits(question: str, sheet: Sheet) -> Iterator[CandidateCondition]:
    """Yield what the question says in figures or as a date, for each column that it can be held against."""
    dated = [column for column in sheet.columns[:MOST_COLUMNS] if _has_dates(column, sheet)]
    times = {question[time.start : time.end]: time.start for time in times_in(question)}
    times |= {found[0]: found.start() for found in _MONTH_NAME.finditer(question)}
    yield from (CandidateCondition(column.index, time, (at,), LIMIT) for time, at in times.items() for column in dated)
    for found in _FIGURE.finditer(question):
        yield from _limits_of(found, question, sheet)
    for found in _MIDDAY.finditer(question):
        clocks = (column for column in sheet.columns[:MOST_COLUMNS] if column.measure.dimension == "clock")
        value = "00:00" if found[0].casefold() == "midnight" else "12:00"
        yield from (CandidateCondition(column.index, value, (found.start(),), LIMIT) for column in clocks)
    for column in sheet.columns[:MOST_COLUMNS]:
        zero = next((value for value in column.values if value and value.low == value.high == 0), None)
        if column.kind in ("number", "duration") and zero:
            yield CandidateCondition(column.index, "0")


def _limits_of(found: re.Match[str], text: str, sheet: Sheet) -> Iterator[CandidateCondition]:
    """Yield a figure of the question, in its unit where a column has the dimension; of a clock's both halves."""
    figure, behind = in_digits(found[0]), text[found.end() :]
    measure, _ = leading_measure(behind.split()[:3])
    for column in sheet.columns[:MOST_COLUMNS]:
        if column.measure.dimension == "clock":
            times = () if measure.dimension else clocks(figure, behind)
            yield from (CandidateCondition(column.index, clock, (found.start(),), LIMIT) for clock in times)
        elif column.kind in ("number", "duration") and ":" not in figure:
            same = measure.dimension and measure.dimension == column.measure.dimension
            value = f"{figure} {measure.text}" if same else figure
            yield CandidateCondition(column.index, value, (found.start(),), LIMIT)


def _has_dates(column: Column, sheet: Sheet) -> bool:
    if column.kind == "date":
        return True
    texts = [text for row in sheet.rows if not is_missing(text := sheet.cell(row, column.index))]
    return column.kind == "text" and sum(_MONTH_NAME.search(text) is not None for text in texts) * 2 > len(texts) > 0


WIDTHS = {"operation": 3, "selected": 3, "ordering": 2, "place": 1}
"""How many values of each slot are tried, the most probable first; of the conditions the best and DOUBTS others."""
DOUBTS = 3
_IS = CONDITION_OPERATORS.index("is")


def logical_forms(slots: Slots, mentions: Sequence[Mention]) -> list[LogicalForm]:
    """Return logical forms, the most probable first; slots that do not count for what is asked are as likely as
    can be."""
    wheres = list(_wheres(slots, mentions))
    found = []
    for operation in _best(slots.operation, WIDTHS["operation"]):
        name = TABLE_OPERATIONS[operation]
        if name == "none":
            continue
        tells = name in SELECTING
        orders = name in ORDERING
        placed = name in RANKING
        for selected, ordering, place, (where, score) in product(
            _best(slots.selected, WIDTHS["selected"]) if tells else [-1],
            _best(slots.ordering, WIDTHS["ordering"]) if orders else [-1],
            _best(slots.place, WIDTHS["place"]) if placed else [0],
            wheres,
        ):
            total = slots.operation[operation] + score
            total += slots.selected[selected] if tells else 0.0
            total += slots.ordering[ordering] if orders else 0.0
            total += slots.place[place] if placed else 0.0
            found.append(LogicalForm(name, selected, ordering, place + 1, where, total))
    return sorted(found, key=lambda each: -each.score)


def _wheres(slots: Slots, mentions: Sequence[Mention]) -> Iterator[tuple[Where, float]]:
    """Yield what all mentions most probably set, and that with one of the least certain in its second best way.

    The slots are filled one by one; what stands for a part of a list that the question says stands for the whole.
    """
    orders = [_best(each, 2) for each in slots.mentions]
    lost = [each[first] - each[second] for each, (first, second) in zip(slots.mentions, orders, strict=True)]
    best, found = sum(map(max, slots.mentions)), dict[Where, float]()
    doubts = sorted(enumerate(lost), key=lambda pair: pair[1])[:DOUBTS]
    for doubtful, loss in ((-1, 0.0), *doubts):
        chosen = [order[row == doubtful] for row, order in enumerate(orders)]
        where, score = _set(_whole_list(chosen, mentions), mentions), best - loss
        known = found.get(where, -math.inf)
        found[where] = max(known, score) + math.log1p(math.exp(-abs(known - score)))
    yield from found.items()


def _whole_list(chosen: Sequence[int], mentions: Sequence[Mention]) -> tuple[int, ...]:
    """Set every value of a column that the question says in full, where two of them are set and others are not.

    Words that may mean several values of the column are none: "books" of "Picture books" and "Audio books".
    """
    listed: dict[int, list[tuple[int, int]]] = {}
    for place, mention in enumerate(mentions[: len(chosen)]):
        columns = [each.column for each in mention]
        for number, each in enumerate(mention):
            if each.said == ALL and columns.count(each.column) == 1:
                listed.setdefault(each.column, []).append((place, 1 + number * len(CONDITION_OPERATORS) + _IS))
    whole = list(chosen)
    for values in listed.values():
        if sum(chosen[place] == value for place, value in values) > 1:
            for place, value in values:
                whole[place] = whole[place] or value
    return tuple(whole)


def _set(chosen: Sequence[int], mentions: Sequence[Mention]) -> Where:
    """Return the conditions that are set; of two of which one says the words of the other the one that says more.

    What nothing says is no alternative to a value of the same column that the question says.
    """
    found: list[tuple[CandidateCondition, ConditionOperator]] = []
    for each, mention in zip(chosen, mentions, strict=False):
        if each:
            number, operator = divmod(each - 1, len(CONDITION_OPERATORS))
            found.append((mention[number], CONDITION_OPERATORS[operator]))
    said, columns = [set(each.words) for each, _ in found], {each.column for each, _ in found if each.words}
    return tuple(
        pair
        for pair, words in zip(found, said, strict=True)
        if (not any(words < other for other in said) if words else pair[0].column not in columns)
    )


def _best(shares: Sequence[float], count: int) -> list[int]:
    return sorted(range(len(shares)), key=lambda place: -shares[place])[:count]


_STANDS: dict[ConditionOperator, Relation] = {
    "is": "is", "not": "is_not", "has": "contains", "above": "above", "below": "below", "at_least": "at_least",
    "at_most": "at_most",
}  # fmt: skip


def calculation_of(form: LogicalForm, sheet: Sheet) -> Calculation:
    """Return the calculation that a logical form names.

    Raises:
        CalculationError: its conditions do not resolve, or leave too few or too many rows for what is asked.
    """
    table = sheet.table
    ordering = table.header[form.ordering] if form.ordering >= 0 else ""
    match form.operation:
        case "find" | "count" | "sum" | "mean":
            rows, where = _selected(form, sheet)
            operation = "filter" if form.operation == "find" else form.operation
            selected = table.header[form.selected] if form.selected >= 0 else ""
            if form.operation == "find" and (not selected or (not form.where and len(sheet.rows) > MOST_LISTED)):
                raise WrongOperands("a column without a name, or all of a long one, is no answer")
            return Calculation(operation, table.id, selected, rows, where)
        case "most" | "least":
            rows, where = _selected(form, sheet)
            descending = form.operation == "most"
            if form.place == 1:
                return Calculation("max" if descending else "min", table.id, ordering, rows, where)
            return Calculation("ordinal", table.id, ordering, rows, where, position=form.place, descending=descending)
        case "difference":
            return _apart(sheet, form.ordering, _operands(form, sheet))
        case "more" | "less":
            relation: Relation = "above" if form.operation == "more" else "below"
            return Calculation("comparison", table.id, ordering, _operands(form, sheet), relation=relation)
        case _:
            return _whether(form, sheet)


def is_foregone(form: LogicalForm, sheet: Sheet) -> bool:
    """Say whether the question itself says it: the very cell that it names, or the number of things that it names."""
    named = [each.column for each, relation in form.where if relation == "is"]
    counted = form.operation == "count" and sheet.named and sheet.label in named
    return counted or (form.operation in ("find", "sum", "mean") and named.count(form.selected) == 1)


def _selected(form: LogicalForm, sheet: Sheet) -> tuple[tuple[str, ...], tuple[Condition, ...]]:
    """Return rows by id and conditions; several values that one column may have are alternatives, and become rows."""
    by_column: dict[tuple[int, ConditionOperator], list[CandidateCondition]] = {}
    for each, relation in form.where:
        by_column.setdefault((each.column, relation), []).append(each)
    rows: frozenset[str] | None = None
    where: list[Condition] = []
    for (_, relation), several in by_column.items():
        empty = any(is_missing(each.value) for each in several)
        if not empty and (len(several) == 1 or relation not in ("is", "has")):
            where += [condition_of(each, relation, sheet) for each in several]
            continue
        each_of = [frozenset(rows_meeting(each, relation, sheet)) for each in several]
        met = frozenset.union(*each_of) if relation in ("is", "has") else frozenset.intersection(*each_of)
        rows = met if rows is None else rows & met
    if rows is None:
        return (), tuple(where)
    if not rows:
        raise UnknownRow("no row meets all that is asked")
    return tuple(id for row in sheet.rows if (id := sheet.id(row)) in rows), tuple(where)


def condition_of(each: CandidateCondition, relation: ConditionOperator, sheet: Sheet) -> Condition:
    """Return a condition as calculations name it."""
    return Condition(sheet.table.header[each.column], _STANDS[relation], each.value)


def rows_meeting(each: CandidateCondition, operator: ConditionOperator, sheet: Sheet) -> tuple[str, ...]:
    """Return the ids of the rows that meet one condition; a cell may be wanted that says nothing, or any other.

    Where some cells of a column state that there is none, those that say nothing leave it open.
    """
    if is_missing(each.value) and operator in ("is", "not"):
        cells = [(sheet.id(row), sheet.cell(row, each.column)) for row in sheet.rows]
        stated = states_none(each.value)
        empty = [id for id, text in cells if is_missing(text) and states_none(text) == stated]
        return tuple(empty if operator == "is" else [id for id, text in cells if not is_missing(text)])
    found = resolve(Calculation("filter", sheet.table.id, where=(condition_of(each, operator, sheet),)), [sheet.table])
    return found.grid.ids(found.rows)


def _operands(form: LogicalForm, sheet: Sheet) -> tuple[str, ...]:
    """Return two rows, in the order in which the question says them; one condition tells a row, or two together."""
    told = sorted(form.where, key=lambda pair: pair[0].at)
    met = [frozenset(rows_meeting(each, relation, sheet)) for each, relation in told]
    both = (one & other for one, other in combinations_with_replacement(met, 2))
    found = tuple(dict.fromkeys(row for rows in both if len(rows) == 1 for row in rows))
    if len(found) != 2 or len(told) < 2:
        raise WrongOperands(f"two rows are compared, and {len(found)} are told", found)
    return found


def _apart(sheet: Sheet, ordering: int, operands: tuple[str, ...]) -> Calculation:
    """Return the difference of two rows, the greater one first."""
    column = sheet.columns[ordering]
    numbers = {sheet.id(row): row for row in sheet.rows}
    first, second = (column.values[numbers[EvidenceId(row)]] for row in operands)
    if column.kind != "date" and first and second and first.low < second.low:
        operands = operands[::-1]
    return Calculation("difference", sheet.table.id, column.name, operands)


def _whether(form: LogicalForm, sheet: Sheet) -> Calculation:
    """Return whether one row, which all conditions but the last tell, meets that; or how many rows meet them all.

    Raises:
        WrongOperands: nothing is asked of any row, or of one row that it is two.
        Undecided: the cell of that row says nothing.
    """
    if not form.where:
        raise WrongOperands("whether there is a row is asked with a condition")
    if sum(each.column == sheet.label and operator == "is" for each, operator in form.where) > 1:
        raise WrongOperands("one row has one name, and two are told")
    told = sorted(form.where, key=lambda pair: pair[0].column != sheet.label)
    if len(told) > 1:
        *others, (asked, relation) = told
        rows, where = _selected(replace(form, where=tuple(others)), sheet)
        found = resolve(Calculation("filter", sheet.table.id, "", rows, where), [sheet.table])
        if len(found.rows) == 1:
            column, one = sheet.table.header[asked.column], found.grid.ids(found.rows)
            if _is_open(sheet, found.rows[0], asked):
                raise Undecided(f"{column!r} of {sheet.name(found.rows[0])!r} says nothing", one)
        if len(found.rows) == 1 and not is_missing(asked.value):
            return Calculation("comparison", sheet.table.id, column, one, relation=_STANDS[relation], value=asked.value)
    rows, where = _selected(form, sheet)
    return Calculation("count", sheet.table.id, "", rows, where)


def _is_open(sheet: Sheet, row: int, asked: CandidateCondition) -> bool:
    """Say whether a cell leaves a condition open: an empty one does, unless no cell of its column states that there is
    none and just that is asked."""
    text, others = sheet.cell(row, asked.column), (sheet.cell(each, asked.column) for each in sheet.rows)
    if not is_missing(text) or states_none(text):
        return False
    return not is_missing(asked.value) or any(states_none(other) for other in others)
