"""Conditions on amounts and dates: `above 1,000 km`, `after 1980`, `between 1960 and 1970`, `in the 1970s`."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from heliograph.text.dates import DATE_FORM, parse_date, whole_years
from heliograph.text.numbers import SPELLED, spelled_number
from heliograph.text.units import Value, parse_quantity
from heliograph.text.words import word_list
from tools.arithmetic.superlatives import ADJECTIVE_IDEAS, COMPARATIVES, SMALLER, Idea

Relation = Literal["above", "at_least", "below", "at_most", "within"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A condition on one column; `near` are the words around it, nearest first, that may name the column.

    `low` and `high` bound the interval in base units; a date is bounded by the days that its words may mean.
    """

    relation: Relation
    low: Decimal
    high: Decimal
    dimension: str
    near: tuple[str, ...]
    idea: Idea | None = None
    year: str = ""
    """The year of `in 2019`, that may be part of a name."""

    def holds(self, value: Value) -> bool | None:
        """Say whether a value meets the condition; None where its words allow both."""
        verdicts = {self._at(value.low, value.low), self._at(value.high, value.high)}
        return verdicts.pop() if len(verdicts) == 1 else None

    def _at(self, low: Decimal, high: Decimal) -> bool:
        match self.relation:
            case "above":
                return low > self.high
            case "at_least":
                return low >= self.low
            case "below":
                return high < self.low
            case "at_most":
                return high <= self.high
            case "within":
                return self.low <= low and high <= self.high


_WORDS: dict[str, Relation] = {
    "above": "above", "over": "above", "more than": "above", "greater than": "above", "upwards of": "above",
    "exceeding": "above", "after": "above", "prior to": "below",
    "at least": "at_least", "no less than": "at_least", "no fewer than": "at_least", "since": "at_least",
    "below": "below", "under": "below", "less than": "below", "fewer than": "below", "before": "below",
    "at most": "at_most", "no more than": "at_most", "until": "at_most",
    "in": "within", "during": "within", "on": "within",
    **{f"{word} than": "below" if word in SMALLER else "above" for word in COMPARATIVES},
}  # fmt: skip
_DATED = {*word_list("after since before until in during on"), "prior to", "later than", "earlier than"}
_LEFT = re.compile(
    r"\b(?:than|exceeding|before|since|until|at least|at most|as of|by \d{4}|(?<!named )(?<!called )after|"
    r"(?:above|below|between) (?:the )?(?-i:[a-z\d]))",
    re.I,
)
_ARTICLES = {"a": "1", "an": "1", "half a": "0.5", "half an": "0.5"}
_SPELLED = re.compile(
    r"\b(?P<word>(?:than|over|under|above|below|exceeding|at least|at most|between|and) )(?:(?:only|about) )?"
    rf"(?P<number>{SPELLED}|half an?|an?)(?= [a-z])",
    re.IGNORECASE,
)
_AMOUNT = r"(?:-(?=\d))?[$€£¥]?\d[\d,]*(?:\.\d+)?(?:\s*(?:%|°[CF]|(?:million|billion|thousand)\b))?"
_DATE = rf"(?:(?:the )?(?:{DATE_FORM})|\d{{4}})"
_ONE = re.compile(
    rf"\b(?P<word>{'|'.join(sorted(map(re.escape, _WORDS), key=lambda word: (-len(word), word)))}) "
    rf"(?:(?P<date>{_DATE})(?![\w,.]*\d)|(?P<amount>{_AMOUNT}))(?P<unit> (?:square |cubic )?[A-Za-z°%/²³]+\d?)?",
    re.IGNORECASE,
)
_TWO = re.compile(
    rf"\b(?:between|from) (?P<first>{_DATE}|{_AMOUNT}) (?:and|to|until|till|through) (?P<second>{_DATE}|{_AMOUNT})"
    r"(?P<unit> (?:square |cubic )?[A-Za-z°%/²³]+\d?)?",
    re.IGNORECASE,
)
_CENTURY = re.compile(r"\bin the (\d{1,2})(?:st|nd|rd|th) century\b", re.IGNORECASE)


def split_comparisons(question: str) -> tuple[str, tuple[Comparison, ...], bool]:
    """Cut the conditions out of a question; the last value says whether words of comparison stay that bind nothing."""
    question = _SPELLED.sub(lambda found: found["word"] + _digits(found["number"]), question)
    found: list[Comparison] = []
    for pattern, read in ((_CENTURY, _century), (_TWO, _between), (_ONE, _single)):
        for match in reversed(list(pattern.finditer(question))):
            comparison = read(match, question)
            if comparison is None:
                continue
            found.append(comparison[0])
            question = f"{question[: match.start()]} , {question[comparison[1] :]}"
    return " ".join(question.split()), tuple(found), _LEFT.search(question) is not None


def _digits(number: str) -> str:
    return _ARTICLES.get(number.casefold()) or str(spelled_number(number))


def _single(match: re.Match[str], question: str) -> tuple[Comparison, int] | None:
    word = match["word"].casefold()
    relation = _WORDS[word]
    dated = match["date"] and not (parse_quantity(f"1{match['unit'] or ''}") and match["unit"])
    if relation == "within" and not dated:
        return None
    adjective = word.removesuffix(" than")
    if dated and (word in _DATED or relation == "within"):
        value, end = parse_date(match["date"]), match.end("date")
    else:
        value, end = _amount(match["date"] or match["amount"], match["unit"], match)
    if value is None:
        return None
    near = _near(question, match.start(), end)
    year = match["date"] if dated and relation == "within" else ""
    after = re.match(r" ?([a-z]+)", question[end:])
    idea = COMPARATIVES.get(adjective) or (ADJECTIVE_IDEAS.get(after[1]) if after and not dated else None)
    return Comparison(relation, value.low, value.high, value.measure.dimension, near, idea, year), end


def _amount(figure: str, unit: str | None, match: re.Match[str]) -> tuple[Value | None, int]:
    """Read a figure with the word after it where that is a unit, without it where it is not."""
    with_unit = parse_quantity(figure + (unit or ""))
    if with_unit and unit:
        return with_unit, match.end()
    return parse_quantity(figure), match.start("unit") if unit else match.end()


def _between(match: re.Match[str], question: str) -> tuple[Comparison, int] | None:
    first, second = parse_date(match["first"]), parse_date(match["second"])
    if first and second and not parse_quantity(f"1{match['unit'] or ' x'}"):
        end = match.end("second")
        return Comparison("within", first.low, second.high, "date", _near(question, match.start(), end)), end
    upper, end = _amount(match["second"], match["unit"], match)
    lower, _ = _amount(match["first"], match["unit"], match)
    if upper is None or lower is None or upper.measure.dimension != lower.measure.dimension:
        return None
    near = _near(question, match.start(), end)
    return Comparison("within", lower.low, upper.high, upper.measure.dimension, near), end


def _century(match: re.Match[str], question: str) -> tuple[Comparison, int] | None:
    last = int(match[1]) * 100
    low, high = whole_years(last - 99, last)
    return Comparison("within", low, high, "date", _near(question, match.start(), match.end())), match.end()


def _near(question: str, start: int, end: int) -> tuple[str, ...]:
    before = re.findall(r"\w+", question[:start])[-3:]
    after = re.findall(r"\w+", question[end:].split(",", maxsplit=1)[0])[:3]
    return (*reversed(before), *after)
