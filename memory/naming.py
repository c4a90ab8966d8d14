"""What a user may write for the name of something kept: the name, an unambiguous beginning of it, or `last`."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from heliograph.errors import UnknownName

T = TypeVar("T")


def named(name: str, kept: Sequence[T], name_of: Callable[[T], str], *, several: str, none: str, next_step: str) -> T:
    """Return the one of those kept, of which there are some, that a name means.

    Args:
        name: as a user wrote it.
        kept: those there are, the last at the end.
        name_of: what one is called.
        several: says how many begin so, behind their number and before the name.
        none: says that there is none, before the name.
        next_step: ends the message.

    Raises:
        UnknownName: there is none of that name, or several begin so.
    """
    if name == "last":
        return kept[-1]
    fitting = [each for each in kept if name_of(each) == name]
    fitting = fitting or [each for each in kept if name and name_of(each).startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    problem = f"{len(fitting)} {several}" if fitting else none
    raise UnknownName(f"{problem} {name!r}; {next_step}")
