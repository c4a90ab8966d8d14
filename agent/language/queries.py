"""Queries that a model wrote, made plain words: no operator of any engine, no address."""

import re

from agent.language.addresses import without_addresses
from heliograph.types import Query

_NO_WORD = re.compile(r"[^\w\s.,'’&%°+#\"–-]|_")
"""Colons make keywords (`site:`, `insource:`), strokes regular expressions, tildes and asterisks loose matches."""
_LEADING = "\"-–+.,#&%'’"
"""Signs that no word begins with; `-` and `+` at its head leave out or demand a word."""
_JOINER = re.compile(r"\b(?:AND|OR|NOT|NEAR)\b")
_KEYWORD = re.compile(
    r"(?i)\b(?:site|insource|intitle|inurl|intext|incategory|deepcat(?:egory)?|hastemplate|linksto|prefix|morelike"
    r"|filetype|filemime|subpageof|articletopic|https?|ftp)\s*:"
)
_HOST = re.compile(r"(?<!\S)\"?www\d?\.\S+")


def plain_query(text: str) -> Query | None:
    """Return a query of words, with phrases in quotation marks; None where no word is left."""
    said = _KEYWORD.sub(" ", without_addresses(text))
    said = _HOST.sub(" ", _NO_WORD.sub(" ", said))
    said = _JOINER.sub(lambda found: found[0].lower(), said)
    words = " ".join(word for token in said.split() if (word := _word(token)))
    if words.count('"') % 2:
        words = " ".join(word for token in words.replace('"', " ").split() if (word := _word(token)))
    query = words.rstrip(" .,-–")
    return Query(query) if query else None


def _word(token: str) -> str:
    """Return a token from its first letter or figure on, with the quotation mark that opens a phrase."""
    word = token.lstrip(_LEADING)
    return ('"' if token.startswith('"') else "") + word if re.search(r"\w", word) else ""
