"""The tree of errors in the docstring is the tree of classes, with the exit codes that the command line documents."""

import re

import pytest

from heliograph import errors
from heliograph.errors import HeliographError

LINE = re.compile(r"(?P<indent>[│ ]*)(?:├──|└──) (?P<name>\w+) +(?P<code>\d)(?:  |$)")


def documented() -> dict[str, tuple[str, int]]:
    """Return parent and exit code of each class as the docstring draws them."""
    assert errors.__doc__ is not None
    found: dict[str, tuple[str, int]] = {}
    above: dict[int, str] = {}
    for match in filter(None, map(LINE.match, errors.__doc__.splitlines())):
        depth = len(match["indent"]) // 4
        found[match["name"]] = (above.get(depth - 1, "HeliographError"), int(match["code"]))
        above[depth] = match["name"]
    return found


def written() -> dict[str, tuple[str, int]]:
    """Return parent and exit code of each class of the module."""
    classes = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, HeliographError)]
    return {
        each.__name__: (each.__bases__[0].__name__, each.exit_code) for each in classes if each is not HeliographError
    }


def test_the_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    assert documented() == written()


@pytest.mark.parametrize("name", sorted(written()))
def test_every_error_has_one_parent_a_docstring_and_a_documented_exit_code(name: str) -> None:
    error = getattr(errors, name)
    assert len(error.__bases__) == 1
    assert error.__doc__
    assert error.exit_code in {2, 4, 5, 6}
