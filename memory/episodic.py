"""Episodic memory of one run: what its rounds asked and read (OMG-QA, section 3).

It steers queries; it is never cited as evidence.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from heliograph.types import PageKey, Query, RoundRecord

_UNIT = re.compile(r'"([^"]*)"|(\w+(?:[\'’.\-]\w+)*)')


@dataclass(frozen=True, slots=True)
class RoundMemory:
    """The rounds so far, in their order."""

    rounds: tuple[RoundRecord, ...] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """Every query in the words it was asked in, the first asked first."""
        return tuple(dict.fromkeys(query for record in self.rounds for query in record.queries))

    @property
    def read_documents(self) -> tuple[PageKey, ...]:
        """Every page that was read, once, the first read first."""
        return tuple(dict.fromkeys(key for record in self.rounds for key in record.documents))

    @property
    def missing(self) -> tuple[str, ...]:
        """What the last reflection found missing."""
        return self.rounds[-1].verdict.missing if self.rounds else ()

    def recall(self, question: str) -> tuple[RoundRecord, ...]:  # noqa: ARG002 - past questions come later
        """Return the rounds of this run."""
        return self.rounds

    def after(self, record: RoundRecord) -> "RoundMemory":
        """Return the memory with one round more."""
        return RoundMemory((*self.rounds, record))


def is_repeated(query: Query, memory: RoundMemory) -> bool:
    """Say whether an engine would take this query for one that was already asked."""
    return same_words(query.text) in {same_words(asked) for asked in memory.asked}


def unasked(queries: Iterable[Query], memory: RoundMemory) -> tuple[Query, ...]:
    """Return the queries that are new, each once, in their order."""
    known = {same_words(asked) for asked in memory.asked}
    fresh: dict[tuple[str, ...], Query] = {}
    for query in queries:
        fresh.setdefault(same_words(query.text), query)
    return tuple(query for words, query in fresh.items() if words not in known)


def same_words(text: str) -> tuple[str, ...]:
    """Reduce a query to what a search engine with AND semantics sees.

    Case, width, spaces, punctuation, repetition and word order do not matter; inside quotation marks order does.
    """
    plain = unicodedata.normalize("NFKC", text).casefold().replace("“", '"').replace("”", '"')
    units = set()
    for phrase, word in _UNIT.findall(plain):
        words = re.findall(r"\w+", phrase)
        units.add(f'"{" ".join(words)}"' if len(words) > 1 else "".join(words) or word)
    return tuple(sorted(units - {""}))
