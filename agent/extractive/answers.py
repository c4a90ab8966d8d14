"""Whether a unit can hold the kind of answer that is asked for: a time, a figure in the right unit, a person's name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent.extractive.asked import Asked
from agent.extractive.units import Unit
from heliograph.text.dates import DATE_FORM, MONTH
from heliograph.text.names import NAME
from heliograph.text.numbers import SCALES, SPELLED
from heliograph.text.units import header_measure, leading_measure
from heliograph.text.words import STOP_WORDS, akin, stem, stems, word_list, words
from heliograph.types import TableSegment
from indexers.links import says, subject_of

SURE, LIKELY, DOUBTFUL = 1.0, 0.6, 0.3
"""How well a unit holds an answer: of the kind and property asked for, of the kind, of a kind near to it."""
COUNTED_WORDS = 4
"""Words after a figure among which what it counts is looked for."""
NEAR = 200
"""Characters before and behind a figure or a name that say what it is."""
_TIME = re.compile(
    rf"{DATE_FORM}|\b(?:1[0-9]{{3}}|20[0-9]{{2}})s?\b|\b\d{{1,2}}(?:st|nd|rd|th) century\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_WHOLE_YEARS = frozenset(stems("year decade century"))
_COUNTING = "|".join((*SCALES, *word_list("dozen half quarter twice none no")))
_FIGURE = re.compile(rf"(?<![\w.,])[−-]?\d[\d,]*(?:\.\d+)?|\b(?:{SPELLED}|{_COUNTING})\b", re.I)
_MONEY = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen"}
_POSSESSIVE = ("'s", "’s", "s'", "s’")
_TOKEN = re.compile(r"[^\s,;()]+")
_NO_PERSON_BEFORE = frozenset(word_list("the in at near over to on around toward towards through across into onto"))
_NO_PERSON = frozenset(
    word_list(
        "laboratory university institute centre center agency station college school company "
        "corporation programme program sea ocean lake river mount mountain islands island states union "
        "kingdom republic city street park museum library church league club association committee "
        "system award prize cup war north south east west northern southern"
    )
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words of a unit that may be the answer, and how well they can be, in [0, 1]."""

    text: str
    weight: float


def holds(asked: Asked, question: str, unit: Unit) -> float:
    """Return in [0, 1] how well a unit can hold the answer; what the question says itself is none."""
    match asked.kind:
        case "time":
            return SURE if any(_is_time(found, question, unit.quote) for found in _TIME.finditer(unit.quote)) else 0.0
        case "person" | "quantity" | "count":
            return max((each.weight for each in candidates(asked, question, unit)), default=0.0)
        case "open":
            return SURE


def candidates(asked: Asked, question: str, unit: Unit) -> Iterator[Candidate]:
    """Yield what is of the kind asked for, in the order of the unit: of a row its cells, of a text the bare words.

    Anything may answer an open question, so it has none.
    """
    match asked.kind:
        case "time":
            yield from _times(asked, question, unit)
        case "person":
            yield from _persons(question, unit)
        case "quantity" | "count":
            yield from _figures(asked, question, unit)
        case "open":
            return


def new_cells(question: str, row: TableSegment) -> Iterator[tuple[str, str]]:
    """Yield the header and the text of the cells that the question does not say itself."""
    asked = question.casefold()
    for header, cell in zip(row.header, row.cells, strict=False):
        if cell.text and not says(asked, cell.text.casefold()):
            yield header, cell.text


def _times(asked: Asked, question: str, unit: Unit) -> Iterator[Candidate]:
    """Yield times, a year by itself where one is asked for, and else with the day and month before it."""
    row = unit.evidence if isinstance(unit.evidence, TableSegment) else None
    for text in (cell for _, cell in new_cells(question, row)) if row else (unit.quote,):
        for found in _TIME.finditer(text):
            if _is_time(found, question, text):
                year = _YEAR.search(found.group()) if asked.noun & _WHOLE_YEARS else None
                yield Candidate(year.group() if year else text if row else found.group(), SURE)


def _figures(asked: Asked, question: str, unit: Unit) -> Iterator[Candidate]:
    if isinstance(unit.evidence, TableSegment):
        named = subject_of(unit.evidence)
        beside = f"{unit.evidence.caption} {named}"
        for header, cell in new_cells(question, unit.evidence):
            weighed = _in_text(asked, question, cell, f"{header} {beside}", f"{named} {header}")
            yield from (replace(each, text=cell) for each in weighed)
    else:
        yield from _in_text(asked, question, unit.quote, unit.said, "")


