"""What meets the plan of a question over the pages read, as a list: each answer with its path, cited by every step."""

from agent.extractive.asked import asks_for_things
from heliograph.text.words import words
from heliograph.types import BlockKind, Draft, DraftBlock, DraftCell, DraftClaim, FoundPaths


def draft_of(paths: FoundPaths | None, question: str) -> Draft | None:
    """Return the answers of a plan; None where another kind of answer is asked for, or one piece states them alone.

    What stands in one row or sentence is found, quoted and computed without a plan.
    """
    if paths is None or not paths.joins or not asks_for_things(question):
        return None
    claims = tuple(_claim(paths.header, row) for row in paths.rows)
    kind: BlockKind = "list" if len(claims) > 1 else "paragraph"
    return Draft(
        claims, blocks=(DraftBlock(kind, tuple(range(len(claims))), need=0),), confidence=round(paths.probability, 3)
    )


def _claim(header: tuple[str, ...], row: tuple[DraftCell, ...]) -> DraftClaim:
    """Return "Leeford: ground Mill Lane; opened 1912", with the words that state each of it."""
    first, *others = row
    cells = [(name, cell) for name, cell in zip(header[1:], others, strict=True) if cell.text]
    said = "; ".join(_step(name, cell.text, header[1:]) for name, cell in cells)
    quotes = tuple(dict.fromkeys(cell.quote for cell in row if cell.quote))
    return DraftClaim(f"{first.text}: {said}" if said else first.text, quotes)


def _step(name: str, text: str, header: tuple[str, ...]) -> str:
    """Return a step of a path: "Spacecraft at Jupiter" says where it leads to, and "ground opened" stands behind it."""
    if f" {' '.join(words(text))} " in f" {' '.join(words(name))} ":
        return name
    before = next((each for each in header if name.startswith(f"{each} ")), "")
    return f"{name.removeprefix(before).strip()} {text}"
