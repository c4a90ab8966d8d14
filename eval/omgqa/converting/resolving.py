"""Find supporting facts on the pages that were really read, as judgements of evidence by its id.

Texts and cells are compared by their words, so that spaces around marks and letter case make no difference. A row of
some number on the page of a gold table, and a text on the page of a gold passage, are what `eval ott` counts as gold of
the agent's evidence too (`eval.ott.outcome.gold_node`); here their words must be there besides.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from eval.omgqa.converting.gold import GoldFact, GoldImage, GoldRow, GoldTable, GoldText, fact_name
from eval.omgqa.converting.titles import same_title
from eval.omgqa.judged import UnitKind
from eval.omgqa.records import AUTHORS, Judgement
from heliograph.types import Document, EvidenceId, ImageEvidence, TableEvidence, TableSegment, TextEvidence
from indexers.parser import segments
from indexers.parser.text import tidy

_WORD = re.compile(r"[^\W_]+")

Reason = Literal["page", "piece", "unit"]
_SAID: dict[Reason, str] = {
    "page": "on pages that were not read",
    "piece": "not found on their pages",
    "unit": "whole tables, where rows are judged",
}


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A fact that no evidence id stands for: its page is not there, it is not on it, or it is no unit."""

    fact: GoldFact
    reason: Reason


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the data set's authors hold relevant, a judgement for each question and piece, and what was not found."""

    judgements: tuple[Judgement, ...]
    unresolved: tuple[Unresolved, ...]
    facts: int

    @property
    def summary(self) -> str:
        """Count the facts, and say why some were not found, each time with the first of them."""
        lines = [f"{self.facts - len(self.unresolved):,} of {self.facts:,} supporting facts found"]
        for reason, said in _SAID.items():
            missed = [each.fact for each in self.unresolved if each.reason == reason]
            if missed:
                lines.append(f"{len(missed):,} {said}, the first being {fact_name(missed[0])}")
        return "; ".join(lines)


def resolve(facts: Iterable[GoldFact], documents: Iterable[Document], kind: UnitKind) -> Resolved:
    """Find facts on documents, each by its title or another that led to it.

    Args:
        facts: what supports the answers.
        documents: every page that was read, in one state each, those of `gold_titles` among them: a fact whose page
            is not here is in no label, and the systems that did not read it would not be charged with it.
        kind: leaf: a row stands for its table. row: a row is one of its own, and a whole table none.
    """
    titled: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        for title in {same_title(name) for name in (document.title, *document.aliases)}:
            titled[title].append(document)
    judgements: dict[Judgement, None] = {}
    unresolved: list[Unresolved] = []
    asked = tuple(facts)
    for fact in asked:
        found = _found(fact, titled.get(same_title(fact.title), ()), kind)
        if isinstance(found, Unresolved):
            unresolved.append(found)
        else:
            judgements.update((Judgement(fact.question, evidence, True, AUTHORS), None) for evidence in found)
    return Resolved(tuple(judgements), tuple(unresolved), len(asked))


def _found(fact: GoldFact, pages: Sequence[Document], kind: UnitKind) -> tuple[EvidenceId, ...] | Unresolved:
    if kind == "row" and isinstance(fact, GoldTable):
        return Unresolved(fact, "unit")
    if not pages:
        return Unresolved(fact, "page")
    found = tuple(evidence for page in pages for evidence in _on(page, fact, kind))
    return found or Unresolved(fact, "piece")


def _on(page: Document, fact: GoldFact, kind: UnitKind) -> Sequence[EvidenceId]:
    match fact:
        case GoldText():
            return _texts(page, fact.text)
        case GoldTable():
            return _table(page, fact)
        case GoldRow():
            return _row(page, fact, kind)
        case GoldImage():
            return _images(page, fact.file)


def _texts(page: Document, text: str) -> Sequence[EvidenceId]:
    """Return the paragraphs that are the text, else those of the same words, else those that say it among others."""
    leaves = [leaf for leaf in page.leaves if isinstance(leaf, TextEvidence)]
    line, words = _one_line(text), _words(text)
    return (
        [leaf.id for leaf in leaves if _one_line(leaf.text) == line]
        or [leaf.id for leaf in leaves if _words(leaf.text) == words]
        or [leaf.id for leaf in leaves if words.strip() and words in _words(leaf.text)]
    )


def _table(page: Document, fact: GoldTable) -> Sequence[EvidenceId]:
    """Return the table with the column names; of several, the one in the section, or with the first row."""
    names, first = _cells(fact.header), _cells(fact.first)

    def unlikeness(table: TableEvidence) -> tuple[bool, bool]:
        rows = [_cells([cell.text for cell in row]) for row in table.rows]
        return first not in rows, not _stands_in(table, fact.section)

    tables = [leaf for leaf in _tables(page) if _cells(leaf.header) == names]
    return [min(tables, key=unlikeness).id] if tables else []


def _row(page: Document, fact: GoldRow, kind: UnitKind) -> Sequence[EvidenceId]:
    """Return the row of the cells' words; of several, the one `_unlikeness` finds the likest."""
    cells = _cells(fact.cells)
    rows = [
        segment
        for table in _tables(page)
        for segment in segments(table)
        if _cells([cell.text for cell in segment.cells]) == cells
    ]
    if not rows:
        return []
    likest = min(rows, key=lambda row: _unlikeness(row, fact))
    return [likest.table if kind == "leaf" else likest.id]


def _unlikeness(row: TableSegment, fact: GoldRow) -> tuple[bool, bool, bool, int]:
    """Tell how far a row is from a fact: column names, section, signs between the words, and number last.

    A page may number rows otherwise, since rows that show nothing are left out of it.
    """
    names = _cells(row.header) != _cells(fact.header)
    signs = _filled(cell.text for cell in row.cells) != _filled(fact.cells)
    return names, not _stands_in(row, fact.section), signs, abs(row.number - fact.number)


def _images(page: Document, file: str) -> Sequence[EvidenceId]:
    images = (leaf for leaf in page.leaves if isinstance(leaf, ImageEvidence))
    return [image.id for image in images if unquote(image.source).rpartition("/")[2] == file]


def _tables(page: Document) -> Sequence[TableEvidence]:
    return [leaf for leaf in page.leaves if isinstance(leaf, TableEvidence)]


def _stands_in(table: TableEvidence | TableSegment, section: str) -> bool:
    return _words(table.place.path[-1] if table.place.path else "") == _words(section)


def _cells(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words of cells; those without words at the end are left out, since a rectangle may be filled up."""
    return _filled(map(_words, texts))


def _filled(texts: Iterable[str]) -> tuple[str, ...]:
    lines = [_one_line(text) for text in texts]
    while lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


def _one_line(text: str) -> str:
    return tidy(text.replace("\0", "").replace("\n", " "))


def _words(text: str) -> str:
    """Return the words of a text, each between blanks, so that a run of them is found as a substring."""
    return f" {' '.join(_WORD.findall(_one_line(text).casefold()))} "
