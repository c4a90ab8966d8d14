"""Any program replays to the same bytes, however its steps nest and its tasks take turns."""

import asyncio
import itertools
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.errors import PageUnavailable
from heliograph.protocols import Recorder
from memory.trace import ReplayRecorder, TraceRecorder, load_trace, ordered_bytes


class TickingClock:
    """A clock that is a quarter of a second later at each reading."""

    def __init__(self, start: float = 1000.0) -> None:
        self._readings = itertools.count()
        self._start = start

    def now(self) -> float:
        return self._start + next(self._readings) / 4


@dataclass(frozen=True)
class Act:
    """One act of a generated program."""

    does: str
    name: str
    inner: tuple["Act", ...] = ()


LEAVES = st.builds(Act, st.sampled_from(["effect", "fail", "now"]), st.sampled_from("abc"))
ACTS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        Act, st.sampled_from(["in turn", "at once"]), st.sampled_from("abc"), st.lists(inner, max_size=4).map(tuple)
    ),
    max_leaves=25,
)


async def perform(act: Act, recorder: Recorder, live: bool) -> object:
    async def call() -> str:
        assert live
        for _ in range(ord(act.name) % 3):
            await asyncio.sleep(0)
        if act.does == "fail":
            raise PageUnavailable(act.name)
        return act.name * 700

    match act.does:
        case "now":
            recorder.now()
        case "effect" | "fail":
            try:
                return await recorder.effect("TOOL", act.name, {"name": act.name}, str, call)
            except PageUnavailable as err:
                return repr(err)
        case _:
            async with recorder.span("CHAIN", act.name, act.does) as span:
                if act.does == "at once":
                    out = await asyncio.gather(*(perform(each, recorder, live) for each in act.inner))
                else:
                    out = [await perform(each, recorder, live) for each in act.inner]
                span.result(out)
                return out
    return None


@given(act=ACTS)
@settings(max_examples=80, deadline=None)
def test_any_program_of_nested_and_concurrent_steps_replays_to_the_same_bytes(
    act: Act, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("run")
    recorder = TraceRecorder(folder, "run-1", TickingClock())
    result = asyncio.run(perform(act, recorder, live=True))
    recorder.close()
    replayed = ReplayRecorder(folder)
    assert asyncio.run(perform(act, replayed, live=False)) == result
    assert ordered_bytes(replayed.events) == ordered_bytes(load_trace(folder))
