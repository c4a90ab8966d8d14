"""An archive becomes a knowledge base: pages are entities, and rows that link two of them are relations."""

import asyncio
from pathlib import Path

import pytest

from heliograph.errors import ArchiveUnreadable, StoreLocked, UsageError
from heliograph.types import TripleType
from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import open_base
from tools.skb.page_records import page_records
from tools.skb.sources import opened_sources
from tools.zim import build_snapshot

PAGES = {
    "Lights": """# Lights of the sound

Five lights stand around the sound.

## Built by the council

*Table: Lights of the council*

| Light | Island | Keeper | Height (m) |
|---|---|---|---|
| [Holm Light](Holm_Light.md) | [Varn](Varn.md) | [Ada](Ada_Brandt.md) | 9 |
| [Skerry](Skerry_Light.md) | [Varn](Varn.md) | nobody | 34 |
| [Gull Light](Gull_Light.md) | [Varn](Varn.md) and [the other Varn](Varn.md) | – | 4 |
""",
    "Holm_Light": "# Holm Light\n\nA wooden house with a lantern.\n",
    "Skerry_Light": "# Skerry Light\n\nA white tower.\n",
    "Varn": "# Varn\n\nA bare island.\n",
    "Ada_Brandt": "# Ada Brandt\n\nA keeper of lights.\n",
}


@pytest.fixture(scope="module")
def lights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lights")
    for name, text in PAGES.items():
        (folder / f"{name}.md").write_text(text, encoding="utf8")
    out = tmp_path_factory.mktemp("archives") / "lights.zim"
    build_snapshot([folder], out)
    return out


def silent(_said: str) -> None:
    """Take progress and say nothing."""


async def test_rows_that_link_two_pages_are_relations_with_the_row_as_their_text(lights: Path, tmp_path: Path) -> None:
    records = await asyncio.to_thread(page_records, lights, tmp_path / "records", silent)
    build_base(records, tmp_path / "lights.skb", silent)
    base = open_base(tmp_path / "lights.skb")
    assert base.name == "lights"
    assert base.entity_types == {"Keeper": 1, "Light": 2, "page": 1, "Island": 1}
    assert await base.schema() == (
        TripleType("page", "light", "Light", 2),
        TripleType("Light", "light – island", "Island", 2),
        TripleType("page", "island", "Island", 1),
        TripleType("Island", "island – keeper", "Keeper", 1),
        TripleType("page", "keeper", "Keeper", 1),
        TripleType("Light", "light – keeper", "Keeper", 1),
    )
    (skerry,) = await base.named("skerry")
    assert (skerry.name, skerry.aliases) == ("Skerry Light", ("Skerry",))
    assert await base.document(skerry.number) == "A white tower."
    (triple,) = await base.triples(skerry.number, direction="out")
    assert triple.evidence.startswith("lights:Lights%20of%20the%20sound@") and triple.evidence.endswith("/t1/r2")
    assert "Light : Skerry ; Island : Varn ; Keeper : nobody ; Height (m) : 34" in triple.text


def test_records_of_a_stopped_build_are_found_again(lights: Path, tmp_path: Path) -> None:
    said: list[str] = []
    first = page_records(lights, tmp_path / "records", said.append)
    assert said == ["5 of 5 pages read, 10 relations"]
    again = page_records(lights, tmp_path / "records", said.append)
    assert len(said) == 1
    assert tuple(first.triples()) == tuple(again.triples())


def test_scratch_files_go_when_the_base_stands(lights: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "base.records"
    with opened_sources([lights], scratch, silent, ("Light",)) as source:
        assert source.candidate_types == ("Light",)
        assert scratch.exists()
    assert not scratch.exists()


def test_two_builds_do_not_write_one_scratch_folder(lights: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "base.records"
    with opened_sources([lights], scratch, silent) as source:
        with pytest.raises(StoreLocked, match=r"base\.records is being written by process"):
            opened_sources([lights], scratch, silent).__enter__()
        assert len(tuple(source.entities())) == 5
    with opened_sources([lights], scratch, silent) as source:
        assert len(tuple(source.entities())) == 5


def test_an_archive_that_is_none_and_one_beside_others_are_refused(lights: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.zim"
    broken.write_bytes(b"no archive")
    with pytest.raises(ArchiveUnreadable):
        page_records(broken, tmp_path / "records", silent)
    with (
        pytest.raises(UsageError, match=r"lights\.zim is a base by itself"),
        opened_sources([lights, broken], tmp_path, silent),
    ):
        pass
