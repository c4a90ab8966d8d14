"""The plan of an answer by a language model: its form, its needs and the first queries, in one call."""

from collections.abc import Sequence

from agent.language.addresses import holds_address
from agent.language.framing import question_part
from agent.language.queries import plain_query
from agent.language.replies import WrittenPlan
from heliograph.errors import ModelMalformed
from heliograph.protocols import LLM
from heliograph.types import Form, FormChoice, Need, Plan, Prompt
from prompts import render_prompt
from prompts.harmless import harmless


class LanguagePlanner:
    """Have a model plan from the question alone: nothing was read, so that no page has a say."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    async def plan(self, question: str, form: FormChoice) -> Plan:
        """Return the model's plan; a form that was asked for stands whatever the model says.

        Raises:
            ModelError: the model cannot be asked, or its queries hold no word to search for.
        """
        wanted = render_prompt("wanted_form", form=form)
        prompt = Prompt("plan", render_prompt("plan"), (question_part(question), wanted))
        reply = await self._llm.ask(prompt, WrittenPlan)
        queries = tuple(query for text in reply.queries if (query := plain_query(text)))
        if not queries:
            raise ModelMalformed("the language model wrote no query with a word to search for")
        chosen: Form = reply.form if form == "auto" else form
        title = harmless(reply.title) if chosen == "report" else ""
        return Plan(chosen, (Need(question), *_needs(question, reply.needs)), queries, title)


def _needs(question: str, written: Sequence[str]) -> tuple[Need, ...]:
    """Return the needs that were written, tidied, each once; the question itself is one already."""
    tidy = map(harmless, written)
    new = {_said(text): text for text in tidy if text and not holds_address(text)}
    new.pop(_said(question), None)
    return tuple(Need(text, "plan") for text in new.values())


def _said(text: str) -> str:
    """Return what two spellings of one need share: small models repeat a question without its mark."""
    return text.casefold().rstrip(" .?!")
