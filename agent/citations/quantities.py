"""Quantities of a claim that stand nowhere: the one thing that code can know of a sentence without reading it.

A quantity is a figure with its unit or noun: 527 km, 40 craters, 20 August 1977, 99 per cent. It must stand in the
quotes (of a row in any cell), in a title, heading or caption of what is cited, or in the question. No quantities are

- digits of a name: Voyager 2, Route 12, No. 7, COVID-19, Apollo 11 and 12;
- ordinals, which may follow from an order that nobody numbered;
- small numbers that count what is quoted or listed: "two moons" over two quotes, unless a quote says another number of
  the same things;
- differences and ratios that code derives again from two figures of what is cited: "twelve more than", "two months
  after", "three times as".
A day of a month may take its year from elsewhere in what is cited.
"""

import re
from collections.abc import Iterator, Sequence

from agent.citations.differences import is_difference
from agent.citations.figures import Figure, figures_in, plain_spelling, same
from agent.citations.grounds import Ground, quoted_text, whole_row
from heliograph.types import ImageEvidence, TableEvidence, TableSegment
from tools.arithmetic.dates import MONTHS
from tools.arithmetic.words import STOP_WORDS, stem, word_list, words

MOST_COUNTED = 12
"""The greatest number that may count quotes or items without standing anywhere."""

_DESIGNATORS = (
    "no number nr line route flight chapter page part phase type class channel room gate unit volume episode season "
    "platform section article model mark level stage version track bus tram highway"
)
_CAPITAL = r"(?:[A-Z][\w'’.]*-?)+"
_SERIES = re.compile(
    rf"(?:(?P<name>{_CAPITAL})s?|\b(?P<designator>{_DESIGNATORS.replace(' ', '|')})s?\.?|#|№) ?"
    r"(?:\d{1,4}(?:, and |, or |, | and | or | to | & |-))*$"
)
"""What stands before the digits of a name: the name itself, and other digits of a series."""
_GLUED = re.compile(r"[A-Z][A-Za-z]*-$")
_NO_NAMES = STOP_WORDS | frozenset(
    word_list(
        "about around approximately roughly some nearly almost over under between until since during after before "
        "more less fewer only exactly another every no not circa"
    )
    + tuple(name for month in MONTHS for name in (month, month[:3]))
)
_MONTH = "|".join(rf"{month[:3]}(?:{month[3:]}|\.)?" if month != "may" else "may" for month in MONTHS)
_DAY = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b"
    rf"|\b(?P<earlier>{_MONTH}) (?P<later>\d{{1,2}})(?:st|nd|rd|th)?\b(?!,?\d)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_ITEMS = re.compile(r", (?:and |or )?|; | and | or | & | as well as ")


def missing_quantities(text: str, grounds: Sequence[Ground], *beside: str) -> tuple[str, ...]:
    """Return the quantities of a claim that stand neither in what it cites nor in what is `beside`: the question."""
    told = [*_told(grounds), *beside]
    known = [figure for source in told for figure in figures_in(source)]
    claim = plain_spelling(text)
    found = figures_in(claim)
    return tuple(
        _shown(figure, claim)
        for figure in found
        if figure.kind != "ordinal"
        and not any(same(figure, other) for other in known)
        and not _in_name(figure, claim)
        and not _is_day(figure, claim, told, known)
        and not _counts(figure, claim, grounds, told)
        and not is_difference(figure, claim, known, found)
    )


