"""What is kept of an article while all are looked through: its introduction, and what its tables are about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heliograph.types import (
    Document,
    EvidenceId,
    ImageEvidence,
    Leaf,
    Modality,
    TableEvidence,
    TextEvidence,
    modality_of,
)
from indexers.linking.words import name_key
from indexers.links import links_of, subject_of
from indexers.parser import segments

LEAST_WORDS = 60
"""Of the paragraphs of an article that has "substantial text" (OMG-QA, section 2.1); the number is ours."""
LEAST_ROWS = 2
INTRODUCTION_CHARACTERS = 2_000
"""Of the introduction; the built-in embedder reads no further."""
SUMS = frozenset(("total", "totals", "sum", "average", "mean", "source", "sources", "notes", "other", "others"))
"""Labels of rows that name nothing."""


@dataclass(frozen=True, slots=True)
class ArticleTable:
    """A table, and the keys of the names that it shares with others or not: linked titles, and labels of rows."""

    id: EvidenceId
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Article:
    """An article: `modalities` are those of leaves that a question may be made from."""

    title: str
    introduction: str
    words: int
    tables: tuple[ArticleTable, ...]
    modalities: frozenset[Modality]


def article_of(document: Document) -> Article:
    """Take from a page what candidates are chosen by."""
    texts = [leaf for leaf in document.leaves if isinstance(leaf, TextEvidence)]
    lead = " ".join(leaf.text for leaf in texts if not leaf.place.path) or " ".join(leaf.text for leaf in texts[:1])
    tables = [leaf for leaf in document.leaves if isinstance(leaf, TableEvidence) and len(leaf.rows) >= LEAST_ROWS]
    return Article(
        title=document.title,
        introduction=f"{document.title}. {lead}"[:INTRODUCTION_CHARACTERS],
        words=sum(len(leaf.text.split()) for leaf in texts),
        tables=tuple(ArticleTable(table.id, names_of(table)) for table in tables),
        modalities=_modalities(texts, tables, _captioned(document)),
    )


def names_of(table: TableEvidence) -> frozenset[str]:
    """Return the names in a table as keys that spellings share; labels of an infobox are those of its fields."""
    linked = [link.target.partition("#")[0] for link in links_of(table)]
    labels = [] if table.kind == "infobox" else [subject_of(row) for row in segments(table)]
    return keys_of([*linked, *labels])


def keys_of(names: Iterable[str]) -> frozenset[str]:
    """Return what names are compared by; figures and labels of sums name nothing."""
    keys = (name_key(name.replace("_", " ")) for name in names)
    return frozenset(key for key in keys if any(sign.isalpha() for sign in key)) - SUMS


def _modalities(*leaves: Sequence[Leaf]) -> frozenset[Modality]:
    return frozenset(modality_of(leaf) for some in leaves for leaf in some)


def _captioned(document: Document) -> list[ImageEvidence]:
    return [leaf for leaf in document.leaves if isinstance(leaf, ImageEvidence) and (leaf.caption or leaf.alt).strip()]
