"""The scripts of demo/, which is a folder of scripts and no package."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

DEMO = Path(__file__).parents[2] / "demo"
MODULES = ("corpus", "aggregates", "check", "check_everyday")


@pytest.fixture(scope="session")
def demo() -> Iterator[SimpleNamespace]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DEMO))
        yield SimpleNamespace(folder=DEMO, **{name: import_module(name) for name in MODULES})
    for name in MODULES:
        del sys.modules[name]
