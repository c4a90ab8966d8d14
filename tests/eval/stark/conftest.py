"""A small base of moons and planets, of which moons alone may answer."""

import pytest

from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files

ENTITIES = """id,type,name
mars,planet,Mars
phobos,moon,Phobos
deimos,moon,Deimos
titan,moon,Titan
rhea,moon,Rhea
"""


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    folder = tmp_path_factory.mktemp("skb")
    (folder / "entities.csv").write_text(ENTITIES)
    source = open_record_files([folder / "entities.csv"], candidate_types=("moon",))
    build_base(source, folder / "moons.skb", lambda _said: None)
    return open_base(folder / "moons.skb")
