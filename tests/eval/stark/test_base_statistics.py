"""Table 2, counted by hand."""

from pathlib import Path

from eval.stark.base_statistics import BaseStatistics, describe_base
from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files

ENTITIES = "id,type,name,text\na,moon,Phobos,small and dark\nb,moon,Deimos,\nc,planet,Mars,red\n"
ORBITS = "source,target\na,c\nb,c\n"
NEAR = "source,target\na,b\nb,a\nc,c\n"


async def test_a_base_is_counted_as_table_2_counts(tmp_path: Path) -> None:
    for name, text in (("entities", ENTITIES), ("orbits", ORBITS), ("is near", NEAR)):
        (tmp_path / f"{name}.csv").write_text(text)
    build_base(open_record_files(sorted(tmp_path.glob("*.csv"))), tmp_path / "mars.skb", lambda _said: None)
    found = await describe_base(open_base(tmp_path / "mars.skb"))
    assert found == BaseStatistics(
        "mars",
        entity_types=2,
        relation_types=2,
        average_degree=2 * 7 / 3,
        entities=3,
        relations=7,  # two that orbit and one that is near, both ways, and one loop
        tokens=7,
        triples=5,
    )


async def test_a_base_without_relations_has_none(base: BuiltKnowledgeBase) -> None:
    found = await describe_base(base)
    assert (found.entities, found.relations, found.average_degree, found.tokens) == (5, 0, 0.0, 5)
