"""Which of the found pages to read, chosen by a language model (OMG-QA, section 3: document reranker)."""

from collections.abc import Collection, Sequence

from agent.language.framing import framed_lines, question_part
from agent.language.replies import PageChoice
from heliograph.protocols import LLM, DocumentReranker
from heliograph.types import Hit, Prompt, SearchResult
from prompts import render_prompt
from prompts.harmless import clipped

SHOWN = 30
"""Pages that a model chooses among: the best by fused rank and title."""
TITLE_CHARACTERS = 120


class LanguageDocumentReranker:
    """Have a model choose pages by number, best first; those that it does not name are refused and not read.

    A model names numbers of our list and never a title: no page is read that no search found. Where it names none that
    is listed, the order of `first` stands.
    """

    def __init__(self, llm: LLM, first: DocumentReranker, *, shown: int = SHOWN) -> None:
        self._llm = llm
        self._first = first
        self._shown = shown

    async def rerank(
        self, question: str, results: Sequence[SearchResult], read: Collection[tuple[str, str]], limit: int
    ) -> tuple[Hit, ...]:
        """Return the best pages, ranked from 1; where all may be read anyway the model is not asked.

        Raises:
            ModelError: the model cannot be asked.
        """
        pool = await self._first.rerank(question, results, read, max(limit, self._shown) if limit > 0 else 0)
        if len(pool) <= limit:
            return pool
        titles = "\n".join(framed_lines("D", [clipped(hit.title, TITLE_CHARACTERS) for hit in pool]))
        parts = (question_part(question), render_prompt("page_titles", titles=titles))
        reply = await self._llm.ask(Prompt("choose_pages", render_prompt("choose_pages"), parts), PageChoice)
        chosen = tuple(dict.fromkeys(number - 1 for number in reply.pages if 1 <= number <= len(pool)))
        hits = [pool[place] for place in (chosen or range(len(pool)))[:limit]]
        return tuple(Hit(hit.title, rank, hit.wiki) for rank, hit in enumerate(hits, start=1))
