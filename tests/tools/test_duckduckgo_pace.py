"""DuckDuckGo is asked seldom and once at a time, left alone after a refusal, and never waited for past a deadline."""

import asyncio
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from heliograph.errors import RateLimited, SearchUnavailable, SourceBlocked
from heliograph.protocols import DocumentSearch
from heliograph.types import Query
from tests.servers import duckduckgo as ddg
from tests.servers.duckduckgo import Behaviour, DuckDuckGoServer
from tools.duckduckgo import DuckDuckGo, Pace
from tools.search import search_round

HOST = "en.wikipedia.org"
LIGHTS = ["Skerry Head Light", "Holm Light", "Torvik"]
MANY = [f"Island {number}" for number in range(1, 41)]
KNOWN = {"lights": LIGHTS, "islands": MANY, "varn lights": LIGHTS[::-1]}


@pytest.fixture
def server() -> Iterator[DuckDuckGoServer]:
    with DuckDuckGoServer(KNOWN) as running:
        yield running


class Hands:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


def engine(server: DuckDuckGoServer, pace: Pace | None = None, **given: Any) -> DuckDuckGo:
    return DuckDuckGo(HOST, server.url, pace=pace or Pace(gap=0.0), **given)


def at(hands: Hands, **given: Any) -> Pace:
    return Pace(clock=hands.now, sleep=hands.sleep, **given)


async def titles(search: DocumentSearch, text: str = "lights", limit: int = 100) -> list[str]:
    return [hit.title for hit in (await search.search(Query(text), limit)).hits]


async def refused(search: DocumentSearch, text: str = "lights") -> SearchUnavailable:
    with pytest.raises(SearchUnavailable) as caught:
        await search.search(Query(text), 10)
    return caught.value


@pytest.mark.parametrize("behaviour", [ddg.hang(), ddg.drip(0.05)])
async def test_a_server_that_never_ends_is_left_at_the_deadline(server: DuckDuckGoServer, behaviour: Behaviour) -> None:
    server.script(behaviour)
    started = time.monotonic()
    failure = await refused(engine(server, seconds=0.5))
    assert type(failure) is SearchUnavailable
    assert "duckduckgo: no answer" in str(failure)
    assert time.monotonic() - started < 2.0


async def test_waiting_behind_a_hanging_search_ends_at_the_deadline_too(server: DuckDuckGoServer) -> None:
    server.script(ddg.hang(), ddg.hang(), ddg.hang())
    search = engine(server, seconds=0.4)
    started = time.monotonic()
    failures = await asyncio.gather(refused(search), refused(search, "islands"), refused(search, "varn lights"))
    assert time.monotonic() - started < 2.0
    assert all(str(failure).startswith("duckduckgo: no") for failure in failures)


async def test_a_deadline_holds_while_another_search_hangs(server: DuckDuckGoServer) -> None:
    server.script(ddg.hang())
    pace = Pace(gap=0.0)
    slow = asyncio.create_task(refused(engine(server, pace, seconds=3.0)))
    await asyncio.sleep(0.1)
    assert "no answer within 0.2 s" in str(await refused(engine(server, pace, seconds=0.2)))
    assert not slow.done()
    await slow
    assert len(server.asked) == 1


async def test_after_a_hang_the_next_search_is_served(server: DuckDuckGoServer) -> None:
    server.script(ddg.hang())
    search = engine(server, seconds=0.3)
    await refused(search)
    assert await titles(search) == LIGHTS


async def test_requests_keep_their_distance_and_never_overlap(server: DuckDuckGoServer) -> None:
    search = engine(server, Pace(gap=0.15))
    await asyncio.gather(titles(search), titles(search, "islands"), titles(search, "varn lights"))
    times = [asked.at for asked in server.asked]
    assert [round(later - earlier, 2) >= 0.15 for earlier, later in pairwise(times)] == [True, True]


