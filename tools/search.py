"""A round of searching: many short queries at once, loosened when nothing is found, fused by reciprocal rank."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heliograph.errors import RateLimited, SearchUnavailable
from heliograph.protocols import DocumentSearch
from heliograph.types import Hit, Query, Scored, SearchResult, SourceReport

DEPTH = 100
"""Hits asked of each query: a page that several deep lists name beats one at the top of a single list."""
RANK_CONSTANT = 60
"""Cormack, Clarke and Büttcher (2009): how little the first ranks differ."""


_Meaning = tuple[bool, tuple[str, ...]]
"""What a query asks: whether a phrase, and its words."""


@dataclass(frozen=True, slots=True)
class RoundSearch:
    """What one round found: its results in the order of the queries, the queries that were loosened, the sources."""

    results: tuple[SearchResult, ...]
    relaxed: tuple[Query, ...]
    reports: tuple[SourceReport, ...]


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One query and what each source made of it, in the order of the sources: a result, or why there is none.

    None stands for a source that was not asked, to spare it.
    """

    query: Query
    outcomes: tuple[SearchResult | SourceReport | None, ...]

    @property
    def results(self) -> tuple[SearchResult, ...]:
        return tuple(outcome for outcome in self.outcomes if isinstance(outcome, SearchResult) and outcome.hits)


class RememberedSearch:
    """A source that is asked each query once in its lifetime, which is one run."""

    def __init__(self, search: DocumentSearch) -> None:
        self.name = search.name
        self.most_queries = search.most_queries
        self.takes_questions = search.takes_questions
        self._search = search
        self._results: dict[tuple[Query, int], SearchResult] = {}

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Return the engine's result, or what it said before."""
        if (query, limit) not in self._results:
            self._results[query, limit] = await self._search.search(query, limit)
        return self._results[query, limit]


async def search_round(
    queries: Sequence[Query],
    sources: Sequence[DocumentSearch],
    fallback: Sequence[DocumentSearch] = (),
    limit: int = DEPTH,
    questions: Sequence[Query] = (),
) -> RoundSearch:
    """Ask every source every query, and those that take questions each of the `questions` before them.

    Where no query finds anything in any source, all are loosened step by step; what is found by questions does not
    count for the sources that take none. A source that is unavailable is reported, and the others serve; where none is
    available the fallback serves.
    """
    found = await _search(queries, sources, limit, questions)
    if not fallback or any(report.status in ("ok", "empty") for report in found.reports):
        return found
    instead = await _search(queries, fallback, limit, questions)
    return replace(instead, reports=(*found.reports, *instead.reports))


async def search_further(
    queries: Sequence[Query], sources: Sequence[DocumentSearch], before: RoundSearch, asked: int, limit: int = DEPTH
) -> RoundSearch:
    """Ask every source further queries of a round that has `asked` so many, and return what all of them found.

    Nothing is loosened: the queries before have found what they could.
    """
    tried = await _ask_all(_distinct(queries, set()), sources, limit, asked)
    results = tuple(result for attempt in tried for result in attempt.results)
    reports = (*before.reports, *_reports(tried, sources))
    return replace(before, results=(*before.results, *results), reports=reports)


async def _search(
    queries: Sequence[Query], sources: Sequence[DocumentSearch], limit: int, questions: Sequence[Query]
) -> RoundSearch:
    """Search the sources that take questions, and the others; each kind loosens its own queries."""
    asked, others = await asyncio.gather(
        _search_alike((*questions, *queries), [each for each in sources if each.takes_questions], limit),
        _search_alike(queries, [each for each in sources if not each.takes_questions], limit),
    )
    reports = {True: iter(asked.reports), False: iter(others.reports)}
    return RoundSearch(
        (*asked.results, *others.results),
        tuple(dict.fromkeys((*asked.relaxed, *others.relaxed))),
        tuple(next(reports[each.takes_questions]) for each in sources),
    )


async def _search_alike(queries: Sequence[Query], sources: Sequence[DocumentSearch], limit: int) -> RoundSearch:
    if not sources:
        return RoundSearch((), (), ())
    asked: set[_Meaning] = set()
    attempts: list[_Attempt] = []
    results: tuple[SearchResult, ...] = ()
    pending = _distinct(queries, asked)
    while pending and not results:
        tried = await _ask_all(pending, sources, limit, len(attempts))
        attempts += tried
        results = tuple(result for attempt in tried for result in attempt.results)
        looser = [] if results else [await _loosened(attempt.query, sources, limit) for attempt in tried]
        pending = _distinct([query for query in looser if query], asked)
    given = frozenset(queries)
    relaxed = tuple(attempt.query for attempt in attempts if attempt.query not in given)
    return RoundSearch(results, relaxed, _reports(attempts, sources))


async def word_totals(words: Sequence[str], sources: Sequence[DocumentSearch], limit: int = DEPTH) -> Mapping[str, int]:
    """Return how many pages hold each word, by the engines' own estimate; an unavailable source counts none.

    Engines that are to be spared are not asked; where there are no others nothing is known of any word.
    """
    attempts = await _ask_about(words, sources, limit)
    return {attempt.query.text: sum(result.total for result in attempt.results) for attempt in attempts}


