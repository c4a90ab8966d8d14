from collections.abc import Sequence

import numpy as np

from heliograph.protocols import Vectors
from heliograph.types import Hit, Query, SearchResult
from tools.rerank import TitleReranker

QUESTION = "which moon?"


class Angles:
    """An embedder of two dimensions that knows the cosine of each title with the question."""

    name = "angles"
    dimensions = 2

    def __init__(self, cosines: dict[str, float]) -> None:
        self.cosines = {QUESTION: 1.0, **cosines}
        self.embedded: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        cosines = np.array([self.cosines.get(text, 0.0) for text in texts], dtype=np.float32)
        return np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1)


def result(*titles: str) -> SearchResult:
    return SearchResult(Query("q"), tuple(Hit(title, rank, "w") for rank, title in enumerate(titles, 1)), len(titles))


async def test_without_help_from_titles_the_fused_order_stands() -> None:
    hits = await TitleReranker(Angles({})).rerank(QUESTION, [result("B", "A", "C")], (), 10)

    assert hits == (Hit("B", 1, "w"), Hit("A", 2, "w"), Hit("C", 3, "w"))


async def test_a_title_that_speaks_of_the_question_comes_first() -> None:
    hits = await TitleReranker(Angles({"C": 0.9})).rerank(QUESTION, [result("B", "A", "C")], (), 2)

    assert hits == (Hit("C", 1, "w"), Hit("B", 2, "w"))


async def test_a_list_wins_a_close_call() -> None:
    hits = await TitleReranker(Angles({})).rerank(QUESTION, [result("Moon", "List of moons")], (), 1)

    assert hits == (Hit("List of moons", 1, "w"),)


async def test_pages_that_were_read_are_left_out() -> None:
    hits = await TitleReranker(Angles({})).rerank(
        QUESTION, [result("B", "A"), result("C")], {("w", "B"), ("w", "C")}, 10
    )

    assert hits == (Hit("A", 1, "w"),)


async def test_only_the_pool_is_embedded() -> None:
    embedder = Angles({})
    hits = await TitleReranker(embedder, pool=2).rerank(QUESTION, [result("A", "B", "C", "D")], {("w", "A")}, 10)

    assert [hit.title for hit in hits] == ["B", "C"]
    assert embedder.embedded == [QUESTION, "B", "C"]


async def test_nothing_found_embeds_nothing() -> None:
    embedder = Angles({})

    assert await TitleReranker(embedder).rerank(QUESTION, [result("A")], {("w", "A")}, 10) == ()
    assert embedder.embedded == []


async def test_a_page_of_the_same_title_in_another_wiki_is_another_page() -> None:
    other = SearchResult(Query("q"), (Hit("A", 1, "v"),), 1)
    hits = await TitleReranker(Angles({})).rerank(QUESTION, [result("A"), other], {("w", "A")}, 10)
    assert hits == (Hit("A", 1, "v"),)
