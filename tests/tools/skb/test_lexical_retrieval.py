"""The lexical baselines rank by words: of documents alone, with neighbours' names, and by fields."""

import asyncio
import os
import shutil
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from heliograph.errors import StoreDamaged, UnknownName
from heliograph.types import EntityRecord, TripleRecord
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from tests.tools.skb.sky import ENTITIES, RELATIONS, Records, built
from tools.skb import lexical_retrieval
from tools.skb.candidates import NO_SCORES
from tools.skb.entity_documents import MOST_NEIGHBOURS
from tools.skb.lexical_retrieval import RETRIEVERS, TripleBm25
from tools.skb.systems import retriever_named

NAMES = ("bm25", "bm25-neighbours", "bm25-fields")
DOCUMENTS = RETRIEVERS["bm25"]


@pytest.fixture(scope="module")
def sky(tmp_path_factory: pytest.TempPathFactory) -> BuiltKnowledgeBase:
    return built(Records(ENTITIES, RELATIONS), tmp_path_factory.mktemp("skb") / "sky.skb")


async def found(base: BuiltKnowledgeBase, name: str, query: str, k: int = 10, type: str = "") -> list[str]:
    ranked = await retriever_named(name, base).retrieve(query, k, type)
    return [each.id for each in await base.entities([one.item for one in ranked])]


@pytest.mark.parametrize("name", NAMES)
async def test_words_of_names_and_documents_are_found(sky: BuiltKnowledgeBase, name: str) -> None:
    assert await found(sky, name, "Where are lakes of methane?") == ["titan"]
    assert (await found(sky, name, "dione"))[0] == "dione"
    assert await found(sky, name, "a giant with RINGS") == ["saturn", "cassini"]


@pytest.mark.parametrize("name", NAMES)
async def test_a_type_restricts_and_an_unknown_one_is_refused(sky: BuiltKnowledgeBase, name: str) -> None:
    assert await found(sky, name, "giant", type="mission") == ["cassini"]
    assert await found(sky, name, "giant", type="moon") == []
    with pytest.raises(UnknownName, match=r"no type 'comet'.*planet, moon, mission"):
        await retriever_named(name, sky).retrieve("giant", 3, "comet")


@pytest.mark.parametrize("name", NAMES)
async def test_equal_entities_are_ranked_by_number(sky: BuiltKnowledgeBase, name: str) -> None:
    first, second = await retriever_named(name, sky).retrieve("craters", 10)
    assert (first.item, second.item) == (2, 3)
    assert first.score == second.score > 0
    assert await found(sky, name, "craters", k=1) == ["rhea"]
    assert await found(sky, name, "craters", k=0) == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("query", ["", "?!", "the of and", "x", "xyzzy"])
async def test_a_query_without_a_known_word_finds_nothing(sky: BuiltKnowledgeBase, name: str, query: str) -> None:
    assert await found(sky, name, query) == []


async def test_only_documents_know_no_names_of_neighbours_and_no_aliases(sky: BuiltKnowledgeBase) -> None:
    assert await found(sky, "bm25", "Saturn") == ["saturn"]
    assert await found(sky, "bm25", "grand finale") == []
    for name in NAMES[1:]:
        assert sorted(await found(sky, name, "Saturn", type="moon")) == ["dione", "rhea", "titan"]
        assert await found(sky, name, "Cassini", type="moon") == ["titan"]
        assert await found(sky, name, "grand finale") == ["cassini"]


async def test_lines_of_neighbours_have_the_words_of_their_relation(sky: BuiltKnowledgeBase) -> None:
    assert sorted(await found(sky, "bm25-neighbours", "flew")) == ["cassini", "titan"]
    assert await found(sky, "bm25", "flew") == await found(sky, "bm25-fields", "flew") == []


