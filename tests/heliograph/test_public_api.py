"""`from heliograph import Heliograph` is the whole public API, and costs nothing until it is used."""

import subprocess
import sys
from pathlib import Path

import pytest

import heliograph
from heliograph.errors import InvalidQuestion, UsageError

ROOT = Path(__file__).resolve().parents[2]


def test_the_class_comes_from_the_composition_root() -> None:
    import app

    assert heliograph.Heliograph is app.Heliograph
    assert heliograph.__all__ == ["Heliograph"]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'heliograph' has no attribute 'Telegraph'$"):
        _ = heliograph.Telegraph


def test_importing_the_package_does_not_import_the_application() -> None:
    program = "import sys, heliograph; print('app' in sys.modules); heliograph.Heliograph; print('app' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_an_unknown_setting_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"^unknown setting 'speed'"):
        heliograph.Heliograph(speed=3)


async def test_a_question_is_checked_before_anything_is_opened(home: Path) -> None:
    with pytest.raises(InvalidQuestion, match="the question is empty"):
        await heliograph.Heliograph(sources=["zim:nowhere.zim"]).ask("  ")
    assert not home.exists()
