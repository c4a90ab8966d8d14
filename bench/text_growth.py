"""Call every public function that reads text with repeated inputs of n and 4n characters, and print how its time grows.

usage: python -m bench.text_growth [PACKAGE …] [--size N] [--private] [--all]

A linear function takes about four times as long for four times the text, a quadratic one sixteen times. Time is the
processor's, so other work on the machine changes little. A function is called where all that it demands can be made up
from one text: strings, sequences of strings, evidence, a page. Calls are cut off after LIMIT seconds.
"""

import argparse
import importlib
import inspect
import pkgutil
import signal
import time
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

from heliograph.errors import HeliographError
from heliograph.types import (
    Cell,
    DraftClaim,
    EvidenceId,
    Page,
    PageKey,
    Place,
    Quote,
    TableEvidence,
    TableSegment,
    TextEvidence,
)

PACKAGES = ("agent", "tools", "indexers", "memory", "heliograph", "web", "prompts")
LIMIT = 4.0
"""Seconds of processor time after which a call is cut off."""
NOTED = 0.02
"""Seconds of the longer call below which no ratio means anything."""
STEEP = 8.0
"""Ratio from which a function is printed: between linear (4) and quadratic (16)."""
PARTS = (
    "word ", " ", "(", ")", "[", "]", "{", "}", '"', "'", "7", "7 ", "St. ", "a.b.", "[1]", "[ 1", "[[1] ", "((a) ",
    '{"a":', '{"a":"', "{'a':'", "\\", "<", "<b>", "&", "largest ", "the largest of ", "how many ", "Name ",
    "Name Name-", "Name of the ", "x", "X", "X.", "-", "--", ",", ", ", "and ", "1,", "1.", "1 km ", "http://a.b/",
    "\n", "\n\n", "a\n", "a: ", "A: b; ", "|", "| a ", "```", "*", "_", "#", "%", "é", "than A ", "A larger than ",
    "not ", "it ", "Is he ", "<think>", "1999 ", "1999–", "5 March 1979 ", "“a” ", "“", "’s ", "?", "? ", ". ", "in ",
    "in the ", "of ", "of Name ", "first ", "between 1 and ",
)  # fmt: skip
"""What texts are made of by repeating it."""

Function = Callable[..., object]


class CutOff(BaseException):
    """A call took longer than LIMIT."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Seconds of one function on the shorter and the longer text; `part` is what both repeat."""

    name: str
    part: str
    short: float
    long: float

    @property
    def ratio(self) -> float:
        """Return how many times as long the longer text takes; infinite where a call was cut off."""
        return float("inf") if self.long >= LIMIT else self.long / max(self.short, 1e-6)


