"""Entity recognition in cells by rules: the whole cell, what its separators set apart, and names that are known."""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from indexers.linking.words import JOINERS, is_year, name_key

MentionKind = Literal["whole", "part", "span"]

Recogniser = Callable[[str], Iterable[str]]
"""Names in the text of a cell, found by other means than rules."""

MARKS = re.compile(r"[†‡*§#^↑↓▲▼●•♦♠♣\u200b]+|\[[^\]]{0,12}\]|``|''|[\"“”„«»]")
BRACKETS = re.compile(r"\(([^()]*)\)")
SEPARATOR = re.compile(
    r"\s*[,;/|·]\s*|\s(?:and|&|or|featuring|feat\.?|ft\.?|with|w/|vs?\.?|def\.?|x|×|\+|to|by|at|as|of|in|for|from|"
    r"[-–—:@])\s"
)
LONGEST_SPAN = 6
"""Words of a name that is looked for in running text."""
MOST_MENTIONS = 24
"""Mentions that are kept of one cell."""
READ = 4_000
"""Characters of a cell that are read."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a cell that may name something; `key` is what its spellings share."""

    text: str
    key: str
    kind: MentionKind

    def searchable(self) -> bool:
        """Tell whether its words may find titles: a number that is no year finds only what is called so."""
        return any(sign.isalpha() for sign in self.key) or any(map(is_year, self.key.split()))


def mentions(cell: str, names: Container[str], recognise: Recogniser | None = None) -> tuple[Mention, ...]:
    """Return the mentions of a cell: the whole first, then its parts, then names in its running text.

    Args:
        cell: its text, of which READ characters are read.
        names: the keys of the names that running text is searched for.
        recognise: another way to find names in running text, used besides.
    """
    text = " ".join(MARKS.sub(" ", cell[:READ]).split())
    found: dict[str, Mention] = {}
    for kind, stretch in _stretches(text, names, recognise):
        key = name_key(stretch)
        if key and key not in found:
            found[key] = Mention(stretch, key, kind)
        if len(found) == MOST_MENTIONS:
            break
    return tuple(found.values())


def _stretches(text: str, names: Container[str], recognise: Recogniser | None) -> Iterator[tuple[MentionKind, str]]:
    yield "whole", text
    outside = " ".join(BRACKETS.sub(" ", text).split())
    if outside != text:
        yield "part", outside
    for stretch in (outside, *BRACKETS.findall(text)):
        for part in SEPARATOR.split(stretch):
            if _named(part):
                yield "part", part.strip(" .,:;-–'")
    if name_key(text) not in names and len(outside.split()) > 2:
        yield from (("span", span) for span in _known(text.split(), names))
        yield from (("span", span) for span in (recognise(text) if recognise else ()))


def _named(part: str) -> bool:
    """Tell whether a stretch may be a name: it has a capital or a figure, or is in a script without capitals."""
    return any(sign.isdigit() or (sign.isalpha() and sign == sign.upper()) for sign in part)


def _known(words: list[str], names: Container[str]) -> Iterator[str]:
    place = 0
    while place < len(words):
        length = _longest(words, place, names)
        if length:
            yield " ".join(words[place : place + length])
        place += length or 1


def _longest(words: list[str], place: int, names: Container[str]) -> int:
    """Count the words of the longest known name that begins at a place."""
    if not _named(words[place][:1]):
        return 0
    for length in range(min(LONGEST_SPAN, len(words) - place), 0, -1):
        key = name_key(" ".join(words[place : place + length]))
        if len(key) > 2 and key not in JOINERS and not key.isdigit() and key in names:
            return length
    return 0