def missing_numerals(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Return the ordinals and the digits of names of a claim that stand in none of the sources."""
    known = [figure for source in sources for figure in figures_in(source)]
    claim = plain_spelling(text)
    return tuple(
        _shown(figure, claim)
        for figure in figures_in(claim)
        if (figure.kind == "ordinal" or _in_name(figure, claim)) and not any(same(figure, other) for other in known)
    )


def _told(grounds: Sequence[Ground]) -> Iterator[str]:
    """Yield the quotes, and what stands over them."""
    for ground in grounds:
        yield quoted_text(ground)
        piece = ground.evidence
        if piece is None:
            continue
        yield from (piece.place.title, *piece.place.path)
        if isinstance(piece, TableSegment | TableEvidence):
            yield from (piece.caption, *piece.header, whole_row(ground))
        elif isinstance(piece, ImageEvidence):
            yield piece.caption


def _in_name(figure: Figure, text: str) -> bool:
    """Tell whether a figure belongs to a name; one with a unit, a comma or a point does not, nor does a bare year."""
    digits = text[figure.start : figure.end]
    if figure.kind != "number" or not digits.isdecimal() or figure.value.measure.dimension:
        return False
    before = text[: figure.start]
    if _GLUED.search(before):
        return True
    found = _SERIES.search(before)
    if found is None:
        return False
    name = (found["name"] or "").rstrip(".").casefold()
    if not name or name in _DESIGNATORS.split():
        return True
    return name not in _NO_NAMES and _YEAR.fullmatch(digits) is None


def _is_day(figure: Figure, claim: str, told: Sequence[str], known: Sequence[Figure]) -> bool:
    """Tell whether a date is a day that is told without its year; a year that the claim adds is told, too."""
    days = {day for source in told for day in _days(plain_spelling(source))}
    if figure.kind == "number":
        return any(day in days for day, start, end in _placed_days(claim) if start <= figure.start < end)
    year = re.search(r"\d{4}", figure.text)
    if not set(_days(figure.text)) & days or year is None:
        return False
    wanted = figures_in(year[0])
    return any(same(one, other) for one in wanted for other in known)


def _days(text: str) -> Iterator[tuple[str, str]]:
    yield from (day for day, _, _ in _placed_days(text))


def _placed_days(text: str) -> Iterator[tuple[tuple[str, str], int, int]]:
    """Yield days of months, as `("8", "dec")`, with their places."""
    for found in _DAY.finditer(text):
        day, month = (found["day"] or found["later"]), (found["month"] or found["earlier"])
        yield (day, month[:3].casefold()), found.start(), found.end()


def _counts(figure: Figure, claim: str, grounds: Sequence[Ground], told: Sequence[str]) -> bool:
    """Tell whether a number counts the quotes, or items that the claim or a quote lists."""
    number = figure.value.low
    if figure.kind != "number" or figure.value.measure.dimension or not 2 <= number <= MOST_COUNTED:
        return False
    noun = _noun(claim, figure)
    if any(_says_another(noun, source) for source in told):
        return False
    pieces = {ground.quote.evidence for ground in grounds}
    if number in (len(grounds), len(pieces)):
        return True
    texts = [claim, *(ground.located.text for ground in grounds if ground.located)]
    listed = (len(_ITEMS.split(clause)) for text in texts for clause in re.split(r"[.:()–—]", text))
    return any(2 <= number <= items for items in listed)


def _says_another(noun: frozenset[str], source: str) -> bool:
    """Tell whether a source counts the same things; its number was compared before, and is another one."""
    spelled = plain_spelling(source)
    return any(
        figure.kind == "number" and noun & _noun(spelled, figure)
        for figure in figures_in(spelled)
        if not _in_name(figure, spelled)
    )


def _noun(text: str, figure: Figure) -> frozenset[str]:
    """Return the stems of the words right behind a figure, of which one is what it counts."""
    behind = re.split(r"[.,;:()]", text[figure.end :], maxsplit=1)[0]
    return frozenset(stem(word) for word in words(behind)[:3] if word.casefold() not in STOP_WORDS)


def _shown(figure: Figure, text: str) -> str:
    """Return a figure with the word behind it."""
    unit = re.match(r"\s?(?:%|[^\W\d_]+)", text[figure.end :])
    shown = text[figure.start : figure.end]
    if unit is None or figure.kind != "number" or unit[0].strip().casefold() in STOP_WORDS:
        return shown
    return shown + unit[0]
