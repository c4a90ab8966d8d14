"""The evidence indexes on real LlamaIndex and real Chroma, with an embedder of words."""

import asyncio
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.errors import ModelMissing, StoreError, StoreLocked
from heliograph.types import MODALITIES, Indexed, Scored, VectorUse
from indexers.evidence import EvidenceIndexes
from indexers.models.cache import CachedEmbedder
from indexers.pieces import pieces_of
from indexers.render import render
from tests.indexers.opening import opened

JUPITER = "demo:Jupiter@1"
PIECES = 6
"""Of the document: lead, table, three rows, image."""


@pytest.fixture
def indexes(tmp_path, words):
    with opened(tmp_path, words) as made:
        yield made


def ids(found) -> list[str]:
    return [scored.item for scored in found]


async def test_each_modality_is_found_in_its_own_index(indexes, document):
    assert (await indexes.add([document()])).embedded == PIECES
    text = await indexes.retrieve("giant planet", "text", 9, [JUPITER])
    table = await indexes.retrieve("Ganymede diameter", "table", 1, [JUPITER])
    image = await indexes.retrieve("red storm", "image", 9, [JUPITER])
    assert (ids(text), ids(table), ids(image)) == (
        [f"{JUPITER}#s0/p1"],
        [f"{JUPITER}#s1/t1/r3"],
        [f"{JUPITER}#s1/i1"],
    )


async def test_a_score_is_the_cosine_of_the_question_and_the_rendered_piece(indexes, document, word_embedder):
    page = document()
    await indexes.add([page])
    rendered = {piece.id: render(piece) for piece in pieces_of(page).pieces}
    question = word_embedder().vector("how wide is Ganymede")
    found = await indexes.retrieve("how wide is Ganymede", "table", 9, [JUPITER])
    assert len(found) == 4
    for scored in found:
        cosine = word_embedder().vector(rendered[scored.item]) @ question
        assert scored.score == pytest.approx(cosine, abs=2e-6)


async def test_a_page_that_is_known_is_not_embedded_again_nor_written(tmp_path, words, document):
    with opened(tmp_path, words) as first:
        await first.add([document(), document("Saturn")])
        before = await first.retrieve("moon", "table", 9, [JUPITER])
    with opened(tmp_path, words) as second:
        assert (await second.add([document("Saturn"), document()])).embedded == 0
        assert await second.retrieve("moon", "table", 9, [JUPITER]) == before


async def test_a_changed_page_embeds_what_is_new_and_loses_what_is_gone(indexes, document):
    await indexes.add([document(paragraphs=["The rings are faint.", "The core is dense."]), document("Saturn")])
    assert (
        await indexes.add([document(revision="2", paragraphs=["The rings are faint.", "The core is fuzzy."])])
    ).embedded == 1
    assert await indexes.retrieve("core", "text", 9, [JUPITER]) == ()
    found = await indexes.retrieve("core", "text", 9, ["demo:Jupiter@2"])
    assert sorted(ids(found)) == ["demo:Jupiter@2#s0/p1", "demo:Jupiter@2#s1/p1", "demo:Jupiter@2#s1/p2"]
    assert ids(await indexes.retrieve("planet", "text", 9, ["demo:Saturn@1"])) == ["demo:Saturn@1#s0/p1"]


async def test_a_page_whose_text_changed_within_a_revision_is_indexed_anew(indexes, document):
    await indexes.add([document(paragraphs=["old words", "more old words"])])
    assert (await indexes.add([document(paragraphs=["new words"])])).embedded == 1
    found = await indexes.retrieve("words", "text", 9, [JUPITER])
    assert sorted(ids(found)) == [f"{JUPITER}#s0/p1", f"{JUPITER}#s1/p1"]


async def test_a_page_given_twice_counts_once(indexes, document):
    assert (await indexes.add([document(), document()])).embedded == PIECES
    assert len(await indexes.retrieve("moon", "table", 99, [JUPITER, JUPITER])) == 4


async def test_an_interrupted_page_is_finished_by_the_next_run(tmp_path, document, word_embedder):
    class Broken(word_embedder):
        async def embed(self, texts):
            raise ModelMissing("gone")

    with (
        opened(tmp_path, CachedEmbedder(Broken(), tmp_path / "a.sqlite")) as first,
        pytest.raises(ModelMissing),
    ):
        await first.add([document()])
    with opened(tmp_path, CachedEmbedder(word_embedder(), tmp_path / "a.sqlite")) as second:
        assert (await second.add([document()])).embedded == PIECES
        assert len(await second.retrieve("moon", "table", 99, [JUPITER])) == 4