@pytest.mark.parametrize("name", NAMES[1:])
async def test_a_hub_takes_over_the_first_names_only(tmp_path: Path, name: str) -> None:
    moons = [EntityRecord(f"m{each}", "moon", f"Moon{each}") for each in range(MOST_NEIGHBOURS + 1)]
    relations = [TripleRecord(each.id, "orbits", "hub") for each in moons]
    base = built(Records((*moons, EntityRecord("hub", "planet", "Hub")), relations), tmp_path / "hub.skb")
    assert await found(base, name, f"Moon{MOST_NEIGHBOURS - 1}", type="planet") == ["hub"]
    assert await found(base, name, f"Moon{MOST_NEIGHBOURS}", type="planet") == []


@pytest.mark.parametrize("name", NAMES)
async def test_candidate_types_answer_unless_another_type_is_named(tmp_path: Path, name: str) -> None:
    base = built(Records(ENTITIES, RELATIONS, ("moon", "mission")), tmp_path / "sky.skb")
    assert await found(base, name, "giant") == ["cassini"]
    assert await found(base, name, "giant", type="planet") == ["saturn"]
    places = sorted(path.name for path in (tmp_path / "sky.skb" / "indexes").iterdir())
    assert places == [name, f"{name}-type-0"]


async def test_the_words_of_others_than_candidates_do_not_change_scores(tmp_path: Path) -> None:
    alone = built(Records(ENTITIES[1:4]), tmp_path / "moons.skb")
    among = built(Records((*ENTITIES[1:4], ENTITIES[0], ENTITIES[4]), (), ("moon",)), tmp_path / "sky.skb")
    for name in NAMES:
        scores = await retriever_named(name, alone).retrieve("old ice on Titan", 10)
        assert len(scores) == 3
        assert await retriever_named(name, among).retrieve("old ice on Titan", 10) == scores


async def test_a_document_that_begins_with_its_name_is_not_given_it_twice(tmp_path: Path) -> None:
    papers = (EntityRecord("1", "paper", "Rings", "paper title: Rings\nabstract: Ice."),)
    bare = (EntityRecord("1", "paper", "paper title: Rings", "abstract: Ice."),)
    one, other = (built(Records(each), tmp_path / str(at)) for at, each in enumerate((papers, bare)))
    query = "rings of ice"
    assert await DOCUMENTS(one).retrieve(query, 1) == await DOCUMENTS(other).retrieve(query, 1) != ()


async def test_scores_of_documents_are_those_of_bm25s(sky: BuiltKnowledgeBase) -> None:
    index = bm25s.BM25()
    index.index(bm25s.tokenize([f"{each.name}\n{each.text}" for each in ENTITIES], show_progress=False))
    scores = index.get_scores(["giant", "old", "titan"])
    ranked = await DOCUMENTS(sky).retrieve("The giant, old Titan", 10)
    assert {one.item: one.score for one in ranked} == {at: score for at, score in enumerate(scores.tolist()) if score}


async def test_fields_that_are_all_names_score_as_bm25s_does(tmp_path: Path) -> None:
    names = ["Red Moon", "Moon", "Blue Moon Moon of Ice", "Comet"]
    base = built(Records([EntityRecord(each, "any", each) for each in names]), tmp_path / "names.skb")
    index = bm25s.BM25()
    index.index(bm25s.tokenize(names, show_progress=False))
    ranked = await retriever_named("bm25-fields", base).retrieve("red moon", 10)
    expected = dict(enumerate(index.get_scores(["red", "moon"]).tolist()))
    assert {one.item: one.score for one in ranked} == pytest.approx({at: expected[at] for at in (0, 1, 2)}, rel=1e-6)


async def test_a_fielded_score_is_the_one_computed_by_hand(tmp_path: Path) -> None:
    records = (EntityRecord("a", "t", "red", "red blue"), EntityRecord("b", "t", "green", "blue blue blue blue"))
    base = built(Records(records), tmp_path / "hand.skb")
    (one,) = await retriever_named("bm25-fields", base).retrieve("red", 5)
    # Names have a length of 1 each, so that one counts 1; texts one of 3 in the mean, so that one of 2 counts 1 / .75.
    shares = 1 + 1 / (0.25 + 0.75 * 2 / 3)
    idf = np.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert (one.item, one.score) == (0, pytest.approx(idf * shares / (1.5 + shares), rel=1e-6))


