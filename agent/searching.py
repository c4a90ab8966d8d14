"""The searches of one round: what was all read is not asked for again while there is something else to ask."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.extractive.queries import quoted
from agent.services import Services
from agent.state import State
from heliograph.types import Query, SearchResult
from tools.search import RoundSearch, search_further, search_round

ASKED = 15
"""Queries of a later round that are sent at first; more candidates are spare ones."""
NAMED_NEXT = 4
"""Pages that are read first beside one whose table answers a query: on its paths, as its source names them."""


@dataclass(frozen=True, slots=True)
class RoundQueries:
    """The queries that a round asks, and those that take the place of what leads to no unread page."""

    asked: tuple[Query, ...]
    spare: tuple[Query, ...] = ()


async def search_for_unread(
    queries: Sequence[Query], spare: Sequence[Query], questions: Sequence[Query], services: Services
) -> tuple[tuple[Query, ...], RoundSearch]:
    """Search, and replace each query whose results were all read by the next spare one, until none is left.

    The questions go to the searches that take some, and are replaced like queries.

    Returns:
        All queries that were sent, and what all of them found.
    """
    asked = questions if any(each.takes_questions for each in (*services.searches, *services.fallback)) else ()
    sent, waiting = tuple(dict.fromkeys((*asked, *queries))), list(spare)
    found = await search_round(queries, services.searches, services.fallback, questions=asked)
    lacking, place = _fruitless(sent, found.results, services), len(queries)
    while lacking and waiting:
        replacing, waiting = tuple(waiting[: len(lacking)]), waiting[len(lacking) :]
        found = await search_further(replacing, services.searches, found, place)
        sent, place = (*sent, *replacing), place + len(replacing)
        lacking = _fruitless(replacing, found.results, services)
    return sent, found


def named_pages(state: State, services: Services) -> tuple[tuple[str, str], ...]:
    """Return the unread pages whose whole title a query of this round has in quotation marks, in the queries' order."""
    named: dict[Query, list[tuple[str, str]]] = {query: [] for query in state["queries"]}
    for result in state.get("results", ()):
        if result.query in named:
            named[result.query] += [hit.page for hit in result.hits if quoted(hit.title) == result.query.text]
    pages = dict.fromkeys(page for pages in named.values() for page in pages)
    return tuple(page for page in pages if page not in services.library.asked)


def answering_pages(results: Sequence[SearchResult], services: Services) -> tuple[tuple[str, str], ...]:
    """Return the unread pages whose tables answer a query, the likeliest first, each with those named next."""
    ordered = [sorted(result.hits, key=lambda hit: -hit.answers) for result in results if result.hits]
    answering = sorted((hits for hits in ordered if hits[0].answers), key=lambda hits: -hits[0].answers)
    pages = dict.fromkeys(hit.page for hits in answering for hit in hits[: NAMED_NEXT + 1])
    return tuple(page for page in pages if page not in services.library.asked)


def _fruitless(queries: Iterable[Query], results: Sequence[SearchResult], services: Services) -> tuple[Query, ...]:
    """Return the queries none of whose results is a page that nobody has read."""
    fruitful = {
        result.query for result in results if any(hit.page not in services.library.asked for hit in result.hits)
    }
    return tuple(query for query in queries if query not in fruitful)
