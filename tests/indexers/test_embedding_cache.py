"""Embeddings kept by content."""

import asyncio
import sqlite3

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heliograph.errors import StoreDamaged, StoreError, StoreFull
from indexers.database import ALONE, connected
from indexers.models.cache import CachedEmbedder


async def test_a_text_is_embedded_once_by_all_who_share_the_file(tmp_path, word_embedder):
    model = word_embedder()
    first = CachedEmbedder(model, tmp_path / "c.sqlite")
    again = CachedEmbedder(model, tmp_path / "c.sqlite")
    one = await first.embed(["io", "europa", "io"])
    two = await again.embed(["europa", "io"])
    assert model.asked == ["io", "europa"]
    assert (first.embedded, again.embedded) == (2, 0)
    assert one[[1, 2]].tobytes() == two.tobytes()


async def test_another_model_embeds_anew(tmp_path, word_embedder):
    for model in (word_embedder("a"), word_embedder("b")):
        assert (await CachedEmbedder(model, tmp_path / "c.sqlite").embed_counted(["io"])).computed == 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(st.text(max_size=6), max_size=6), max_size=4))
async def test_the_vectors_are_those_of_the_model_whatever_was_asked_before(tmp_path, word_embedder, batches):
    model = word_embedder()
    cached = CachedEmbedder(model, tmp_path / "c.sqlite")
    for batch in batches:
        vectors = await cached.embed(batch)
        assert vectors.shape == (len(batch), model.dimensions)
        assert [row.tobytes() for row in vectors] == [model.vector(text).tobytes() for text in batch]


async def test_many_may_ask_at_once(tmp_path, word_embedder):
    cached = CachedEmbedder(word_embedder(), tmp_path / "c.sqlite")
    batches = [[f"moon {number % 7}" for number in range(start, start + 30)] for start in range(8)]
    found = await asyncio.gather(*(cached.embed(batch) for batch in batches))
    for batch, vectors in zip(batches, found, strict=True):
        assert np.array_equal(vectors, np.stack([word_embedder().vector(text) for text in batch]))


async def test_more_texts_than_one_statement_takes_are_found_again(tmp_path, word_embedder):
    cached = CachedEmbedder(word_embedder(), tmp_path / "c.sqlite")
    texts = [f"asteroid {number}" for number in range(1_200)]
    assert (await cached.embed_counted(texts)).computed == 1_200
    assert (await cached.embed_counted(texts)).computed == 0


async def test_the_size_counts_the_journal_too(tmp_path, word_embedder):
    cached = CachedEmbedder(word_embedder(), tmp_path / "c.sqlite")
    assert cached.size() == 0
    await cached.embed([f"asteroid {number}" for number in range(500)])
    assert cached.size() > 500 * 64 * 4


@pytest.mark.parametrize("damage", [b"no database", b"SQLite format 3\0" + b"\xff" * 8_000])
async def test_a_damaged_file_is_named_with_the_command_that_helps(tmp_path, word_embedder, damage):
    path = tmp_path / "c.sqlite"
    path.write_bytes(damage)
    with pytest.raises(StoreDamaged, match=r"c\.sqlite.*heliograph store purge --indexes"):
        await CachedEmbedder(word_embedder(), path).embed(["io"])


async def test_a_damaged_cache_outside_the_indexes_names_what_mends_it_alone(tmp_path, word_embedder):
    path = tmp_path / "c.sqlite"
    path.write_bytes(b"no database")
    with pytest.raises(StoreDamaged, match=r"c\.sqlite cannot be read .*; delete that file and those beside it"):
        await CachedEmbedder(word_embedder(), path, ALONE).embed(["io"])
    path.unlink()
    assert (await CachedEmbedder(word_embedder(), path, ALONE).embed_counted(["io"])).computed == 1


@pytest.mark.parametrize("vector", ["'text'", "1", "zeroblob(3)", "x''"])
async def test_what_is_no_vector_is_damage(tmp_path, word_embedder, vector):
    path = tmp_path / "c.sqlite"
    await CachedEmbedder(word_embedder(), path).embed(["io"])
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE vectors SET vector = {vector}")
    connection.close()
    with pytest.raises(StoreDamaged, match="cut vector; run heliograph store purge --indexes"):
        await CachedEmbedder(word_embedder(), path).embed(["io"])


async def test_a_vector_of_no_numbers_was_altered(tmp_path, word_embedder):
    path = tmp_path / "c.sqlite"
    await CachedEmbedder(word_embedder(), path).embed(["io"])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE vectors SET vector = ?", (b"\xff" * 4 * word_embedder().dimensions,))
    connection.close()
    with pytest.raises(StoreDamaged, match="holds a vector that was altered"):
        await CachedEmbedder(word_embedder(), path).embed(["io"])


async def test_a_cut_vector_is_damage(tmp_path, word_embedder):
    path = tmp_path / "c.sqlite"
    await CachedEmbedder(word_embedder(), path).embed(["io"])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE vectors SET vector = x'00000000'")
    connection.close()
    with pytest.raises(StoreDamaged, match="cut vector"):
        await CachedEmbedder(word_embedder(), path).embed(["io"])


async def test_a_file_that_may_not_grow_is_full(tmp_path, word_embedder):
    path = tmp_path / "c.sqlite"
    await CachedEmbedder(word_embedder(), path).embed(["io"])
    with pytest.raises(StoreFull, match="free some space"), connected(path) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        connection.execute("CREATE TABLE more (text TEXT)")


async def test_a_folder_that_cannot_be_made_is_named(tmp_path, word_embedder):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot write .*file"):
        await CachedEmbedder(word_embedder(), tmp_path / "file" / "c.sqlite").embed(["io"])
