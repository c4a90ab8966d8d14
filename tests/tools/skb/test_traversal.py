"""Metapaths lead where triples do, requirements intersect and exclude, and a path shows each answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from heliograph.errors import UnknownName, UsageError
from heliograph.types import Direction, Hop, Requirement
from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.record_files import open_record_files
from tools.skb.traversal import find_path, intersect, reach, traverse


async def number(base: BuiltKnowledgeBase, id: str) -> int:
    return (await base.entity(id)).number


async def names(base: BuiltKnowledgeBase, numbers: tuple[int, ...]) -> set[str]:
    return {each.name for each in await base.entities(numbers)}


async def test_a_metapath_leads_from_hop_to_hop(moons: BuiltKnowledgeBase) -> None:
    found = await reach(moons, [await number(moons, "titan")], (Hop("discovered", "in", "person"),))
    assert await names(moons, found) == {"Christiaan Huygens"}
    planet = await reach(moons, found, (Hop("discovered", "out", "moon"), Hop("orbits", "out")))
    assert await names(moons, planet) == {"Saturn"}
    assert await reach(moons, found, ()) == found


async def test_requirements_intersect_and_exclude(moons: BuiltKnowledgeBase) -> None:
    jupiter, galilei = await number(moons, "jupiter"), await number(moons, "galileo-galilei")
    of_jupiter = await traverse(moons, Requirement((jupiter,), (Hop("orbits", "in", "moon"),)))
    by_galilei = await traverse(moons, Requirement((galilei,), (Hop("discovered", "out"),)))
    assert await names(moons, await intersect(moons, (of_jupiter, by_galilei))) == {
        "Io",
        "Europa",
        "Ganymede",
        "Callisto",
    }
    others = await traverse(moons, replace(by_galilei.requirement, negated=True))
    rest = await names(moons, await intersect(moons, (others, of_jupiter), "moon"))
    assert "Amalthea" in rest and "Io" not in rest
    assert "Titan" in await names(moons, await intersect(moons, (others,), "moon"))
    assert await intersect(moons, (of_jupiter,), "planet") == ()


async def test_a_path_shows_why_an_entity_meets_a_requirement(moons: BuiltKnowledgeBase) -> None:
    start, end = await number(moons, "christiaan-huygens"), await number(moons, "saturn")
    requirement = Requirement((start,), (Hop("discovered", "out"), Hop("orbits", "out", "planet")))
    traversal = await traverse(moons, requirement)
    path = await find_path(moons, end, traversal)
    assert path is not None
    assert await names(moons, path.entities) == {"Christiaan Huygens", "Titan", "Saturn"}
    assert [each.relation for each in path.triples] == ["discovered", "orbits"]
    assert await find_path(moons, await number(moons, "mars"), traversal) is None


async def test_paths_to_many_entities_follow_the_requirement_once(
    moons: BuiltKnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[int]()
    neighbours = moons.neighbours

    async def counted(numbers: Sequence[int], *hop: Any) -> tuple[int, ...]:
        asked.append(len(numbers))
        return await neighbours(numbers, *hop)

    monkeypatch.setattr(moons, "neighbours", counted)
    jupiter = await number(moons, "jupiter")
    discoverers = await traverse(moons, Requirement((jupiter,), (Hop("orbits", "in"), Hop("discovered", "in"))))
    assert len(discoverers.end) > 3
    assert all([await find_path(moons, each, discoverers) for each in discoverers.end])
    assert asked == [1, len(discoverers.layers[1]), *[1] * len(discoverers.end)]


async def test_too_many_hops_and_unknown_names_are_refused(
    moons: BuiltKnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="at most 3 hops, and 4"):
        await reach(moons, [0], (Hop(),) * 4)
    with pytest.raises(UnknownName, match="no relation 'eats'"):
        await reach(moons, [0], (Hop("eats"),))
    with pytest.raises(UsageError, match="asked of a type"):
        await intersect(moons, [await traverse(moons, Requirement((0,), (Hop(),), negated=True))])
    monkeypatch.setattr("tools.skb.traversal.MOST_REACHED", 2)
    with pytest.raises(UsageError, match=r"hop 1 leads to \d+ entities; name its relation or its type"):
        await reach(moons, [await number(moons, "saturn")], (Hop(),))


WAYS: tuple[Direction, ...] = ("out", "in", "both")
HOPS = some.builds(
    Hop, some.sampled_from(("", "r", "s")), some.sampled_from(WAYS), some.sampled_from(("", "even", "odd"))
)
TRIPLES = some.lists(
    some.tuples(some.integers(0, 5), some.sampled_from("rs"), some.integers(0, 5)), min_size=1, max_size=14
)


def step(triples: list[tuple[int, str, int]], rim: set[int], hop: Hop) -> set[int]:
    out = {target for source, relation, target in triples if source in rim and hop.relation in ("", relation)}
    back = {source for source, relation, target in triples if target in rim and hop.relation in ("", relation)}
    found = (out if hop.direction != "in" else set()) | (back if hop.direction != "out" else set())
    return {each for each in found if not hop.type or (each % 2 == 0) == (hop.type == "even")}


@given(TRIPLES, some.sets(some.integers(0, 5), min_size=1, max_size=3), some.lists(HOPS, max_size=3))
def test_traversal_is_what_the_triples_allow_and_each_answer_is_shown(
    triples: list[tuple[int, str, int]], start: set[int], hops: list[Hop]
) -> None:
    triples += [(0, "r", 1), (0, "s", 1)]
    with TemporaryDirectory() as folder:
        entities, relations = Path(folder) / "e.csv", Path(folder) / "r.csv"
        lines = (f"{each},{'odd' if each % 2 else 'even'}" for each in range(6))
        entities.write_text("id,type\n" + "\n".join(lines), encoding="utf8")
        relations.write_text(
            "source,relation,target\n" + "\n".join(f"{s},{r},{t}" for s, r, t in triples), encoding="utf8"
        )
        build_base(open_record_files([entities, relations]), Path(folder) / "x.skb", lambda _said: None)
        base = open_base(Path(folder) / "x.skb")
        wanted = [set(start)]
        for hop in hops:
            wanted.append(step(triples, wanted[-1], hop))
        requirement = Requirement(tuple(start), tuple(hops))
        assert asyncio.run(reach(base, requirement.start, hops)) == tuple(sorted(wanted[-1]))
        traversal = asyncio.run(traverse(base, requirement))
        for entity in wanted[-1]:
            path = asyncio.run(find_path(base, entity, traversal))
            assert path is not None
            assert path.entities[0] in start and path.entities[-1] == entity
            for (first, second), triple, layer in zip(pairwise(path.entities), path.triples, wanted[1:], strict=True):
                assert (triple.source, triple.relation, triple.target) in triples
                assert {triple.source, triple.target} == {first, second}
                assert second in layer
