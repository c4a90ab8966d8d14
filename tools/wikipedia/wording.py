"""What is left of a query before a live wiki gets it: words and phrases, none of them an operator."""

import re

LONGEST_QUERY = 300
"""Characters: CirrusSearch refuses longer queries ($wgCirrusSearchMaxFullTextQueryLength)."""

_OPERATORS = re.compile(r"[\\~*?!|<>=^(){}\[\]\x00-\x1f\x7f]+")
_COLON = re.compile(r":(?!\d)|(?<!\d):")
_NEGATION = re.compile(r"(?<!\S)[-+]+")
_WORDS = re.compile(r"\b(?:AND|OR|NOT|NEAR)\b")


def engine_query(text: str) -> str:
    """Return a query of at most 300 characters in which quotation marks alone have a meaning; empty without a word.

    `insource:/…/`, `intitle:`, a name space before a colon, wild cards and minus signs would let words of a question
    steer the engine, some of them at great cost to it. Marks inside words and numbers stay: AT&T, 3.14, 10:30.
    """
    plain = text.encode("utf-8", "replace").decode("utf-8")
    plain = _COLON.sub(" ", _OPERATORS.sub(" ", plain))
    plain = _WORDS.sub(lambda word: word[0].lower(), _NEGATION.sub(" ", plain))
    cut = _cut(" ".join(plain.split()))
    return cut if any(letter.isalnum() for letter in cut) else ""


def _cut(text: str) -> str:
    """Cut at the end of a word; a phrase that is cut is closed no more, so its mark goes."""
    if len(text) > LONGEST_QUERY:
        head = text[: LONGEST_QUERY + 1].rpartition(" ")[0] or text[:LONGEST_QUERY]
        text = head.rstrip()
    if text.count('"') % 2:
        before, _, after = text.rpartition('"')
        text = " ".join(f"{before} {after}".split())
    return text
