"""Quantities of a claim that stand nowhere: the one thing that code can know of a sentence without reading it.

A quantity is a figure with its unit or noun: 527 km, 40 craters, 20 August 1977, 99 per cent. It must stand in the
quotes (of a row in any cell), in a title, heading or caption of what is cited, or in the question. No quantities are

- digits of a name: Voyager 2, Route 12, No. 7, COVID-19, Apollo 11 and 12;
- ordinals, which may follow from an order that nobody numbered;
- small numbers that count what is quoted or listed: "two moons" over two quotes, unless a quote says another number of
  the same things;
- differences and ratios that code derives again from two figures of what is cited: "twelve more than", "two months
  after", "three times as";
- numbers in words, which prose rounds and composes ("five and a half", "not quite four"), and numbers to which one of
  what is cited may be rounded;
- figures of a paragraph that is quoted without them;
- times that nothing cited speaks against (`agent.citations.dates`), and times of day.

Shares and multiples ("half a million", "three quarters", "a dozen", "twice") allow every number that they may make of
small and round numbers and of the figures of what is cited.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from agent.citations.dates import cited_times, is_open_time, is_told_time, times_of
from agent.citations.differences import MOST_FIGURES, is_difference
from agent.citations.grounds import Ground, quoted_text, whole_row
from heliograph.text.dates import MONTHS, Time, times_in
from heliograph.text.figures import Figure, figures_in, same
from heliograph.text.numbers import FRACTIONS, plain
from heliograph.text.words import STOP_WORDS, stem, word_list, words
from heliograph.types import ImageEvidence, TableEvidence, TableSegment, TextEvidence

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
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_SHARES = {
    "half": "0.5", "halves": "0.5", "quarter": "0.25", "third": "0.3333", "fifth": "0.2", "eighth": "0.125",
    "tenth": "0.1", "dozen": "12", "score": "20", "couple": "2", "pair": "2", "twice": "2", "double": "2",
    "thrice": "3", "treble": "3", "triple": "3",
}  # fmt: skip
_SHARES |= {sign: str(Decimal(told[0]) / Decimal(told[2])) for sign, told in FRACTIONS.items()}
_SHARE = re.compile(
    rf"\b(?:{'|'.join(word for word in _SHARES if word.isalpha())})[sd]?\b|[{''.join(FRACTIONS)}]", re.IGNORECASE
)
_SCALES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100, 1_000, 1_000_000, 1_000_000_000)
_ROUNDING = Decimal("0.001")
_ITEMS = re.compile(r", (?:and |or )?|; | and | or | & | as well as ")


def missing_quantities(text: str, grounds: Sequence[Ground], *beside: str) -> tuple[str, ...]:
    """Return the quantities of a claim that stand neither in what it cites nor in what is `beside`: the question."""
    return tuple(dict.fromkeys(shown for shown, is_open in _unmatched(text, grounds, beside) if not is_open))


def open_quantities(text: str, grounds: Sequence[Ground], *beside: str) -> tuple[str, ...]:
    """Return the quantities of a claim that may be told in other words: somebody must read what it cites."""
    return tuple(dict.fromkeys(shown for shown, is_open in _unmatched(text, grounds, beside) if is_open))


def _unmatched(text: str, grounds: Sequence[Ground], asked: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield the quantities that code does not find, and whether they may stand there in another spelling."""
    claim = plain(text)
    found = figures_in(claim)
    if not found:
        return
    told = [*_told(grounds), *asked]
    known = [figure for source in told for figure in figures_in(source)]
    times, cited = times_in(claim), cited_times(told)
    for figure in found:
        if not (
            figure.kind == "ordinal"
            or any(same(figure, other) for other in known)
            or _in_name(figure, claim)
            or is_told_time(figure, times, cited)
            or _counts(figure, claim, grounds, told)
            or is_difference(figure, claim, known, found)
        ):
            may_stand = (
                not any(map(str.isdecimal, figure.text))
                or (not times_of(figure, times) and any(same(replace(figure, hedge=0), other) for other in known))
                or any(same(figure, other) for piece in _cited(grounds) for other in figures_in(piece))
                or is_open_time(figure, claim, times, cited)
                or _is_share(figure, _shares(told), known)
            )
            yield _shown(figure, claim, times), may_stand


def missing_numerals(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Return the ordinals and the digits of names of a claim that stand in none of the sources."""
    known = [figure for source in sources for figure in figures_in(source)]
    claim = plain(text)
    return tuple(
        _shown(figure, claim)
        for figure in figures_in(claim)
        if (figure.kind == "ordinal" or _in_name(figure, claim)) and not any(same(figure, other) for other in known)
    )


def _cited(grounds: Sequence[Ground]) -> frozenset[str]:
    """Return the paragraphs that are quoted from: a quote may end before the year that its claim tells."""
    pieces = (ground.evidence for ground in grounds if ground.located)
    return frozenset(piece.text for piece in pieces if isinstance(piece, TextEvidence))


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


def _shares(told: Sequence[str]) -> frozenset[Decimal]:
    words = (found[0].casefold() for source in told for found in _SHARE.finditer(source))
    return frozenset(Decimal(_SHARES.get(word) or _SHARES[word[:-1]]) for word in words)


def _is_share(figure: Figure, shares: frozenset[Decimal], known: Sequence[Figure]) -> bool:
    """Tell whether a number may be a share or a multiple that is told in words."""
    if figure.kind != "number" or not shares:
        return False
    number = figure.value.low / figure.value.measure.factor
    wholes = (*map(Decimal, _SCALES), *(each.value.low / each.value.measure.factor for each in known[:MOST_FIGURES]))
    return any(
        abs(number - share * whole * times) <= _ROUNDING * abs(number)
        for share in shares
        for whole in wholes
        for times in (1, 100)
    )


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
    spelled = plain(source)
    return any(
        figure.kind == "number" and noun & _noun(spelled, figure)
        for figure in figures_in(spelled)
        if not _in_name(figure, spelled)
    )


def _noun(text: str, figure: Figure) -> frozenset[str]:
    """Return the stems of the words right behind a figure, of which one is what it counts."""
    behind = re.split(r"[.,;:()]", text[figure.end :], maxsplit=1)[0]
    return frozenset(stem(word) for word in words(behind)[:3] if word.casefold() not in STOP_WORDS)


def _shown(figure: Figure, text: str, times: Sequence[Time] = ()) -> str:
    """Return a figure with the word behind it, or the time that it is a part of."""
    if own := times_of(figure, times):
        return text[own[0].start : own[0].end]
    unit = re.match(r"\s?(?:%|[^\W\d_]+)", text[figure.end :])
    shown = text[figure.start : figure.end]
    if unit is None or figure.kind != "number" or unit[0].strip().casefold() in STOP_WORDS:
        return shown
    return shown + unit[0]
