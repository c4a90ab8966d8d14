"""Tries after the first: whoever asks again says why, and the recorder keeps it with the call."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_heard: ContextVar[list[str] | None] = ContextVar("heliograph_retries", default=None)


def asking_again(cause: Exception) -> None:
    """Say that something is asked once more because of `cause`; nobody need be listening."""
    heard = _heard.get()
    if heard is not None:
        heard.append(f"{type(cause).__name__}: {cause}")


@contextmanager
def hearing(into: list[str]) -> Iterator[None]:
    """Collect the causes of every try after the first, those of tasks and threads begun inside too."""
    token = _heard.set(into)
    try:
        yield
    finally:
        _heard.reset(token)
