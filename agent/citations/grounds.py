"""What a claim stands on: its quotes, found in the evidence, and what is written around them."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent.citations.quotes import Located, locate, resolve, row_text
from agent.citations.wording import claim_coverage
from heliograph.text.figures import figures_in, same
from heliograph.text.units import header_measure, header_words, parse_quantity
from heliograph.types import Evidence, EvidenceId, ImageEvidence, Quote, TableEvidence, TableSegment, TextEvidence

CONTRIBUTES = 0.2
"""Share of the claim's words from which a quote is more than decoration."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A quote with what it was found to be: nothing at hand, nothing found, or a place in a piece."""

    quote: Quote
    evidence: Evidence | None
    located: Located | None


def quoted_text(ground: Ground) -> str:
    """Return the words quoted; figures of a row with the unit that their column's name states, and that name."""
    if ground.located is None:
        return ""
    text, evidence = ground.located.text, ground.evidence
    if isinstance(evidence, TableSegment):
        cells = evidence.cells
    elif isinstance(evidence, TableEvidence) and ground.located.row is not None:
        cells = evidence.rows[ground.located.row]
    else:
        return text
    names: list[str] = []
    for name, cell in zip(evidence.header, cells, strict=False):
        if not cell.text.strip() or cell.text not in text:
            continue
        names.append(header_words(name))
        text = text.replace(cell.text, with_unit(cell.text, name), 1)
    return " ".join((text, *names))


def whole_row(ground: Ground) -> str:
    """Return all cells of the row that is cited, as `quoted_text` does; nothing where no row is."""
    piece, located = ground.evidence, ground.located
    if isinstance(piece, TableEvidence) and located is not None and located.row is not None:
        cells = piece.rows[located.row]
    elif isinstance(piece, TableSegment):
        cells = piece.cells
    else:
        return ""
    text = row_text(piece.header, cells)
    row = located.row if located else None
    return quoted_text(Ground(ground.quote, piece, Located(text, text, 0, len(text), row)))


def with_unit(cell: str, name: str) -> str:
    """Return a cell with the unit that its column's name states: "348,890 km" under "Diameter (km)"."""
    measure = header_measure(name)
    value = parse_quantity(cell, measure)
    return f"{cell} {measure.text}" if value is not None and measure.text and value.measure == measure else cell


def context_of(evidence: Evidence) -> str:
    """Return all words around a quote: the piece itself, its title, its sections, its caption and its column names."""
    place = " ".join((evidence.place.title, *evidence.place.path))
    match evidence:
        case TextEvidence():
            return f"{place} {evidence.text}"
        case ImageEvidence():
            return f"{place} {evidence.caption} {evidence.alt} {evidence.nearby}"
        case TableSegment():
            return f"{place} {evidence.caption} {row_text(evidence.header, evidence.cells)}"
        case TableEvidence():
            return f"{place} {evidence.caption} {' '.join(evidence.header)}"


def headings_of(evidence: Evidence | None) -> str:
    """Return what a row leans on to be read; text leans on its title alone."""
    if isinstance(evidence, TableSegment):
        label = evidence.cells[0].text if evidence.cells else ""
        return f"{evidence.place.title} {evidence.caption} {' '.join(evidence.header)} {label}"
    return evidence.place.title if evidence else ""


def ground_of(quote: Quote, cited: Mapping[EvidenceId, Evidence]) -> Ground:
    evidence = find_evidence(quote.evidence, cited)
    return Ground(quote, evidence, locate(quote.text, evidence) if evidence else None)


def find_evidence(wanted: EvidenceId, cited: Mapping[EvidenceId, Evidence]) -> Evidence | None:
    """Return a piece by its id; a row that is not at hand is taken from its table where that is."""
    if wanted in cited:
        return cited[wanted]
    table = cited.get(EvidenceId(wanted.rpartition("/r")[0]))
    return resolve(wanted, table) if table else None


def contributes(text: str, ground: Ground) -> bool:
    """Say whether a quote has to do with a claim: some of its words, or one of its figures."""
    quote = quoted_text(ground)
    theirs = figures_in(quote)
    return claim_coverage(text, [quote]) >= CONTRIBUTES or any(
        same(mine, other) for mine in figures_in(text) for other in theirs
    )
