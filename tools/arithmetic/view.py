"""A table as questions see it: what its rows are, which words its headings say, and which rows a phrase picks."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from heliograph.text.units import header_words
from heliograph.text.words import akin, content_stems, stem, stems
from heliograph.types import TableEvidence
from tools.arithmetic.columns import Column, body_rows, cell_text, label_index, origin, typed_column
from tools.arithmetic.lexicon import PLACES, alike, among
from tools.arithmetic.superlatives import COLUMNS, Idea

GENERIC = frozenset(stems("name names title item object entry body number no id"))
SELECTIVE = frozenset(
    stems(
        "selected notable major largest main some other top example principal famous important known significant "
        "prominent well"
    )
)
_NEUTRAL = SELECTIVE | frozenset(
    stems("the all known physical recognised official list table complete comparison overview")
    + stems("natural full results statistics season")
)
_DOUBTFUL = frozenset(
    stems("partial partially partly not no un planned possible possibly probable cancelled unknown non semi")
)
_CUT = re.compile(
    r"\b(?:of|by|in|on|at|to|from|with|for|that|which|during|since|compared|orbiting|around|"
    r"(?<=s )[a-z]+ed|(?<=s )(?:built|won|held|made|sold|written|led|under))\b|[,:(–-]",
    re.IGNORECASE,
)
_LISTING = re.compile(r"^(?:(?:complete|full) )?(?:list|table|overview|comparison) of (?:the |all |all the )?", re.I)
_LEFT_OUT = re.compile(r"\b(?:outside|without|except(?: for)?|excluding|other than|apart from|not) (.+)", re.IGNORECASE)
_DIMENSIONS: dict[Idea, str] = {"extent": "time", "mass": "mass", "speed": "speed"}
_RANKS = frozenset(stems("rank ranking place position pos no number nr"))
_PARTS = re.compile(r"\s*(?:,|;|/|\n|\band\b|&|\(|\))\s*")


@dataclass(frozen=True, slots=True)
class View:
    """One table; `subject` are the stems of title, section titles and caption, `heads` the nouns they turn on.

    `limits` are words of the caption that restrict its items (`inner` moons). Where no column names the rows they are
    events (flybys): `named` is false and `label` is their first text.
    """

    table: TableEvidence
    columns: tuple[Column, ...]
    label: int
    rows: tuple[int, ...]
    headers: tuple[tuple[str, ...], ...]
    subject: tuple[str, ...]
    heads: tuple[str, ...]
    limits: tuple[str, ...]
    named: bool
    serial: int = -1
    """The column that only numbers the rows, which measures nothing."""

    def cell(self, row: int, index: int) -> str:
        """Return one cell as it may be shown."""
        return cell_text(self.table, row, index)

    def name(self, row: int) -> str:
        """Return what a row is called: its name, or what is numbered with its number."""
        cell = self.cell(row, self.label)
        return f"{header_words(self.table.header[self.label])} {cell}" if self.serial == self.label else cell

    @property
    def repeating(self) -> bool:
        """Whether row names stand for several rows each, so that a name restricts the rows."""
        return any(origin(self.table, row, self.label) != row for row in self.rows)


def view_of(table: TableEvidence) -> View | None:
    """Read a table as a list of items or events; None for infoboxes and for tables without text or rows."""
    if table.kind != "table" or len(table.header) < 2:
        return None
    label = label_index(table)
    columns = tuple(typed_column(table, index) for index in range(len(table.header)))
    rows = body_rows(table)
    serial = 0 if _numbers(columns[0], rows) else -1
    if serial == 0 and not set(_words(header_words(table.header[0]))) & _RANKS:
        label = 0
    named = label is not None and (label < 2 or columns[0].kind == "text")
    if not named:
        label = next((column.index for column in columns if column.kind == "text"), None)
    if label is None or len(rows) < 2:
        return None
    place = table.place
    caption = _LISTING.sub("", table.caption or (place.path[-1] if place.path else place.title))
    words = content_stems(_CUT.split(caption)[0])
    heads = {*words[-1:], *(content_stems(head)[-1] for head in re.findall(r"([\w-]+) and ", _CUT.split(caption)[0]))}
    title = content_stems(_CUT.split(_LISTING.sub("", place.title))[0])
    return View(
        table, columns, label, rows,
        headers=tuple(tuple(_words(header_words(name))) for name in table.header),
        subject=stems(" ".join((place.title, *place.path, table.caption))),
        heads=tuple(sorted(heads)) if table.caption else (*words[-1:], *title[-1:]),
        limits=tuple(word for word in words[:-1] if word not in heads),
        named=named,
        serial=serial,
    )  # fmt: skip


def _numbers(column: Column, rows: tuple[int, ...]) -> bool:
    """Say whether a column counts the rows from one."""
    values = [value.low if (value := column.values[row]) else None for row in rows]
    return column.kind == "number" and values == list(range(1, len(rows) + 1))


def is_item(word: str, view: View) -> bool:
    """Say whether a word is what the rows are; rows that no column names are what the heading says."""
    header = view.headers[view.label]
    if not view.named:
        return among(word, view.heads)
    kin = (head for head in view.heads if view.repeating or any(head[:3] == other[:3] for other in header))
    known = view.heads if set(header) <= GENERIC else (*header, *kin)
    return word not in GENERIC and among(word, known)


def names_items(word: str, view: View) -> bool:
    """Say whether a word is what the row names name, apart from what the heading says."""
    header = view.headers[view.label]
    return among(word, (view.heads if set(header) <= GENERIC else header))


def in_subject(phrase: Iterable[str], view: View) -> bool:
    """Say whether all words stand in the headings of a table, or are what its rows are."""
    known = (*view.subject, *view.headers[view.label])
    return all(is_item(word, view) or among(word, known) for word in phrase)


def in_left_out(phrase: Iterable[str], view: View) -> bool:
    """Say whether the caption leaves out what a phrase names: `missions outside the Venera programme`."""
    left_out = _LEFT_OUT.search(view.table.caption)
    return left_out is not None and all(among(word, stems(left_out[1])) for word in phrase)


def naming(phrase: Iterable[str], view: View) -> frozenset[int]:
    """Return the columns whose names hold every word of a phrase, that of the row names aside."""
    wanted = tuple(phrase)
    return frozenset(
        index
        for index, header in enumerate(view.headers)
        if (index != view.label or not view.named) and all(among(word, header) for word in wanted)
    )


def narrows(view: View, said: Iterable[str]) -> tuple[str, ...]:
    """Return words of the caption that restrict its items though the question does not say them (`inner` moons)."""
    known = tuple(said)
    return tuple(word for word in view.limits if word not in _NEUTRAL and not among(word, known))


def picks(
    phrase: tuple[str, ...], view: View, *, whole: bool = False, strict: bool = False
) -> dict[int, frozenset[int]]:
    """Return the rows that a phrase picks by the cells of each column of text; no rows where a column is in doubt.

    `whole`: only cells, or listed parts of cells, that are the phrase itself; `strict`: in the same word.
    """
    texts = [each.index for each in view.columns if each.kind == "text" or each.unreadable]
    free = [index for index in texts if index != view.label or not view.named or view.repeating]
    wordings = (phrase, PLACES[phrase[0]]) if len(phrase) == 1 and phrase[0] in PLACES else (phrase,)
    tried = ((each, index) for each in reversed(wordings) for index in free)
    found = [(index, _picked(each, view, index, whole or strict, strict)) for each, index in tried]
    return {index: rows for index, rows in found if rows is not None}


def named_rows(phrase: tuple[str, ...], view: View) -> frozenset[int]:
    """Return the rows that bear a name."""
    rows = view.rows if view.named else ()
    return frozenset(row for row in rows if _words(view.cell(row, view.label)) == phrase)


def _picked(phrase: tuple[str, ...], view: View, index: int, whole: bool, strict: bool) -> frozenset[int] | None:
    """Return rows whose cells are the phrase or, where none is, hold it in one short part; none in doubt."""
    parts = {row: _parts(view, row, index) for row in view.rows}
    wholes = {row: (*parts[row], _words(view.cell(row, index))) for row in view.rows}
    exact = frozenset(row for row in view.rows if any(_same(phrase, part, strict) for part in wholes[row])) or None
    holding = {row: part for row in view.rows for part in parts[row] if _holds(part, phrase)}
    if not holding or whole:
        return exact
    wordings = set(holding.values())
    short = all(len(part) <= 3 and not _DOUBTFUL & set(part) for part in wordings)
    return frozenset(holding) if exact is None and len(wordings) == 1 and short else frozenset()


def _parts(view: View, row: int, index: int) -> tuple[tuple[str, ...], ...]:
    return _split(view.cell(row, index))


@lru_cache(maxsize=65_536)
def _split(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(_words(part) for part in _PARTS.split(text))


def _holds(part: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Say whether a part holds the phrase among other words."""
    size = len(phrase)
    if size > 1 and len(part) > size and part[0] == phrase[0] and part[-1] == phrase[-1]:
        return set(phrase) <= set(part)
    starts = range(len(part) - size + 1) if len(part) > size else ()
    return any(_same(phrase, part[start : start + size], False) for start in starts)


def _same(phrase: tuple[str, ...], part: tuple[str, ...], strict: bool) -> bool:
    same = alike if len(part) == 1 and not strict else akin
    return len(phrase) == len(part) and all(map(same, phrase, part))


@lru_cache(maxsize=65_536)
def _words(text: str) -> tuple[str, ...]:
    return content_stems(text)


def measures(column: Column, idea: Idea, view: View) -> bool:
    """Say whether a column measures an idea, by its name or by a unit that measures nothing else."""
    header = view.headers[column.index]
    by_name = any(akin(stem(word), other) for word in COLUMNS[idea] for other in header)
    return by_name or column.measure.dimension == _DIMENSIONS.get(idea, "-")
