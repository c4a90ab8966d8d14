"""Names in running text and in titles."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import dropwhile

from heliograph.text.words import LETTERS, QUESTION_WORDS, STOP_WORDS, bare, keywords

NAME = re.compile(
    r"\b[A-ZÀ-Þ][^\W\d_]*(?:[-'’.]+[^\W\d_]+)*\.?"
    r"(?: (?:(?:of|de|da|di|del|la|le|van|von|der|den|al|bin|ibn) )?[A-ZÀ-Þ][^\W\d_]*(?:[-'’.]+[^\W\d_]+)*)*"
)
NAMES_A_WORD = 4
"""How many times as often a word must be written with a capital as without one to be a name."""
LINE_MARKS, NEAR = ("\n", "\r", "•", "–", "-", "*"), 8
"""What stands before the first word of a line or an item, at most so many characters before it."""
_NUMBER = re.compile(r"( \d{1,3})\b(?![.,]\d)(?: ([a-z]+))?")
_QUOTED = re.compile(r"[\"“„«]\s*([^\"“”„«»]{1,200}?)\s*[\"”»]|``\s*(.{1,200}?)\s*''")
_NAMED = r"(?:[^\W\d_a-zß-öø-ÿа-я][\w.'’&-]{0,60}|\d[\w.,-]{0,60})"
_BETWEEN = r"(?:(?:of|the|de|del|di|da|du|la|le|von|van|and|&|'s)\s+){0,2}"
_SEVERAL = re.compile(rf"{_NAMED}(?:\s+{_BETWEEN}{_NAMED})+")


def names_in(text: str) -> tuple[str, ...]:
    """Return the runs of capitalised words of a text with the figures that number them, without words of grammar."""
    found: list[str] = []
    for match in NAME.finditer(text):
        said = _named(match.group().split(), QUESTION_WORDS if begins_sentence(text, match.start()) else STOP_WORDS)
        if said and said[0][0].isupper():
            found.append(" ".join(said).rstrip(".") + _number(text, match.end()))
    return tuple(dict.fromkeys(found))


def capitalised(question: str, texts: Iterable[str]) -> str:
    """Return a question that is typed without capitals with those that texts give its words; another as it is.

    A word has a capital where texts write it so within sentences, twice and `NAMES_A_WORD` times as often as without at
    least; what begins a sentence, a line or an item tells nothing. Time is linear in the texts.
    """
    if any(word[0] not in (word[0].lower(), "I") for word in LETTERS.finditer(question) if word.start()):
        return question
    asked = {match[0].casefold() for match in LETTERS.finditer(question)} - STOP_WORDS
    forms, plain = dict[str, Counter[str]](), Counter[str]()
    for text in texts:
        for match in LETTERS.finditer(text):
            word = match[0].casefold()
            if word not in asked or begins_sentence(text, match.start()) or _begins_line(text, match.start()):
                continue
            if match[0].islower():
                plain[word] += 1
            else:
                forms.setdefault(word, Counter())[match[0]] += 1
    names = {
        word: max(found, key=lambda form: (found[form], form))
        for word, found in forms.items()
        if found.total() >= max(2, NAMES_A_WORD * plain[word])
    }
    return LETTERS.sub(lambda match: names.get(match[0].casefold(), match[0]), question)


def begins_sentence(text: str, place: int) -> bool:
    """Tell whether the word at a place is the first of a sentence, where everything has a capital."""
    while place and text[place - 1] in " \"'“‘(":
        place -= 1
    return place == 0 or text[place - 1] in ".?!:"


def _begins_line(text: str, place: int) -> bool:
    """Tell whether the word at a place is the first of a line or an item."""
    return text[max(0, place - NEAR) : place].rstrip(" \t").endswith(LINE_MARKS)


def opens_name(word: str) -> bool:
    """Tell whether a first word before a capitalised one is of its name: "Holm Light", but not "If Mimas"."""
    return bool(_named((word,), QUESTION_WORDS))


def _named(name: Sequence[str], grammar: Set[str]) -> tuple[str, ...]:
    """Return the words of a name without words of grammar before it."""
    return tuple(dropwhile(lambda word: bare(word.casefold()) in grammar, name))


def _number(text: str, place: int) -> str:
    """Return the figure that numbers the name before a place: "Apollo 11 was", but not "Varn 3 boats"."""
    found = _NUMBER.match(text, place)
    if found is None:
        return ""
    counts = bool(found[2]) and found[2].endswith("s") and found[2] not in STOP_WORDS
    return "" if counts else found[1]


def plain_title(title: str) -> str:
    """Return a title without the words that tell it from others of its name: "Triton (moon)" is "Triton"."""
    return re.sub(r"(?<!\s)\s*+\([^()]*\)$", "", title) or title


def phrases(text: str) -> tuple[str, ...]:
    """Return what is quoted and what looks like a name of several words, as written."""
    quoted = (" ".join(filter(None, groups)) for groups in _QUOTED.findall(text))
    named = (_without_asking(match.group()) for match in _SEVERAL.finditer(text))
    return tuple(phrase for phrase in dict.fromkeys((*quoted, *named)) if len(keywords(phrase)) > 1)


def _without_asking(name: str) -> str:
    """Cut what only begins the sentence: "Which" of "Which House of Lords"."""
    return " ".join(_named(name.split(" "), QUESTION_WORDS))
