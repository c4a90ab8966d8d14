"""What kind of answer a question wants: a time, a quantity, a count of things, or anything; yes or no."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from heliograph.text.units import leading_measure
from heliograph.text.words import COMPOUND, STOP_WORDS, stem, stems, word_list

AnswerKind = Literal["time", "quantity", "count", "open"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The kind of an answer.

    A quantity has one of `dimensions` (any where there are none). A count is one of `counted`, which are stems.
    `whether` tells that it asks for yes or no.
    """

    kind: AnswerKind
    dimensions: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    whether: bool = False


_TABLE = """
deep depth high tall height altitude elevation wide broad across width diameter breadth thick thickness | length
far close near distance length wavelength | length
large big small size | length area volume mass
area surface | area
heavy massive weigh mass weight | mass
fast quick quickly speed velocity | speed
hot cold warm cool temperature | celsius fahrenheit kelvin
old age often | time month
dense density | density
expensive cost price budget money | dollar euro pound yen
pressure | pressure
frequency | frequency
power | power
long duration | time month length
angle tilt inclination | angle
strength bright brightness magnitude voltage share percentage proportion fraction percent |
"""
"""Words that ask for a quantity, and the dimensions that it may have."""
_MEASURES = tuple(
    (frozenset(stems(asks)), frozenset(dimensions.split()))
    for asks, dimensions in (line.split("|") for line in _TABLE.strip().splitlines())
)
_TIMES = frozenset(stems("year date day month decade century"))
_SKIPPED = frozenset(word_list("exact precise kind kinds type types sort sorts of single one particular"))
"""Words between which or what and its noun."""
NOUN_WORDS = 3
_ASKING = re.compile(r"\b(who|whom|whose|when|where|why|how|which|what)\b", re.I)
_WHETHER = re.compile(
    r"(?:^|[.!,;] )\W*(?:and |but |so |or )?"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)(?:n['’]t)? [^.!;]*$",
    re.I,
)
_EITHER = re.compile(r"\bor\b", re.I)
_WORD = re.compile(rf"{COMPOUND}|°\w|%|[,;:]")
_BROAD = re.compile(
    r"\b(?:(?:give|write|make|want|need) (?:me |us )?an? (?:\w+ )?(?:overview|summary|report)(?: (?:of|on|about))?"
    r"|(?:tell|teach) (?:me|us) (?:all |more |everything )?about|describe|summari[sz]e)\b",
    re.IGNORECASE,
)
"""What asks for more than one answer; what is left of the question then is what to tell about."""


def topic_of(question: str) -> str:
    """Return what a broad question is to be told about; "" where it asks for one answer."""
    topic, count = _BROAD.subn(" ", question)
    return topic if count else ""


def asked_of(question: str) -> Asked:
    """Read the kind of answer from the question word of the last sentence that has one, and the words after it."""
    asking = _asking(question)
    if asking is None:
        return Asked("open", whether=bool(_WHETHER.search(question)) and not _EITHER.search(question))
    after = question[asking.end() :].lstrip()
    match asking[1].casefold():
        case "when":
            return Asked("time")
        case "how":
            return _how(after)
        case "which" | "what":
            return _instance(_noun(after))
    return Asked("open")


def _asking(question: str) -> re.Match[str] | None:
    """Find the question word; "when" and "where" of a clause that only leads up to another one do not count."""
    ends = [0, *(found.end() for found in re.finditer(r"[.?!]\s+", question)), len(question)]
    for start, end in reversed(tuple(pairwise(ends))):
        found = list(_ASKING.finditer(question, start, end))
        leads_up = len(found) > 1 and found[0][1].casefold() in {"when", "where"}
        if leads_up and "," in question[found[0].end() : found[1].start()]:
            return found[1]
        if found:
            return found[0]
    return None


def _how(after: str) -> Asked:
    words = _WORD.findall(after)
    if not words:
        return Asked("open")
    if words[0].casefold() in {"many", "much"}:
        return _amount(after, words[1:], counts=words[0].casefold() == "many")
    return _measured({stem(words[0])}) or Asked("open")


def _amount(after: str, words: list[str], *, counts: bool) -> Asked:
    """Read "how many kilometres wide", "how many moons", "how much does it weigh"."""
    unit, _ = leading_measure(words)
    if unit.dimension:
        return Asked("quantity", frozenset({unit.dimension}))
    if counts:
        return Asked("count", counted=_noun(" ".join(words)))
    return _measured(frozenset(stems(after)) & frozenset(stems("weigh weight mass cost money"))) or Asked("quantity")


def _instance(noun: frozenset[str]) -> Asked:
    return Asked("time") if noun & _TIMES else _measured(noun) or Asked("open")


def _noun(after: str) -> frozenset[str]:
    """Return the stems of the first words up to one of grammar."""
    found: list[str] = []
    for word in _WORD.findall(after):
        if word.casefold() in _SKIPPED:
            continue
        if word.casefold() in STOP_WORDS or not word[0].isalnum():
            break
        found.append(stem(word))
    return frozenset(found[:NOUN_WORDS])


def _measured(words: frozenset[str] | set[str]) -> Asked | None:
    dimensions = (dimensions for asks, dimensions in _MEASURES if asks & words)
    return next((Asked("quantity", each) for each in dimensions), None)
