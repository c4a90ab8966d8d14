"""Step 4 of STaRK's construction: of the candidates those remain that every filter says have all properties."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Literal

from eval.omgqa.generation.generating import in_order
from eval.stark.construction.language.asking import checking_prompt, stands_in
from eval.stark.construction.language.outcomes import Filtered
from eval.stark.construction.language.replies import PropertyVerdicts
from heliograph.errors import ContextOverflow, ModelMalformed
from heliograph.protocols import LLM
from indexers.skb.knowledge_base import BuiltKnowledgeBase

AT_ONCE = 16
"""Candidates of a query that are checked side by side, as far as the servers take calls."""

Verdict = Literal["accepted", "refused", "unread"]


@dataclass(frozen=True, slots=True)
class AnswerFilter:
    """Checks candidates by their documents; the first filter that refuses one decides, and no other is asked."""

    base: BuiltKnowledgeBase
    models: Sequence[LLM]

    async def filtered(self, gold: int, candidates: frozenset[int], properties: Sequence[str]) -> Filtered:
        """Return the candidates that have all properties; none but the gold entity is looked at where that has not.

        Raises:
            ModelError: a model cannot be asked.
        """
        first = await self._verdict(gold, properties)
        if first != "accepted":
            return Filtered((), judged=1, unread=int(first == "unread"))
        others = sorted(candidates - {gold})
        verdicts = list[Verdict]()
        async with aclosing(in_order(others, lambda each: self._verdict(each, properties), AT_ONCE)) as found:
            async for verdict in found:
                verdicts.append(verdict)
        accepted = [each for each, verdict in zip(others, verdicts, strict=True) if verdict == "accepted"]
        return Filtered(tuple(sorted([gold, *accepted])), 1 + len(others), verdicts.count("unread"))

    async def _verdict(self, number: int, properties: Sequence[str]) -> Verdict:
        (entity,) = await self.base.entities([number])
        document = await self.base.document(number)
        for llm in self.models:
            try:
                prompt, shown = checking_prompt(properties, entity, document, llm)
                said = await llm.ask(prompt, PropertyVerdicts)
            except (ModelMalformed, ContextOverflow):
                return "unread"
            if not has_all(said, len(properties), shown):
                return "refused"
        return "accepted"


def has_all(said: PropertyVerdicts, count: int, document: str) -> bool:
    """Say whether each of so many properties is met by words of a document, and none is said not to be."""
    met = {each.property for each in said.verdicts if each.met and stands_in(each.evidence, document)}
    unmet = {each.property for each in said.verdicts if not each.met}
    wanted = set(range(1, count + 1))
    return wanted <= met and not wanted & unmet
