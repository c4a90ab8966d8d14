"""The links of the unlinked baseline: a cell whose text is a passage's title, letter for letter."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from eval.ott.corpus import Numbers, OttCorpus, edges_between

CANDIDATES = 3
"""Passages that one cell may link, those first in the order of ids."""

_DROPPED = re.compile(r"[^a-z0-9 ]")
_PARENTHESIS = re.compile(r"\s*\([^)]*\)$")


def title_edges(corpus: OttCorpus) -> Numbers:
    """Return the (row, passage) edges that equal titles make, int32, as `OttCorpus.edges` are.

    Titles also count without a parenthesis at their end; cells of one character and of digits alone link nothing.
    """
    named = _named(corpus.passages.titles)
    rows = (cells for table in corpus.tables for cells in table.rows)
    pairs = [(row, passage) for row, cells in enumerate(rows) for cell in cells for passage in _linked(cell, named)]
    return edges_between(corpus.rows, np.array(pairs, np.int32).reshape(-1, 2))


def _linked(cell: str, named: Mapping[str, Sequence[int]]) -> Sequence[int]:
    name = _name(cell)
    return () if len(name) < 2 or name.isdigit() else named.get(name, ())[:CANDIDATES]


def _named(titles: Sequence[str]) -> Mapping[str, Sequence[int]]:
    named: dict[str, list[int]] = defaultdict(list)
    for passage, title in enumerate(titles):
        for name in set(_names(title)):
            named[name].append(passage)
    return dict(named)


def _names(title: str) -> Iterator[str]:
    return filter(None, (_name(title), _name(_PARENTHESIS.sub("", title))))


def _name(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _DROPPED.sub("", plain.lower().replace("-", " ")).strip()
