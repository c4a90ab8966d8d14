"""The small corpus, read once."""

import pytest

from eval.ott.corpus import OttCorpus
from tests.eval.ott.lights import mini


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> OttCorpus:
    return mini(tmp_path_factory.mktemp("ott"))
