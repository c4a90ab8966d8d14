"""The LLM rerankers of STaRK (section 4.1): a language model scores each of the first entities of another system."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from logging import getLogger
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from heliograph.errors import ContextOverflow, ModelBudgetSpent, ModelError, ModelTimeout, ModelUnreachable
from heliograph.protocols import LLM
from heliograph.protocols.knowledge import EntityRetriever
from heliograph.types import Entity, Prompt, Scored
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from prompts import render_prompt
from prompts.harmless import clipped, harmless
from prompts.replies import Said
from tools.refinement.framing import MARGIN, question_part
from tools.skb.entity_documents import related_documents
from tools.skb.reranking import reranked

SCORED = 20
"""Entities that are scored, as STaRK does for synthesized queries; of people's it scores ten."""
RANK_WEIGHT = 0.1
"""Of the first system's rank in a score, as in STaRK's code: it orders what the model scores alike."""
SHORTEST = 200
"""Characters of an entity below which it is not worth showing."""
TOKEN_CHARACTERS = 8
"""No text of a natural language has more per token: what is past so many never fits."""
SILENCE = (ModelTimeout, ModelUnreachable, ModelBudgetSpent)

LOG = getLogger("heliograph.skb")


def _plain(score: Any) -> Any:
    if isinstance(score, bool):
        raise ValueError("true and false are no numbers")
    return score


class EntityScore(Said):
    """How well an entity meets a query; 0, 1 and their like in quotation marks are numbers too."""

    score: Annotated[float, Field(ge=0, le=1), BeforeValidator(_plain)]

    @model_validator(mode="before")
    @classmethod
    def _of_number(cls, said: Any) -> Any:
        """Take a bare number for the score."""
        return {"score": said} if isinstance(said, int | float | str) else said


class LlmReranker:
    """Rank the first entities of another system by a model's score plus 0.1 · (k - rank) / k, as STaRK's code does.

    Each is shown whole, with its relations, as far as the context of the model goes. One that the model fails at scores
    0 and keeps its rank; `failures` counts these by the kind of error. Where nobody answers for more than half of them
    the query has no result: a run would otherwise report the first system as the reranker.

    Args:
        base: whose entities are ranked.
        first: finds them.
        llm: scores them, one call each.
        scored: how many of the first are scored, side by side as far as the server of the model takes calls.
        failures: the counter to use; None begins one.
    """

    def __init__(
        self,
        base: BuiltKnowledgeBase,
        first: EntityRetriever,
        llm: LLM,
        scored: int = SCORED,
        failures: Counter[str] | None = None,
    ) -> None:
        self._base, self._first, self._llm, self._scored = base, first, llm, scored
        self.failures = Counter[str]() if failures is None else failures

    async def retrieve(self, query: str, k: int, type: str = "") -> tuple[Scored[int], ...]:
        """Return the k best entities; what is past the scored ones follows as the other system ranks it.

        Raises:
            UnknownName: the base has no such type.
            ModelError: nobody answers for more than half of them.
        """
        found = await self._first.retrieve(query, max(k, self._scored), type)
        if k < 1 or not found:
            return ()
        first = [each.item for each in found[: self._scored]]
        ranks = range(len(first))
        scores = await self._scores(query, first)
        joined = [score + RANK_WEIGHT * (1 - rank / len(first)) for rank, score in zip(ranks, scores, strict=True)]
        return reranked(found, joined, k)

    async def _scores(self, query: str, numbers: Sequence[int]) -> list[float]:
        entities = await self._base.entities(numbers)
        documents = await related_documents(self._base, numbers)
        calls = (self._score(query, *each) for each in zip(entities, documents, strict=True))
        said = await asyncio.gather(*calls)
        failed = [each for each in said if isinstance(each, ModelError)]
        silent = [each for each in failed if isinstance(each, SILENCE)]
        if 2 * len(silent) > len(said):
            raise silent[0]
        if failed:
            self.failures.update(type(each).__name__ for each in failed)
            LOG.warning("%d of %d entities were not scored (%s)", len(failed), len(said), failed[0])
        return [0.0 if isinstance(each, ModelError) else each for each in said]

    async def _score(self, query: str, entity: Entity, document: str) -> float | ModelError:
        try:
            return (await self._llm.ask(entity_prompt(query, entity, document, self._llm), EntityScore)).score
        except ModelError as err:
            return err


def entity_prompt(query: str, entity: Entity, document: str, llm: LLM) -> Prompt:
    """Return the prompt that shows an entity, cut to what the model has room for.

    Raises:
        ContextOverflow: not even its beginning fits.
    """
    system, asked = render_prompt("score_entity"), question_part(query)
    return Prompt("score_entity", system, (asked, entity_part(entity, document, llm, (system, asked))[0]))


def entity_part(
    entity: Entity, document: str, llm: LLM, beside: Sequence[str], most: int | None = None
) -> tuple[str, str]:
    """Return an entity as a part of a prompt, cut to what the model has room for, and its document as shown.

    Args:
        beside: the other parts.
        most: characters of the document that are shown at most; None leaves it to the model's room.

    Raises:
        ContextOverflow: not even its beginning fits.
    """
    head = f"[E1] ({harmless(entity.type)}) {clipped(harmless(entity.name), SHORTEST)} :: "
    room = llm.room - MARGIN - sum(map(llm.count, (*beside, head, render_prompt("the_entity", entity=""))))
    if most is None:
        text = harmless(document[: max(room, 0) * TOKEN_CHARACTERS])
    else:
        text = clipped(harmless(document[: 2 * most]), most)
    while (cost := llm.count(text)) > room:
        if len(text) <= SHORTEST:
            raise ContextOverflow("an entity does not fit the prompt; set a larger context_tokens for the model")
        text = clipped(text, max(SHORTEST, len(text) * max(room, 0) // cost))
    return render_prompt("the_entity", entity=head + text), text
