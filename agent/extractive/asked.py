"""What kind of answer a question wants: a time, a quantity of a property, a count of things, or anything; yes or no."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from heliograph.text.units import leading_measure
from heliograph.text.words import COMPOUND, STOP_WORDS, stem, stems, word_list

AnswerKind = Literal["time", "quantity", "count", "open"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The kind of an answer and what must be said beside it; stems throughout.

    A quantity has one of `dimensions` (any where there are none), and one of `property` stands by it, since a unit
    alone does not tell depth from width; `property` is empty where the unit tells enough. A count is one of `counted`.
    `whether` tells that it asks for yes or no.
    """

    kind: AnswerKind
    dimensions: frozenset[str] = frozenset()
    property: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    whether: bool = False


@dataclass(frozen=True, slots=True)
class _Property:
    """A property by the words that ask for it, its dimensions, and the words that say it; none where units do."""

    asks: frozenset[str]
    dimensions: frozenset[str]
    says: frozenset[str]


_TABLE = """
deep depth | length | deep depth below beneath
high tall height altitude elevation | length | high height tall altitude elevation above up rise peak summit
wide broad across width diameter breadth | length | wide width diameter across broad breadth span radius
thick thickness | length | thick thickness
far close near distance | length |
length | length | long length stretch extend run
large big small size | length area volume mass | large big size diameter area wide width across surface cover long span
area surface | area | area surface cover large size square
heavy massive weigh mass weight | mass |
fast quick quickly speed velocity | speed |
hot cold warm cool temperature | celsius fahrenheit kelvin |
old age | time month | old age ago young
dense density | density | dense density
strong strength | | strong strength
bright brightness magnitude | | bright brightness magnitude
expensive cost price budget money | dollar euro pound yen |
pressure | pressure |
wavelength | length | wavelength
frequency | frequency |
power | power |
voltage | voltage |
long duration | time month length |
often | time month |
share percentage proportion fraction percent | |
angle tilt inclination | angle |
"""
_PROPERTIES = tuple(
    _Property(frozenset(stems(asks)), frozenset(dimensions.split()), frozenset(stems(says)))
    for asks, dimensions, says in (line.split("|") for line in _TABLE.strip().splitlines())
)
_TIMES = frozenset(stems("year date day month decade century"))
_SKIPPED = frozenset(word_list("exact precise kind kinds type types sort sorts of single one particular"))
"""Words between which or what and its noun."""
_TOLD = re.compile(r"\W*(?:name|give|state|tell me) (?:the |a |an )?(.+)", re.I)
NOUN_WORDS = 3
_ASKING = re.compile(r"\b(who|whom|whose|when|where|why|how|which|what)\b", re.I)
_WHETHER = re.compile(
    r"(?:^|[.!,;] )\W*(?:and |but |so |or )?"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)(?:n['’]t)? [^.!;]*$",
    re.I,
)
_EITHER = re.compile(r"\bor\b", re.I)
_WORD = re.compile(rf"{COMPOUND}|°\w|%|[,;:]")
_MEASURED = re.compile(
    r"(?:is|was|are|were) (?:the|its|their|his|her|(?:[\w-]+ ){0,3}[\w-]+['’]s?) ((?:[\w-]+ ){0,3}[\w-]+)", re.I
)


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
    asking, told = _asking(question), _TOLD.match(question)
    instance = _instance(_noun(told[1])) if told else Asked("open")
    if asking is None or instance.kind != "open":
        return replace(instance, whether=bool(_WHETHER.search(question)) and not _EITHER.search(question))
    after = question[asking.end() :].lstrip()
    match asking[1].casefold():
        case "when":
            return Asked("time")
        case "how":
            return _how(after)
        case "which" | "what":
            return _which(after)
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
    if re.match(r"\w+ (?:in|into) the (?:future|past)\b|soon\b|late\b|early\b", after, re.I):
        return Asked("quantity", frozenset({"time", "month"}))
    return _measured({stem(words[0])}) or Asked("open")


def _amount(after: str, words: list[str], *, counts: bool) -> Asked:
    """Read "how many kilometres wide", "how many moons", "how much does it weigh"."""
    unit, width = leading_measure(words)
    if unit.dimension:
        told = _measured({stem(word) for word in words[width : width + 2]})
        fits = told is not None and unit.dimension in told.dimensions
        return Asked("quantity", frozenset({unit.dimension}), told.property if told and fits else frozenset())
    noun = _noun(" ".join(words))
    if counts:
        return Asked("count", counted=noun)
    return _measured(frozenset(stems(after)) & frozenset(stems("weigh weight mass cost money"))) or Asked("quantity")


def _which(after: str) -> Asked:
    noun = _noun(after)
    if noun:
        return _instance(noun)
    told = _MEASURED.match(after)
    named = _phrase(told[1]) if told else ()
    if measured := _measured(frozenset(named[-2:])):
        return measured
    if re.match(r"(?:did|does|do|will|would)\b.*\b(?:cost|weigh)\b", after, re.I):
        return _measured(frozenset(stems(after)) & frozenset(stems("cost weigh"))) or Asked("open")
    return Asked("open")


def _instance(noun: frozenset[str]) -> Asked:
    return Asked("time") if noun & _TIMES else _measured(noun) or Asked("open")


def _noun(after: str) -> frozenset[str]:
    return frozenset(_phrase(after)[:NOUN_WORDS])


def _phrase(after: str) -> tuple[str, ...]:
    """Return the stems of the words up to the first word of grammar."""
    found: list[str] = []
    for word in _WORD.findall(after):
        if word.casefold() in _SKIPPED:
            continue
        if word.casefold() in STOP_WORDS or not word[0].isalnum():
            break
        found.append(stem(word))
    return tuple(found)


def _measured(words: frozenset[str] | set[str]) -> Asked | None:
    told = next((each for each in _PROPERTIES if each.asks & words), None)
    return None if told is None else Asked("quantity", told.dimensions, told.says)
