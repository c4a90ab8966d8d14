"""Blocking calls that nobody has to wait for."""

import asyncio
import threading
import time

import pytest

from tools.errands import Errands, current_errand


async def test_no_more_errands_run_side_by_side_than_allowed() -> None:
    errands, running, most = Errands(2, "test"), 0, 0
    lock = threading.Lock()

    def call(number: int) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1
        return number

    got = await asyncio.gather(*(errands.run(lambda number=number: call(number)) for number in range(6)))
    assert (got, most) == ([0, 1, 2, 3, 4, 5], 2)


async def test_who_is_cancelled_returns_at_once_and_the_call_wakes_up() -> None:
    errands, ended = Errands(1, "test"), threading.Event()

    def call() -> None:
        current_errand().sleep(60)
        if current_errand().dropped:
            ended.set()

    task = asyncio.create_task(errands.run(call))
    await asyncio.sleep(0.05)
    began = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(ended.wait, 20)
    assert time.monotonic() - began < 20


async def test_what_was_cancelled_in_the_queue_is_never_begun() -> None:
    errands, begun = Errands(1, "test"), []
    first = asyncio.create_task(errands.run(lambda: time.sleep(0.1)))
    second = asyncio.create_task(errands.run(lambda: begun.append(1)))
    await asyncio.sleep(0.02)
    second.cancel()
    await first
    await errands.run(lambda: None)
    assert begun == []


async def test_an_error_of_the_call_is_the_callers() -> None:
    def call() -> None:
        raise ValueError("of the call")

    with pytest.raises(ValueError, match="of the call"):
        await Errands(1, "test").run(call)
