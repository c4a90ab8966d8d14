"""Dense baselines: every candidate has a vector, search is exact, and what was embedded is kept."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from heliograph.errors import ContextOverflow, ModelTimeout, StoreLocked, UnknownName
from heliograph.protocols import Vectors
from heliograph.types import EntityRecord
from indexers.lock import WriterLock
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from tests.fakes_models import FakeEmbedder
from tests.tools.skb.sky import ENTITIES, RELATIONS, Records, built
from tools.skb.dense_retrieval import (
    BLOCK,
    CHUNK,
    CHUNKED,
    MOST_CHARACTERS,
    OVERLAP,
    Aggregation,
    DenseRetriever,
    Instruction,
    MultiVectorRetriever,
    chunks_of,
    embed_fitting,
    instruction_beside,
    instruction_of,
    on_one_line,
)
from tools.skb.entity_documents import related_documents

STONES = tuple(EntityRecord(f"s{each}", "stone", f"Stone {each}", f"It weighs {each} grams.") for each in range(300))


@dataclass
class CountingEmbedder:
    """Hashed words; it keeps what it was given, is silent after `most` calls, and has a context of `longest` signs."""

    name: str = "hashed words"
    dimensions: int = 512
    most: int = 1_000
    longest: int = 1_000_000
    silent: Exception = field(default_factory=lambda: ModelTimeout("silent"))
    texts: list[str] = field(default_factory=list)
    calls: int = 0

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        if self.calls > self.most:
            raise self.silent
        if any(len(text) > self.longest for text in texts):
            raise ContextOverflow("too long")
        self.texts += texts
        return await FakeEmbedder(dimensions=self.dimensions).embed(texts)


@pytest.fixture
def sky(tmp_path: Path) -> BuiltKnowledgeBase:
    return built(Records(ENTITIES, RELATIONS), tmp_path / "sky.skb")


async def found(
    base: BuiltKnowledgeBase, query: str, k: int = 10, type: str = "", embedder: CountingEmbedder | None = None
) -> list[str]:
    ranked = await DenseRetriever(base, embedder or CountingEmbedder()).retrieve(query, k, type)
    return [each.id for each in await base.entities([one.item for one in ranked])]


async def test_an_entity_is_found_by_its_words_and_by_its_neighbours(sky: BuiltKnowledgeBase) -> None:
    assert await found(sky, "liquid methane lakes", 1) == ["titan"]
    assert await found(sky, "Grand Finale", 1) == ["cassini"]
    assert sorted(await found(sky, "flew by", 2)) == ["cassini", "titan"]


async def test_scores_are_the_products_of_whole_vectors_and_equal_ones_go_by_number(sky: BuiltKnowledgeBase) -> None:
    texts = [on_one_line(each) for each in await related_documents(sky, range(5))]
    vectors = await CountingEmbedder().embed([*texts, "craters of ice"])
    products = (vectors[:-1] @ vectors[-1]).tolist()
    ranked = await DenseRetriever(sky, CountingEmbedder()).retrieve("craters of ice", 10)
    assert [each.item for each in ranked] == sorted(range(5), key=lambda each: (-products[each], each))
    assert [each.score for each in ranked] == pytest.approx([products[each.item] for each in ranked], abs=1e-6)
    same = built(Records([EntityRecord(str(each), "t", "same") for each in range(4)]), sky.folder.with_name("same.skb"))
    assert await found(same, "same", 2) == ["0", "1"]


async def test_a_type_restricts_and_an_unknown_one_is_refused(sky: BuiltKnowledgeBase) -> None:
    assert sorted(await found(sky, "giant", type="moon")) == ["dione", "rhea", "titan"]
    with pytest.raises(UnknownName, match=r"no type 'comet'.*planet, moon, mission"):
        await found(sky, "giant", type="comet")


@pytest.mark.parametrize(("query", "k"), [("", 5), (" \n", 5), ("giant", 0)])
async def test_nothing_asked_finds_nothing(sky: BuiltKnowledgeBase, query: str, k: int) -> None:
    assert await found(sky, query, k) == []


async def test_candidate_types_answer_unless_another_type_is_named(tmp_path: Path) -> None:
    base = built(Records(ENTITIES, RELATIONS, ("moon", "mission")), tmp_path / "sky.skb")
    assert "saturn" not in await found(base, "giant")
    assert await found(base, "giant", type="planet") == ["saturn"]
    assert len(list((base.folder / "indexes").glob("dense-hashed-words-*"))) == 2


async def test_vectors_are_kept_and_only_queries_are_embedded_again(sky: BuiltKnowledgeBase) -> None:
    made = await found(sky, "giant")
    again, other = CountingEmbedder(), CountingEmbedder("other words")
    assert await found(open_base(sky.folder), "giant", embedder=again) == made
    assert again.texts == ["giant"]
    await found(sky, "giant", embedder=other)
    assert len(other.texts) == len(ENTITIES) + 1


async def test_a_stopped_run_goes_on_after_the_last_block(tmp_path: Path) -> None:
    base = built(Records(STONES), tmp_path / "stones.skb")
    with pytest.raises(ModelTimeout):
        await found(base, "It weighs 7 grams", embedder=CountingEmbedder(most=1))
    again, said = CountingEmbedder(), list[str]()
    ranked = await DenseRetriever(base, again, say=said.append).retrieve("It weighs 7 grams", 1)
    assert [STONES[each.item].id for each in ranked] == ["s7"]
    assert len(again.texts) == len(STONES) - BLOCK + 1
    assert said[-1].startswith("entities embedded: 44 of 44")


async def test_vectors_cut_short_are_completed(sky: BuiltKnowledgeBase) -> None:
    made = await found(sky, "giant")
    (path,) = (sky.folder / "indexes").rglob("vectors")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    again = CountingEmbedder()
    assert await found(sky, "giant", embedder=again) == made
    assert (path.read_bytes(), len(again.texts)) == (whole, 4)


async def test_vectors_of_another_state_of_the_base_are_made_again(sky: BuiltKnowledgeBase) -> None:
    await found(sky, "giant")
    new = built(Records(ENTITIES[::-1]), sky.folder.with_name("new.skb"))
    shutil.copytree(sky.folder / "indexes", new.folder / "indexes")
    assert await found(new, "liquid methane lakes", 1) == ["titan"]


async def test_a_base_whose_folder_takes_no_vectors_is_asked_all_the_same(
    sky: BuiltKnowledgeBase, caplog: pytest.LogCaptureFixture
) -> None:
    (sky.folder / "indexes").write_text("a file where the folder should be", encoding="utf8")
    assert await found(sky, "methane", 1) == ["titan"]
    assert "they will be made again next time" in caplog.text
    assert await multi(sky, "max").retrieve("methane", 1) != ()
    assert "the vectors of chunks are not kept" in caplog.text


async def test_vectors_of_some_that_cannot_be_kept_are_made_once(
    sky: BuiltKnowledgeBase, caplog: pytest.LogCaptureFixture
) -> None:
    (sky.folder / "indexes").write_text("a file where the folder should be", encoding="utf8")
    embedder = CountingEmbedder()
    scores = await DenseRetriever(sky, embedder).scores_among("methane", np.array([0, 1, 2]))
    assert (len(scores.values), len(embedder.texts)) == (3, 4)
    assert "the vectors of entities are not kept" in caplog.text


async def test_a_store_that_the_embedder_cannot_use_is_not_taken_for_that_of_the_vectors(
    sky: BuiltKnowledgeBase, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = CountingEmbedder(most=1, silent=StoreLocked("the cache of the model is being written"))
    with pytest.raises(StoreLocked, match="the cache of the model"):
        await DenseRetriever(sky, embedder).scores_among("methane", np.array([0, 1, 2]))
    assert (embedder.calls, caplog.text) == (2, "")


async def test_another_process_that_embeds_the_base_is_named(sky: BuiltKnowledgeBase) -> None:
    await found(sky, "giant")
    (path,) = (sky.folder / "indexes").rglob("vectors")
    path.unlink()
    with WriterLock(path.parent), pytest.raises(StoreLocked, match="is being written by process"):
        await DenseRetriever(sky, CountingEmbedder(), patience=0).retrieve("giant", 1)


async def test_another_process_that_embeds_the_base_is_waited_for_and_its_vectors_are_used(
    sky: BuiltKnowledgeBase,
) -> None:
    made = await found(sky, "giant")
    (path,) = (sky.folder / "indexes").rglob("vectors")
    whole = path.read_bytes()
    path.write_bytes(whole[:8])
    again, lock = CountingEmbedder(), WriterLock(path.parent)
    lock.acquire()

    def hear(said: str) -> None:
        assert said == "another process embeds the entities; waiting for it"
        path.write_bytes(whole)
        lock.release()

    ranked = await DenseRetriever(sky, again, say=hear).retrieve("giant", 10)
    assert [each.id for each in await sky.entities([one.item for one in ranked])] == made
    assert again.texts == ["giant"]


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("GritLM/GritLM-7B at http://127.0.0.1:8001/v1", "<|user|>\nGiven a query, ", "<|embed|>\n"),
        ("McGill-NLP/LLM2Vec-Meta-Llama-3-8B", "Given a query, ", ""),
        ("voyage-large-2-instruct", "Represent the query ", "Represent the document "),
        ("text-embedding-ada-002", "", ""),
    ],
)
async def test_a_model_is_given_its_instruction(sky: BuiltKnowledgeBase, model: str, query: str, document: str) -> None:
    embedder = CountingEmbedder(model)
    await found(sky, "giant", embedder=embedder)
    *documents, asked = embedder.texts
    assert asked.startswith(query)
    assert asked.endswith("giant")
    assert documents[0].startswith(f"{document}{'Saturn' if not document.startswith('Rep') else ''}")
    assert instruction_of(model, "Find: ").query == "Find: "


@pytest.mark.parametrize(
    ("said", "query", "known"),
    [
        ('{"prompts": {"query": "Q: ", "document": "D: "}}', None, Instruction("Q: ", "D: ")),
        ('{"prompts": {"query": "Q: ", "document": "D: "}}', "Find: ", Instruction("Find: ", "D: ")),
        ('{"prompts": {"query": "", "document": ""}}', None, Instruction("<|user|>", "<|embed|>\n")),
        ('{"prompts": {"query": ""}}', "Find: ", Instruction("Find: ", "<|embed|>\n")),
        ('{"prompts": []}', None, Instruction("<|user|>", "<|embed|>\n")),
        ("{", None, Instruction("<|user|>", "<|embed|>\n")),
    ],
)
def test_what_the_folder_of_a_model_says_of_its_instruction_goes_before_what_its_name_says(
    tmp_path: Path, said: str, query: str | None, known: Instruction
) -> None:
    (tmp_path / "config_sentence_transformers.json").write_text(said, encoding="utf8")
    found = instruction_of("my-gritlm", instruction_beside(str(tmp_path), query))
    assert (found.query[: len(known.query)], found.document) == (known.query, known.document)


@pytest.mark.parametrize(
    ("prompts", "expected"),
    [
        ({"query": "Q: "}, Instruction("Q: ", "<|embed|>\n")),
        ({"passage": "P: "}, Instruction(instruction_of("gritlm").query, "P: ")),
        ({"query": "query: ", "passage": "passage: "}, Instruction("query: ", "passage: ")),
        ({"query": "query: ", "corpus": "text: "}, Instruction("query: ", "text: ")),
    ],
)
def test_what_a_folder_does_not_say_is_known_of_the_model(
    tmp_path: Path, prompts: dict[str, str], expected: Instruction
) -> None:
    folder = tmp_path / "my-gritlm"
    folder.mkdir()
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}), encoding="utf8")
    assert instruction_of(str(folder), instruction_beside(str(folder))) == expected


def test_the_current_folder_is_no_model_where_none_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config_sentence_transformers.json").write_text('{"prompts": {"query": "Q: "}}', encoding="utf8")
    monkeypatch.chdir(tmp_path)
    assert instruction_beside("", None) is None
    assert instruction_beside("", "Find: ") == "Find: "


async def test_a_text_that_a_server_has_no_room_for_is_cut_to_its_half_until_it_fits() -> None:
    embedder = CountingEmbedder(longest=5)
    assert len(await embed_fitting(embedder, ["a" * 18, "b"])) == 2
    assert embedder.texts == ["aaaa", "b"]
    with pytest.raises(ContextOverflow):
        await embed_fitting(CountingEmbedder(longest=0), ["a"])


def test_a_document_is_one_line_and_no_longer_than_its_limit() -> None:
    assert on_one_line(" a\n\n b ") == "a b"
    assert len(on_one_line("ab " * MOST_CHARACTERS)) <= MOST_CHARACTERS


@given(some.text(max_size=3 * CHUNK))
def test_chunks_overlap_and_lose_nothing(text: str) -> None:
    chunks = chunks_of(text)
    assert max(map(len, chunks)) <= CHUNK
    assert "".join((chunks[0], *(each[OVERLAP:] for each in chunks[1:]))) == text
    assert all(one[-OVERLAP:] == other[:OVERLAP] for one, other in pairwise(chunks))


def multi(base: BuiltKnowledgeBase, aggregation: Aggregation) -> MultiVectorRetriever:
    embedder = CountingEmbedder()
    return MultiVectorRetriever(base, DenseRetriever(base, embedder), embedder, aggregation)


@pytest.mark.parametrize(("aggregation", "greatest"), [("max", 1), ("top3", 3)])
async def test_an_entity_scores_its_best_chunks(tmp_path: Path, aggregation: Aggregation, greatest: int) -> None:
    text = " ".join(f"word{each} ice rock" for each in range(80))
    base = built(Records((EntityRecord("1", "t", "One", text), EntityRecord("2", "t", "Two", "rock"))), tmp_path / "b")
    (document, _) = await related_documents(base, [0, 1])
    vectors = await CountingEmbedder().embed([*chunks_of(on_one_line(document)), "word7 ice"])
    best = sorted((vectors[:-1] @ vectors[-1]).tolist())[-greatest:]
    ranked = await multi(base, aggregation).retrieve("word7 ice", 5)
    assert ranked[0].item == 0
    assert ranked[0].score == pytest.approx(np.mean(best), abs=1e-6)


async def test_past_the_first_the_order_of_dense_retrieval_stands(tmp_path: Path) -> None:
    base = built(Records(STONES), tmp_path / "stones.skb")
    dense = await DenseRetriever(base, CountingEmbedder()).retrieve("Stone 7", 100)
    ranked = await multi(base, "max").retrieve("Stone 7", 100)
    assert [each.item for each in ranked[CHUNKED:]] == [each.item for each in dense[CHUNKED:]]
    assert {each.item for each in ranked[:CHUNKED]} == {each.item for each in dense[:CHUNKED]}
    assert all(one.score >= other.score for one, other in pairwise(ranked))
    assert await multi(base, "max").retrieve("Stone 7", 3) == ranked[:3]


async def test_chunks_are_embedded_once(sky: BuiltKnowledgeBase) -> None:
    embedder = CountingEmbedder()
    await multi(sky, "max").retrieve("giant", 5)
    again = MultiVectorRetriever(sky, DenseRetriever(sky, embedder), embedder, "top3")
    await again.retrieve("giant", 5)
    assert embedder.texts == ["giant", "giant"]
