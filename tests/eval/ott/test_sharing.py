"""Searches that recipes share: each is done once, and no ranking is another for it."""

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from eval.ott.building import HeliosParts, Searched, Workshop, build_helios
from eval.ott.corpus import OttCorpus
from eval.ott.models import Models
from eval.ott.recipe import Recipe
from eval.ott.sharing import sharing
from tests.eval.ott.words import WordEncoder

QUESTION = "Which light was lit in 1871 by Ada Brandt?"
WHOLE = Recipe(scope="mini", tier="full")
RECIPES = (
    *(replace(WHOLE, beam_width=width) for width in (4, 2, 0)),
    replace(WHOLE, without=frozenset({"expansion"})),
    replace(WHOLE, tier="light"),
)


@dataclass(frozen=True, slots=True)
class Counting:
    """An index that remembers what it was asked."""

    index: Any
    asked: list[tuple[str, int]] = field(default_factory=list)

    async def retrieve(self, query: str, k: int) -> Any:
        self.asked.append((query, k))
        return await self.index.retrieve(query, k)


def counting(parts: HeliosParts) -> HeliosParts:
    return replace(
        parts, edges=Counting(parts.edges), passages=Counting(parts.passages), segments=Counting(parts.segments)
    )


async def test_recipes_that_share_their_searches_rank_as_alone_and_search_once(
    corpus: OttCorpus, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        searched = Searched(corpus, corpus.edges, "corpus")
        workshop = Workshop(tmp_path, lambda _: None, stack)
        parts = await build_helios(WHOLE, searched, Models(WordEncoder()), workshop)
        alone = [(await parts.retriever(recipe, "alone").retrieve(QUESTION)).ranking for recipe in RECIPES]
        counted = counting(parts)
        shared = sharing(counted)
        together = [(await shared.retriever(recipe, "shared").retrieve(QUESTION)).ranking for recipe in RECIPES]
    assert together == alone
    assert len(set(alone)) > 1
    for index in (counted.edges, counted.passages, counted.segments):
        assert len(index.asked) == len(set(index.asked)) > 0
