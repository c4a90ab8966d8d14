"""A round of searching: many short queries at once, loosened where they find nothing, fused by reciprocal rank."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heliograph.errors import SearchUnavailable
from heliograph.protocols import DocumentSearch
from heliograph.types import Hit, Query, Scored, SearchResult, SourceReport

DEPTH = 100
"""Hits asked of each query: a page that several deep lists name beats one at the top of a single list."""
RANK_CONSTANT = 60
"""Cormack, Clarke and Büttcher (2009): how little the first ranks differ."""
PAGES = 1_000_000
"""Pages that an engine is taken to hold where a query's rarity is weighed; 20,000 and 10 million rank alike."""


@dataclass(frozen=True, slots=True)
class RoundSearch:
    """What one round found: its results in the order of the queries, the queries that were loosened, the sources."""

    results: tuple[SearchResult, ...]
    relaxed: tuple[Query, ...]
    reports: tuple[SourceReport, ...]


@dataclass(frozen=True, slots=True)
class _Attempt:
    query: Query
    results: tuple[SearchResult, ...]
    failures: Mapping[str, str]

    @property
    def found(self) -> bool:
        return any(result.hits for result in self.results)


class RememberedSearch:
    """A source that is asked each query once in its lifetime, which is one run."""

    def __init__(self, search: DocumentSearch) -> None:
        self.name = search.name
        self._search = search
        self._results: dict[tuple[Query, int], SearchResult] = {}

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Return the engine's result, or what it said before."""
        if (query, limit) not in self._results:
            self._results[query, limit] = await self._search.search(query, limit)
        return self._results[query, limit]


async def search_round(queries: Sequence[Query], sources: Sequence[DocumentSearch], limit: int = DEPTH) -> RoundSearch:
    """Ask every source every query; loosen step by step those that find nothing anywhere.

    A source that is unavailable is reported, and the others serve. A loosened query that is asked already ends its
    chain: what it finds is among the results.
    """
    attempts = list(await _ask_all(queries, sources, limit))
    asked = {query_words(attempt.query) for attempt in attempts}
    relaxed: list[Query] = []
    futile = [attempt.query for attempt in attempts if not attempt.found]
    while futile:
        looser = [await _loosened(query, sources, limit) for query in futile]
        fresh = _distinct([query for query in looser if query], asked)
        relaxed += fresh
        tried = await _ask_all(fresh, sources, limit)
        attempts += tried
        futile = [attempt.query for attempt in tried if not attempt.found]
    results = tuple(result for attempt in attempts for result in attempt.results if result.hits)
    return RoundSearch(results, tuple(relaxed), _reports(attempts, sources))


async def word_totals(words: Sequence[str], sources: Sequence[DocumentSearch], limit: int = DEPTH) -> Mapping[str, int]:
    """Return how many pages hold each word, by the engines' own estimate; an unavailable source counts none."""
    attempts = await _ask_all([Query(word) for word in words], sources, limit)
    return {attempt.query.text: sum(result.total for result in attempt.results) for attempt in attempts}


def fuse(results: Sequence[SearchResult]) -> tuple[Scored[Hit], ...]:
    """Rank pages by reciprocal rank, each list weighed by its query's rarity: few matches say much about a page.

    The score is the share of the best page's, so that it lies in (0, 1]; ranks count from 1 in the fused list.
    """
    scores: dict[tuple[str, str], float] = {}
    for result in results:
        weight = math.log1p(PAGES / (result.total + 0.5))
        for hit in result.hits:
            page = (hit.wiki, hit.title)
            scores[page] = scores.get(page, 0.0) + weight / (RANK_CONSTANT + hit.rank)
    ranked = sorted(scores, key=lambda page: (-scores[page], page))
    return tuple(
        Scored(Hit(title, rank, wiki), scores[wiki, title] / scores[ranked[0]])
        for rank, (wiki, title) in enumerate(ranked, start=1)
    )


def query_words(query: Query) -> tuple[str, ...]:
    """Return what the engine matches: two queries with the same words are one query, in whatever order."""
    return tuple(sorted(set(query.text.casefold().replace('"', " ").split())))


async def _ask_all(queries: Sequence[Query], sources: Sequence[DocumentSearch], limit: int) -> tuple[_Attempt, ...]:
    return tuple(await asyncio.gather(*(_ask(query, sources, limit) for query in queries)))


async def _ask(query: Query, sources: Sequence[DocumentSearch], limit: int) -> _Attempt:
    outcomes = await asyncio.gather(*(_ask_one(query, source, limit) for source in sources))
    named = zip(sources, outcomes, strict=True)
    return _Attempt(
        query,
        tuple(outcome for outcome in outcomes if isinstance(outcome, SearchResult)),
        {source.name: outcome for source, outcome in named if isinstance(outcome, str)},
    )


async def _ask_one(query: Query, source: DocumentSearch, limit: int) -> SearchResult | str:
    try:
        return await source.search(query, limit)
    except SearchUnavailable as err:
        return str(err)


async def _loosened(query: Query, sources: Sequence[DocumentSearch], limit: int) -> Query | None:
    """Return the query unquoted; else without the words that no page has; else without its most common word."""
    if '"' in query.text:
        return Query(" ".join(query.text.replace('"', " ").split()))
    words = tuple(dict.fromkeys(query.text.split()))
    if len(words) < 2:
        return None
    totals = await word_totals(words, sources, limit)
    known = [word for word in words if totals[word]]
    if len(known) == len(words):
        known.remove(max(known, key=totals.__getitem__))
    return Query(" ".join(known)) if known else None


def _distinct(queries: Sequence[Query], asked: set[tuple[str, ...]]) -> list[Query]:
    """Return the queries that are asked for the first time, and count them as asked."""
    fresh: list[Query] = []
    for query in queries:
        if query_words(query) not in asked:
            asked.add(query_words(query))
            fresh.append(query)
    return fresh


def _reports(attempts: Sequence[_Attempt], sources: Sequence[DocumentSearch]) -> tuple[SourceReport, ...]:
    failures = {name: detail for attempt in reversed(attempts) for name, detail in attempt.failures.items()}
    found = any(attempt.found for attempt in attempts)
    return tuple(
        SourceReport(source.name, "failed", failures[source.name])
        if source.name in failures
        else SourceReport(source.name, "ok" if found else "empty")
        for source in sources
    )