@pytest.mark.parametrize("name", NAMES)
async def test_a_base_without_words_answers_nothing(tmp_path: Path, name: str) -> None:
    base = built(Records((EntityRecord("1", "sign", "?"), EntityRecord("2", "sign", "!"))), tmp_path / "signs.skb")
    for _ in range(2):
        assert await found(base, name, "what sign") == []


@pytest.mark.parametrize("name", NAMES)
async def test_a_saved_index_is_used_again(tmp_path: Path, name: str) -> None:
    base = built(Records(ENTITIES, RELATIONS), tmp_path / "sky.skb")
    made = await retriever_named(name, base).retrieve("old giant Saturn", 10)
    kept = base.folder / "indexes"
    assert [path.name for path in kept.iterdir()] == [name]
    before = {path: path.stat().st_mtime_ns for path in kept.rglob("*")}
    assert await retriever_named(name, open_base(base.folder)).retrieve("old giant Saturn", 10) == made
    assert {path: path.stat().st_mtime_ns for path in kept.rglob("*")} == before


@pytest.mark.parametrize("name", NAMES)
async def test_an_index_is_made_again_after_the_base_has_changed(tmp_path: Path, name: str) -> None:
    old = built(Records(ENTITIES, RELATIONS), tmp_path / "old.skb")
    assert await found(old, name, "methane") == ["titan"]
    new = built(Records((*ENTITIES[::-1], EntityRecord("triton", "moon", "Triton"))), tmp_path / "new.skb")
    shutil.copytree(old.folder / "indexes", new.folder / "indexes")
    assert await found(new, name, "methane") == ["titan"]
    assert await found(new, name, "triton") == ["triton"]


@pytest.mark.parametrize("name", NAMES)
async def test_a_damaged_index_is_made_again(tmp_path: Path, name: str) -> None:
    base = built(Records(ENTITIES, RELATIONS), tmp_path / "sky.skb")
    made = await retriever_named(name, base).retrieve("old giant Saturn", 10)
    for path in sorted((base.folder / "indexes" / name).iterdir()):
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
        assert await retriever_named(name, base).retrieve("old giant Saturn", 10) == made
        assert path.read_bytes() == content


async def test_a_base_whose_folder_takes_no_index_is_asked_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    base = built(Records(ENTITIES), tmp_path / "sky.skb")
    (base.folder / "indexes").write_text("a file where the folder should be", encoding="utf8")
    assert await found(base, "bm25", "methane") == ["titan"]
    assert "it will be made again next time" in caplog.text


async def test_a_base_that_is_gone_is_named(tmp_path: Path) -> None:
    base = built(Records(ENTITIES), tmp_path / "sky.skb")
    shutil.rmtree(base.folder)
    with pytest.raises(StoreDamaged, match=rf"{os.sep}sky\.skb was removed or replaced"):
        await DOCUMENTS(base).retrieve("methane", 1)


WORDS = some.sampled_from(("red", "blue", "moon", "ice", "rock", "the", "?"))
TEXTS = some.lists(WORDS, max_size=5).map(" ".join)
TYPES = some.sampled_from(("star", "moon", "comet"))


@some.composite
def sources(draw: some.DrawFn) -> Records:
    """Draw records with few words, so that many are equal."""
    drawn = draw(some.lists(some.tuples(TYPES, TEXTS, TEXTS), min_size=1, max_size=7))
    records = [EntityRecord(str(at), type, name, text) for at, (type, name, text) in enumerate(drawn)]
    ends = some.integers(0, len(records) - 1).map(str)
    triples = draw(some.lists(some.builds(TripleRecord, ends, some.sampled_from(("near", "far")), ends), max_size=8))
    there = sorted({record.type for record in records})
    return Records(records, triples, tuple(draw(some.sets(some.sampled_from(there)))))


