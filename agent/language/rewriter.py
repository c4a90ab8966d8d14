"""Search queries by a language model (OMG-QA, section 3: query rewriter, guided by episodic memory)."""

from collections.abc import Sequence

from agent.language.framing import question_part
from agent.language.queries import plain_query
from agent.language.replies import MOST_QUERIES, Queries
from heliograph.errors import ModelMalformed
from heliograph.protocols import LLM
from heliograph.types import Prompt, Query, RoundRecord
from indexers.parser.ids import page_name
from memory.episodic import unasked
from prompts import render_prompt
from prompts.harmless import harmless

TITLES_A_ROUND = 12


class LanguageQueryRewriter:
    """Have a model write queries from the question and what earlier rounds asked, found and missed.

    Of pages it sees titles, and notes that the reflection let pass. The pages that the last reflection names are asked
    for besides.
    """

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    async def rewrite(self, question: str, memory: Sequence[RoundRecord]) -> tuple[Query, ...]:
        """Return queries that no round has asked; none when everything that could be asked was asked.

        Raises:
            ModelError: the model cannot be asked, or its first queries hold no word to search for.
        """
        rounds = (past_rounds(memory),) if memory else ()
        prompt = Prompt("rewrite_queries", render_prompt("rewrite_queries"), (question_part(question), *rounds))
        reply = await self._llm.ask(prompt, Queries)
        written = [query for text in reply.queries if (query := plain_query(text))][:MOST_QUERIES]
        if not written and not memory:
            raise ModelMalformed("the language model wrote no query with a word to search for")
        leads = memory[-1].verdict.leads if memory else ()
        followed = [query for title in leads if (query := plain_query(title))]
        return unasked((*written, *followed), memory)


def past_rounds(memory: Sequence[RoundRecord]) -> str:
    """Return what earlier rounds did, a line each, so that the next prompt begins with this one."""
    return render_prompt("past_rounds", rounds="\n".join(map(_line, memory)))


def _line(record: RoundRecord) -> str:
    titles = [page_name(key).title for key in record.documents[:TITLES_A_ROUND]]
    verdict = record.verdict
    told = {
        "asked": record.queries,
        "pages": titles,
        "missing": verdict.missing,
        "linked": verdict.leads,
        "note": (verdict.feedback,) if verdict.feedback else (),
    }
    parts = (f"{name}: {'; '.join(map(harmless, texts))}" for name, texts in told.items() if texts)
    return f"[round {record.number}] {' | '.join(parts)}"
