"""A built base gives back what its records say: neighbours, triples, paths, names and words."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as some

from heliograph.errors import StoreDamaged, StoreFull, StoreLocked, UnknownEntity, UnknownName, UsageError
from heliograph.types import EntityRecord, TripleRecord, TripleType
from indexers.lock import WriterLock
from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, check_base, open_base
from tests.disks import largest_file
from tests.test_app_rights import under_file_modes


@dataclass
class Records:
    """A source that is a list; `stop_after` entities it breaks off, as a process does that is killed."""

    records: Sequence[EntityRecord]
    relations: Sequence[TripleRecord]
    stop_after: int | None = None
    name: str = "isles"
    fingerprint: str = "1"
    candidate_types: tuple[str, ...] = ()

    def entities(self) -> Iterator[EntityRecord]:
        for place, record in enumerate(self.records):
            if place == self.stop_after:
                raise KeyboardInterrupt
            yield record

    def triples(self) -> Iterator[TripleRecord]:
        yield from self.relations


def silent(_said: str) -> None:
    """Take progress and say nothing."""


def built(records: Sequence[EntityRecord], relations: Sequence[TripleRecord], folder: Path) -> BuiltKnowledgeBase:
    """Return the base of some records."""
    build_base(Records(records, relations), folder / "isles.skb", silent)
    return open_base(folder / "isles.skb")


ENTITIES = (
    EntityRecord(
        "varn", "island", "Varn", "A bare rock where puffins nest.", ("The Varn", "Varnoy"), {"area_km2": 41.0}
    ),
    EntityRecord("torvik", "town", "Torvik", "A harbour with a fish market."),
    EntityRecord("holm", "light", "Holm Light", "A wooden house with a lantern on its roof."),
    EntityRecord(
        "skerry", "light", "Skerry Head Light", "A white tower of slate.", (), {"height_m": 34.0, "lit": "1871"}
    ),
    EntityRecord("ada", "person", "Ada Brandt"),
    EntityRecord("gull", "island", "Gull Rock"),
)
RELATIONS = (
    TripleRecord("torvik", "lies on", "varn"),
    TripleRecord("skerry", "lies on", "varn", "Skerry Head Light stands at its northern end.", "page#s1/t1/r1"),
    TripleRecord("holm", "lies on", "varn"),
    TripleRecord("ada", "designed", "skerry", "She drew the tower in 1869."),
    TripleRecord("ada", "born in", "torvik"),
)


@pytest.fixture(scope="module")
def isles(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    return built(ENTITIES, RELATIONS, tmp_path_factory.mktemp("skb"))


async def ids(base: BuiltKnowledgeBase, numbers: Sequence[int]) -> list[str]:
    return [each.id for each in await base.entities(numbers)]


async def number(base: BuiltKnowledgeBase, id: str) -> int:
    return (await base.entity(id)).number


async def test_an_entity_has_what_its_record_says(isles: BuiltKnowledgeBase) -> None:
    varn = await isles.entity("varn")
    assert (varn.type, varn.name, varn.aliases) == ("island", "Varn", ("The Varn", "Varnoy"))
    assert await isles.document(varn.number) == "A bare rock where puffins nest."
    assert await isles.attributes(varn.number) == {"area_km2": 41.0}


@pytest.mark.parametrize("marked", [0, 256], ids=["sorted", "marked"])
async def test_neighbours_are_those_of_a_relation_a_direction_and_a_type(
    isles: BuiltKnowledgeBase, monkeypatch: pytest.MonkeyPatch, marked: int
) -> None:
    monkeypatch.setattr("indexers.skb.adjacency.MARKED", marked)
    varn, ada = await number(isles, "varn"), await number(isles, "ada")
    assert await ids(isles, await isles.neighbours([varn])) == ["torvik", "holm", "skerry"]
    assert await ids(isles, await isles.neighbours([varn], type="light")) == ["holm", "skerry"]
    assert await isles.neighbours([varn], direction="out") == ()
    assert await ids(isles, await isles.neighbours([ada], "designed")) == ["skerry"]
    assert await ids(isles, await isles.neighbours([varn, ada], direction="in")) == ["torvik", "holm", "skerry"]
    assert await isles.neighbours([]) == ()


async def test_triples_say_what_their_records_say(isles: BuiltKnowledgeBase) -> None:
    (one,) = await isles.triples(await number(isles, "skerry"), "lies on")
    assert (one.text, one.evidence) == ("Skerry Head Light stands at its northern end.", "page#s1/t1/r1")
    assert len(await isles.triples(await number(isles, "varn"), limit=2)) == 2
    skerry, varn, gull = [await number(isles, each) for each in ("skerry", "varn", "gull")]
    assert await isles.between(skerry, varn) == await isles.between(varn, skerry) == (one,)
    assert await isles.between(skerry, gull) == ()


async def test_a_name_is_found_in_any_case_and_an_alias_too(isles: BuiltKnowledgeBase) -> None:
    assert [each.id for each in await isles.named("skerry  HEAD light")] == ["skerry"]
    assert [each.id for each in await isles.named("the varn", "island")] == ["varn"]
    assert await isles.named("the varn", "light") == ()


async def test_a_search_goes_by_words_and_by_type(isles: BuiltKnowledgeBase) -> None:
    found = await isles.search("a white tower", 5)
    assert await ids(isles, [each.item for each in found]) == ["skerry"]
    assert await ids(isles, [each.item for each in await isles.search("lantern or harbour", 5, "town")]) == ["torvik"]
    assert await isles.search("puffin", 5) != ()
    for nothing in ('"', "", "* NEAR( OR", "xyzzy"):
        assert await isles.search(nothing, 5) == ()


async def test_the_schema_counts_kinds_of_triples(isles: BuiltKnowledgeBase) -> None:
    assert await isles.schema() == (
        TripleType("light", "lies on", "island", 2),
        TripleType("person", "born in", "town", 1),
        TripleType("person", "designed", "light", 1),
        TripleType("town", "lies on", "island", 1),
    )


async def test_a_path_goes_both_ways_and_is_stated(isles: BuiltKnowledgeBase) -> None:
    holm, ada = await number(isles, "holm"), await number(isles, "ada")
    paths = await isles.paths(holm, ada, 3)
    assert [await ids(isles, path.entities) for path in paths] == [
        ["holm", "varn", "torvik", "ada"],
        ["holm", "varn", "skerry", "ada"],
    ]
    assert paths[1].triples[-1].text == "She drew the tower in 1869."
    assert await isles.paths(holm, ada, 2) == ()
    assert await isles.paths(holm, await number(isles, "gull"), 6) == ()
    assert [path.entities for path in await isles.paths(holm, holm, 2)] == [(holm,)]


async def test_what_a_base_has_not_is_named(isles: BuiltKnowledgeBase) -> None:
    with pytest.raises(UnknownEntity, match="no entity has the id 'Skerry'"):
        await isles.entity("Skerry")
    with pytest.raises(UnknownEntity, match="no entity number 99"):
        await isles.neighbours([99])
    with pytest.raises(UnknownEntity, match="no entity number 99"):
        await isles.entities([0, 99])
    with pytest.raises(UnknownName, match=r"no relation 'lives in'.*lies on, designed, born in"):
        await isles.neighbours([0], "lives in")
    with pytest.raises(UnknownName, match=r"no type 'ship'.*island, town, light, person"):
        await isles.search("tower", 3, "ship")


async def test_remarks_tell_what_was_left_out_and_what_stands_alone(tmp_path: Path) -> None:
    records = (*ENTITIES, EntityRecord("varn", "town", "Varn again"), EntityRecord("v2", "town", "varn"))
    relations = (*RELATIONS, RELATIONS[0], TripleRecord("ada", "met", "nobody"), TripleRecord("ada", "met", "ada"))
    base = built(records, relations, tmp_path)
    assert await base.remarks() == (
        "1 entity with the id of another one, left out: varn",
        "1 relation of an entity to itself, kept: ada",
        "1 relation stated more than once, kept once",
        "1 relation to an entity that there is not, left out: nobody",
        "2 entities without a relation",
        "3 entities without a document",
        "1 name of more than one entity",
        "most relations: Ada Brandt (person), 4",
    )


async def test_a_search_that_gives_up_says_so_and_not_that_there_is_no_path(
    isles: BuiltKnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexers.skb.knowledge_base.MOST_VISITED", 3)
    torvik, holm, ada = [await number(isles, each) for each in ("torvik", "holm", "ada")]
    assert len(await isles.paths(torvik, holm, 2)) == 1
    with pytest.raises(UsageError, match=r"at most 2 relations joins them, .* gave up after 4 entities; search from"):
        await isles.paths(ada, holm, 3)


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("黒澤明", "黒澤", True),
        ("映画監督の黒澤明は東京で生まれた。", "黒澤明", True),
        ("映画監督の黒澤明", "明", True),
        ("映画監督の黒澤明", "澤", True),
        ("서울에서 태어난 감독", "서울", True),
        ("黒い犬と澤", "黒澤", False),
        ("Kurosawa Akira", "Kuro", False),
    ],
)
async def test_words_of_scripts_without_spaces_are_found_within_a_run(
    tmp_path: Path, text: str, query: str, found: bool
) -> None:
    base = built([EntityRecord("k", "person", "x", text)], (), tmp_path)
    assert bool(await base.search(query, 5)) is found
    assert check_base(base.folder) == ()


Pairs = tuple[int, list[tuple[int, str, int]]]


@some.composite
def graphs(draw: some.DrawFn) -> Pairs:
    """Draw a number of entities and triples among them."""
    count = draw(some.integers(1, 9))
    ends = some.integers(0, count - 1)
    return count, draw(some.lists(some.tuples(ends, some.sampled_from("rst"), ends), max_size=25))


def base_of(drawn: Pairs, folder: Path) -> BuiltKnowledgeBase:
    count, triples = drawn
    records = [EntityRecord(str(each), "even" if each % 2 == 0 else "odd", f"n{each}") for each in range(count)]
    relations = [TripleRecord(str(source), relation, str(target)) for source, relation, target in triples]
    return built(records, relations, folder)


@given(graphs(), some.sets(some.integers(0, 8), max_size=4), some.sampled_from(("out", "in", "both")))
def test_neighbours_are_those_of_the_triples(drawn: Pairs, asked: set[int], way: str) -> None:
    count, triples = drawn
    asked = {each for each in asked if each < count}
    with TemporaryDirectory() as folder:
        base = base_of(drawn, Path(folder))
        out = {target for source, _, target in triples if source in asked and way != "in"}
        back = {source for source, _, target in triples if target in asked and way != "out"}
        assert asyncio.run(base.neighbours(sorted(asked), direction=way)) == tuple(sorted(out | back))
        odd = asyncio.run(base.neighbours(sorted(asked), direction=way, type="odd")) if count > 1 else ()
        assert odd == tuple(sorted(each for each in out | back if each % 2))
        assert check_base(Path(folder) / "isles.skb") == ()


@given(graphs(), some.integers(0, 8), some.integers(0, 8), some.integers(0, 4))
def test_paths_are_the_shortest_ones_and_hold(drawn: Pairs, source: int, target: int, hops: int) -> None:
    count, triples = drawn
    source, target = source % count, target % count
    far, rim = {source: 0}, deque([source])
    while rim:
        here = rim.popleft()
        for one, _, other in triples:
            for step in ([other] if one == here else []) + ([one] if other == here else []):
                if step not in far:
                    far[step] = far[here] + 1
                    rim.append(step)
    with TemporaryDirectory() as folder:
        paths = asyncio.run(base_of(drawn, Path(folder)).paths(source, target, hops, limit=1000))
    assert bool(paths) == (far.get(target, 99) <= hops)
    assert len({path.entities for path in paths}) == len(paths)
    for path in paths:
        assert (path.entities[0], path.entities[-1], len(path.triples)) == (source, target, far[target])
        for (first, second), triple in zip(pairwise(path.entities), path.triples, strict=True):
            assert (triple.source, triple.relation, triple.target) in triples
            assert {first, second} == {triple.source, triple.target}


def test_a_build_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexers.skb.base_building.BATCH", 2)
    out = tmp_path / "isles.skb"
    with pytest.raises(KeyboardInterrupt):
        build_base(Records(ENTITIES, RELATIONS, stop_after=5), out, silent)
    with pytest.raises(UsageError, match="its build did not end"):
        open_base(out)
    build_base(Records(ENTITIES, RELATIONS), out, silent)
    assert [path.name for path in tmp_path.iterdir()] == ["isles.skb"]
    whole = tmp_path / "whole.skb"
    build_base(Records(ENTITIES, RELATIONS), whole, silent)
    assert sorted(path.name for path in out.iterdir()) == ["base.json", "relations.bin", "texts.sqlite"]
    for name in ("base.json", "relations.bin"):
        assert (out / name).read_bytes() == (whole / name).read_bytes()
    assert asyncio.run(open_base(out).remarks()) == asyncio.run(open_base(whole).remarks())


def test_another_source_begins_anew_and_force_replaces(tmp_path: Path) -> None:
    out = tmp_path / "isles.skb"
    with pytest.raises(KeyboardInterrupt):
        build_base(Records(ENTITIES, RELATIONS, stop_after=5), out, silent)
    build_base(Records(ENTITIES[:2], RELATIONS[:1], fingerprint="2"), out, silent)
    assert open_base(out).entity_types == {"island": 1, "town": 1}
    with pytest.raises(UsageError, match=r"isles\.skb is there already.*--force"):
        build_base(Records(ENTITIES, RELATIONS), out, silent)
    build_base(Records(ENTITIES, RELATIONS), out, silent, force=True)
    assert sum(open_base(out).entity_types.values()) == len(ENTITIES)


def test_a_base_without_entities_a_locked_one_and_a_full_disk_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the source of isles has no entities"):
        build_base(Records((), ()), tmp_path / "none.skb", silent)
    with WriterLock(tmp_path / "held.skb.building"), pytest.raises(StoreLocked):
        build_base(Records(ENTITIES, RELATIONS), tmp_path / "held.skb", silent)
    many = [EntityRecord(str(each), "island", "rock " * 50) for each in range(500)]
    with largest_file(40_000), pytest.raises(StoreFull, match="no space left"):
        build_base(Records(many, ()), tmp_path / "full.skb", silent)
    build_base(Records(many, ()), tmp_path / "full.skb", silent)
    assert open_base(tmp_path / "full.skb").entity_types == {"island": 500}


@pytest.mark.parametrize("name", ["base.json", "relations.bin", "texts.sqlite"])
def test_a_damaged_file_is_named_with_the_remedy(tmp_path: Path, name: str) -> None:
    built(ENTITIES, RELATIONS, tmp_path)
    damaged = tmp_path / "isles.skb" / name
    damaged.write_bytes(damaged.read_bytes()[:40])
    with pytest.raises(StoreDamaged, match=r"build the knowledge base again"):
        check_base(tmp_path / "isles.skb")


@pytest.mark.parametrize(
    ("array", "items", "said"),
    [
        ("out neighbours", (5,), "relations do not read alike in both directions"),
        ("in neighbours", (2, 1), "relations are out of order"),
    ],
)
def test_rows_that_were_altered_are_found(tmp_path: Path, array: str, items: tuple[int, ...], said: str) -> None:
    extent = built(ENTITIES, RELATIONS, tmp_path).description.arrays[array]
    path = tmp_path / "isles.skb" / "relations.bin"
    content = bytearray(path.read_bytes())
    content[extent.begin : extent.begin + 4 * len(items)] = b"".join(each.to_bytes(4, "little") for each in items)
    path.write_bytes(content)
    assert check_base(tmp_path / "isles.skb") == (f"{said}; build the knowledge base again",)


def changed(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "texts.sqlite")) as texts, texts:
        texts.execute(statement)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM entities WHERE number = 5", "entities: 5, numbered 0 to 4, and not 6"),
        ("UPDATE entities SET type = 0 WHERE number = 1", "its entities have other types"),
        ("DELETE FROM words_docsize WHERE id = 3", "entities in its index of words: 5, and not 6"),
        ("UPDATE words_data SET block = x'0000' WHERE id > 10", "its index of words is damaged"),
    ],
)
def test_texts_that_do_not_fit_the_relations_are_found(tmp_path: Path, statement: str, said: str) -> None:
    folder = built(ENTITIES, RELATIONS, tmp_path).folder
    assert check_base(folder) == ()
    assert sorted(path.name for path in folder.iterdir()) == ["base.json", "relations.bin", "texts.sqlite"]
    changed(folder, statement)
    (wrong,) = check_base(folder)
    assert wrong.startswith(f"texts.sqlite: {said}")


def test_a_description_that_counts_otherwise_and_types_that_there_are_not_are_found(tmp_path: Path) -> None:
    description = built(ENTITIES, RELATIONS, tmp_path).description
    path, arrays = tmp_path / "isles.skb" / "base.json", tmp_path / "isles.skb" / "relations.bin"
    said = json.loads(path.read_text(encoding="utf8"))
    said["entity_types"]["island"], said["relations"]["born in"] = 3, 2
    path.write_text(json.dumps(said), encoding="utf8")
    assert check_base(path.parent) == (
        "base.json counts other entities of some type; build the knowledge base again",
        "base.json counts other triples of some relation; build the knowledge base again",
    )
    content = bytearray(arrays.read_bytes())
    content[description.arrays["types"].begin] = 200
    arrays.write_bytes(content)
    assert check_base(path.parent)[0].startswith("entities have types that there are not")


@pytest.mark.parametrize(
    "others",
    [
        Records((*ENTITIES[:-1], replace(ENTITIES[-1], text="Gulls.")), RELATIONS),
        Records(ENTITIES, (*RELATIONS[:-1], replace(RELATIONS[-1], text="So it says."))),
        Records(ENTITIES, (replace(RELATIONS[0], target="gull"), *RELATIONS[1:])),
    ],
    ids=["text of an entity", "text of a relation", "end of a relation"],
)
def test_the_digest_tells_what_a_base_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: Records) -> None:
    one = built(ENTITIES, RELATIONS, tmp_path).description
    other = build_base(others, tmp_path / "other.skb", silent)
    assert other.digest != one.digest
    assert (other.entity_types, other.relations) == (one.entity_types, one.relations)
    monkeypatch.setattr("indexers.skb.base_building.BATCH", 2)
    assert build_base(Records(ENTITIES, RELATIONS), tmp_path / "again.skb", silent).digest == one.digest


async def test_a_base_that_was_replaced_gives_no_answers_of_the_other_one(tmp_path: Path) -> None:
    base = built(ENTITIES, RELATIONS, tmp_path)
    same = shutil.copytree(base.folder, tmp_path / "copy")
    shutil.rmtree(base.folder)
    same.rename(base.folder)
    assert (await base.entity("varn")).name == "Varn"
    documents = base.documents()
    next(documents)
    turned = ENTITIES[::-1]
    build_base(Records(turned, RELATIONS), base.folder, silent, force=True)
    assert [one.id for one, _ in documents] == [each.id for each in ENTITIES[1:]]
    for ask in (base.entity("varn"), base.search("tower", 3), base.triples(0), base.entities([0]), base.named("varn")):
        with pytest.raises(StoreDamaged, match=r"isles\.skb was removed or replaced while it was open; open it again"):
            await ask
    shutil.rmtree(base.folder)
    with pytest.raises(StoreDamaged, match="removed or replaced while it was open"):
        await base.document(0)


@pytest.mark.parametrize("name", ["", "base.json", "relations.bin", "texts.sqlite"])
def test_what_may_not_be_read_is_named_with_the_remedy(tmp_path: Path, name: str) -> None:
    built(ENTITIES, RELATIONS, tmp_path)
    closed = tmp_path / "isles.skb" / name
    mode = closed.stat().st_mode
    closed.chmod(0)
    program = "import sys; from pathlib import Path; from indexers.skb.knowledge_base import open_base\n"
    program += "try:\n    open_base(Path(sys.argv[1]))\nexcept Exception as err:\n    print(type(err).__name__, err)"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "isles.skb")],
        preexec_fn=under_file_modes,
        capture_output=True,
        text=True,
        check=True,
    )
    closed.chmod(mode)
    assert done.stdout.startswith(f"StoreError {closed} cannot be read: Permission denied; give yourself the right")
    assert len(done.stdout.splitlines()) == 1


async def test_a_base_whose_relations_are_cut_while_it_is_open_gives_no_answers(tmp_path: Path) -> None:
    base = built(ENTITIES, RELATIONS, tmp_path)
    path = base.folder / "relations.bin"
    assert await base.triples(0)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    with pytest.raises(StoreDamaged, match=r"relations\.bin was cut short while it was open; build the knowledge base"):
        await base.triples(0)
    path.unlink()
    with pytest.raises(StoreDamaged, match=r"relations\.bin was cut short while it was open"):
        await base.entities([0])


def test_a_base_of_another_format_is_refused(tmp_path: Path) -> None:
    built(ENTITIES, RELATIONS, tmp_path)
    path = tmp_path / "isles.skb" / "base.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf8")), "format": 99}), encoding="utf8")
    with pytest.raises(UsageError, match="format 99"):
        open_base(tmp_path / "isles.skb")


def test_a_build_that_was_stopped_at_its_very_end_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "isles.skb"
    with monkeypatch.context() as patch:
        patch.setattr("indexers.skb.base_building.BaseDescription", stop)
        with pytest.raises(KeyboardInterrupt):
            build_base(Records(ENTITIES, RELATIONS), out, silent)
    unfinished = tmp_path / "isles.skb.building"
    (unfinished / "fingerprint").write_text("1", encoding="utf8")
    build_base(Records(ENTITIES, RELATIONS), out, silent)
    assert check_base(out) == ()