@given(sources(), TEXTS, some.integers(0, 8), some.sampled_from(NAMES))
def test_answers_are_candidates_sorted_and_each_once(source: Records, query: str, k: int, name: str) -> None:
    with TemporaryDirectory() as folder:
        base = built(source, Path(folder) / "sky.skb")
        for type in ("", *base.entity_types):
            ranked = asyncio.run(retriever_named(name, base).retrieve(query, k, type))
            kinds = {type} if type else set(source.candidate_types) or set(base.entity_types)
            assert {source.records[one.item].type for one in ranked} <= kinds
            assert len(ranked) <= k
            assert all((-one.score, one.item) < (-other.score, other.item) for one, other in pairwise(ranked))
            assert all(one.score > 0 for one in ranked)


ROW = "Flights past Titan | Probe : Cassini ; Moon : Titan ; Flights : 127"
STATED = (
    *RELATIONS[:3],
    TripleRecord("cassini", "flew_by", "titan", ROW),
    TripleRecord("saturn", "seen", "titan", ROW),
    TripleRecord("cassini", "flew_by", "rhea", "Cassini came past Rhea in 2005."),
)


async def best_triples(base: BuiltKnowledgeBase, query: str, type: str) -> dict[str, float]:
    documents = await DOCUMENTS(base).scores(query)
    _, scored = await TripleBm25(base).scores(query, documents, base.graph.of_type(type))
    entities = await base.entities(scored.numbers.tolist())
    return {each.id: score for each, score in zip(entities, scored.values.tolist(), strict=True)}


async def test_what_a_triple_says_speaks_for_both_its_ends(tmp_path: Path) -> None:
    base = built(Records(ENTITIES, STATED), tmp_path / "sky.skb")
    flights = await best_triples(base, "127", "moon")
    assert list(flights) == ["titan"]
    assert await best_triples(base, "127", "mission") == {"cassini": flights["titan"]}
    assert list(await best_triples(base, "2005", "moon")) == ["rhea"]
    assert await best_triples(base, "2005", "planet") == {}


async def test_the_document_at_the_other_end_is_added_to_what_a_triple_says(tmp_path: Path) -> None:
    base = built(Records(ENTITIES, STATED), tmp_path / "sky.skb")
    rings = await best_triples(base, "rings", "moon")
    assert sorted(rings) == ["dione", "rhea", "titan"] and len(set(rings.values())) == 1
    both = await best_triples(base, "rings 127", "moon")
    assert both["titan"] == pytest.approx(rings["titan"] + (await best_triples(base, "127", "moon"))["titan"])
    assert both["rhea"] == rings["rhea"]
    documents = await DOCUMENTS(base).scores("rings 127")
    beside, _ = await TripleBm25(base).scores("rings 127", documents, base.graph.of_type("moon"))
    assert beside.values.tolist() == [rings["rhea"]] * 3


async def test_of_very_many_triples_those_beside_the_first_documents_are_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = built(Records(ENTITIES, STATED), tmp_path / "sky.skb")
    every = await best_triples(base, "rings 127", "moon")
    monkeypatch.setattr(lexical_retrieval, "MOST_TRIPLES", 1)
    assert await best_triples(base, "rings 127", "moon") == every
    assert await best_triples(base, "127", "moon") == {}


async def test_what_triples_say_is_read_once_and_kept(tmp_path: Path) -> None:
    base = built(Records(ENTITIES, STATED), tmp_path / "sky.skb")
    first = await best_triples(base, "flights 2005", "moon")
    folder = base.folder / "indexes" / "triples"
    kept = folder.stat().st_mtime_ns
    assert await best_triples(base, "flights 2005", "moon") == first
    assert folder.stat().st_mtime_ns == kept
    (folder / "in.npy").write_bytes(b"damaged")
    assert await best_triples(base, "flights 2005", "moon") == first
    assert folder.stat().st_mtime_ns != kept


async def test_without_texts_and_without_triples_nothing_is_said(sky: BuiltKnowledgeBase, tmp_path: Path) -> None:
    assert sorted(await best_triples(sky, "rings", "moon")) == ["dione", "rhea", "titan"]
    alone = built(Records(ENTITIES), tmp_path / "alone.skb")
    assert await best_triples(alone, "rings", "moon") == {}
    for scored in await TripleBm25(sky).scores("rings", NO_SCORES, sky.graph.of_type("moon")):
        assert len(scored.numbers) == 0
