"""Split text into sentences where sentences end, not where a point stands."""

import re

from tools.arithmetic.words import word_list

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
_END = re.compile(r"(?P<stop>[.!?…]+)(?P<close>[\"'”’»)\]]*(?:\[[^\[\]]{1,12}\])*)(?=\s|$)")
_LAST_WORD = re.compile(r"([^\s(\[\"'“‘]+)$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]$")


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text without the blanks between them; their words are all the words of the text."""
    sentences: list[str] = []
    start = 0
    for line in re.finditer(r"[^\n]+", text):
        start = line.start()
        for end in _END.finditer(text, line.start(), line.end()):
            if _ends(text[start : end.start()], end["stop"], text[end.end() : line.end()]):
                sentences.append(text[start : end.end()].strip())
                start = end.end()
        sentences.append(text[start : line.end()].strip())
    return tuple(sentence for sentence in sentences if sentence)


def _ends(before: str, stop: str, after: str) -> bool:
    """Decide whether a point ends a sentence, from the word before it and the word after it."""
    following = after.lstrip()
    if not following:
        return True
    opens = following.lstrip("\"'“‘«([")
    if not opens or opens[0].islower():
        return False
    if stop != ".":
        return (stop != "…" and not stop.endswith("...")) or opens[0].isupper()
    last = _LAST_WORD.search(before)
    if last is None:
        return True
    return _ends_after(last[1], opens)


def _ends_after(word: str, following: str) -> bool:
    folded = word.casefold()
    next_word = re.match(r"[^\W_]*", following)
    starts = bool(next_word) and next_word is not None and next_word[0].casefold() in _STARTERS
    if folded in _ABBREVIATIONS:
        return folded in _ENDS_TOO and (starts or folded in {"km", "cm", "mm", "kg", "lb"})
    if _INITIALS.fullmatch(word) and (word[0].isupper() or "." in word):
        return starts and ("." in word or len(word) > 1)
    return True
