"""Which of the found pages to read: fused rank, and titles that speak of the question."""

from collections.abc import Collection, Sequence

from heliograph.protocols import Embedder
from heliograph.types import Hit, Scored, SearchResult
from tools.search import fuse

POOL = 100
"""Pages whose titles are compared with the question."""
TITLE_WEIGHT = 1.0
"""What a title's cosine counts beside the fused score, which is 1 for the best page; 0.5 to 1.5 rank nearly alike."""
LIST_BONUS = 0.2
"""Lists gather what questions ask about in their tables; it settles close calls in their favour."""
LISTS = ("List of ", "Lists of ")


class TitleReranker:
    """Order pages by fused reciprocal rank plus the similarity of question and title."""

    def __init__(self, embedder: Embedder, pool: int = POOL) -> None:
        self._embedder = embedder
        self._pool = pool

    async def rerank(
        self, question: str, results: Sequence[SearchResult], read: Collection[tuple[str, str]], limit: int
    ) -> tuple[Hit, ...]:
        """Return the best pages that are not among those read, given by wiki and title; ranked from 1.

        Give it the results of all rounds: a page named by an early query and by a late one is likelier than either.
        """
        pool = [found for found in fuse(results) if found.item.page not in read][: self._pool]
        if not pool:
            return ()
        cosines = await self._cosines(question, pool)
        promising = [Scored(found.item, _promise(found, cosine)) for found, cosine in zip(pool, cosines, strict=True)]
        ranked = sorted(promising, key=lambda page: (-page.score, page.item.rank))[:limit]
        return tuple(Hit(page.item.title, rank, page.item.wiki) for rank, page in enumerate(ranked, start=1))

    async def _cosines(self, question: str, pool: Sequence[Scored[Hit]]) -> list[float]:
        vectors = await self._embedder.embed([question, *(found.item.title for found in pool)])
        return [float(cosine) for cosine in vectors[1:] @ vectors[0]]


def _promise(found: Scored[Hit], cosine: float) -> float:
    return found.score + TITLE_WEIGHT * cosine + LIST_BONUS * found.item.title.startswith(LISTS)
