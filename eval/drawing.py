"""Which questions of a file are asked: samples that anybody can draw again, and halves that share no question."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from heliograph.errors import UsageError

Item = TypeVar("Item")
Half = Literal["development", "report"]
"""Settings, prompts and thresholds are chosen on one, figures are of the other."""
Part = Half | Literal["all"]


@dataclass(frozen=True, slots=True)
class Draw:
    """In the order of the sha256 of ids: the first half is to report on, the other to develop with.

    Of an odd number the report has one more. `first` keeps so many of the half.
    """

    half: Part = "all"
    first: int | None = None

    def of(self, items: Iterable[Item], name: Callable[[Item], str]) -> tuple[Item, ...]:
        """Return what is drawn of items with these ids, in that order."""
        ordered = sorted(items, key=lambda item: digest_of(name(item)))
        middle = (len(ordered) + 1) // 2
        halves: dict[Part, list[Item]] = {
            "all": ordered,
            "report": ordered[:middle],
            "development": ordered[middle:],
        }
        return tuple(halves[self.half][: self.first])


ALL = Draw()


def in_order(items: Iterable[Item], name: Callable[[Item], str], path: Path, draw: Draw) -> tuple[Item, ...]:
    """Return what is drawn of the records of a file.

    Raises:
        UsageError: two have one id.
    """
    found = tuple(items)
    twice = [id for id, times in Counter(map(name, found)).items() if times > 1]
    if twice:
        raise UsageError(f"{path} has two questions of one id, {twice[0]!r}; give each one of its own")
    return draw.of(found, name)


def digest_of(text: str) -> str:
    """Return the sha256 of a text, by which what is drawn is ordered: chance that anybody finds again."""
    return hashlib.sha256(text.encode()).hexdigest()
