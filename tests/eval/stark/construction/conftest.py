"""A base of lights, islands, keepers and yards that do not exist, large enough to ask about."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files

SIGNS = ("granite", "lantern", "shutter", "copper", "spiral", "beacon", "cliffs", "storms", "paraffin", "foghorn")
SYLLABLES = ("var", "hol", "ske", "tor", "lun", "ber", "kil", "dra", "os", "fin", "mor", "gul")
COUNTS = {"light": 60, "island": 24, "keeper": 30, "yard": 14}


def entity(type: str, number: int, random: Random) -> dict[str, object]:
    name = "".join(random.sample(SYLLABLES, 3)).capitalize()
    record: dict[str, object] = {"id": f"{type}-{number}", "type": type, "name": f"{name} {number}"}
    if type == "light":
        said = " and ".join(random.sample(SIGNS, 4))
        record |= {"text": f"It is known for {said}.", "height": number % 17 + 5, "tower.floors": number % 5 + 1}
        record |= {"built": f"{number % 28 + 1:02}-Mar-{1850 + number}", "aliases": [f"Light {number}"]}
    return record


def triples(random: Random) -> list[dict[str, str]]:
    found = list[dict[str, str]]()
    for number in range(COUNTS["light"]):
        ends = [("stands on", "island", 1), ("keepers", "keeper", 2), ("service.first_keeper", "keeper", 1)]
        for relation, type, several in [*ends, ("yard", "yard", 1), ("replaces", "light", 1)]:
            for other in random.sample(range(COUNTS[type]), several):
                found.append({"source": f"light-{number}", "relation": relation, "target": f"{type}-{other}"})
    for number in range(COUNTS["keeper"]):
        other = random.randrange(COUNTS["island"])
        found.append({"source": f"keeper-{number}", "relation": "born on", "target": f"island-{other}"})
    return found


def build(folder: Path, records: Mapping[str, Sequence[Mapping[str, object]]]) -> BuiltKnowledgeBase:
    for name, several in records.items():
        (folder / name).write_text("".join(f"{json.dumps(each)}\n" for each in several))
    build_base(open_record_files([folder / name for name in records]), folder / "lights.skb", lambda _said: None)
    return open_base(folder / "lights.skb")


@pytest.fixture(scope="session")
def lights(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    random = Random(7)
    entities = [entity(type, number, random) for type, count in COUNTS.items() for number in range(count)]
    records: dict[str, Sequence[Mapping[str, object]]] = {"entities.jsonl": entities, "triples.jsonl": triples(random)}
    return build(tmp_path_factory.mktemp("lights"), records)


@pytest.fixture(scope="session")
def unjoined(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    """A base without relations."""
    entities = [entity("light", number, Random(number)) for number in range(20)]
    return build(tmp_path_factory.mktemp("unjoined"), {"entities.jsonl": entities})
