"""What is loaded once: what stays in memory, and what does not."""

import gc
import weakref
from collections.abc import Callable

import pytest

from indexers.models.loaded import Loaded


class Model:
    """Something large."""


class Shelf:
    """Models that are loaded, and those of them that are still in memory."""

    def __init__(self, most: int) -> None:
        self._loaded: Loaded[Model] = Loaded(most)
        self._made: list[tuple[str, weakref.ref[Model]]] = []

    def get(self, name: str, state: str = "") -> Model:
        return self._loaded.get(name, lambda: state, lambda: self._make(name + state))

    def fail(self, name: str, state: Callable[[], object]) -> None:
        with pytest.raises(OSError, match="gone"):
            self._loaded.get(name, state, gone)

    @property
    def made(self) -> list[str]:
        return [name for name, _ in self._made]

    @property
    def in_memory(self) -> list[str]:
        gc.collect()
        return [name for name, model in self._made if model() is not None]

    def _make(self, name: str) -> Model:
        model = Model()
        self._made.append((name, weakref.ref(model)))
        return model


def gone() -> Model:
    raise OSError("gone")


def test_an_old_state_leaves_memory_when_the_new_one_is_asked_for() -> None:
    shelf = Shelf(2)
    for state in ("1", "1", "2"):
        shelf.get("a", state)
    assert (shelf.made, shelf.in_memory) == (["a1", "a2"], ["a2"])


def test_those_asked_for_last_stay() -> None:
    shelf = Shelf(2)
    for name in ("a", "b", "a", "c"):
        shelf.get(name)
    assert (shelf.made, shelf.in_memory) == (["a", "b", "c"], ["a", "c"])


@pytest.mark.parametrize("state", [lambda: "2", gone], ids=["changed", "gone"])
def test_where_loading_fails_nothing_stays(state: Callable[[], object]) -> None:
    shelf = Shelf(2)
    shelf.get("a", "1")
    shelf.fail("a", state)
    assert shelf.in_memory == []
    shelf.get("a", "1")
    assert shelf.made == ["a1", "a1"]
