import asyncio
from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.extractive.queries import ExtractiveQueryRewriter, quoted
from heliograph.errors import SearchUnavailable
from heliograph.types import (
    Evidence,
    EvidenceId,
    Hit,
    Link,
    Place,
    Query,
    RoundRecord,
    SearchResult,
    TextEvidence,
    Verdict,
)
from indexers.parser import page_key

TOTALS = {"skater": 40, "ranked": 300, "country": 9000, "densely": 30, "populated": 600, "world": 20000, "22nd": 20}
QUESTION = "What rank did the skater from the 22nd most densely populated country in the world achieve ?"


class Totals:
    """An engine that knows only how many pages hold a word."""

    most_queries: int | None = None
    takes_questions = False

    name = "totals"

    def __init__(self, totals: Mapping[str, int]) -> None:
        self.totals = totals

    async def search(self, query: Query, limit: int) -> SearchResult:
        total = self.totals.get(query.text, 0)
        return SearchResult(query, (Hit("Page", 1),) if total else (), total)


class Everywhere(Totals):
    """An engine that has pages for every word."""

    most_queries: int | None = None
    takes_questions = False

    def __init__(self) -> None:
        super().__init__({})

    async def search(self, query: Query, limit: int) -> SearchResult:
        return SearchResult(query, (Hit("Page", 1),), len(query.text))


class Closed(Totals):
    most_queries: int | None = None
    takes_questions = False

    async def search(self, query: Query, limit: int) -> SearchResult:
        raise SearchUnavailable("gone")


def piece(title: str, text: str, number: int = 1) -> TextEvidence:
    page = page_key("w", title, "1")
    return TextEvidence(EvidenceId(f"{page}#s0/p{number}"), Place(page, title, "s0"), "paragraph", text)


def record(queries: tuple[str, ...], *pieces: TextEvidence, leads: tuple[str, ...] = ()) -> RoundRecord:
    documents = tuple(dict.fromkeys(each.place.page for each in pieces))
    return RoundRecord(1, queries, documents, tuple(each.id for each in pieces), Verdict(False, leads=leads))


def rewriter(engine: Totals, *pieces: Evidence) -> ExtractiveQueryRewriter:
    return ExtractiveQueryRewriter([engine], {each.id: each for each in pieces}.__getitem__)


async def test_the_first_round_asks_neighbours_then_pairs_of_rare_words_then_single_words() -> None:
    queries = await rewriter(Totals(TOTALS)).rewrite(QUESTION, ())

    neighbours = ["skater 22nd", "22nd densely", "densely populated", "populated country", "country world"]
    pairs = [
        "22nd populated",
        "22nd country",
        "densely skater",
        "densely country",
        "skater populated",
        "skater country",
    ]
    singles = ["22nd", "densely", "skater", "populated", "country", "world"]
    assert [query.text for query in queries] == [*neighbours, *pairs, *singles]


async def test_names_and_quotations_are_asked_as_phrases() -> None:
    totals = dict.fromkeys(("lewis", "vulliamy", "church", "early", "gothic", "revival", "take", "tonight"), 5)
    queries = await rewriter(Totals(totals)).rewrite('church by Lewis Vulliamy in "take me tonight" ?', ())

    assert [query.text for query in queries][:2] == ['"take me tonight"', '"Lewis Vulliamy"']


async def test_the_second_round_asks_the_leads_then_what_may_mention_the_pages_read() -> None:
    dance = piece("Foxtrot (dance)", "The foxtrot is a smooth dance.")
    more = piece("Foxtrot (dance)", "It is danced by skaters.", 2)
    first = record(("smooth dance",), dance, more, leads=("Slow Fox",))
    totals = {"smooth": 5, "dance": 900, "dancer": 800, "best": 9000}
    queries = await rewriter(Totals(totals), dance, more).rewrite("best dancer of the smooth dance ?", (first,))

    assert [query.text for query in queries] == ['"Slow Fox"', '"Foxtrot"', '"Foxtrot" dancer']


