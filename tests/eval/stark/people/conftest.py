"""A small base of moons and the people who found them, of which moons alone may answer, or all."""

from pathlib import Path

import pytest

from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files

ENTITIES = """id,type,name,aliases,text
titan,moon,Titan,Saturn VI,Lakes of methane under a thick haze.
rhea,moon,Rhea,,Old ice full of craters.
iapetus,moon,Iapetus,,One half is dark.
nameless,moon,S/2004,,
huygens,person,Christiaan Huygens,,A maker of lenses.
cassini,person,Giovanni Cassini,,An astronomer.
"""
FOUND = "source,target\nhuygens,titan\ncassini,rhea\ncassini,iapetus\n"


def built(folder: Path, candidate_types: tuple[str, ...]) -> BuiltKnowledgeBase:
    (folder / "entities.csv").write_text(ENTITIES)
    (folder / "discovered.csv").write_text(FOUND)
    files = [folder / "entities.csv", folder / "discovered.csv"]
    build_base(open_record_files(files, candidate_types=candidate_types), folder / "moons.skb", lambda _said: None)
    return open_base(folder / "moons.skb")


@pytest.fixture(scope="session")
def moons(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    return built(tmp_path_factory.mktemp("moons"), ("moon",))


@pytest.fixture(scope="session")
def all_may_answer(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    return built(tmp_path_factory.mktemp("all"), ())