async def test_the_gap_is_a_second_and_a_half_from_the_end_of_the_request_before(server: DuckDuckGoServer) -> None:
    hands = Hands()
    search = engine(server, at(hands), pages=2)
    assert await titles(search, "islands") == MANY[:25]
    assert hands.slept == [1.5]
    hands.time += 0.5
    assert await titles(search, limit=3) == LIGHTS
    assert hands.slept == [1.5, 1.0]


async def test_two_wikis_share_one_pace(server: DuckDuckGoServer) -> None:
    hands = Hands()
    pace = at(hands)
    first, second = engine(server, pace), DuckDuckGo("de.wikipedia.org", server.url, pace=pace)
    await titles(first)
    assert await titles(second) == []
    assert hands.slept == [1.5]
    server.script(ddg.anomaly(202))
    await refused(first)
    assert isinstance(await refused(second), SourceBlocked)
    assert len(server.asked) == 3


async def test_a_turn_after_the_deadline_is_not_waited_for(server: DuckDuckGoServer) -> None:
    hands = Hands()
    search = engine(server, at(hands, gap=40.0))
    await titles(search)
    assert "its turn would come after the deadline" in str(await refused(search))
    assert hands.slept == []
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("behaviour", "kind", "rest"),
    [
        (ddg.anomaly(202), SourceBlocked, 300.0),
        (ddg.status(403), SourceBlocked, 300.0),
        (ddg.anomaly(200, retry_after="7"), SourceBlocked, 7.0),
        (ddg.status(429), RateLimited, 300.0),
        (ddg.status(429, retry_after="90"), RateLimited, 90.0),
    ],
)
async def test_after_a_refusal_duckduckgo_is_left_alone_and_every_search_says_so(
    server: DuckDuckGoServer, behaviour: Behaviour, kind: type[SearchUnavailable], rest: float
) -> None:
    hands = Hands()
    search = engine(server, at(hands))
    server.script(behaviour)
    first = await refused(search)
    hands.time += rest - 2.0
    again = await refused(search, "varn lights")
    assert (type(again), str(again)) == (kind, f"{first}; not asked again for 2 s")
    assert len(server.asked) == 1
    hands.time += 2.0
    assert await titles(search) == LIGHTS


async def test_searches_that_wait_while_a_refusal_comes_are_not_sent(server: DuckDuckGoServer) -> None:
    server.script(ddg.anomaly(202))
    search = engine(server)
    failures = await asyncio.gather(*(refused(search, text) for text in ("lights", "islands", "varn lights")))
    assert [type(failure) for failure in failures] == [SourceBlocked] * 3
    assert len(server.asked) == 1


async def test_a_failure_of_its_own_is_no_refusal(server: DuckDuckGoServer) -> None:
    server.script(ddg.status(500))
    search = engine(server)
    await refused(search)
    assert await titles(search) == LIGHTS


async def test_of_a_round_only_so_many_queries_are_sent_and_the_others_say_so(server: DuckDuckGoServer) -> None:
    search = engine(server, most_queries=2)
    found = await search_round([Query(text) for text in ("lights", "islands", "varn lights", "zxqv")], [search])
    assert [asked.words for asked in server.asked] == ["lights", "islands"]
    (report,) = found.reports
    assert report.detail == "2 of 4 queries were sent, to spare it"
    assert await titles(search) == LIGHTS


async def test_a_cancelled_search_gives_its_turn_back(server: DuckDuckGoServer) -> None:
    server.script(ddg.hang())
    search = engine(server, seconds=1.0)
    task = asyncio.create_task(titles(search))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await titles(search) == LIGHTS


def test_one_pace_serves_one_event_loop_after_another(server: DuckDuckGoServer) -> None:
    search = engine(server)

    async def both() -> list[list[str]]:
        return list(await asyncio.gather(titles(search), titles(search, "varn lights")))

    assert [asyncio.run(both()) for _ in range(2)] == [[LIGHTS, LIGHTS[::-1]]] * 2
