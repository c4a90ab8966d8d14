"""Where candidates say an answer: word for word, whatever the case and the blanks between its marks."""

import re
from functools import lru_cache

from heliograph.text.sentences import split_sentences
from indexers.models.reader import Candidate, Part, Piece
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


def without_answer(answer: str, candidate: Candidate) -> Candidate | None:
    """Return a candidate without the sentences and the cells that say an answer: all else that speaks for it is there.

    A piece of which no more than its title is left is gone. None where nothing is left, or a title says the answer.
    """
    left = [_row_without(answer, each) if each.parts else _text_without(answer, each) for each in candidate.pieces]
    pieces = [piece for piece in left if piece is not None]
    return Candidate(*pieces) if pieces and not any(stands_in(answer, each.text) for each in pieces) else None


def _row_without(answer: str, row: Piece) -> Piece | None:
    """Leave out cells with the names of their columns; parts are the title, then a name and a cell by turns."""
    titles, *others = row.parts
    text, parts = row.text[: titles.end], [titles]
    for name, cell in zip(others[::2], others[1::2], strict=True):
        if stands_in(answer, row.text[cell.start : cell.end]):
            continue
        moved, said = len(text) - name.start, row.text[name.start : cell.end]
        text += said.replace(" ;", " |", 1) if len(parts) == 1 and name.end - name.start > len(" ; ") else said
        parts += [Part(each.start + moved, each.end + moved, each.most, each.cell) for each in (name, cell)]
    return Piece(text, tuple(parts)) if len(parts) > 1 else None


def _text_without(answer: str, text: Piece) -> Piece | None:
    title, mark, said = text.text.partition(" : ")
    if not mark:
        title, said = "", title
    left = [sentence for sentence in split_sentences(said) if not stands_in(answer, sentence)]
    return Piece(f"{title}{mark}{' '.join(left)}") if left else None


def _column(candidate: Candidate, at: int) -> int | None:
    return next((part.cell for part in candidate.first.parts if part.start <= at < part.end), None)
