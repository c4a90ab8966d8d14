"""Split text into sentences where sentences end, not where a point stands."""

import re

from heliograph.text.words import word_list

_ABBREVIATIONS = frozenset(
    word_list(
        "mr mrs ms dr prof st mt ft sr jr gen col capt lt sgt rev hon gov sen rep pres no nos vol vols fig "
        "figs ch sec eq ca c cf approx est vs v etc al e.g i.e viz inc ltd co corp dept univ jan feb mar apr "
        "jun jul aug sept sep oct nov dec mon tue wed thu fri sat sun ave blvd rd km cm mm kg lb ed eds trans "
        "pp p d b r fl op cit a.m p.m"
    )
)
_ENDS_TOO = frozenset({"etc", "al", "inc", "ltd", "co", "corp", "jr", "sr", "km", "cm", "mm", "kg", "lb", "a.m", "p.m"})
"""Abbreviations that may end a sentence: what follows decides."""
_STARTERS = frozenset(
    word_list(
        "the a an this that these those it he she they we i its his her their in on at by from after before "
        "during when while however but and so there here both each all some many most although since as for "
        "with today later"
    )
)
_END = re.compile(
    r"(?<![.!?…])(?P<stop>[.!?…]++)(?P<close>[\"'”’»)\]]*(?:\[[^\[\]]{1,12}\])*)(?=\s|$)(?P<blank>\s*+)[\"'“‘«(\[]*+"
)
"""A stop with what closes after it; then the blanks and what opens before the next word."""
_BEFORE_WORD = frozenset("([\"'“‘")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]$")
_NEXT_WORD = re.compile(r"[^\W_]*")


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text without the blanks between them; their words are all the words of the text."""
    sentences: list[str] = []
    for line in re.finditer(r"[^\n]+", text):
        start = line.start()
        for end in _END.finditer(text, line.start(), line.end()):
            if _ends(text, start, end, line.end()):
                sentences.append(text[start : end.end("close")].strip())
                start = end.end("close")
        sentences.append(text[start : line.end()].strip())
    return tuple(sentence for sentence in sentences if sentence)


def as_sentence(text: str) -> str:
    """Return a text with a full stop, unless it ends as a sentence does."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _ends(text: str, start: int, end: re.Match[str], line_end: int) -> bool:
    """Decide whether a point ends a sentence, from the word before it and the word after it.

    Only these words are looked at, never all that stands before or behind: a long text has many points.
    """
    if end.end("blank") == line_end:
        return True
    opens = text[end.end() : end.end() + 1] if end.end() < line_end else ""
    if not opens or opens.islower():
        return False
    stop = end["stop"]
    if stop != ".":
        return (stop != "…" and not stop.endswith("...")) or opens.isupper()
    word = _last_word(text, start, end.start())
    return not word or _ends_after(word, _NEXT_WORD.match(text, end.end(), line_end))


def _last_word(text: str, start: int, end: int) -> str:
    """Return what stands before `end` without a blank, a bracket or a quotation mark in it."""
    first = end
    while first > start and not (text[first - 1].isspace() or text[first - 1] in _BEFORE_WORD):
        first -= 1
    return text[first:end]


def _ends_after(word: str, following: re.Match[str] | None) -> bool:
    folded = word.casefold()
    starts = following is not None and following[0].casefold() in _STARTERS
    if folded in _ABBREVIATIONS:
        return folded in _ENDS_TOO and (starts or folded in {"km", "cm", "mm", "kg", "lb"})
    if _INITIALS.fullmatch(word) and (word[0].isupper() or "." in word):
        return starts and ("." in word or len(word) > 1)
    return True