def _in_text(asked: Asked, question: str, text: str, around: str, header: str) -> Iterator[Candidate]:
    """Weigh every figure of a text that is no date, no part of a name and not said by the question."""
    said = frozenset(stems(f"{around} {text}"))
    asked_figures = frozenset(found.group() for found in _FIGURE.finditer(question))
    for found in _FIGURE.finditer(text):
        before, after = _around(text, found)
        if found.group() in asked_figures or _numbers_a_name(found, before):
            continue
        dimension = _MONEY.get(before[-1:], "") or _dimension(after) or header_measure(header).dimension
        counted = _counts(asked, words(after)[:COUNTED_WORDS], header, dimension) if asked.kind == "count" else 0.0
        if counted == SURE:
            yield Candidate(found.group(), SURE)
        elif _dated(found.group(), before, after):
            continue
        elif asked.kind == "count":
            yield Candidate(found.group(), counted)
        elif asked.dimensions and dimension not in asked.dimensions:
            continue
        elif asked.property and not asked.property & said:
            yield Candidate(found.group(), 0.0)
        elif asked.dimensions or asked.property:
            yield Candidate(found.group(), SURE)
        else:
            yield Candidate(found.group(), LIKELY if dimension or found.group()[-1].isdigit() else DOUBTFUL)


def _around(text: str, found: re.Match[str]) -> tuple[str, str]:
    """Return what stands right before and behind a figure or a name; a long row has many, and each looks at this."""
    return text[max(0, found.start() - NEAR) : found.start()].rstrip(), text[found.end() : found.end() + NEAR]


def _is_time(found: re.Match[str], question: str, text: str) -> bool:
    """Tell whether what looks like a year is one, and not said by the question: 1300 km are none."""
    return found.group() not in question and not _dimension(_around(text, found)[1])


def _counts(asked: Asked, after: tuple[str, ...], header: str, dimension: str) -> float:
    near = {*map(stem, after), *stems(header)}
    if any(akin(noun, word) for noun in asked.counted for word in near):
        return SURE
    return 0.0 if dimension else DOUBTFUL


def _dated(figure: str, before: str, after: str) -> bool:
    month = re.match(rf"\s{MONTH}", after, re.I) or re.search(rf"\b{MONTH}$", before, re.I)
    return bool(month) or (_YEAR.fullmatch(figure) is not None and not _dimension(after))


def _numbers_a_name(found: re.Match[str], before: str) -> bool:
    """Tell whether a figure belongs to a name: "Apollo 11"."""
    last = before.rpartition(" ")[2]
    named = last[:1].isupper() and last.casefold() not in STOP_WORDS and not last.endswith(_POSSESSIVE)
    return named and found.group()[0].isdigit()


def _dimension(after: str) -> str:
    """Return the dimension of the unit that begins a text; nothing where none does."""
    tokens = _TOKEN.findall(re.sub(r"^[\s–-]*(?=\w|°|%)", "", after)[:60])
    return leading_measure(tokens)[0].dimension


def _persons(question: str, unit: Unit) -> Iterator[Candidate]:
    """Weigh names that the question does not say: two words and more, not after "the" or a word of place."""
    asked = stems(question)
    known = frozenset(asked)
    if isinstance(unit.evidence, TableSegment):
        for header, cell in zip(unit.evidence.header, unit.evidence.cells, strict=False):
            yield Candidate(cell.text, _in_cell(header, cell.text, known, asked))
    else:
        for found in NAME.finditer(unit.quote):
            yield Candidate(found.group(), _named(found, unit.quote, known))


def _in_cell(header: str, text: str, known: frozenset[str], asked: tuple[str, ...]) -> float:
    """A cell holds a person where its column is what the question says of one: "Discoverer", "Commander"."""
    found = NAME.match(text)
    if found is None or set(stems(found.group())) <= known:
        return 0.0
    if any(akin(word, other) for word in stems(header) for other in asked):
        return SURE
    return LIKELY if re.search(r"\w(?:er|or|ist)\b", header) else DOUBTFUL if " " in found.group() else 0.0


def _named(found: re.Match[str], text: str, known: frozenset[str]) -> float:
    said = [word for word in words(found.group()) if word.casefold() not in STOP_WORDS]
    before = _around(text, found)[0].split()[-1:]
    if not said or set(map(stem, said)) <= known or {word.casefold() for word in said} & _NO_PERSON:
        return 0.0
    if before and before[0].casefold() in _NO_PERSON_BEFORE:
        return 0.0
    if len(said) > 1:
        return SURE
    apposed = before and (before[0].endswith(",") or before[0].casefold() in {"by", "after", "called", "named"})
    return LIKELY if apposed else DOUBTFUL
