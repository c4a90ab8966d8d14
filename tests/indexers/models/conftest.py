"""What the tests of the extra `models` have: no hub, and a tiny CLIP that has learned to see drawings."""

import os
import random
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.indexers.models.drawings import SCENES, Scene

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = tempfile.gettempdir() + "/heliograph-no-hub"
EXTRA = ("torch", "open_clip", "sentence_transformers")
HELD_OUT = 8
"""Scenes that no training sees."""


@pytest.fixture(scope="session", autouse=True)
def extra() -> None:
    """Skip where the extra is not installed; with MODELS_REQUIRED=1 that is a failure."""
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing and os.environ.get("MODELS_REQUIRED") == "1":
        pytest.fail(f"MODELS_REQUIRED is set, and {', '.join(missing)} is not installed")
    if missing:
        pytest.skip("needs the extra: pip install 'heliograph[models]'")


@dataclass(frozen=True, slots=True)
class Trained:
    """A tiny CLIP in two files, the scenes that it was trained on, and those it was not."""

    config: Path
    weights: Path
    scenes: tuple[Scene, ...]
    held_out: tuple[Scene, ...]


@pytest.fixture(scope="session")
def trained(extra: None, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Train once for all tests: a minute or two on two processors."""
    from tests.indexers.models.training import train

    scenes = random.Random(1).sample(SCENES, len(SCENES))
    config, weights = train(scenes[HELD_OUT:], tmp_path_factory.mktemp("clip"))
    return Trained(config, weights, tuple(scenes[HELD_OUT:]), tuple(scenes[:HELD_OUT]))
