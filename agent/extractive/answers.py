"""Whether a unit can hold what is asked for: a time, a quantity in the right unit, a number of the right things."""

import re
from collections.abc import Iterator

from agent.extractive.asked import Asked
from agent.extractive.units import Unit
from heliograph.text.dates import DATE_FORM
from heliograph.text.numbers import SCALES, SPELLED
from heliograph.text.units import header_measure, leading_measure
from heliograph.text.words import STOP_WORDS, akin, stem, stems, word_list, words
from heliograph.types import TableSegment
from indexers.links import says, subject_of

SURE, LIKELY, DOUBTFUL = 1.0, 0.6, 0.3
"""How well a unit holds an answer: surely of the kind asked for, of the kind, of a kind near to it."""
COUNTED_WORDS = 4
"""Words after a figure among which what it counts is looked for."""
NEAR = 200
"""Characters before and behind a figure that say what it is."""
_TIME = re.compile(
    rf"{DATE_FORM}|\b(?:1[0-9]{{3}}|20[0-9]{{2}})s?\b|\b\d{{1,2}}(?:st|nd|rd|th) century\b", re.IGNORECASE
)
_COUNTING = "|".join((*SCALES, *word_list("dozen half quarter twice none no")))
_FIGURE = re.compile(rf"(?<![\w.,])[−-]?\d[\d,]*(?:\.\d+)?|\b(?:{SPELLED}|{_COUNTING})\b", re.I)
_MONEY = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen"}
_POSSESSIVE = ("'s", "’s", "s'", "s’")
_TOKEN = re.compile(r"[^\s,;()]+")


def holds(asked: Asked, question: str, unit: Unit) -> float:
    """Return in [0, 1] how well a unit can hold the answer; a figure that the question says itself is none.

    Anything may answer an open question: which words do is a trained reader's to say.
    """
    if asked.kind == "open":
        return SURE
    if asked.kind == "time":
        return SURE if any(_is_time(found, question, unit.quote) for found in _TIME.finditer(unit.quote)) else 0.0
    if not isinstance(unit.evidence, TableSegment):
        return max(_figures(asked, question, unit.quote, ""), default=0.0)
    row, said = unit.evidence, question.casefold()
    named = subject_of(row)
    weights = (
        weight
        for header, cell in zip(row.header, row.cells, strict=False)
        if not says(said, cell.text.casefold())
        for weight in _figures(asked, question, cell.text, f"{named} {header}")
    )
    return max(weights, default=0.0)


def _figures(asked: Asked, question: str, text: str, header: str) -> Iterator[float]:
    """Weigh every figure of a text that is no part of a name and not said by the question."""
    asked_figures = frozenset(found.group() for found in _FIGURE.finditer(question))
    for found in _FIGURE.finditer(text):
        before, after = _around(text, found)
        if found.group() in asked_figures or _numbers_a_name(found, before):
            continue
        dimension = _MONEY.get(before[-1:], "") or _dimension(after) or header_measure(header).dimension
        if asked.kind == "count":
            yield _counts(asked, words(after)[:COUNTED_WORDS], header, dimension)
        elif asked.dimensions:
            yield SURE if dimension in asked.dimensions else 0.0
        else:
            yield LIKELY if dimension or found.group()[-1].isdigit() else DOUBTFUL


def _around(text: str, found: re.Match[str]) -> tuple[str, str]:
    """Return what stands right before and behind a figure; a long row has many, and each looks at this."""
    return text[max(0, found.start() - NEAR) : found.start()].rstrip(), text[found.end() : found.end() + NEAR]


def _is_time(found: re.Match[str], question: str, text: str) -> bool:
    """Tell whether what looks like a year is one, and not said by the question: 1300 km are none."""
    return found.group() not in question and not _dimension(_around(text, found)[1])


def _counts(asked: Asked, after: tuple[str, ...], header: str, dimension: str) -> float:
    near = {*map(stem, after), *stems(header)}
    if any(akin(noun, word) for noun in asked.counted for word in near):
        return SURE
    return 0.0 if dimension else DOUBTFUL


def _numbers_a_name(found: re.Match[str], before: str) -> bool:
    """Tell whether a figure belongs to a name: "Apollo 11"."""
    last = before.rpartition(" ")[2]
    named = last[:1].isupper() and last.casefold() not in STOP_WORDS and not last.endswith(_POSSESSIVE)
    return named and found.group()[0].isdigit()


def _dimension(after: str) -> str:
    """Return the dimension of the unit that begins a text; nothing where none does."""
    tokens = _TOKEN.findall(re.sub(r"^[\s–-]*(?=\w|°|%)", "", after)[:60])
    return leading_measure(tokens)[0].dimension
