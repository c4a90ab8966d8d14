"""Sentences that tell a computed result, in the question's own words where they fit."""

import re

from heliograph.text.numbers import NUMBER_WORDS
from heliograph.text.units import header_words
from heliograph.text.words import stem, words
from tools.arithmetic.columns import Column
from tools.arithmetic.derivation import joined
from tools.arithmetic.question import Reading
from tools.arithmetic.view import GENERIC, View, is_item

_NUMBERS = tuple(NUMBER_WORDS)[:13]
_SINGULAR = {"were": "was", "are": "is", "have": "has"}
_LISTED = 8
_PREDICATE = re.compile(
    r"\bhow many [^,]*?\b(?<!that )(?<!which )(?<!who )"
    r"((?:were|are|was|have|had|won|lie|stand|fell|flew|(?<=s )(?!listed)[a-z]+ed|(?<=many )[a-z]+ed)\b[^,]*)$",
    re.IGNORECASE,
)
_LINKS = ("the", "from", "of", "to", "by", "with", "in", "at")
_PLAIN = re.compile(r"(?:what|which|who) (is|was|are|were) (?:the names? of )?the ([^,]+?)(?: (?:called|named))?", re.I)
_AUXILIARY = re.compile(r"\b(?:did|do|does|that|which|who)\b", re.IGNORECASE)

_PLURAL = re.compile(r"((?:[A-Z][\w-]*(?: \d{1,3}\b)? )*)([a-z][\w-]*(?<!s)s)\b(?: and ([a-z][\w-]*s)\b)?")
_COUNTED = re.compile(rf"\b(?:{'|'.join(_NUMBERS[2:])}) ([a-z-]+s)\b")


def spelled(number: int) -> str:
    """Write small numbers as words."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def tell_count(asked: Reading, view: View, count: int, names: tuple[str, ...], of: int) -> str:
    """Tell a count: `Two of the 7 moons listed were discovered by …: A and B.`; `of` is 0 for all rows."""
    items, listed = items_of(asked, view), f": {joined(names)}" if 0 < len(names) <= _LISTED else ""
    if not of:
        return f"The table lists {spelled(count)} {items}{listed}."
    told = _PREDICATE.search(asked.text)
    clause = told[1] if told and not _AUXILIARY.search(asked.text) else "match" if count != 1 else "matches"
    if count == 1:
        clause = re.sub(r"^(were|are|have)\b", lambda verb: _SINGULAR[verb[1]], clause)
    return f"{spelled(count).capitalize()} of the {of} {items} listed {clause}{listed}."


def tell_total(asked: Reading, view: View, column: Column, figure: str, rows: int, missing: int) -> str:
    """Tell a sum or a mean: `On average, the altitude of the two flybys is 442 km.`"""
    header = _lowered(header_words(column.name), view)
    many = header.endswith("s") and not header.endswith("ss")
    left = f"; {spelled(missing)} without a value {'is' if missing == 1 else 'are'} left out" if missing else ""
    of = f"the {header} of the {spelled(rows)} {items_of(asked, view)}"
    if asked.kind == "mean":
        return f"On average, {of} {'are' if many else 'is'} {figure}{left}."
    sums = f"{of} {'come' if many else 'comes'} to {figure}"
    return f"Added up, {sums}{left}." if column.measure.dimension else f"{sums[0].upper()}{sums[1:]} in all{left}."


def tell_rank(
    asked: Reading,
    view: View,
    column: Column,
    answer: Column,
    names: tuple[str, ...],
    figure: str,
    value: str,
    rows: int,
) -> str:
    """Tell what is at a place of an order, by what it is so, and what another column says of it."""
    header, many = _lowered(header_words(column.name), view), len(names) > 1
    other = answer.index not in (column.index, view.label if view.named else -1)
    tail = f"; {_lowered(header_words(answer.name), view)}: {value}" if other else ""
    place, of = (
        asked.shown.replace("recently", "recent"),
        f"of the {rows} {items_of(asked, view)} {'listed' if rows == len(view.rows) else 'that match'}",
    )
    place = f"next {place} after {_past(asked, view)}" if asked.past else place
    plain = None if other or (many and asked.take == 1) else _PLAIN.fullmatch(asked.text)
    if plain and plain[2].startswith(asked.shown):
        at = f" ({figure})" if column.kind == "date" else f", at {figure}"
        return f"The {plain[2]} {plain[1].lower()} {joined(names)}{at}."
    if not names:
        return f"O{of[1:]}, the {place} has {'an' if header[:1] in 'aeiou' else 'a'} {header} of {figure}{tail}."
    if _names_column(asked, view, column):
        return f"{joined(names)} {'have' if many else 'has'} the {place} {header} {of}: {figure}{tail}."
    return f"{joined(names)} {'are' if many else 'is'} the {place} {of} ({header}: {figure}){tail}."


def _names_column(asked: Reading, view: View, column: Column) -> bool:
    """Say whether a superlative is said of what is measured: the longest time, the most votes."""
    idea = asked.superlative.idea if asked.superlative else ""
    named = column.kind != "date" and asked.lead[:1] and asked.lead[0] in view.headers[column.index]
    stated = idea == "stated" and not asked.predicative
    return bool(named) or stated or (idea == "extent" and column.kind == "duration")


def items_of(asked: Reading, view: View) -> str:
    """Return the word for the rows in the plural, with the names before it: the question's own, or the table's."""
    header = _lowered(header_words(view.table.header[view.label]), view)
    own = view.named and bool(header) and stem(header.split()[-1]) not in GENERIC
    for found in _PLURAL.finditer(asked.text):
        if is_item(stem(found[2]), view) or (found[3] and is_item(stem(found[3]), view)):
            both = found[3] and all(stem(found[part]) in view.subject for part in (2, 3))
            several = own and " " in header and stem(found[2]) == stem(header.split()[-1])
            name = found[1] if found.start() > 0 and not any(each.denied for each in asked.phrases) else ""
            return _plural(header) if several else f"{name}{found[2]}{f' and {found[3]}' if both else ''}"
    counted = _COUNTED.search(asked.text)
    titled = [word.lower() for word in words(view.table.caption) if stem(word) in view.heads]
    single = next((word for word in (*titled, *words(asked.text)) if word.islower() and is_item(stem(word), view)), "")
    return _plural(header) if own else counted[1] if counted else _plural(single) if single else "rows"


def _plural(noun: str) -> str:
    if noun.endswith("craft") or re.search(r"[^s]s$", noun):
        return noun
    noun = re.sub(r"(?<=[eoa]l)f$", "ve", noun)
    return re.sub(r"(?<=ss)$", "e", re.sub(r"(?<=[^aeoub])y$", "ie", noun)) + "s"


def _past(asked: Reading, view: View) -> str:
    names = {tuple(map(stem, name.split())): name for row in view.rows if (name := view.cell(row, view.label))}
    return names.get(asked.past) or next((name for name in names.values() if stem(name) in asked.past), "it")


def _lowered(text: str, view: View) -> str:
    """Write a column name inside a sentence: names that the headings hold too keep their capitals."""
    kept = words(view.table.place.title)
    written = text.split()
    return " ".join(
        word if word in kept or word[1:] != word[1:].lower() or before in _LINKS else word.lower()
        for before, word in zip(("", *written), written, strict=False)
    )
