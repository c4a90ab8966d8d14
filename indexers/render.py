"""One text space for every modality (OMG-QA, section 3): what is embedded, ranked and compared with a question.

A paragraph reads "Title > Section: text", a row "Title > Section, caption: Header is value; …", a table its caption,
header and first rows, an image its caption, alternative text and surroundings.
"""

from collections.abc import Sequence

from heliograph.types import Cell, Evidence, ImageEvidence, Place, TableEvidence, TableSegment, TextEvidence

TABLE_ROWS = 5
"""Rows of a whole table that are rendered; each row is a piece of its own besides."""
CELL_CHARACTERS = 200
"""Characters of one cell that are rendered."""
HEADER_CHARACTERS = 400
"""Characters of a table's column names that are rendered."""
WINDOW_WORDS = 150
"""Words of one window: about 200 tokens, which with the heading fits the model's 256."""
MOST_WINDOWS = 20
"""Windows of one piece; what stands behind them is not found by its own words."""
STOPS = (".", ";", "!", "?")


def render(evidence: Evidence) -> str:
    """Return a piece as one line of text that stands by itself."""
    return _line(*_parts(evidence))


def windows(evidence: Evidence) -> tuple[str, ...]:
    """Return a piece as the texts that are embedded: one, or several where a long piece would be cut by the model.

    Each begins with the heading, so that each stands by itself; a piece's score is that of its best window.
    """
    head, body = _parts(evidence)
    words = _one_line(body).split(" ")
    if len(words) <= WINDOW_WORDS:
        return (_line(head, body),)
    return tuple(_line(head, part) for part in _cut(words)[:MOST_WINDOWS])


def _parts(evidence: Evidence) -> tuple[str, str]:
    match evidence:
        case TextEvidence():
            return heading(evidence.place), evidence.text
        case TableSegment():
            return _captioned(evidence.place, evidence.caption), _row(evidence.header, evidence.cells)
        case TableEvidence():
            return _captioned(evidence.place, evidence.caption), _table(evidence)
        case ImageEvidence():
            return f"{heading(evidence.place)}, image", _image(evidence)


def _cut(words: Sequence[str]) -> list[str]:
    """Cut at the last end of a sentence or of a cell that fits; in the middle of one where none fits."""
    parts: list[str] = []
    start = 0
    while start < len(words):
        end = start + WINDOW_WORDS
        if end < len(words):
            ends = (at for at in range(end, start + WINDOW_WORDS // 2, -1) if words[at - 1].endswith(STOPS))
            end = next(ends, end)
        parts.append(" ".join(words[start:end]))
        start = end
    return parts


def heading(place: Place) -> str:
    """Return where a piece stands, from the page's title down: "Jupiter > Moons > Discovery"."""
    return _one_line(" > ".join((place.title, *place.path)))


def _captioned(place: Place, caption: str) -> str:
    caption = _one_line(caption)
    return f"{heading(place)}, {caption}" if caption else heading(place)


def _row(header: Sequence[str], cells: Sequence[Cell]) -> str:
    values = (_clipped(cell.text) for cell in cells)
    named = zip(_names(header, len(cells)), values, strict=True)
    return "; ".join(f"{name} is {value}" if name else value for name, value in named if value)


def _table(table: TableEvidence) -> str:
    columns = " | ".join(name for name in map(_one_line, table.header) if name)[:HEADER_CHARACTERS]
    rows = (" | ".join(_clipped(cell.text) for cell in row) for row in table.rows[:TABLE_ROWS])
    return "; ".join(part for part in (f"table of {columns}" if columns else "table", *rows) if part.strip(" |"))


def _image(image: ImageEvidence) -> str:
    parts = dict.fromkeys(_one_line(part) for part in (image.caption, image.alt, image.nearby))
    return ". ".join(part.rstrip(".") for part in parts if part)


def _names(header: Sequence[str], width: int) -> tuple[str, ...]:
    names = tuple(map(_one_line, header[:width]))
    return names + ("",) * (width - len(names))


def _clipped(text: str) -> str:
    return _one_line(text)[:CELL_CHARACTERS]


def _line(place: str, text: str) -> str:
    text = _one_line(text)
    return f"{place}: {text}" if text else place


def _one_line(text: str) -> str:
    return " ".join(text.split())
