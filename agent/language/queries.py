"""Queries that a model wrote, made plain words: no operator of any engine, no address."""

import re

from agent.language.addresses import without_addresses
from agent.language.replies import QUERY_CHARACTERS
from heliograph.types import Query

_NO_WORD = re.compile(r"[^\w\s.,'’&%°+#\"–-]|_")
"""Colons make keywords (`site:`, `insource:`), strokes regular expressions, tildes and asterisks loose matches."""
_LEADING = re.compile(r"(?:(?<=\s)|^)[\"]?[-–+.,#&%'’]+(?=\S)|(?:(?<=\s)|^)[-–+.,#&%'’]+(?=\s|$)")
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
    if said.count('"') % 2:
        said = said.replace('"', " ")
    said = " ".join(_LEADING.sub(" ", said).split())[:QUERY_CHARACTERS]
    if said.count('"') % 2:
        said = said.replace('"', "")
    plain = said.rstrip(" .,-–").strip()
    return Query(plain) if re.search(r"\w", plain) else None
