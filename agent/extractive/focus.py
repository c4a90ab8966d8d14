"""What a question is about: its words with their weight, and the kind of answer it asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.arithmetic.words import STOP_WORDS, stem
from heliograph.types import WordSpan

AnswerKind = Literal["name", "time", "number", "open"]

STRICT_WEIGHT = 1.5
"""Names and figures: nothing else can stand for them."""
WORD_WEIGHT = 1.0
CLASS_WEIGHT = 0.5
"""The noun after which or what: an answer is an instance of it and need not repeat it."""
LIGHT_WEIGHT = 0.25
"""Words that carry the question rather than its subject."""

LIGHT = frozenset(
    re.findall(
        r"\w+",
        """
        name named call called know known kind kinds type types sort use used using make makes made
        take takes took taken get gets got give gives given gave happen happened place many much
        first last time times number total people person exactly actually approximately roughly
        currently ever still according mention mentioned tell list describe find found old long far
        high big large small tall wide deep fast heavy often soon way also more most less least same
        different between during after before since until above below per year years date day month
        come comes came go goes went think little really possible need inside around finally
        altogether set put let one
        """,
    )
)
MEASURES = frozenset(
    re.findall(
        r"\w+",
        """
        age altitude amount area budget capacity cost density depth diameter distance duration
        elevation frequency gravity height length mass population power pressure price radius salary
        size speed temperature thickness velocity volume voltage wavelength weight width
        """,
    )
)
"""What is measured has to be said, unlike other nouns after which or what."""

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|\d[\d,.]*\d|\d")
_TIME = re.compile(r"\b(?:when|(?:what|which) (?:year|date|day|month|decade|century))\b", re.I)
_NUMBER = re.compile(
    r"\bhow (?:many|much|far|long|tall|high|wide|deep|big|large|heavy|fast|hot|cold|old|thick|dense|often|close|near"
    r"|small)\b"
    rf"|\b(?:what|which) (?:{'|'.join(sorted(MEASURES))})\b|\bcosts?\b",
    re.I,
)
_NAME = re.compile(r"\bwho(?:m|se)?\b", re.I)


@dataclass(frozen=True, slots=True)
class FocusWord:
    """A word that an answer has to cover.

    A strict one is a name or a figure; a measure is what a number is asked of. `anchor` is the stem of the name right
    before a figure ("Apollo" of "Apollo 18"): the figure then counts only where it follows that name.
    """

    span: WordSpan
    stem: str
    weight: float
    strict: bool
    figure: bool = False
    measure: bool = False
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Focus:
    """A question as its content words and the kind of its answer."""

    question: str
    words: tuple[FocusWord, ...]
    asks: AnswerKind

    @property
    def weight(self) -> float:
        """Return the weight of all words together."""
        return sum(word.weight for word in self.words)


def focus_of(question: str) -> Focus:
    """Read a question.

    A question typed without capitals has no names; its words then all count alike.
    """
    return Focus(question, tuple(_focus_words(question)), asked_kind(question))


def asked_kind(question: str) -> AnswerKind:
    """Return what kind of answer a question asks for; open when it does not show."""
    if _TIME.search(question):
        return "time"
    if _NUMBER.search(question):
        return "number"
    return "name" if _NAME.search(question) else "open"


def _focus_words(question: str) -> Iterator[FocusWord]:
    matches = list(_WORD.finditer(question))
    for place, match in enumerate(matches):
        text = match.group()
        folded = re.sub(r"['’]s$", "", text.casefold())
        if folded in STOP_WORDS:
            continue
        span = WordSpan(text, match.start(), match.end())
        before = matches[place - 1] if place else None
        if text[0].isdigit():
            anchor = (
                stem(before.group())
                if before and _names(before, question) and _adjacent(before, match, question)
                else ""
            )
            yield FocusWord(span, text, STRICT_WEIGHT, strict=True, figure=True, anchor=anchor)
        elif _names(match, question):
            yield FocusWord(span, stem(text), STRICT_WEIGHT, strict=True)
        else:
            after_which = before is not None and before.group().casefold() in {"which", "what"}
            yield FocusWord(span, stem(text), _weight(folded, after_which), strict=False, measure=folded in MEASURES)


def _weight(word: str, after_which: bool) -> float:
    if word in LIGHT:
        return LIGHT_WEIGHT
    return CLASS_WEIGHT if after_which and word not in MEASURES else WORD_WEIGHT


def _names(match: re.Match[str], question: str) -> bool:
    """Tell whether a word is a name: a capital that does not begin a sentence."""
    before = question[: match.start()].rstrip(" \"'“‘(")
    return match.group()[0].isupper() and bool(before) and before[-1] not in ".?!:"


def _adjacent(left: re.Match[str], right: re.Match[str], question: str) -> bool:
    return question[left.end() : right.start()] in {" ", "-"}
