"""Whether a text says an answer, as the retrievers of open questions are compared (DPR, HELIOS).

Both are stripped of accents and of all but ASCII letters, digits, blanks and `, ! . ? -`, lower-cased and cut into
words and marks; the answer's must then follow one another in the text's.
"""

import re
import unicodedata

_DROPPED = re.compile(r"[^A-Za-z0-9\s,!.?\-]")
_TOKEN = re.compile(r"[A-Za-z0-9]+|[,!.?\-]")


def matchable(text: str) -> str:
    """Return the words and marks of a text, each between blanks, so that a run of them is found as a substring."""
    plain = unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode()
    return f" {' '.join(_TOKEN.findall(_DROPPED.sub('', plain).lower()))} "


def says(text: str, answer: str) -> bool:
    """Tell whether a text says an answer, both `matchable`; an answer without words is said nowhere."""
    return not answer.isspace() and answer in text
