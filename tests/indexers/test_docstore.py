"""LlamaIndex's document store on SQLite."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.schema import Document
from llama_index.core.storage.docstore.keyval_docstore import KVDocumentStore
from llama_index.core.storage.kvstore.simple_kvstore import SimpleKVStore

from indexers.docstore import SqliteEntries

KEYS = st.sampled_from(["a", "b", "ä/…"])
COLLECTIONS = st.sampled_from(["one/data", "one/metadata", "two/data"])
VALUES = st.dictionaries(st.text(max_size=3), st.one_of(st.integers(), st.text(max_size=3)), max_size=2)
STEPS = st.lists(st.tuples(st.sampled_from(["put", "delete"]), KEYS, COLLECTIONS, VALUES), max_size=12)


@pytest.fixture
def entries(tmp_path):
    made = SqliteEntries(tmp_path / "d.sqlite")
    yield made
    made.close()


@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_it_behaves_as_the_store_that_llamaindex_brings(tmp_path_factory, steps):
    ours, theirs = SqliteEntries(tmp_path_factory.mktemp("d") / "d.sqlite"), SimpleKVStore()
    for step, key, collection, value in steps:
        if step == "put":
            ours.put(key, value, collection)
            theirs.put(key, value, collection)
        else:
            assert ours.delete(key, collection) == theirs.delete(key, collection)
        assert ours.get(key, collection) == theirs.get(key, collection)
    for collection in ("one/data", "one/metadata", "two/data"):
        assert ours.get_all(collection) == theirs.get_all(collection)
    ours.close()


def test_documents_and_their_hashes_survive_a_restart(tmp_path):
    first = SqliteEntries(tmp_path / "d.sqlite")
    page = Document(id_="demo:Jupiter", text="x", metadata={"page": "demo:Jupiter@1"})
    KVDocumentStore(first).add_documents([page])
    first.close()
    second = SqliteEntries(tmp_path / "d.sqlite")
    store = KVDocumentStore(second)
    assert (store.get_document_hash("demo:Jupiter"), store.get_document("demo:Jupiter")) == (page.hash, page)
    second.close()


async def test_the_same_entries_are_there_for_those_who_await(entries):
    await entries.aput("a", {"x": 1}, "c")
    await entries.aput_all([("b", {"y": 2})], "c")
    assert await entries.aget("a", "c") == {"x": 1}
    assert await entries.aget_all("c") == {"a": {"x": 1}, "b": {"y": 2}}
    assert await entries.adelete("a", "c")
    assert not await entries.adelete("a", "c")


def test_only_the_named_indexes_are_kept(entries):
    for namespace in ("old", "new"):
        for suffix in ("data", "metadata"):
            entries.put("a", {}, f"{namespace}/{suffix}")
    entries.forget_others({"new"})
    assert [entries.get("a", f"{name}/data") for name in ("old", "new")] == [None, {}]
