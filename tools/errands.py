"""Blocking calls of libraries, in threads of a queue of their own, so that nobody who gives up has to wait for them."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import TypeVar

T = TypeVar("T")


class Errand:
    """One blocking call: whether somebody still waits for it, and how to interrupt what it does just now."""

    def __init__(self) -> None:
        self._dropped = threading.Event()
        self.interrupt: Callable[[], None] = _nothing

    @property
    def dropped(self) -> bool:
        """Whether nobody waits any more: the call should end soon and start nothing new."""
        return self._dropped.is_set()

    def drop(self) -> None:
        """Say that nobody waits any more."""
        self._dropped.set()
        self.interrupt()

    def sleep(self, seconds: float) -> None:
        """Sleep, or wake up when the errand is dropped."""
        self._dropped.wait(seconds)


class Errands:
    """A queue of blocking calls, at most `at_once` of them side by side; those that wait are not begun if dropped."""

    def __init__(self, at_once: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix=name)

    async def run(self, call: Callable[[], T]) -> T:
        """Run a call in a thread, in its caller's context.

        A cancelled caller returns at once, and the call is interrupted.
        """
        errand = Errand()
        running = asyncio.get_running_loop().run_in_executor(
            self._threads, copy_context().run, _in_errand, errand, call
        )
        try:
            return await running
        except asyncio.CancelledError:
            errand.drop()
            raise

    def close(self) -> None:
        """Begin nothing more, and wait for nothing."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def current_errand() -> Errand:
    """Return the errand of this thread; outside of one there is nobody to drop it."""
    return _CURRENT.get(None) or Errand()


_CURRENT: ContextVar[Errand | None] = ContextVar("errand", default=None)


def _in_errand(errand: Errand, call: Callable[[], T]) -> T:
    token = _CURRENT.set(errand)
    try:
        return call()
    finally:
        _CURRENT.reset(token)


def _nothing() -> None:
    """Interrupt nothing."""
