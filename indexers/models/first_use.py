"""Attributes that cost something: a model has to be loaded, or a server asked, before they can be told."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, cast

T = TypeVar("T")


def on_first_use(compute: Callable[[Any], T]) -> T:
    """Declare an attribute of a class that is computed when it is first read, and then stays.

    Type checkers see a plain attribute: heliograph.protocols declares `name` and `dimensions` as such.
    """
    return cast(T, cached_property(compute))
