"""Taking turns over lists: what each need, page or claim ranks first comes before what any ranks second."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TypeVar

T = TypeVar("T")


def by_turns(lists: Iterable[Sequence[T]]) -> tuple[T, ...]:
    """Return the items of several lists in turn, each once: the first of every list, then the second of every list."""
    missing = object()
    turns = (item for turn in zip_longest(*lists, fillvalue=missing) for item in turn if item is not missing)
    return tuple(dict.fromkeys(turns))  # type: ignore[arg-type]  # the fill value is left out
