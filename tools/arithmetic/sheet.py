"""A table as a question sees it: typed columns with their units, names of rows, and which words stand where."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from heliograph.text.dates import MONTH
from heliograph.text.units import BARE, header_words, is_missing, parse_measure
from heliograph.text.words import STOP_WORDS, stem, words
from heliograph.types import EvidenceId, TableEvidence
from tools.arithmetic.columns import Column, body_rows, cell_text, label_index, row_id, typed_column
from tools.arithmetic.request import MONTH_WORDS

_CLOCK = re.compile(r"\d{1,2}:\d{2}(?:\s*(?:am|pm))?(?:\s*[-–]\s*\d{1,2}:\d{2})?", re.IGNORECASE)
_CODE = re.compile(r"[A-Z#]{0,3}[-. ]?\d+[a-z]?")
_DAY = re.compile(
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? {MONTH}|{MONTH}(?: \d{{1,2}})?|\d{{4}}-\d\d(?:-\d\d)?)\b.*", re.IGNORECASE
)
_WEEKDAYS = frozenset(f"{day}day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun"))
_YES, _NO = frozenset(("yes", "y", "true", "✓", "x")), frozenset(("no", "n", "false", "✗", "none", "-", "–", ""))


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a cell or header: its stem, and whether it carries meaning."""

    stem: str
    light: bool


@dataclass(frozen=True)
class Sheet:
    """One table; `label` is the column that names the rows, or the first one."""

    table: TableEvidence
    columns: tuple[Column, ...]
    rows: tuple[int, ...]
    label: int
    named: bool

    @cached_property
    def headers(self) -> tuple[tuple[Term, ...], ...]:
        """The words of each column's name."""
        return tuple(terms(header_words(name)) for name in self.table.header)

    @cached_property
    def subject(self) -> frozenset[str]:
        """The stems of title, section titles and caption."""
        place = self.table.place
        return frozenset(term.stem for term in terms(" ".join((place.title, *place.path, self.table.caption))))

    @cached_property
    def cells(self) -> tuple[tuple[tuple[Term, ...], ...], ...]:
        """The words of each cell, by column and then by place in `rows`."""
        return tuple(tuple(terms(self.cell(row, each.index)) for row in self.rows) for each in self.columns)

    @cached_property
    def dimensions(self) -> tuple[str, ...]:
        """The dimension of each column, by its cells' unit or by a unit among the words of its name."""
        return tuple(_dimension(each) for each in self.columns)

    @cached_property
    def answers(self) -> tuple[frozenset[str], ...]:
        """What each column can answer: `number`, `date`, `clock`, `text`, `yes_no`."""
        return tuple(frozenset(self._kinds(each)) for each in self.columns)

    def cell(self, row: int, index: int) -> str:
        """Return one cell as it may be shown."""
        return cell_text(self.table, row, index)

    def id(self, row: int) -> EvidenceId:
        """Return the id of a row."""
        return row_id(self.table, row)

    def name(self, row: int) -> str:
        """Return what a row is called."""
        return self.cell(row, self.label)

    def said(self, row: int, index: int) -> bool | None:
        """Return what a cell of yes and no says; None for any other."""
        text = self.cell(row, index).casefold()
        return True if text in _YES else False if text in _NO else None

    def _kinds(self, column: Column) -> Iterable[str]:
        texts = [text for row in self.rows if not is_missing(text := self.cell(row, column.index))]
        folded = {text.casefold() for text in texts}
        if folded and folded <= _YES | _NO and folded & _YES:
            yield "yes_no"
            return
        yield {"number": "number", "duration": "number", "date": "date", "text": "text"}[column.kind]
        if _most(texts, _CLOCK):
            yield "clock"
        if _most(texts, _DAY) or (folded and all(text.split()[0] in _WEEKDAYS for text in folded if text)):
            yield "day"


@lru_cache(maxsize=256)
def sheet_of(table: TableEvidence) -> Sheet | None:
    """Read a table; None for infoboxes, and for tables of one column or without rows."""
    rows = body_rows(table)
    if table.kind != "table" or len(table.header) < 2 or not rows:
        return None
    columns = tuple(typed_column(table, index) for index in range(len(table.header)))
    label = _label(table, columns, rows)
    return Sheet(table, columns, rows, 0 if label is None else label, label is not None)


def _label(table: TableEvidence, columns: tuple[Column, ...], rows: tuple[int, ...]) -> int | None:
    """Return the column that names the rows; after one of codes (`T01`), the next of distinct texts."""
    label = label_index(table)
    if label is None or not all(_CODE.fullmatch(cell_text(table, row, label)) for row in rows):
        return label
    for each in columns[label + 1 :]:
        texts = {cell_text(table, row, each.index).casefold() for row in rows}
        if each.kind == "text" and len(texts) == len(rows) and not each.missing:
            return each.index
    return label


def terms(text: str) -> tuple[Term, ...]:
    """Return the words of a text as they are compared."""
    return tuple(Term(stem(word), word.casefold() in STOP_WORDS and word not in MONTH_WORDS) for word in words(text))


def _dimension(column: Column) -> str:
    if column.measure.dimension or column.kind not in ("number", "duration"):
        return column.measure.dimension
    for word in words(column.name):
        measure = parse_measure(word.casefold())
        if (
            measure is not None
            and measure != BARE
            and measure.dimension
            and (len(word) > 2 or (word[:1].isupper() and len(word) > 1))
        ):
            return measure.dimension
    return ""


def _most(texts: list[str], form: re.Pattern[str]) -> bool:
    return bool(texts) and sum(form.fullmatch(text) is not None for text in texts) * 2 > len(texts)
