"""Rows of a base's pages state paths: read from their cells, and looked up in the base."""

from collections.abc import Callable, Mapping

import pytest

from heliograph.types import Cell, EvidenceId, Link, PageKey, Place, Query, TableEvidence, TableSegment
from indexers.parser import find_evidence, parse_page
from indexers.parser.ids import row_id
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.entity_pages import KnowledgeBasePages
from tools.skb.lookup import entity_of_title, title_of
from tools.skb.row_paths import BaseName, base_of, look_up_paths, path_line, row_paths

ANSWERS = "moon: discovered ← person, studied Saturn (answers 0cc7dca0)"


def linked(*names: str) -> Cell:
    return Cell(", ".join(names), tuple(Link(each, each) for each in names))


def row(title: str, cells: Mapping[str, Cell]) -> TableSegment:
    place = Place(PageKey("demo%20knowledge%20base:x@1"), title, "s1")
    return TableSegment(
        EvidenceId("x#s1/t1/r1"), place, EvidenceId("x#s1/t1"), 1, "", tuple(cells), tuple(cells.values())
    )


DISCOVERED = row(
    ANSWERS,
    {
        "moon": linked("Tethys"),
        "discovered ← person, studied": linked("Giovanni Domenico Cassini", "Saturn"),
        "discovered ← person": linked("Giovanni Domenico Cassini"),
        "diameter": Cell("1062"),
    },
)


async def lines(base: BuiltKnowledgeBase, segment: TableSegment) -> list[str]:
    return [path_line(each) for each in await look_up_paths(base, row_paths(segment))]


def test_a_row_of_answers_is_a_path_per_column_of_links_and_none_that_another_goes_on_with() -> None:
    assert [path_line(each) for each in row_paths(DISCOVERED)] == [
        "Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn"
    ]


async def test_the_base_says_which_way_relations_go_and_what_they_say(moons: BuiltKnowledgeBase) -> None:
    assert await lines(moons, DISCOVERED) == ["Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn"]
    (path,) = await look_up_paths(moons, row_paths(DISCOVERED))
    assert [node.entity and node.entity.type for node in path.nodes] == ["moon", "person", "planet"]
    assert "dark gap in the rings" in path.steps[1].text


async def test_a_column_names_a_relation_without_the_types_in_its_name(
    built: Callable[[str, str], BuiltKnowledgeBase],
) -> None:
    base = built(
        "1,author,Ada Roe\n2,paper,On Tides\n3,field,Tides\n",
        "1,author___writes___paper,2\n2,paper___has_topic___field,3\n",
    )
    cells = {"paper": linked("On Tides"), "writes ← author": linked("Ada Roe"), "has topic field": linked("Tides")}
    assert await lines(base, row("paper: Ada Roe writes it (answers 0cc7dca0)", cells)) == [
        "On Tides ←author writes paper— Ada Roe",
        "On Tides —paper has topic field→ Tides",
    ]


async def test_a_relation_that_the_base_does_not_have_is_not_passed_off_as_one(moons: BuiltKnowledgeBase) -> None:
    other = row(ANSWERS, {"moon": linked("Tethys"), "named ← person": linked("Giovanni Domenico Cassini")})
    nobody = row(ANSWERS, {"moon": linked("Tethys"), "discovered ← person": linked("Sherlock Holmes")})
    assert await lines(moons, other) == ["Tethys ←named— Giovanni Domenico Cassini (not in the base now)"]
    assert await lines(moons, nobody) == ["Tethys ←discovered— Sherlock Holmes (not in the base now)"]


async def test_a_triple_keeps_its_direction_and_its_page_stands_for_the_name_without_a_link(
    moons: BuiltKnowledgeBase,
) -> None:
    pages = KnowledgeBasePages(moons.folder)
    page = parse_page(await pages.fetch("Titan"))
    (relations,) = (leaf for leaf in page.leaves if isinstance(leaf, TableEvidence) and leaf.header[0] == "From")
    rows = [find_evidence(page, row_id(relations.id, number)) for number in range(1, len(relations.rows) + 1)]
    told = [line for each in rows if isinstance(each, TableSegment) for line in await lines(moons, each)]
    assert {"Titan —orbits→ Saturn", "Christiaan Huygens —discovered→ Titan"} <= set(told)
    assert len(told) == len(relations.rows) and not any("not in the base" in line for line in told)


async def test_every_row_of_answers_to_a_question_is_found_in_the_base(moons: BuiltKnowledgeBase) -> None:
    pages = KnowledgeBasePages(moons.folder)
    found = await pages.search(Query("Which moons of Saturn were discovered by Giovanni Domenico Cassini?"), 1)
    page = parse_page(await pages.fetch(found.hits[0].title))
    (table,) = (leaf for leaf in page.leaves if isinstance(leaf, TableEvidence))
    for number in range(1, len(table.rows) + 1):
        segment = find_evidence(page, row_id(table.id, number))
        assert isinstance(segment, TableSegment)
        paths = await look_up_paths(moons, row_paths(segment))
        assert paths and all(step.found for path in paths for step in path.steps)


@pytest.mark.parametrize(
    "segment",
    [
        row("Titan", {"moon": linked("Tethys"), "orbits": linked("Saturn")}),
        row(ANSWERS, {"moon": linked("Tethys"), "orbits": Cell("Saturn and others", linked("Saturn").links)}),
        row(ANSWERS, {"moon": linked("Tethys"), "not orbits": Cell("Jupiter")}),
    ],
    ids=["no page of a base's answers", "more than links", "what is denied"],
)
def test_other_rows_and_cells_state_no_path(segment: TableSegment) -> None:
    assert row_paths(segment) == ()


@pytest.mark.parametrize(
    ("wiki", "name"),
    [
        ("demo knowledge base", BaseName("demo")),
        ("demo knowledge base (0cc7dca0)", BaseName("demo", "0cc7dca0")),
        ("demo (2) knowledge base", BaseName("demo (2)")),
        ("a knowledge base (0cc7dca0) knowledge base", BaseName("a knowledge base (0cc7dca0)")),
        ("en.wikipedia.org", None),
    ],
)
def test_a_base_is_told_from_other_wikis_by_its_name_and_from_its_namesakes_by_a_digest(
    wiki: str, name: BaseName | None
) -> None:
    assert base_of(wiki) == name
    assert name is None or name.wiki == wiki


async def test_a_linked_entity_is_found_as_its_page_is(built: Callable[[str, str], BuiltKnowledgeBase]) -> None:
    base = built("t1,task,ring_gap\nt2,tool,ring_gap\nt3,task,end\n", "t1,needs,t3\nt2,needs,t3\n")
    pages = KnowledgeBasePages(base.folder)
    page = parse_page(await pages.fetch("ring gap (tool)"))
    (relations,) = (leaf for leaf in page.leaves if isinstance(leaf, TableEvidence) and leaf.header[0] == "From")
    segment = find_evidence(page, row_id(relations.id, 1))
    assert isinstance(segment, TableSegment)
    assert await lines(base, segment) == ["ring_gap —needs→ end"]
    entities = await base.entities([0, 1, 2])
    for each in entities:
        assert await entity_of_title(base, (await title_of(base, each)).replace("_", " ")) == each
