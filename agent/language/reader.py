"""The answer in a few words by a language model (HELIOS, Figure 4: readers of the retrieved edges)."""

from collections.abc import Sequence

from agent.language.framing import EvidenceFrames, question_part
from agent.language.replies import ShortAnswer
from agent.writing.claims import tidy
from heliograph.protocols import LLM
from heliograph.types import Evidence, Prompt, Scored
from prompts import render_prompt


class LanguageReader:
    """Have a model read evidence and say the shortest span that answers; one call a question."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    async def read(self, question: str, evidence: Sequence[Scored[Evidence]]) -> str:
        """Return the short answer from the best pieces that fit the prompt; nothing where they do not say it.

        Raises:
            ModelError: the model cannot be asked.
        """
        if not evidence:
            return ""
        system, asked = render_prompt("short_answer"), question_part(question)
        frame = EvidenceFrames(self._llm).frame(evidence, system, asked)
        reply = await self._llm.ask(Prompt("short_answer", system, (asked, frame.text)), ShortAnswer)
        return tidy(reply.answer)