def functions(packages: Sequence[str], *, private: bool) -> Iterator[tuple[str, Function]]:
    """Yield the functions of packages, each where it is written."""
    for package in map(importlib.import_module, packages):
        modules = [package.__name__]
        if hasattr(package, "__path__"):
            modules += [found.name for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
        for name in modules:
            if not name.endswith("__main__") and ".cli" not in name:
                yield from _written_in(name, private)


def _written_in(module: str, private: bool) -> Iterator[tuple[str, Function]]:
    try:
        read = importlib.import_module(module)
    except ImportError:  # an extra that is not installed
        return
    for name, found in vars(read).items():
        plain = inspect.isfunction(found) and not inspect.iscoroutinefunction(found)
        if plain and found.__module__ == module and (private or not name.startswith("_")):
            yield f"{module}.{name}", found


def arguments(function: Function, text: str) -> dict[str, object] | None:
    """Return arguments for what a function demands, made up from a text; None where one cannot be."""
    try:
        hints = typing.get_type_hints(function)
    except (NameError, TypeError):
        return None
    found: dict[str, object] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if (
            parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            or parameter.default is not parameter.empty
        ):
            continue
        value = made_up(hints.get(name), text)
        if value is None:
            return None
        found[name] = value
    return found if any(_holds_text(value) for value in found.values()) else None


def made_up(kind: Any, text: str) -> object | None:
    """Return a value of a type made of a text; None for types that are not read from text."""
    if kind is str or kind == str | None:
        return text
    if kind is bool:
        return False
    if kind is int:
        return 3
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return next((value for each in inner if (value := made_up(each, text)) is not None), None)
    if origin is not None and issubclass(origin, (tuple, list, Sequence, typing.Iterable)) and inner:
        value = made_up(inner[0], text)
        return None if value is None or issubclass(origin, dict) else _as(origin, value)
    return _evidence(text).get(kind)


def _as(origin: type, value: object) -> object:
    return frozenset([value]) if issubclass(origin, frozenset) else [value] if issubclass(origin, list) else (value,)


def _evidence(text: str) -> dict[Any, object]:
    page = PageKey("test:Page@1")
    place = Place(page, "Page", "s1", ("Section",))
    name = EvidenceId("test:Page@1#s1/p1")
    words = tuple(text[start : start + 40] for start in range(0, len(text), 40)) or ("",)
    rows = tuple((Cell(word), Cell(str(number))) for number, word in enumerate(words))
    return {
        TextEvidence: TextEvidence(name, place, "paragraph", text),
        TableEvidence: TableEvidence(EvidenceId("test:Page@1#s1/t1"), place, "table", "", ("Name", "Height"), rows),
        TableSegment: _segment(place, text),
        Quote: Quote(name, text),
        DraftClaim: DraftClaim(text, (Quote(name, text),)),
        Page: Page("test", "Page", "1", "http://test/Page", f"<p>{text}</p>", ""),
    }


def _segment(place: Place, text: str) -> object:
    table = EvidenceId("test:Page@1#s1/t1")
    return TableSegment(EvidenceId(f"{table}/r1"), place, table, 1, "", ("Name",), (Cell(text),))


def _holds_text(value: object) -> bool:
    return not isinstance(value, (bool, int))


def seconds(function: Function, text: str) -> float | None:
    """Return the processor time of one call, at most LIMIT; None where it refuses its arguments."""
    given = arguments(function, text)
    if given is None:
        return None
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    began = time.thread_time()
    try:
        result = function(**given)
        if isinstance(result, Iterator):
            for _ in result:
                pass
    except CutOff:
        return LIMIT
    except (HeliographError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OSError):
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.thread_time() - began


def growth(name: str, function: Function, size: int) -> Iterator[Growth]:
    """Yield how a function grows on every repeated part that takes long enough to tell."""
    for part in PARTS:
        texts = [(part * (length // len(part) + 1))[:length] for length in (size, 4 * size)]
        long = seconds(function, texts[1])
        if long is None:
            return
        if long >= NOTED:
            yield Growth(name, part, seconds(function, texts[0]) or 0.0, long)


def main() -> None:
    """Print the functions that grow steeply, the steepest first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", default=PACKAGES)
    parser.add_argument("--size", type=int, default=5_000, help="characters of the shorter text")
    parser.add_argument("--private", action="store_true", help="private functions, too")
    parser.add_argument("--all", action="store_true", help="print linear ones, too")
    asked = parser.parse_args()
    signal.signal(signal.SIGVTALRM, _cut_off)
    called = 0
    for name, function in functions(asked.packages, private=asked.private):
        called += arguments(function, "a") is not None
        found = sorted(growth(name, function, asked.size), key=lambda each: (-each.ratio, -each.long))
        for each in found[: None if asked.all else 3]:
            if asked.all or each.ratio >= STEEP:
                print(
                    f"{each.ratio:7.1f}  {each.short:8.3f} s  {each.long:8.3f} s  {each.name}  {each.part!r}",
                    flush=True,
                )
    print(f"{called} functions read text")


def _cut_off(_signal: int, _frame: FrameType | None) -> None:
    raise CutOff


if __name__ == "__main__":
    main()
