"""Server-sent events: lines for a browser or a client, and a sign of life where nothing happens for long."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TypeVar

T = TypeVar("T")

ALIVE = b": still at work\n\n"
"""A comment: readers leave it aside, and a reader that is gone is noticed by it."""
ALIVE_SECONDS = 5.0


def event(data: object, name: str = "", number: int | None = None) -> bytes:
    """Return one event; `data` is JSON on one line, which no text of a page can break."""
    lines = [f"id: {number}"] if number is not None else []
    lines += [f"event: {name}"] if name else []
    written = json.dumps(data, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return "\n".join((*lines, f"data: {written}", "", "")).encode("utf8", "replace")


async def kept_alive(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield what comes, and a sign of life whenever nothing does."""
    coming: asyncio.Task[bytes] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(_next(events))
            done, _ = await asyncio.wait({coming}, timeout=ALIVE_SECONDS)
            if not done:
                yield ALIVE
                continue
            ready, coming = coming, None
            try:
                yield ready.result()
            except StopAsyncIteration:
                return
    finally:
        if coming is not None:
            coming.cancel()
            await asyncio.wait({coming})


async def _next(events: AsyncIterator[T]) -> T:
    return await anext(events)
