"""Bind every word of a question to a table: what it is about, a column name, or cells that restrict rows."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agent.arithmetic.columns import Column, body_rows, cell_text, label_index, origin, typed_column
from agent.arithmetic.units import header_words
from agent.arithmetic.words import STOP_WORDS, akin, content_stems, stem, stems
from heliograph.types import TableEvidence

_LIGHT = frozenset(
    stems(
        "known list listed tabulated ended resulted ranked table "
        "named called according given total number recorded currently "
        "overall altogether made held place took"
    )
)
_FORMS = {"won": "win", "built": "build", "flew": "fly", "led": "lead", "wrote": "write", "sank": "sink",
          "winner": "win",
          "builder": "build", "writer": "write", "leader": "lead", "champion": "win", "scored": "score"}  # fmt: skip
_DOUBTFUL = frozenset(
    stems("partial partially partly not no un planned possible possibly probable cancelled unknown non semi")
)
GENERIC = frozenset(stems("name names title item object entry body number no id"))
_SAME = tuple(
    frozenset(stems(group))
    for group in ("mission spacecraft probe lander", "film movie title", "country nation", "moon satellite")
)
_CUT = re.compile(
    r"\b(?:of|by|in|on|at|to|from|with|for|that|which|during|since|and|compared|orbiting|around)\b|[,:(–-]",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"^(?:(?:complete|full) )?(?:list|table|overview|comparison) of (?:the |all |all the )?", re.IGNORECASE
)
SELECTIVE = frozenset(
    stems("selected notable major largest main some other top example principal famous important known significant")
)
_NEUTRAL = (
    frozenset(
        stems(
            "the all known physical crewed recognised official science planetary "
            "list table complete comparison overview natural"
        )
    )
    | SELECTIVE
)
_PARTS = re.compile(r"\s*(?:,|;|/|\n|\band\b|&|\(|\))\s*")


@dataclass(frozen=True, slots=True)
class View:
    """One table as questions see it; `subject` holds the stems of title, section titles and caption."""

    table: TableEvidence
    columns: tuple[Column, ...]
    label: int
    rows: tuple[int, ...]
    headers: tuple[tuple[str, ...], ...]
    subject: tuple[str, ...]
    heads: tuple[str, ...]
    limits: tuple[str, ...]
    """Stems of words that restrict what the caption names (`inner` moons, `selected` missions)."""
    named: bool = True
    """False where no column names the rows, so that they are events (flybys) and `label` is their first text."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How the words of one phrase list fell: rows left, columns that words named, and what restricted the rows."""

    rows: tuple[int, ...]
    hints: tuple[int, ...] = ()
    filters: tuple[int, ...] = ()
    subject: tuple[str, ...] = ()


def view_of(table: TableEvidence, *, events: bool = False) -> View | None:
    """Read a table as a list of named items; None for infoboxes, tables without row names, and near-empty ones.

    With `events`, rows without names serve too, if the table's heading says what they are.
    """
    label = label_index(table) if table.kind == "table" and len(table.header) > 1 else None
    rows = body_rows(table)
    named = label is not None
    if events and table.kind == "table" and label is None:
        label = next((index for index in range(len(table.header)) if typed_column(table, index).kind == "text"), None)
    if label is None or len(rows) < 2:
        return None
    place = table.place
    caption = _LISTING.sub("", table.caption or (place.path[-1] if place.path else place.title))
    title = _LISTING.sub("", place.title)
    words = content_stems(_CUT.split(caption)[0])
    heads = (*words[-1:], *content_stems(_CUT.split(title)[0])[-1:])
    return View(
        table=table,
        columns=tuple(typed_column(table, index) for index in range(len(table.header))),
        label=label,
        rows=rows,
        headers=tuple(tuple(_form(word) for word in _split(header_words(name))) for name in table.header),
        subject=stems(" ".join((place.title, *place.path, table.caption))),
        heads=heads if not table.caption else heads[:1],
        limits=tuple(word for word in words[:-1]),
        named=named,
    )


def bind(text: str, view: View, hinted: tuple[int, ...] = ()) -> Bound | None:
    """Bind every word of a text; None when one word stays over, is ambiguous, or leaves no row.

    `hinted` are columns that other words of the question named.
    """
    phrases = phrases_of(text)
    hints = (*hinted, *(index for phrase in phrases if len(phrase) == 1 for index in named_columns(phrase, view)))
    rows = view.rows
    filters: list[int] = []
    subject: list[str] = []
    for phrase in phrases:
        found = picked_rows(phrase, view, hints)
        if found is not None:
            if found[0] in filters:
                return None
            filters.append(found[0])
            rows = tuple(row for row in rows if row in found[1])
        elif in_subject(phrase, view):
            subject.extend(phrase)
        elif not named_columns(phrase, view) and not set(phrase) <= _LIGHT:
            return None
    return Bound(rows, tuple(dict.fromkeys(hints)), tuple(filters), tuple(subject)) if rows else None


