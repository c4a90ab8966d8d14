"""Whether a query says the name of what it asks for, which it must not (STaRK, appendix C)."""

import re
import unicodedata

from heliograph.types import Entity

_UNSPACED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+")
"""A word, or one character of a script that sets no spaces."""
_ADDED = re.compile(r"\s*\([^()]*\)\s*$")
"""What tells namesakes apart: "(moon)" of "Titan (moon)"."""


def leaked_name(entity: Entity, query: str) -> str:
    """Return the name or alias of an entity that a query has in a row, whatever its case and accents; "" if none.

    Names of one letter or figure are passed over: no sentence could do without them.
    """
    said = _folded(query)
    names = [form for name in (entity.name, *entity.aliases) for form in (name, _ADDED.sub("", name))]
    return next((name for name in names if len(found := _folded(name)) > len(" a ") and found in said), "")


def _folded(text: str) -> str:
    """Return the words of a text without case and accents, between blanks."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return f" {' '.join(_WORD.findall(unicodedata.normalize('NFC', bare).casefold()))} "
