"""What a question is about: its words, and what kind of answer it wants."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from agent.extractive.asked import Asked, asked_of
from agent.extractive.description import description_of
from heliograph.text.names import begins_sentence, opens_name
from heliograph.text.words import STOP_WORDS, WORD, bare, stem
from heliograph.types import WordSpan

MOST_WORDS = 100
"""Words of content of a question that are looked for, the first ones; OMG-QA's have 37 words in all (Table 8)."""

_CAPITAL = re.compile(r" [A-ZÀ-Þ][^\W\d_]")
_PEOPLE = re.compile(r"(?:ian|ean|ican|erman|ish|ese)$")
_WORD = re.compile(rf"[^\W\d_]+(?:[-'’][^\W\d_]+)*(?![^\W_])|{WORD}")


@dataclass(frozen=True, slots=True)
class FocusWord:
    """A word that an answer has to cover.

    A strict one is a name or a figure: nothing else can stand for it. `anchor` is the stem of the name right
    before a figure ("Apollo" of "Apollo 18"): the figure then counts only where it follows that name. One that is
    `described` tells which thing is meant without its name: "swept" of "the moon that swept it".
    """

    span: WordSpan
    stem: str
    strict: bool
    figure: bool = False
    anchor: str = ""
    described: bool = False


@dataclass(frozen=True, slots=True)
class Focus:
    """A question as its content words and what its answer must be like."""

    question: str
    words: tuple[FocusWord, ...]
    asked: Asked
    heads: frozenset[str] = frozenset()
    """Stems of what a thing without a name is called: "moon" of "the moon that …"; empty where none is described."""


def focus_of(question: str) -> Focus:
    """Read a question; one that is typed without capitals has no names."""
    told = description_of(question)
    words = (replace(word, described=told.covers(word.span)) for word in islice(_focus_words(question), MOST_WORDS))
    return Focus(question, tuple(words), asked_of(question), told.heads)


def _focus_words(question: str) -> Iterator[FocusWord]:
    matches = list(_WORD.finditer(question))
    for place, match in enumerate(matches):
        text = match.group()
        if bare(text.casefold()) in STOP_WORDS:
            continue
        span = WordSpan(text, match.start(), match.end())
        before = matches[place - 1] if place else None
        if text[0].isdigit():
            named = before and _names(before, question) and question[before.end() : match.start()] in {" ", "-"}
            anchor = stem(before.group().rpartition("-")[2]) if before and named else ""
            yield FocusWord(span, stem(text), strict=True, figure=True, anchor=anchor)
        else:
            yield FocusWord(span, stem(text), strict=_names(match, question))


def _names(match: re.Match[str], question: str) -> bool:
    """Tell whether a word is a name: a capital that does not begin a sentence, or before another one that it names.

    What names a people or its language ("European", "Polish") describes; it is said in many other ways.
    """
    if not match.group()[0].isupper() or _PEOPLE.search(match.group()):
        return False
    if not begins_sentence(question, match.start()):
        return True
    return opens_name(match.group()) and _CAPITAL.match(question, match.end()) is not None
