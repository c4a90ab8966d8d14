"""Names as words that can be compared: case, accents, apostrophes, dotted initials and plurals do not count."""

import re
import unicodedata
from functools import lru_cache

PLAIN = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ß": "ss",
        "ı": "i",
        "ħ": "h",
        "&": " and ",
    }
)
"""Letters that no Unicode decomposition takes to their plain look-alikes."""

APOSTROPHE = re.compile(r"(?<=\w)\s?['’ʼʻ`´](?=\w)")
INITIALS = re.compile(r"(?<=\b\w)\.(?=\w\b)")
SEASON = re.compile(r"\b(1[5-9]|20)(\d\d)\s?[-–—−/]\s?(?:(?:1[5-9]|20)(?=\d\d\b))?(\d\d)\b")
WORD = re.compile(r"\d{4}-\d\d\b|[^\W_]+(?:[\u0300-\u036f\u0900-\u0dff]+[^\W_]*)*")
YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:-\d\d)?")

JOINERS = frozenset(
    WORD.findall(
        """
        a an and at by da das de del der des di do dos du e el en for from in la le les of on s the to und van vs with y
        """
    )
)
"""Words that say too little to find a title by; where whole names are compared they count."""


def folded(text: str) -> str:
    """Return a text without case, accents and the marks that writers leave out."""
    text = text.casefold()
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text).casefold()
        text = unicodedata.normalize("NFC", "".join(part for part in parts if not "\u0300" <= part <= "\u036f"))
    text = text.translate(PLAIN)
    return INITIALS.sub("", APOSTROPHE.sub("", text))


def words_of(text: str) -> list[str]:
    """Return the words of a text; a season such as 1986–1987 is one word, `1986-87`."""
    return WORD.findall(SEASON.sub(r"\1\2-\3", folded(text)))


def name_key(name: str) -> str:
    """Return what the spellings of one name share."""
    return " ".join(words_of(name))


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Take the s of the plural away: names need no more, and stronger stems would confuse them."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def stems_of(text: str) -> list[str]:
    """Return the words of a text without the endings of plurals."""
    return [stem(word) for word in words_of(text)]


def is_year(word: str) -> bool:
    """Tell a year or a season from other words."""
    return YEAR.fullmatch(word) is not None


def near_years(word: str) -> tuple[str, ...]:
    """Return the seasons that a year may stand for, or the years of a season; nothing for another word."""
    if not is_year(word):
        return ()
    year = int(word[:4])
    if len(word) > 4:
        return (str(year), str(year + 1))
    return (f"{year}-{(year + 1) % 100:02d}", f"{year - 1}-{year % 100:02d}")