@settings(max_examples=8, deadline=None)
@given(
    others=st.lists(st.sampled_from(["Io", "Saturn", "Uranus", "Pluto"]), unique=True),
    query=st.sampled_from(["giant planet", "diameter of Io", "storm", "xyzzy"]),
    k=st.integers(1, 5),
)
@pytest.mark.parametrize("retriever", ["dense", "sparse", "hybrid"])
async def test_other_pages_in_the_store_never_change_a_result(
    tmp_path_factory, document, word_embedder, retriever, others, query, k
):
    home = tmp_path_factory.mktemp("home")

    async def results(made):
        return [await made.retrieve(query, modality, k, [JUPITER]) for modality in MODALITIES]

    with opened(home, CachedEmbedder(word_embedder(), home / "e.sqlite"), text_retriever=retriever) as made:
        await made.add([document()])
        before = await results(made)
        await made.add([document(title) for title in others])
        assert await results(made) == before


async def test_results_are_ordered_by_score_then_id_and_never_more_than_k(indexes, document):
    await indexes.add([document(paragraphs=["same words", "same words", "other words"])])
    found = await indexes.retrieve("same words", "text", 3, [JUPITER])
    assert ids(found)[:2] == [f"{JUPITER}#s1/p1", f"{JUPITER}#s1/p2"]
    assert found[0].score == found[1].score > found[2].score
    assert len(found) == 3


async def test_a_long_paragraph_is_found_by_its_last_words_and_named_once(indexes, document):
    await indexes.add([document(paragraphs=["ring. " * 150 + "The probe Galileo fell.", "Nothing of it."])])
    found = await indexes.retrieve("Moons probe Galileo fell", "text", 2, [JUPITER])
    assert ids(found)[0] == f"{JUPITER}#s1/p1"
    assert len(set(ids(found))) == 2


@pytest.mark.parametrize(
    ("query", "within", "k"),
    [("moon", [], 5), ("", [JUPITER], 5), ("moon", ["demo:Nowhere@1"], 5), ("x", [JUPITER], 0)],
)
async def test_nothing_asked_finds_nothing(indexes, document, query, within, k):
    await indexes.add([document()])
    assert await indexes.retrieve(query, "text", k, within) == ()


async def test_an_empty_store_finds_nothing(indexes):
    assert (await indexes.add([])).embedded == 0
    assert await indexes.retrieve("moon", "table", 5, [JUPITER]) == ()


@pytest.mark.parametrize(
    ("strategy", "counts"),
    [
        ("text-only", {"text": 6, "table": 0, "image": 0}),
        ("textual-visual", {"text": 5, "table": 0, "image": 1}),
        ("modality-specific", {"text": 1, "table": 4, "image": 1}),
    ],
)
async def test_a_strategy_says_which_modalities_share_an_index(tmp_path, words, document, strategy, counts):
    with opened(tmp_path, words, strategy=strategy) as made:
        await made.add([document()])
        found = {modality: len(await made.retrieve("Jupiter", modality, 99, [JUPITER])) for modality in MODALITIES}
    assert found == counts


async def test_a_change_of_strategy_asks_for_all_vectors_and_embeds_nothing_anew(tmp_path, words, document):
    for strategy, asked, embedded in (
        ("modality-specific", PIECES, PIECES),
        ("text-only", PIECES, 0),
        ("modality-specific", 0, 0),
    ):
        with opened(tmp_path, words, strategy=strategy) as made:
            assert await made.add([document()]) == Indexed(embedded, vectors=VectorUse(PIECES, asked))


async def test_two_questions_at_once_are_each_told_what_their_page_took(tmp_path, words, document):
    with opened(tmp_path, words) as made:
        took = await asyncio.gather(made.add([document()]), made.add([document()]))
        assert took == [Indexed(PIECES, vectors=VectorUse(PIECES, PIECES)), Indexed(0, vectors=VectorUse(PIECES, 0))]


async def test_a_long_piece_needs_a_vector_a_window_and_equal_texts_are_embedded_once(tmp_path, words, document):
    page = document(paragraphs=["ring. " * 320, "ring. " * 320])
    with opened(tmp_path, words) as made:
        assert await made.add([page]) == Indexed(PIECES + 2, vectors=VectorUse(PIECES + 6, PIECES + 6))


async def test_another_embedding_model_rebuilds_and_says_so(tmp_path, document, word_embedder):
    with opened(tmp_path, CachedEmbedder(word_embedder("first", 32), tmp_path / "e.sqlite")) as made:
        await made.add([document()])
    with opened(tmp_path, CachedEmbedder(word_embedder("second", 64), tmp_path / "e.sqlite")) as made:
        indexed = await made.add([document()])
        assert indexed.embedded == PIECES
        assert len(await made.retrieve("moon", "table", 9, [JUPITER])) == 4
        assert [note.split("-")[0] for note in indexed.notes] == [
            f"index heliograph.{index}.first" for index in ("image", "table", "text")
        ]
    with opened(tmp_path, CachedEmbedder(word_embedder("second", 64), tmp_path / "e.sqlite")) as made:
        assert await made.add([document()]) == Indexed(0, vectors=VectorUse(PIECES, 0))


