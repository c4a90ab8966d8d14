"""State goes through a checkpoint unchanged, and nothing but our nouns comes out of one."""

import asyncio
import threading
from dataclasses import dataclass, fields, is_dataclass
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from agent.asking import ask
from agent.checkpoints import FILE, NOUNS, StateSerializer, checkpoints
from heliograph.errors import StoreDamaged
from heliograph.types import Answer, Observation, RoundRecord, SearchResult, Verdict
from tests.agent.test_graph import FOUND, GREEK
from tests.fakes import FakeReflector, make_services

ENOUGH = Verdict(True)


def fits(value: Any) -> bool:
    """Tell whether every integer has 64 bits, which is what msgpack has room for, and every number equals itself."""
    if is_dataclass(value):
        return all(fits(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, tuple):
        return all(map(fits, value))
    if isinstance(value, float):
        return not isnan(value)
    return not isinstance(value, int) or abs(value) < 2**63


NOUN = st.one_of(*map(st.from_type, (Observation, RoundRecord, SearchResult, Verdict, Answer)))


@given(NOUN.filter(fits))
@settings(max_examples=60)
def test_a_noun_comes_back_as_it_went_in(noun: Any) -> None:
    serializer = StateSerializer()
    assert serializer.loads_typed(serializer.dumps_typed((noun, (noun,)))) == (noun, (noun,))
    state = {"v": 4, "channel_values": {"rounds": (noun,)}, "updated_channels": ["rounds"]}
    assert serializer.loads_typed(serializer.dumps_typed(state)) == state


@given(NOUN.filter(fits))
@settings(max_examples=30)
def test_the_bytes_are_those_that_langgraph_writes(noun: Any) -> None:
    value = {"rounds": (noun,), "none": None}
    assert StateSerializer().dumps_typed(value) == JsonPlusSerializer().dumps_typed(value)


@dataclass(frozen=True)
class Intruder:
    """Something that no state holds."""

    command: str


def test_what_is_no_noun_does_not_come_back_as_an_object() -> None:
    serializer = StateSerializer()
    assert Intruder not in NOUNS
    assert not isinstance(serializer.loads_typed(serializer.dumps_typed(Intruder("rm"))), Intruder)


async def test_a_run_whose_every_step_was_completed_is_only_read(tmp_path: Path) -> None:
    services = make_services(GREEK, FOUND, reflector=FakeReflector([ENOUGH]))
    answer = await ask("Which letter?", services, tmp_path)
    silent = make_services((), {}, recorder=services.recorder)
    assert await ask("Which letter?", silent, tmp_path) == answer


async def test_checkpoints_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 300)
    with pytest.raises(StoreDamaged, match=r"checkpoints.sqlite cannot be read"):
        await ask("Which letter?", make_services(GREEK, FOUND), tmp_path)


@pytest.mark.parametrize("steps", range(12))
def test_a_run_that_is_stopped_while_it_opens_them_leaves_no_thread(tmp_path: Path, steps: int) -> None:
    async def opened() -> None:
        async with checkpoints(tmp_path):
            await asyncio.sleep(60)

    async def stopped_early() -> None:
        opening = asyncio.ensure_future(opened())
        for _ in range(steps):
            await asyncio.sleep(0)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    before = set(threading.enumerate())
    asyncio.run(stopped_early())
    assert set(threading.enumerate()) <= before
