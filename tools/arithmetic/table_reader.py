"""Answer a question by a calculation over one table, or not at all.

A trained parser says how probable each calculation over each table is (`tools.arithmetic.plans`). What several of them
give alike is as probable as all of these together. The most probable value answers, unless another table has one that
is nearly as probable and says something else.
"""

import asyncio
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from heliograph.errors import CalculationError
from heliograph.protocols import QuestionParser
from heliograph.text.names import plain_title
from heliograph.text.numbers import ORDINALS
from heliograph.text.units import header_words, is_missing, states_none
from heliograph.text.words import akin_to_any, content_stems, stems
from heliograph.types import (
    ORDERING,
    RANKING,
    TABLE_OPERATIONS,
    Computation,
    EvidenceId,
    Slots,
    TableEvidence,
    TableOperation,
    TableQuestion,
)
from tools.arithmetic.calculations import Calculated, calculate
from tools.arithmetic.plans import (
    ALL,
    NONE,
    LogicalForm,
    Mention,
    calculation_of,
    candidate_conditions,
    is_foregone,
    logical_forms,
    table_question,
)
from tools.arithmetic.sheet import Sheet, sheet_of
from tools.arithmetic.writing import joined, told

LEAST, LIKELY = 0.05, 0.5
"""Probability below which no value is returned, and from which a kind of question is asked."""
MOST_READ = 24
"""Logical forms of a question that are calculated, the most probable first."""
LONGEST_QUESTION = 1_000
"""Characters of a question that is read over tables."""
MOST_CELLS = 20_000
"""Cells of the tables that one question is read over: a second or so."""
MOST_TABLES = 12
"""Tables that one question is read over, the best first."""
LEAST_ROWS = {"find": 1, "sum": 2, "mean": 2, "most": 2, "least": 2}
"""Rows without which there is nothing to tell, to add up or to order."""
OVER_ROWS: frozenset[TableOperation] = ORDERING | {"count", "sum", "mean"}
"""What is asked over several rows, which no single one answers."""
NEAR = 0.6
"""Share of the best probability from which a value of another table is a rival."""
_PLACES = dict(enumerate(ORDINALS, start=1))
MOST_NAMED = 8
"""Rows that a sentence names."""
_SAYS = {"not": "not", "has": "with", "above": "above", "below": "below", "at_least": "at least", "at_most": "at most"}
_YES_NO = ("is", "more", "less")
_EITHER = re.compile(r"\bor (?!more|less|fewer|later|earlier|so\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Computed:
    """A computed answer: its computation, a sentence that tells it, and the rows that it names with their ids.

    `answer` is what the question asks for: the value, or what a row that has it says in another column. `confidence` is
    how probable it is, in [0, 1], that the question means this table and this of it.
    """

    computation: Computation
    answer: str
    sentence: str
    names: tuple[str, ...]
    winners: tuple[EvidenceId, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class TableAnswers:
    """What tables give in answer to a question, one value per table, the most probable first.

    `over_rows` is how probable it is that the question counts, adds up, compares or orders rows of one of them: what a
    single row or sentence says is hardly the answer then.
    """

    results: tuple[Computed, ...] = ()
    over_rows: float = 0.0

    @property
    def best(self) -> Computed | None:
        """The most probable value; None where it has rivals."""
        return self.results[0] if self.results and not self.rivals else None

    @property
    def rivals(self) -> tuple[Computed, ...]:
        """Values of other tables that are nearly as probable as the most probable one and say something else."""
        if not self.results:
            return ()
        first, *others = self.results
        return tuple(
            each for each in others if each.answer != first.answer and each.confidence >= NEAR * first.confidence
        )


@dataclass(frozen=True, slots=True)
class Picked:
    """Rows that an order selects, and the column that they are ordered by."""

    rows: tuple[EvidenceId, ...]
    column: str


@dataclass(frozen=True, slots=True)
class _Read:
    """A table with the slots of a question over it."""

    sheet: Sheet
    mentions: tuple[Mention, ...]
    slots: Slots

    def probability_of(self, kinds: Collection[TableOperation]) -> float:
        """Return how probable it is that one of several things is asked."""
        shares = zip(TABLE_OPERATIONS, self.slots.operation, strict=True)
        return sum(math.exp(share) for kind, share in shares if kind in kinds)


class TableReader:
    """Read questions over tables with a trained parser; what blocks runs in a thread."""

    def __init__(self, parser: QuestionParser) -> None:
        self._parser = parser

    async def answers(
        self, question: str, tables: Sequence[TableEvidence], fits: Mapping[EvidenceId, float] | None = None
    ) -> TableAnswers:
        """Compute the most probable value of each table that gives any.

        Args:
            question: as it was asked.
            tables: the best first.
            fits: how well each fits the question by the search that found it, in [-1, 1]; beside the one that fits best
                a table is as probable as it fits. Without them all are as probable.
        """
        read = await self._read(question, tables)
        every = await asyncio.to_thread(lambda: [_best(question, each) for each in read])
        known = [max(fits.get(each.sheet.table.id, 0.0), 0.0) if fits else 1.0 for each in read]
        best = max(known, default=0.0) or 1.0
        found = [
            replace(each, confidence=each.confidence * fit / best)
            for each, fit in zip(every, known, strict=True)
            if each is not None
        ]
        likely = sorted((each for each in found if each.confidence >= LEAST), key=lambda one: -one.confidence)
        over_rows = (each.probability_of(OVER_ROWS) * fit / best for each, fit in zip(read, known, strict=True))
        return TableAnswers(tuple(_saying_as_much(question, likely)), max(over_rows, default=0.0))

    async def pick_rows(self, question: str, table: TableEvidence) -> Picked | None:
        """Return the rows that an order selects, whatever is told of them; None where none is probably asked for."""
        read = await self._read(question, [table])
        return await asyncio.to_thread(_picked, read[0]) if read else None

    async def _read(self, question: str, tables: Sequence[TableEvidence]) -> list[_Read]:
        shown = await asyncio.to_thread(_shown, question, tables)
        slots = await self._parser.parse([asked for _, _, asked in shown]) if shown else ()
        return [_Read(sheet, mentions, each) for (sheet, mentions, _), each in zip(shown, slots, strict=True)]


def _shown(question: str, tables: Sequence[TableEvidence]) -> list[tuple[Sheet, tuple[Mention, ...], TableQuestion]]:
    """Return the tables that can be read, with conditions that the question may set and what the parser reads."""
    sheets = [sheet for table in affordable(question, tables) if (sheet := sheet_of(table))]
    found = [(sheet, candidate_conditions(question, sheet)) for sheet in sheets]
    return [(sheet, mentions, table_question(question, sheet, mentions)) for sheet, mentions in found]


def all_rows(table: TableEvidence, confidence: float) -> Computed | None:
    """Return what all rows say in the first column, told with the title of the page; None where they say nothing."""
    sheet = sheet_of(table)
    if sheet is None:
        return None
    found = _result(LogicalForm("find", 0, 0, 1, (), math.log(confidence)), sheet, frozenset())
    return found and replace(found, sentence=f"{found.answer} ({plain_title(table.place.title)}).")


def left_out(question: str, tables: Sequence[TableEvidence]) -> tuple[str, ...]:
    """Say what is left out of account: a question, or tables, that would take too long."""
    if len(question) > LONGEST_QUESTION:
        return (f"nothing was computed: the question has more than {LONGEST_QUESTION:,} characters",)
    read = {table.id for table in affordable(question, tables)}
    names = dict.fromkeys(table.id for table in tables if table.kind == "table" and table.id not in read)
    return tuple(f"{name} was not computed on: together the tables are too long, or too many" for name in names)


def affordable(question: str, tables: Sequence[TableEvidence]) -> tuple[TableEvidence, ...]:
    """Return the tables, each once, whose cells can be read in time; they are counted, for replays to do the same."""
    if len(question) > LONGEST_QUESTION:
        return ()
    left, read = MOST_CELLS, list[TableEvidence]()
    for table in {table.id: table for table in tables if table.kind == "table"}.values():
        cells = len(table.rows) * len(table.header)
        if cells <= left and len(read) < MOST_TABLES:
            left -= cells
            read.append(table)
    return tuple(read)


def _best(question: str, read: _Read) -> Computed | None:
    """Return the value that is most probable of one table, by all logical forms that give it.

    Its probability is that among all that were tried, those that the cells do not allow and nothing included; what the
    question says itself is not tried. A value that lacks a condition is none: where what the question says found no
    room beside the columns, nothing is returned, and rows are not all counted where it says a value of some of them.
    Yes or no does not answer which of two it is.
    """
    if any(each.said != NONE for mention in read.mentions[len(read.slots.mentions) :] for each in mention):
        return None
    found, tried = dict[str, Computed](), 0
    names_value = any(each.said == ALL for mention in read.mentions for each in mention)
    mass, asked = read.probability_of({"none"}), frozenset(stems(question))
    either = _EITHER.search(question)
    for form in logical_forms(read.slots, read.mentions):
        if is_foregone(form, read.sheet):
            continue
        if (tried := tried + 1) > MOST_READ:
            break
        mass += math.exp(form.score)
        if (form.operation == "count" and not form.where and names_value) or (form.operation in _YES_NO and either):
            continue
        results = (_result(each, read.sheet, asked) for each in _as_said(asked, form, read.sheet))
        if result := next(filter(None, results), None):
            before = found.setdefault(result.answer, replace(result, confidence=0.0))
            found[result.answer] = replace(before, confidence=before.confidence + result.confidence)
    best = max(found.values(), key=lambda each: each.confidence, default=None)
    return None if best is None else replace(best, confidence=best.confidence / mass)


def _saying_as_much(question: str, values: Sequence[Computed]) -> Iterator[Computed]:
    """Return the most probable value, and others whose sentences say as many words of the question."""
    asked = frozenset(content_stems(question))
    said = [len(asked.intersection(content_stems(each.sentence))) for each in values]
    return (each for each, words in zip(values, said, strict=True) if words >= said[0])


def _as_said(asked: frozenset[str], form: LogicalForm, sheet: Sheet) -> tuple[LogicalForm, ...]:
    """Return a check of a cell as what it is told by, the best first.

    That a row of a name is there says nothing of what the question names a column for ("has Venus a moon?" over a
    column "Moons"): it is told by what that column says. In a column of yes and no it is a look-up, unless the question
    says what the column says: what is asked may be the opposite ("safe for cats" of a column "Harmful to cats").
    Whether a cell has a value ("has it an atmosphere?" of a column "Atmosphere") is told by that value, where there is
    one: "a trace of carbon dioxide".
    """
    if form.operation != "is":
        return (form,)
    if (
        form.where
        and sheet.named
        and all((each.column, relation) == (sheet.label, "is") for each, relation in form.where)
    ):
        named = [column.index for column in sheet.columns if _is_said(sheet, column.index, asked)]
        beside = [index for index in named if index != sheet.label]
        return tuple(replace(form, operation="find", selected=index) for index in beside[:1]) or (form,)
    said = {each.column: _is_said(sheet, each.column, asked) for each, _ in form.where}
    opposite = [each.column for each, _ in form.where if _is_polar(sheet, each.column) and not said[each.column]]
    valued = [each.column for each, _ in form.where if is_missing(each.value) and said[each.column]]
    looked_up = opposite or valued
    others = tuple(pair for pair in form.where if pair[0].column not in looked_up)
    if len(looked_up) != 1 or not others:
        return (form,)
    cell = replace(form, operation="find", selected=looked_up[0], where=others)
    return (cell,) if opposite else (cell, form)


def _told_by(asked: frozenset[str], form: LogicalForm, sheet: Sheet) -> str:
    """Return what of a column of yes and no rows are told by, where the question does not say what that column says."""
    polar = (pair for pair in form.where if _is_polar(sheet, pair[0].column))
    told = [
        " ".join(filter(None, (f"{_column(sheet, each.column)}:", _SAYS.get(relation, ""), each.value)))
        for each, relation in polar
        if not _is_said(sheet, each.column, asked)
    ]
    return f"{joined(told)} for " if told and form.operation != "is" else ""


def _is_said(sheet: Sheet, column: int, asked: frozenset[str]) -> bool:
    return all(akin_to_any(word, asked) for word in content_stems(_column(sheet, column)))


def _is_polar(sheet: Sheet, column: int) -> bool:
    return sheet.kind(sheet.columns[column]) == "yes or no"


def _unsaid_page(asked: frozenset[str], sheet: Sheet) -> str:
    """Return the title of a table's page behind a semicolon; nothing where the question says it."""
    title = plain_title(sheet.table.place.title)
    return "" if asked.issuperset(content_stems(title)) else f"; {title}"


def _result(form: LogicalForm, sheet: Sheet, asked: frozenset[str]) -> Computed | None:
    """Calculate a logical form and tell it with its page; None where the cells allow no certain result."""
    found = _calculated(form, sheet)
    if found is None or len(found.rows) < LEAST_ROWS.get(form.operation, 0):
        return None
    numbers = {sheet.id(row): row for row in sheet.rows}
    rows, winners = (tuple(numbers[row] for row in ids if row in numbers) for ids in (found.rows, found.winners))
    told = winners or rows
    answer = answer_of(form, sheet, found, rows, winners)
    if not answer:
        return None
    names = tuple(dict.fromkeys(sheet.name(row) for row in told))
    ids = tuple(sheet.id(row) for row in told) if len(told) < len(sheet.rows) else ()
    answer = f"{_told_by(asked, form, sheet)}{answer}"
    sentence = f"{answer} ({tell(form, sheet, found, rows, winners)}{_unsaid_page(asked, sheet)})."
    return Computed(found.computation, answer, sentence, names, ids, math.exp(form.score))


def _picked(read: _Read) -> Picked | None:
    """Return what the most probable order selects that the cells allow."""
    if read.probability_of(RANKING) < LIKELY:
        return None
    forms = (form for form in logical_forms(read.slots, read.mentions) if form.operation in RANKING)
    orders = dict.fromkeys(replace(form, selected=-1, score=0.0) for form in forms)
    for form in islice(orders, MOST_READ):
        if found := _calculated(form, read.sheet):
            return Picked(found.winners, found.computation.column)
    return None


def _calculated(form: LogicalForm, sheet: Sheet) -> Calculated | None:
    """Carry out a logical form; None where the cells allow no certain result."""
    try:
        return calculate(calculation_of(form, sheet), [sheet.table])
    except CalculationError:
        return None


def answer_of(
    form: LogicalForm, sheet: Sheet, found: Calculated, rows: tuple[int, ...], winners: tuple[int, ...]
) -> str:
    """Return what is asked for: the value, yes or no, or what the rows that have it say in the column that is told."""
    if form.operation in _YES_NO:
        return found.value if found.value in ("Yes", "No") else "No" if found.value == "0" else "Yes"
    if not winners and form.operation != "find":
        return found.value
    column = sheet.columns[form.selected]
    texts = [told(sheet.table, column, row) for row in winners or rows]
    texts = [text for text in texts if not is_missing(text)] or [text for text in texts if states_none(text)]
    said = joined(tuple(dict.fromkeys(texts)))
    return (
        f"{_column(sheet, form.selected)}: {said}" if said and not winners and _is_polar(sheet, form.selected) else said
    )


def tell(form: LogicalForm, sheet: Sheet, found: Calculated, rows: tuple[int, ...], winners: tuple[int, ...]) -> str:
    """Return what an answer is of: operation, column, conditions and rows."""
    under, few = _conditions(form, sheet), 0 < len(rows) <= MOST_NAMED
    own = _names(sheet, rows) if few else ()
    names = joined(own)
    match form.operation:
        case "count":
            return _listed(f"of {len(sheet.rows)}", under, names if len(rows) < len(sheet.rows) else "")
        case "sum" | "mean":
            return _listed(f"{form.operation} of {_column(sheet, form.selected)} over {len(rows)} rows", under)
        case "most" | "least":
            return _listed(_extreme(form, sheet, found, winners), under)
        case "difference" | "more" | "less":
            column = sheet.columns[form.ordering]
            values = ", ".join(f"{sheet.name(row)} {told(sheet.table, column, row)}" for row in rows)
            return f"{_column(sheet, form.ordering)}: {values}"
        case "is":
            counted = "" if found.value in ("Yes", "No") else f"{found.value} of {len(sheet.rows)}"
            return _listed(counted, under, "" if names in under else names)
        case _:
            names = names if form.selected != sheet.label else ""
            of = "" if _is_polar(sheet, form.selected) else _column(sheet, form.selected)  # the answer says it then
            of = f"{of} of {names}" if of and names else of or names
            return _listed(of, _conditions(form, sheet, own if names else ()))


def _extreme(form: LogicalForm, sheet: Sheet, found: Calculated, winners: tuple[int, ...]) -> str:
    order = "greatest" if form.operation == "most" else "least"
    if sheet.columns[form.ordering].is_of_times:
        order = "latest" if form.operation == "most" else "earliest"
    place = f"{_PLACES[form.place]} {order}" if form.place > 1 else order
    by = _column(sheet, form.ordering)
    names = joined(_names(sheet, winners))
    if form.selected == form.ordering:
        return f"{place} {by}: {names}"
    of = "" if form.selected == sheet.label else f"{_column(sheet, form.selected)} of {names}, "
    return f"{of}{place} by {by}: {found.value}"


def _names(sheet: Sheet, rows: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sheet.name(row) for row in rows))


def _conditions(form: LogicalForm, sheet: Sheet, names: tuple[str, ...] = ()) -> str:
    """Return what rows had to fulfil, but for what names them where `names` are told already."""
    said = [
        " ".join(filter(None, (_column(sheet, each.column), _SAYS.get(relation, ""), each.value)))
        for each, relation in form.where
        if each.value not in names
    ]
    return " and ".join(said)


def _column(sheet: Sheet, index: int) -> str:
    name = sheet.table.header[index]
    return header_words(name) or name


def _listed(*parts: str) -> str:
    return ", ".join(filter(None, parts))
