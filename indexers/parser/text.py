"""Collect the words of a leaf or cell as a reader sees them."""

import re

from heliograph.types import Link

BREAK = "\x00"
"""Stands for a line break until the words are tidied; `read_html` lets no NUL of a page through."""

_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f"  # control characters
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"  # soft, zero-width, bidi
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"  # joiners, fillers, selectors
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"  # musical controls, tags
)
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U000e0100-\U000e01ef]"
)
"""Those of the invisible that Python counts as printable."""

_RAISED = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_NOTE_MARK = re.compile(r"\[[^\[\]]{1,24}\]|\*+|†+|‡+")


class Words:
    """A growing text and the links in it."""

    __slots__ = ("links", "parts")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.links: list[Link] = []

    def add(self, text: str) -> None:
        """Append what stands in the page, white space and all."""
        self.parts.append(text)

    def end_line(self) -> None:
        """Begin a new line; several in a row are one."""
        if self.parts and self.parts[-1] != BREAK:
            self.parts.append(BREAK)

    def note(self, text: str, target: str) -> None:
        """Remember a link."""
        self.links.append(Link(text.replace("\n", " "), target))

    def since(self, mark: int) -> str:
        """Return the tidied words after the first `mark` parts."""
        parts = self.parts
        return tidy(parts[mark] if len(parts) == mark + 1 else "".join(parts[mark:]))

    def raise_since(self, mark: int) -> None:
        """Turn the words after `mark` into superscript characters.

        `m2` becomes `m²` and `xn` `xⁿ`; other letters, as in `19th`, stay; marks of notes go; the rest gets a caret.
        """
        text = self.since(mark)
        if text == "n" or not text.isalpha():
            text = "" if not text or _NOTE_MARK.fullmatch(text) else _raised(text)
        self.parts[mark:] = [text] if text else []

    def text(self) -> str:
        """Return all words, tidied."""
        parts = self.parts
        return tidy(parts[0] if len(parts) == 1 else "".join(parts))

    def distinct_links(self) -> tuple[Link, ...]:
        """Return each link once, in order."""
        return tuple(self.links) if len(self.links) < 2 else tuple(dict.fromkeys(self.links))


def tidy(raw: str) -> str:
    """Collapse white space in each line, drop empty lines and every character that cannot be seen."""
    if raw.isalnum() and raw.isascii():
        return raw
    if BREAK in raw:
        return "\n".join(line for part in raw.split(BREAK) if (line := tidy(part)))
    text = " ".join(raw.split())
    if text.isprintable() and (text.isascii() or not _BLANK.search(text)):
        return text
    return " ".join(_INVISIBLE.sub("", text).split())


def readable(text: str) -> bool:
    """Tell words from leftover punctuation."""
    return any(map(str.isalnum, text))


def _raised(text: str) -> str:
    raised = text.translate(_RAISED)
    return "^" + text if any(character in text for character in raised) else raised