def in_subject(phrase: tuple[str, ...], view: View) -> bool:
    """Say whether all words stand in the title, the section titles or the caption, or are the name of the items."""
    known = (*view.subject, *view.headers[view.label])
    return all(names_items(word, view) or any(akin(word, other) for other in known) for word in phrase)


def named_columns(phrase: Iterable[str], view: View) -> tuple[int, ...]:
    """Return the columns whose names hold every word of a phrase, the label column aside."""
    wanted = tuple(phrase)
    return tuple(
        index
        for index, header in enumerate(view.headers)
        if index != view.label and wanted and all(any(akin(word, other) for other in header) for word in wanted)
    )


def names_items(word: str, view: View) -> bool:
    """Say whether a word is what the rows of a table are: its label's name or, where that says nothing, its heading."""
    header = view.headers[view.label]
    if set(header) <= GENERIC:
        return any(akin(word, head) for head in view.heads)
    return any(akin(word, other) or any({word, other} <= group for group in _SAME) for other in header)


def phrases_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Split a text into names (runs of capitalised words) and single content words, stemmed."""
    found: list[tuple[str, ...]] = []
    for run in re.findall(r"(?:[^\W\d_a-z][\w.'-]*(?: \d{1,3}\b)?(?: (?=[^\W\d_a-z]))?)+|[\w'-]+", text):
        words = tuple(_form(word.casefold()) for word in re.findall(r"[^\W_]+(?:'\w+)?", run) if _is_content(word))
        if words:
            found.append(words)
    return tuple(found)


def picked_rows(phrase: tuple[str, ...], view: View, hints: tuple[int, ...]) -> tuple[int, frozenset[int]] | None:
    """Return the one column whose cells the phrase picks, with the rows picked; None where it picks none.

    Where it picks in doubt, no row is returned, so that nothing is computed.
    """
    pick = exact_rows if in_subject(phrase, view) else _picked
    whole = {column.index: pick(phrase, view, column.index) for column in view.columns if column.kind == "text"}
    if view.named and not repeating(view):
        whole.pop(view.label, None)
    picked = {index: rows for index, rows in whole.items() if rows is not None}
    texts = [index for index in hints if view.columns[index].kind == "text"]
    if len(picked) > 1 and texts:
        picked = {index: rows for index, rows in picked.items() if index in texts}
    if not picked:
        return None
    if len(picked) > 1:
        return next(iter(picked)), frozenset()
    index, rows = next(iter(picked.items()))
    return (index, rows) if not texts or index in texts else (index, frozenset())


def repeating(view: View) -> bool:
    """Say whether row names stand for several rows each, so that a name restricts the rows."""
    return any(origin(view.table, row, view.label) != row for row in view.rows)


def exact_rows(phrase: tuple[str, ...], view: View, index: int) -> frozenset[int] | None:
    """Return rows whose cell, or one listed part of it, is the phrase; None where no cell is."""
    rows = frozenset(row for row in view.rows if any(_same(phrase, part) for part in _parts(view, row, index)))
    return rows or None


def _picked(phrase: tuple[str, ...], view: View, index: int) -> frozenset[int] | None:
    """Return rows whose cells are the phrase or, where none is, hold it in one short part; none in doubt."""
    exact = exact_rows(phrase, view, index)
    holding = {row: part for row in view.rows for part in _parts(view, row, index) if _holds(part, phrase)}
    if not holding:
        return exact
    wording = set(holding.values())
    clear = (
        exact is None and len(wording) == 1 and all(len(part) <= 3 and not _DOUBTFUL & set(part) for part in wording)
    )
    return frozenset(holding) if clear else frozenset()


def _parts(view: View, row: int, index: int) -> tuple[tuple[str, ...], ...]:
    text = cell_text(view.table, row, index)
    return tuple(tuple(_form(word) for word in _split(part)) for part in _PARTS.split(text))


def _holds(part: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Say whether a part holds the phrase among other words."""
    size = len(phrase)
    return len(part) > size and any(_same(phrase, part[start : start + size]) for start in range(len(part) - size + 1))


def _same(phrase: tuple[str, ...], part: tuple[str, ...]) -> bool:
    return len(phrase) == len(part) and all(akin(word, other) for word, other in zip(phrase, part, strict=True))


def _split(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in re.findall(r"[^\W_]+", text) if word.casefold() not in STOP_WORDS)


def _is_content(word: str) -> bool:
    return word.casefold() not in STOP_WORDS


def _form(word: str) -> str:
    return stem(_FORMS.get(word, word))


def narrows(view: View, said: Iterable[str]) -> tuple[str, ...]:
    """Return words of the caption that restrict its items though the question does not say them (`inner` moons)."""
    known = tuple(said)
    return tuple(word for word in view.limits if word not in _NEUTRAL and not any(akin(word, other) for other in known))
