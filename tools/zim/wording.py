"""Queries in the words that the engine of ZIM archives takes: all of them must match, phrases in quotation marks."""

import re

_PART = re.compile(r'"([^"]*)"|(\S+)')
_WORD = re.compile(r"\w+(?:['’]\w+)*")


def engine_query(text: str) -> str:
    """Return a query in which nothing but quotation marks is an operator.

    The engine reads AND, OR, NOT and the like in capitals, `-`, `+`, `*`, brackets and `field:`; lower case and bare words
    leave none of them. A phrase of one word is that word.
    """
    parts = []
    for phrase, word in _PART.findall(text.replace("“", '"').replace("”", '"')):
        words = " ".join(_WORD.findall((phrase or word).lower()))
        parts.append(f'"{words}"' if phrase and " " in words else words)
    return " ".join(filter(None, parts))
