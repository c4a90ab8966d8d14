"""The words of a question that a full-text engine can use."""

import re
from itertools import dropwhile

from heliograph.text.words import STOP_WORDS, word_list

QUESTION_WORDS = STOP_WORDS | frozenset(
    word_list(
        "about above after again against along although among around because became become before below between but "
        "came come during else ever every few further get give given gives got however if just like many more most "
        "much must near no nor not now off once other out over please she should since some such tell through too "
        "under until up upon us use used using very within without yet d ll re ve m"
    )
)
"""Words too common, or too much the question's own, to find a page by."""

_WORD = re.compile(r"[^\W_]+(?:[.,'’&][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“„«]\s*([^\"“”„«»]{1,200}?)\s*[\"”»]|``\s*(.{1,200}?)\s*''")
_NAMED = r"(?:[^\W\d_a-zß-öø-ÿа-я][\w.'’&-]{0,60}|\d[\w.,-]{0,60})"
_BETWEEN = r"(?:(?:of|the|de|del|di|da|du|la|le|von|van|and|&|'s)\s+){0,2}"
_NAME = re.compile(rf"{_NAMED}(?:\s+{_BETWEEN}{_NAMED})+")


def keywords(text: str) -> tuple[str, ...]:
    """Return the words that carry meaning, folded, each once, in order; all words where none does."""
    words = tuple(dict.fromkeys(filter(None, map(_folded, _WORD.findall(text)))))
    return tuple(word for word in words if word not in QUESTION_WORDS) or words


def phrases(text: str) -> tuple[str, ...]:
    """Return what is quoted and what looks like a name of several words, as written."""
    quoted = (" ".join(filter(None, groups)) for groups in _QUOTED.findall(text))
    named = (_without_asking(match.group()) for match in _NAME.finditer(text))
    return tuple(phrase for phrase in dict.fromkeys((*quoted, *named)) if len(keywords(phrase)) > 1)


def _without_asking(name: str) -> str:
    """Cut what only begins the sentence: "Which" of "Which House of Lords"."""
    words = tuple(dropwhile(lambda word: _folded(word) in QUESTION_WORDS, name.split(" ")))
    return " ".join(words)


def _folded(word: str) -> str:
    return _POSSESSIVE.sub("", word.casefold())