async def misspelt(words: Sequence[str], sources: Sequence[DocumentSearch], limit: int = DEPTH) -> Mapping[str, str]:
    """Return the words that no engine knows, each with the one that the engines propose in its place.

    Words that any engine knows, on which engines disagree, or that an engine which is down may know, are left out.
    Engines that are to be spared are not asked.
    """
    attempts = await _ask_about(words, sources, limit)
    found: dict[str, str] = {}
    for attempt in attempts:
        results = [outcome for outcome in attempt.outcomes if isinstance(outcome, SearchResult)]
        if len(results) < len(attempt.outcomes):
            continue
        proposed = {result.instead for result in results if result.instead}
        if len(proposed) == 1 and not any(result.hits and not result.instead for result in results):
            found[attempt.query.text] = proposed.pop()
    return found


def fuse(results: Sequence[SearchResult]) -> tuple[Scored[Hit], ...]:
    """Rank pages by reciprocal rank, each list weighed by its query's rarity: few matches say much about a page.

    A query is rare beside the one that finds most: a fixed size of the engine makes all queries of a small archive as
    rare as each other. The score is the share of the best page's, so that it lies in (0, 1]; ranks count from 1.
    """
    scores: dict[tuple[str, str], float] = {}
    most = max((result.total for result in results), default=0)
    for result in results:
        weight = math.log1p(most / (result.total + 0.5))
        for hit in result.hits:
            page = (hit.wiki, hit.title)
            scores[page] = scores.get(page, 0.0) + weight / (RANK_CONSTANT + hit.rank)
    ranked = sorted(scores, key=lambda page: (-scores[page], page))
    return tuple(
        Scored(Hit(title, rank, wiki), scores[wiki, title] / scores[ranked[0]])
        for rank, (wiki, title) in enumerate(ranked, start=1)
    )


async def _ask_about(words: Sequence[str], sources: Sequence[DocumentSearch], limit: int) -> tuple[_Attempt, ...]:
    """Ask for each word by itself, of the sources that need not be spared."""
    counting = [source for source in sources if source.most_queries is None]
    return await _ask_all([Query(word) for word in words], counting, limit) if counting else ()


async def _ask_all(
    queries: Sequence[Query], sources: Sequence[DocumentSearch], limit: int, asked: int = 0
) -> tuple[_Attempt, ...]:
    """Ask every source; one that is to be spared gets the first queries of the round, of which `asked` were before."""
    return tuple(
        await asyncio.gather(*(_ask(query, sources, limit, place) for place, query in enumerate(queries, start=asked)))
    )


async def _ask(query: Query, sources: Sequence[DocumentSearch], limit: int, place: int) -> _Attempt:
    return _Attempt(query, tuple(await asyncio.gather(*(_ask_one(query, source, limit, place) for source in sources))))


async def _ask_one(query: Query, source: DocumentSearch, limit: int, place: int) -> SearchResult | SourceReport | None:
    if source.most_queries is not None and place >= source.most_queries:
        return None
    try:
        return await source.search(query, limit)
    except RateLimited as err:
        return SourceReport(source.name, "rate_limited", str(err))
    except SearchUnavailable as err:
        return SourceReport(source.name, "failed", str(err))


async def _loosened(query: Query, sources: Sequence[DocumentSearch], limit: int) -> Query | None:
    """Return the query unquoted; else without the words that no page has; else without its most common word."""
    if '"' in query.text:
        return Query(" ".join(query.text.replace('"', " ").split()))
    words = tuple(dict.fromkeys(query.text.split()))
    if len(words) < 2:
        return None
    totals = await word_totals(words, sources, limit)
    if not totals:
        return None
    known = [word for word in words if totals[word]]
    if len(known) == len(words):
        known.remove(max(reversed(known), key=totals.__getitem__))
    return Query(" ".join(known)) if known else None


def _distinct(queries: Sequence[Query], asked: set[_Meaning]) -> list[Query]:
    """Return the queries that are asked for the first time, and count them as asked."""
    fresh: list[Query] = []
    for query in queries:
        meaning = ('"' in query.text, query.words)
        if meaning not in asked:
            asked.add(meaning)
            fresh.append(query)
    return fresh


def _reports(attempts: Sequence[_Attempt], sources: Sequence[DocumentSearch]) -> tuple[SourceReport, ...]:
    return tuple(
        _report(source.name, [attempt.outcomes[place] for attempt in attempts]) for place, source in enumerate(sources)
    )


def _report(name: str, outcomes: Sequence[SearchResult | SourceReport | None]) -> SourceReport:
    """Say how a source served a round: it has failed where a query of it did and no other brought anything."""
    failures = [outcome for outcome in outcomes if isinstance(outcome, SourceReport)]
    found = any(isinstance(outcome, SearchResult) and outcome.hits for outcome in outcomes)
    if failures and not found:
        return failures[0]
    spared = sum(outcome is None for outcome in outcomes)
    details = [f"{len(failures)} of {len(outcomes)} queries failed: {failures[0].detail}"] if failures else []
    if spared:
        details.append(f"{len(outcomes) - spared} of {len(outcomes)} queries were sent, to spare it")
    return SourceReport(name, "ok" if found else "empty", "; ".join(details))
