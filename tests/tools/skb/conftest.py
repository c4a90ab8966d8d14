"""The base of moons, planets, missions and people that comes with Heliograph."""

from collections.abc import Callable
from pathlib import Path

import pytest

from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files

DEMO = Path(__file__).resolve().parents[3] / "demo" / "skb"


@pytest.fixture(scope="session")
def moons(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    out = tmp_path_factory.mktemp("skb") / "moons.skb"
    build_base(open_record_files([DEMO]), out, lambda _said: None)
    return open_base(out)


@pytest.fixture
def built(tmp_path: Path) -> Callable[[str, str], BuiltKnowledgeBase]:
    """Return what builds a base from the lines of two CSV files."""

    def build(entities: str, relations: str) -> BuiltKnowledgeBase:
        (tmp_path / "entities.csv").write_text("id,type,name\n" + entities, encoding="utf8")
        (tmp_path / "relations.csv").write_text("source,relation,target\n" + relations, encoding="utf8")
        files = [tmp_path / "entities.csv", tmp_path / "relations.csv"]
        build_base(open_record_files(files), tmp_path / "own.skb", lambda _said: None, force=True)
        return open_base(tmp_path / "own.skb")

    return build
