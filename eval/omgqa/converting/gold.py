"""The supporting facts of other data sets, in a form that no state of a page is part of.

An evidence id has the hash of the page's content in it. A fact says instead on which page it stands and what tells it
from all else there, so that it can be found on whatever page is read under that title (`resolving`).
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoldText:
    """A paragraph, or a sentence of it, on a page."""

    question: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class GoldTable:
    """A table by its column names; `section` is the heading above it, and `first` its first row."""

    question: str
    title: str
    section: str
    header: tuple[str, ...]
    first: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A row by its cells; `number` counts the rows of its table from 1, the header not counted."""

    question: str
    title: str
    section: str
    header: tuple[str, ...]
    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldImage:
    """An image by the name of its file."""

    question: str
    title: str
    file: str


GoldFact = GoldText | GoldTable | GoldRow | GoldImage


def gold_titles(facts: Iterable[GoldFact]) -> tuple[str, ...]:
    """Name the pages that must be read for every fact to be found, each once, in the order of the facts.

    A fact on a page that no system read counts against all of them only where the page is read for its labels.
    """
    return tuple(dict.fromkeys(fact.title for fact in facts))


def fact_name(fact: GoldFact) -> str:
    """Say in a few words which fact is meant."""
    match fact:
        case GoldText(text=text):
            what = f'text "{_clipped(text)}"'
        case GoldTable(header=header):
            what = f'table of "{_clipped(", ".join(header))}"'
        case GoldRow(number=number, cells=cells):
            what = f'row {number}, "{_clipped(", ".join(cells))}",'
        case GoldImage(file=file):
            what = f'image "{_clipped(file)}"'
    return f'the {what} of page "{fact.title}" (question {fact.question})'


def _clipped(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
