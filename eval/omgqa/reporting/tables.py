"""A table of a report, before anything says how it looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.omgqa.reporting.figures import Figure

Cell = str | Figure
RETRIEVED_DOCUMENTS = ("PDR", "RDR", "F1-DR")
RETRIEVED_EVIDENCE = ("PER", "unjudged", "bpref", "RER", "F1-ER", "PER@8", "RER@8", "F1-ER@8")
"""What no judge has seen makes precision too low, so the rate of it and bpref stand beside precision; the last three
are of the first eight leaves alone."""
ANSWERED = ("ERU", "RUE", "CUE", "CCM")
CITED = ("citation precision", "citation recall")
ABSTAINED = ("true abstention", "false abstention")
BY_STRINGS = ("correct", "coverage", "selective accuracy")
BY_JUDGE = ("correct by judge", "selective accuracy by judge")


@dataclass(frozen=True, slots=True)
class Row:
    """Cells, and the systems whose questions are behind its figures.

    `modalities` limits these to questions that need so many; None takes all. `disputed` are questions on which two
    judges differ. A `summary` is the mean of rows above it.
    """

    cells: tuple[Cell, ...]
    systems: tuple[str, ...] = ()
    modalities: int | None = None
    disputed: tuple[str, ...] = ()
    summary: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its caption; without rows `empty` stands in its place.

    `key` names it in JSON and links. `charted` are the columns that a chart draws. In text, a cell of the first
    `grouped` columns that repeats the one above is left blank.
    """

    key: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    empty: str
    note: str = ""
    charted: tuple[str, ...] = ()
    grouped: int = 0


def picked(figures: Mapping[str, Figure], names: Sequence[str]) -> tuple[Figure, ...]:
    """Return figures in the order of columns; what was not measured stands as such."""
    return tuple(figures.get(name, Figure(None)) for name in names)


def count(many: int) -> Figure:
    """Return a number of things."""
    return Figure(float(many), digits=0)