async def test_a_later_round_asks_for_unread_pages_that_the_evidence_links_to() -> None:
    read = piece("Slow Fox", "Slow fox is slow.")
    links = tuple(Link(title, title) for title in ("Slow Fox", "Quickstep", "Waltz"))
    dance = replace(piece("Foxtrot", "The foxtrot is a smooth dance."), links=links)
    memory = (record(("slow",), read), record(("smooth",), dance, leads=("Waltz",)))
    queries = await rewriter(Totals({"smooth": 5, "dance": 9}), dance).rewrite("smooth dance ?", memory)

    assert [query.text for query in queries] == ['"Waltz"', '"Quickstep"', '"Foxtrot"']


async def test_the_word_beside_a_title_is_the_rarest_that_has_not_named_all_its_pages_by_itself() -> None:
    dance = piece("Foxtrot", "The foxtrot is a smooth dance.")
    totals = {"alfat": 3, "dancer": 101, "best": 9000}
    queries = await rewriter(Totals(totals), dance).rewrite("best dancer Alfat ?", (record(("best",), dance),))

    assert [query.text for query in queries] == ['"Foxtrot"', '"Foxtrot" dancer']


async def test_many_linked_pages_leave_a_share_to_what_may_mention_the_pages_read() -> None:
    links = tuple(Link("", f"Dance {number}") for number in range(1, 12))
    dance = replace(piece("Foxtrot", "The foxtrot is a smooth dance."), links=links)
    first = record(("smooth",), dance)
    queries = await rewriter(Totals({"smooth": 5, "dancer": 9}), dance).rewrite("smooth dancer ?", (first,))

    linked = [f'"Dance {number}"' for number in range(1, 12)]
    assert [query.text for query in queries] == [*linked[:9], '"Foxtrot"', '"Foxtrot" dancer', *linked[9:]]


async def test_no_query_is_asked_again_in_whatever_order_or_case() -> None:
    dance = piece("Big Band", "A big band plays jazz.")
    asked = record(("band BIG", "jazz"), dance)

    assert await rewriter(Totals({"jazz": 3}), dance).rewrite("jazz ?", (asked,)) == ()


async def test_only_the_last_round_leads_on() -> None:
    old, new = piece("Old", "old jazz"), piece("New", "new jazz")
    memory = (record(("jazz",), old), record(('"Old"',), new))
    queries = await rewriter(Totals({"jazz": 3}), old, new).rewrite("jazz ?", memory)

    assert queries == (Query('"New"'),)


async def test_a_round_that_found_nothing_leads_nowhere() -> None:
    assert await rewriter(Totals({"jazz": 3})).rewrite("jazz ?", (record(("jazz",)),)) == ()


async def test_words_that_no_page_has_are_asked_once_all_together() -> None:
    unknown = rewriter(Totals({}))

    assert await unknown.rewrite("xyzzy plugh ?", ()) == (Query("xyzzy plugh"),)
    assert await unknown.rewrite("xyzzy plugh ?", (record(("xyzzy plugh",)),)) == ()


async def test_unavailable_sources_leave_the_words_to_be_asked_so_that_the_round_reports_them() -> None:
    assert await rewriter(Closed({})).rewrite("big band ?", ()) == (Query("big band"),)


async def test_a_question_of_stop_words_is_asked_by_them() -> None:
    assert await rewriter(Totals({"who": 7, "is": 9})).rewrite("Who is it ?", ()) == tuple(
        map(Query, ("who is", "who", "is"))
    )


async def test_a_question_without_words_asks_nothing() -> None:
    assert await rewriter(Totals({})).rewrite("?!", ()) == ()


async def test_a_long_question_asks_a_bounded_number_of_queries() -> None:
    queries = await rewriter(Everywhere()).rewrite(" ".join(f"word{number}" for number in range(500)), ())

    assert len(queries) <= 40


def test_a_phrase_with_quotation_marks_is_quoted_once() -> None:
    assert quoted('"Weird Al" Yankovic') == '"Weird Al Yankovic"'


@settings(deadline=None)
@given(st.text(), st.lists(st.text(min_size=1), max_size=3))
def test_any_question_gets_distinct_new_queries_and_the_same_ones_each_time(question: str, asked: list[str]) -> None:
    memory = (record(tuple(asked), piece("Page", "text")),) if asked else ()
    ask = rewriter(Everywhere(), piece("Page", "text")).rewrite
    queries = asyncio.run(ask(question, memory))

    words = [query.words for query in queries]
    assert queries == asyncio.run(ask(question, memory))
    assert len(words) == len(set(words)) and all(words)
    assert not set(words) & {Query(text).words for text in asked}
