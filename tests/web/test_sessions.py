"""Sessions of one server under many threads: each waits for its turn, however long the one before it takes."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path

import pytest

from web.sessions import Sessions


def test_a_thread_waits_for_another_longer_than_for_another_process(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, wait_seconds=0.05)
    inside, go_on = threading.Event(), threading.Event()

    def names() -> Iterator[str]:
        inside.set()
        assert go_on.wait(60)
        yield "Io"

    with ThreadPoolExecutor(2) as threads:
        slow = threads.submit(sessions.show, "owner", "evidence", names())
        assert inside.wait(60)
        waiting = threads.submit(sessions.begin)
        try:
            with pytest.raises(NotYet):
                waiting.result(0.5)
        finally:
            go_on.set()
        slow.result()
        cookie = waiting.result()
    assert sessions.owner(cookie) is not None
