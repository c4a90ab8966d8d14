"""Accepted answers: whether a text states one of the strings that count as right."""

import re
from collections.abc import Iterable

from agent.citations.numbering import without_markers


def states(text: str, accepted: Iterable[str]) -> bool:
    """Tell whether one of the accepted strings stands in a text as whole words; markers such as [4] are no words."""
    said = normal(without_markers(text))
    return any(re.search(rf"(?<![\w.]){re.escape(normal(each))}(?!\w|\.\d)", said) for each in accepted)


def normal(text: str) -> str:
    """Fold case, blanks, dashes and the commas within figures."""
    folded = " ".join(text.casefold().split()).replace("−", "-").replace("–", "-").replace("’", "'")
    return re.sub(r"(?<=\d),(?=\d{3})", "", folded)
