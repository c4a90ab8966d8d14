"""Questions run beside the prompt, on a loop and threads of their own, so that Ctrl-C always brings the prompt back."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE_SECONDS = 1.5
"""How long the prompt waits for an interrupted question to end; what does not is left behind."""


GLANCE_SECONDS = 0.1
"""How often a wait is broken off and begun again: a signal that another thread got breaks no wait by itself."""


class Interrupted(Exception):
    """The question that ran was given up."""


class _Threads(ThreadPoolExecutor):
    """Threads that know what they still do."""

    def __init__(self) -> None:
        super().__init__(thread_name_prefix="chat")
        self.at_work: set[Future[Any]] = set()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Begin a call and keep it until it has ended."""
        begun = super().submit(fn, *args, **kwargs)
        self.at_work.add(begun)
        begun.add_done_callback(self.at_work.discard)
        return begun


class Runner:
    """Run one question after the other in the background, each until it ends or is interrupted.

    The backends are not made for two questions at once: a question waits until what was left behind by an interrupted
    one has ended, and Ctrl-C ends that waiting too.
    """

    def __init__(self) -> None:
        self.interrupted = False
        self._loop = asyncio.new_event_loop()
        self._threads = _Threads()
        self._loop.set_default_executor(self._threads)
        self._over = threading.Event()
        self._over.set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="chat", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Tell whether an interrupted question still holds a thread."""
        return not self._over.is_set() or bool(self._threads.at_work)

    def run(self, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return what a question comes to.

        Raises:
            Interrupted: Ctrl-C; the question ends when the call that it is in returns.
        """
        try:
            self._wait_for_the_last()
        except KeyboardInterrupt as err:
            raise Interrupted from err
        self._over.clear()
        asked = asyncio.run_coroutine_threadsafe(self._told(question), self._loop)
        try:
            _wait_for(asked)
        except KeyboardInterrupt as err:
            self._give_up(asked)
            raise Interrupted from err
        return asked.result()

    def close(self) -> bool:
        """End the loop; False where an interrupted question still runs, and the process must be left at once."""
        if self.busy:
            return False
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._threads.shutdown()
        self._loop.close()
        return True

    async def _told(self, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            return await question()
        finally:
            self._over.set()

    def _wait_for_the_last(self) -> None:
        while not self._over.wait(GLANCE_SECONDS):
            pass
        for call in tuple(self._threads.at_work):
            _wait_for(call)

    def _give_up(self, asked: "Future[Any]") -> None:
        self.interrupted = True
        asked.cancel()
        try:
            self._over.wait(PATIENCE_SECONDS)
        except KeyboardInterrupt:
            return


def _wait_for(call: "Future[Any]") -> None:
    while not wait([call], timeout=GLANCE_SECONDS).done:
        pass
