"""Where candidates say an answer: word for word, whatever the case and the blanks between its marks."""

import re
from functools import lru_cache

from indexers.models.reader import Candidate
from indexers.models.training.reading import Mark


@lru_cache(2000)
def _pattern(answer: str) -> re.Pattern[str] | None:
    pieces = re.findall(r"\w+|[^\w\s]", answer)
    if not any(piece[0].isalnum() for piece in pieces):
        return None
    return re.compile(r"(?<!\w)" + r"\s*".join(map(re.escape, pieces)) + r"(?!\w)", re.IGNORECASE)


def stands_in(answer: str, text: str) -> bool:
    """Tell whether a text says an answer; one without words is said nowhere."""
    pattern = _pattern(answer)
    return pattern is not None and pattern.search(text) is not None


def marked(
    answer: str, candidate: Candidate, number: int, *, cell: int | None = None, passage: bool = True
) -> list[Mark]:
    """Return the places of an answer in a candidate, which has a number among others.

    Args:
        answer: what is looked for.
        candidate: where it is looked for.
        number: of the candidate.
        cell: the column outside of which no place of the row counts; None is all of the row.
        passage: whether places of the passage count.
    """
    pattern, found = _pattern(answer), []
    if pattern is None:
        return []
    for piece, text in enumerate(each.text for each in candidate.pieces):
        if piece and not passage:
            break
        for match in pattern.finditer(text):
            if piece or cell is None or _column(candidate, match.start()) == cell:
                found.append(Mark(number, piece, *match.span()))
    return found


def _column(candidate: Candidate, at: int) -> int | None:
    return next((part.cell for part in candidate.first.parts if part.start <= at < part.end), None)
