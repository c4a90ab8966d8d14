"""Episodic memory of one run: what its rounds asked (OMG-QA, section 3). It steers queries and is never evidence."""

from collections.abc import Iterable, Sequence

from heliograph.types import Query, RoundRecord


def unasked(queries: Iterable[Query], rounds: Sequence[RoundRecord]) -> tuple[Query, ...]:
    """Return the queries that no round has asked in whatever order of words, each once, in their order."""
    asked = {Query(text).words for record in rounds for text in record.queries}
    new: dict[tuple[str, ...], Query] = {}
    for query in queries:
        if query.words and query.words not in asked:
            new.setdefault(query.words, query)
    return tuple(new.values())
