"""Calls of MCP tools take turns: no more at work than may, none is lost, the one too many is refused."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import ServerFull
from web.mcp.turns import Turns


async def test_who_waits_is_told_for_how_many_and_comes_in_order() -> None:
    turns, gate, order = Turns(1, 3), asyncio.Event(), list[str]()
    told: dict[str, list[str]] = {name: [] for name in "abc"}

    async def call(name: str) -> None:
        async with turns.turn(told[name].append):
            order.append(name)
            await gate.wait()

    calls = [asyncio.create_task(call(name)) for name in "abc"]
    await asyncio.sleep(0)
    with pytest.raises(ServerFull, match="3 calls run or wait, 1 at a time"):
        async with turns.turn(print):
            pass
    assert told == {
        "a": [],
        "b": ["waiting: 1 call has to end first"],
        "c": ["waiting: 2 calls have to end first"],
    }
    gate.set()
    await asyncio.gather(*calls)
    assert order == ["a", "b", "c"]


@given(
    running=st.integers(1, 4),
    places=st.integers(1, 8),
    fates=st.lists(st.sampled_from(["ends", "fails", "is cancelled"]), max_size=12),
)
def test_whatever_becomes_of_calls_all_places_are_free_in_the_end(running: int, places: int, fates: list[str]) -> None:
    async def scene() -> None:
        turns, at_work, most = Turns(running, places), 0, 0

        async def call(fate: str) -> None:
            nonlocal at_work, most
            async with turns.turn(lambda _: None):
                at_work += 1
                most = max(most, at_work)
                try:
                    await asyncio.sleep(0)
                    if fate == "fails":
                        raise ValueError(fate)
                finally:
                    at_work -= 1

        calls = [asyncio.create_task(call(fate)) for fate in fates]
        await asyncio.sleep(0)
        for fate, each in zip(fates, calls, strict=True):
            if fate == "is cancelled":
                each.cancel()
        ended = await asyncio.gather(*calls, return_exceptions=True)
        assert [isinstance(each, ServerFull) for each in ended] == [number >= places for number in range(len(fates))]
        assert most <= running
        again = [asyncio.create_task(call("ends")) for _ in range(places)]
        assert await asyncio.gather(*again) == [None] * places

    asyncio.run(scene())
