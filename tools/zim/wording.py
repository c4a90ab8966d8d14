"""Queries in the words of the engine of ZIM archives: all must match, and nothing a user types is an operator."""

import re
import unicodedata

_QUOTES = dict.fromkeys(map(ord, "’‘ʼ＇"), "'")
_INVISIBLE: dict[int, str] = {0x200B: " ", 0xFEFF: "", 0xAD: ""}
_INNER = ".,'&"
"""Marks that the engine keeps inside a word: 3.14, 1,234, O'Brien, AT&T."""
_TRAILING = "+#"
"""Marks that it keeps at the end of one: C++, C#."""
_JOINERS = "\u200c\u200d"
_WORD = re.compile(rf"[^\s{_INNER}{_TRAILING}]+(?:[{_INNER}][^\s{_INNER}{_TRAILING}]+)*[{_TRAILING}]{{0,2}}")


def engine_query(text: str) -> str:
    """Return the words of a text in lower case, apart by one space, without quotation marks, brackets or signs.

    libzim joins words by AND and knows no phrases, so a quoted phrase asks for its words. It reads no operators today;
    in lower case and without leading signs there are none to read for a release that does.
    """
    plain = text.translate(_QUOTES).translate(_INVISIBLE).lower()
    return " ".join(_WORD.findall("".join(char if _kept(char) else " " for char in plain)))


def _kept(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN" or char in _INNER or char in _TRAILING or char in f"_{_JOINERS}"
