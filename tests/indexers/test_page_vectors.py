"""The vectors of pages in memory: what a bound costs, and that it changes no answer."""

from contextlib import nullcontext

import chromadb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery

from heliograph.types import PageKey
from indexers.chroma import PageVectorStore, within
from indexers.chroma.page_vectors import ENTRY_BYTES, PageVectors, RecentPages
from indexers.chroma.quiet import QuietSettings
from indexers.nodes import PAGE

DIMENSIONS = 8
PAGES = [PageKey(f"demo:Page {number}@1") for number in range(12)]
A_PAGE = 2 * ENTRY_BYTES
"""More than a page of these tests takes, and less than two."""


def node(page: PageKey, number: int) -> TextNode:
    vector = np.random.default_rng([PAGES.index(page), number]).normal(size=DIMENSIONS)
    unit = (vector / np.linalg.norm(vector)).tolist()
    return TextNode(id_=f"{page}#s0/p{number}", text="words", metadata={PAGE: page}, embedding=unit)


@pytest.fixture
def collection(tmp_path):
    client = chromadb.PersistentClient(str(tmp_path), QuietSettings(anonymized_telemetry=False))
    yield client.create_collection("pages", embedding_function=None)
    client.close()


def store(collection, most_bytes: int) -> PageVectorStore:
    return PageVectorStore(collection, nullcontext, nullcontext, 100, most_bytes)


def found(asked: PageVectorStore, pages) -> tuple[list[str], list[float]]:
    result = asked.query(VectorStoreQuery([1.0] * DIMENSIONS, similarity_top_k=5, filters=within(pages)))
    return result.ids, result.similarities


@pytest.mark.parametrize("most_bytes", [0, A_PAGE, 4 * A_PAGE])
def test_more_pages_than_are_kept_have_the_answers_of_all_kept(collection, most_bytes):
    every, few = store(collection, 1_000_000), store(collection, most_bytes)
    every.add([node(page, number) for page in PAGES for number in range(3)])
    for pages in (PAGES, PAGES[:2], PAGES[::-1], PAGES[3:7], PAGES[:2]):
        assert found(few, pages) == found(every, pages)
        assert few.kept_bytes <= most_bytes
    assert every.kept_bytes > 4 * A_PAGE
    assert [few.names_on(page) for page in PAGES] == [every.names_on(page) for page in PAGES]


def test_a_page_that_is_written_to_is_read_again(collection):
    kept = store(collection, 1_000_000)
    kept.add([node(PAGES[0], 0)])
    assert kept.names_on(PAGES[0]) == {node(PAGES[0], 0).node_id}
    kept.add([node(PAGES[0], 1)])
    assert kept.names_on(PAGES[0]) == {node(PAGES[0], number).node_id for number in range(2)}


def vectors(nodes: int) -> PageVectors:
    return PageVectors([f"n{number}" for number in range(nodes)], np.ones((nodes, DIMENSIONS), dtype=np.float32))


def test_the_page_asked_longest_ago_goes_first():
    most = vectors(1).size * 2
    recent = RecentPages(most)
    for page in ("a", "b"):
        recent.keep(page, vectors(1))
    assert recent.get("a") is not None
    recent.keep("c", vectors(1))
    assert [page for page in "abc" if recent.get(page)] == ["a", "c"]
    assert recent.size == most


def test_a_page_above_the_bound_by_itself_drives_no_other_out():
    recent = RecentPages(vectors(2).size)
    recent.keep("small", vectors(1))
    recent.keep("large", vectors(3))
    assert recent.get("small") is not None
    assert recent.get("large") is None


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 6), st.booleans())), st.integers(0, 8_000))
def test_the_bound_holds_whatever_is_kept_and_forgotten(steps, most_bytes):
    recent, last = RecentPages(most_bytes), {}
    for page, nodes, forgotten in steps:
        if forgotten:
            recent.forget([page])
            last.pop(page, None)
        else:
            last[page] = vectors(nodes)
            recent.keep(page, last[page])
        kept = {name: recent.get(name) for name in "abcdef"}
        assert recent.size == sum(each.size for each in kept.values() if each) <= most_bytes
        assert all(each is last[name] for name, each in kept.items() if each)
    recent.clear()
    assert recent.size == 0