async def test_names_that_differ_only_in_their_signs_are_two_models(tmp_path, document, word_embedder):
    for name in ("a/b", "a-b"):
        with opened(tmp_path, CachedEmbedder(word_embedder(name), tmp_path / "e.sqlite")) as made:
            assert (await made.add([document()])).embedded == PIECES


async def test_rows_past_the_cap_are_left_out_and_said(tmp_path, words, document):
    with opened(tmp_path, words, rows_a_table=2) as made:
        notes = [(await made.add([document()])).notes for _ in range(2)]
        found = await made.retrieve("moon", "table", 99, [JUPITER])
        assert sorted(ids(found)) == [f"{JUPITER}#s1/t1", f"{JUPITER}#s1/t1/r1", f"{JUPITER}#s1/t1/r2"]
        assert notes == [(f"{JUPITER}#s1/t1: 2 of 3 rows are indexed",)] * 2


async def test_sparse_retrieval_finds_stems_and_drops_what_shares_no_word(tmp_path, words, document):
    page = document(paragraphs=["It orbits slowly.", "Volcanoes erupt.", "An orbiting probe orbits an orbit."])
    with opened(tmp_path, words, text_retriever="sparse") as made:
        await made.add([page])
        found = await made.retrieve("Which orbit?", "text", 9, [JUPITER])
        assert ids(found) == [f"{JUPITER}#s1/p3", f"{JUPITER}#s1/p1"]
        assert all(0 < scored.score < 1 for scored in found)
        assert await made.retrieve("xyzzy", "text", 9, [JUPITER]) == ()


async def test_sparse_retrieval_knows_what_was_added_since_the_pages_were_asked_last(tmp_path, words, document):
    with opened(tmp_path, words, text_retriever="sparse") as made:
        await made.add([document(paragraphs=["It orbits slowly."])])
        assert await made.retrieve("Volcanoes?", "text", 9, [JUPITER]) == ()
        await made.add([document(paragraphs=["It orbits slowly.", "Volcanoes erupt."])])
        assert ids(await made.retrieve("Volcanoes?", "text", 9, [JUPITER])) == [f"{JUPITER}#s1/p2"]


async def test_hybrid_retrieval_adds_what_shares_a_rare_word(tmp_path, words, document):
    page = document(paragraphs=["It orbits slowly.", "Volcanoes erupt.", "Sycorax is far."])
    with opened(tmp_path, words, text_retriever="hybrid") as made, opened(tmp_path / "dense", words) as dense:
        for one in (made, dense):
            await one.add([page])
        near = ids(await dense.retrieve("When was Sycorax found?", "text", 1, [JUPITER]))
        found = ids(await made.retrieve("When was Sycorax found?", "text", 1, [JUPITER]))
        assert found[:1] == near and f"{JUPITER}#s1/p3" in found and len(set(found)) == len(found)


async def test_a_second_process_is_refused_while_the_first_is_open(indexes, document, tmp_path):
    await indexes.add([document()])
    code = """
import asyncio, pathlib, sys
from heliograph.errors import StoreLocked
from indexers.evidence import EvidenceIndexes
class Never:
    name, dimensions, embedded = "never", 64, 0
try:
    asyncio.run(EvidenceIndexes(pathlib.Path(sys.argv[1]), Never()).add([]))
except StoreLocked as err:
    print(err)
"""
    found = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert str(tmp_path) in found.stdout
    assert "process" in found.stdout


async def test_a_closed_index_leaves_the_folder_to_the_next(tmp_path, words, document):
    first, second = EvidenceIndexes(tmp_path, words), EvidenceIndexes(tmp_path, words)
    await first.add([document()])
    with pytest.raises(StoreLocked):
        await second.add([document()])
    first.close()
    assert (await second.add([document()])).embedded == 0
    second.close()


async def test_after_a_refused_folder_the_indexes_can_still_be_opened(tmp_path, words, document):
    (tmp_path / "indexes").write_text("in the way")
    made = EvidenceIndexes(tmp_path, words)
    with pytest.raises(StoreError, match=r"cannot write .*indexes"):
        await made.add([document()])
    (tmp_path / "indexes").unlink()
    assert (await made.add([document()])).embedded == PIECES
    made.close()


async def test_many_may_ask_at_once(indexes, document):
    await indexes.add([document()])
    queries = ["Io", "Europa", "Ganymede"] * 4
    alone = [await indexes.retrieve(query, "table", 2, [JUPITER]) for query in queries]
    assert await asyncio.gather(*(indexes.retrieve(query, "table", 2, [JUPITER]) for query in queries)) == alone


def test_making_indexes_imports_and_writes_nothing(tmp_path):
    heavy = ("chromadb", "llama_index", "onnxruntime", "bm25s")
    code = f"""
import sys
import indexers.evidence, indexers.fusion
print([name for name in {heavy!r} if name in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


async def test_a_scored_piece_has_the_type_of_the_protocol(indexes, document):
    await indexes.add([document()])
    (found,) = await indexes.retrieve("storm", "image", 1, [JUPITER])
    assert found == Scored(f"{JUPITER}#s1/i1", found.score)
