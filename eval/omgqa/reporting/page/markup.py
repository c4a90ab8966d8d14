"""HTML by construction: text is escaped unless it was made here, so that what pages and models say stays text."""

import html
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

_VOID = frozenset({"meta", "br"})
_UNSOUND = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""What HTML does not allow, or UTF-8 cannot write."""
UNKNOWN = "\ufffd"
KEPT = 10_000
"""Texts that are escaped once: most of a page are figures, names and numbers that come again."""


class Markup(str):
    """HTML made by `tag` or `joined`; any other text is escaped where it is put in."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: str | float | None) -> Markup:
    """Return an element; of an attribute's name a last `_` falls away, others become `-`, and None leaves it out."""
    said = _attributes(attributes) if attributes else ""
    if name in _VOID:
        return Markup(f"<{name}{said}>")
    return Markup(f"<{name}{said}>{joined(children)}</{name}>")


def joined(children: Iterable[str], between: str = "") -> Markup:
    """Put pieces one after the other."""
    return Markup(_escaped(between).join([each if type(each) is Markup else _escaped(each) for each in children]))


def foreign(name: str, text: str, /, **attributes: str | float | None) -> Markup:
    """Return an inline element with words from elsewhere, whose direction of writing ends with it."""
    return tag(name, text, **attributes, dir="auto")


def _attributes(attributes: Mapping[str, str | float | None]) -> str:
    return "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )


@lru_cache(KEPT)
def _escaped(text: str) -> str:
    return html.escape(_UNSOUND.sub(UNKNOWN, text.replace("\r", "\n")))
