"""The base of moons, planets, missions and people that comes with Heliograph."""

from pathlib import Path

import pytest

from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files

DEMO = Path(__file__).resolve().parents[4] / "demo" / "skb"


@pytest.fixture(scope="session")
def moons(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    out = tmp_path_factory.mktemp("skb") / "moons.skb"
    build_base(open_record_files([DEMO]), out, lambda _said: None)
    return open_base(out)
