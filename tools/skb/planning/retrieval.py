"""Retrieval by plans: a query becomes requirements that are followed in the graph, and the rest of it ranks by text.

Without a language model: entity linking, metapaths that the schema allows, a parser trained on tables, and a small
learned model of plans, which relaxes what leads nowhere (STaRK, section 2.1; the parts of a query after appendix A).
Imports bm25s (0.4 s): import this module on first use only.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from heliograph.protocols import Embedder, EntityRetriever
from heliograph.text.numbers import plain
from heliograph.text.words import stems
from heliograph.types import Scored, Slots, TableQuestion
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.arithmetic.sheet import Sheet
from tools.skb.candidates import Candidates
from tools.skb.planning.conditions import MOST_ROWS, PathCondition, TypeSchema, attribute_sheet, path_conditions
from tools.skb.planning.linking import EntityMention, link_entities
from tools.skb.planning.model import TEXTS, Floats, PlanModel, features, read_plan_model
from tools.skb.planning.plans import Phrases, Plan, PlanSearch, TypeReading

MOST_TYPES = 4
"""Types of answers that are tried where none is named."""
TYPE_WEIGHTS = features(type_said=2, type_early=1, type_meaning=2, type_asked=2, type_found=2)
"""By which these are chosen; how probable each is, the model of plans says."""
ASKED, EARLY = 4, 8
"""Words that begin a query and tell what it asks for, and words by which a type is said early."""
FOUND = 20
"""First entities by words whose types speak for a type."""
DESCRIBED = 6
"""Entities most like a query, each of which it may describe without a name."""
DEPTH = 5_000
"""Entities of a type that have a score by text; others have none."""


MOST_CHARACTERS = 2_000
"""Of a query that are read, the first ones."""
MOST_PHRASES = 20_000
"""Phrases whose vectors are kept for the next query, about 30 MB."""


class TableParser(Protocol):
    """What `SemanticParser` does, and tests do without a model."""

    async def parse(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]: ...


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """A query with the plans that were tried, the most probable first, and how probable each is."""

    query: str
    plans: tuple[Plan, ...]
    probabilities: tuple[float, ...]


class PlanRetriever:
    """Rank entities by the plans of a query (`EntityRetriever`).

    Args:
        base: whose candidates are ranked.
        words: ranks documents with neighbours' names for all of the query.
        documents: ranks documents for what is left of the query without its mentions.
        vectors: ranks entities by the cosine of vectors.
        embedder: compares the query with paths and attributes.
        parser: fills the slots of questions over tables.
        model: weighs plans; None is the one that ships.
    """

    def __init__(
        self,
        base: BuiltKnowledgeBase,
        *,
        words: EntityRetriever,
        documents: EntityRetriever,
        vectors: EntityRetriever,
        embedder: Embedder,
        parser: TableParser,
        model: PlanModel | None = None,
    ) -> None:
        self._base, self._words, self._documents, self._vectors = base, words, documents, vectors
        self._embedder, self._parser, self._model = embedder, parser, model or read_plan_model()
        self._candidates, self._phrases = Candidates(base), Phrases()
        self._schema: TypeSchema | None = None
        self._sheets = dict[str, Sheet | None]()
        self._turn = asyncio.Lock()

    async def retrieve(self, query: str, k: int, type: str = "") -> tuple[Scored[int], ...]:
        """Return the k most probable entities, equal ones by number; of a type if one is named.

        Raises:
            UnknownName: the base has no such type.
        """
        return await self.rank(await self.plan(query, type), k)

    async def rank(self, planned: PlannedQuery, k: int) -> tuple[Scored[int], ...]:
        """Return the k most probable entities of all plans together, equal ones by number."""
        scored = [each.scored for each in planned.plans]
        ranked = await asyncio.to_thread(self._model.rank, scored, k) if scored and k > 0 else []
        return tuple(Scored(number, score) for number, score in ranked)

    async def plan(self, query: str, type: str = "") -> PlannedQuery:
        """Return the plans of a query; of a type of answers if one is named, else of the most probable ones.

        Raises:
            UnknownName: the base has no such type.
        """
        self._candidates.scope(type)
        question = plain(query[:MOST_CHARACTERS])
        async with self._turn:
            self._forget()
            found = await self._plans(question, type) if question.strip() else []
        if not found:
            return PlannedQuery(question, (), ())
        shares = self._model.probabilities([each.scored for each in found]).tolist()
        order = sorted(range(len(found)), key=lambda place: -shares[place])
        return PlannedQuery(question, tuple(found[each] for each in order), tuple(shares[each] for each in order))

    async def _plans(self, query: str, type: str) -> list[Plan]:
        named = await asyncio.to_thread(link_entities, self._base, query)
        mentions = (*named, *await self._described(query, named))
        numbers = sorted({number for each in mentions for number in each.entities})
        names = {each.number: each.name for each in await self._base.entities(numbers)}
        schema, types = await self._known_schema(), await self._types(query, type)
        readings = []
        for each, said in types:
            paths = await asyncio.to_thread(path_conditions, schema, names, query, mentions, each)
            readings.append(await self._reading(query, mentions, paths, each, said))
        searches = [
            await asyncio.to_thread(PlanSearch, self._base.graph, schema, query, each, self._phrases)
            for each in readings
        ]
        await self._embed()
        questions = await asyncio.to_thread(lambda: [each.question for each in searches])
        filled = await self._parser.parse(questions)
        pairs = zip(searches, filled, strict=True)
        return [
            plan for search, slots in pairs for plan in await asyncio.to_thread(search.plans, slots, self._model.plans)
        ]

    async def _described(self, query: str, named: Sequence[EntityMention]) -> list[EntityMention]:
        """Return the entities that a query is most like, those that it names left out: it may describe one of them."""
        known = {number for each in named for number in each.entities}
        near = [each for each in await self._vectors.retrieve(query, DESCRIBED) if each.item not in known]
        entities = await self._base.entities([each.item for each in near])
        pairs = zip(near, entities, strict=True)
        return [
            EntityMention(0, 0, entity.name, (each.item,), whole=False, cosine=each.score) for each, entity in pairs
        ]

    async def _types(self, query: str, type: str) -> list[tuple[str, Floats]]:
        """Return types of answers with their features: the one that is named, or the most probable ones."""
        types = (type,) if type else self._candidates.types
        asked = " ".join(query.split()[:ASKED])
        for each in (query, asked, *types):
            self._phrases.want(each)
        await self._embed()
        first = [self._base.graph.types[each.item] for each in await self._words.retrieve(query, FOUND)]
        said = stems(query)
        known = [(each, self._type_features(each, query, asked, said, first)) for each in types]
        return sorted(known, key=lambda pair: -float(pair[1] @ TYPE_WEIGHTS))[:MOST_TYPES]

    def _type_features(self, type: str, query: str, asked: str, said: Sequence[str], first: Sequence[int]) -> Floats:
        words = stems(type)
        whole = bool(words) and set(words) <= set(said)
        early = max(0, EARLY - min(map(said.index, words))) / EARLY if whole else 0.0
        number = self._base.graph.type(type)
        return features(
            type_said=whole,
            type_early=early,
            type_meaning=self._phrases.likeness(query, type),
            type_asked=self._phrases.likeness(asked, type),
            type_found=sum(each == number for each in first) / FOUND,
        )

    async def _reading(
        self,
        query: str,
        mentions: Sequence[EntityMention],
        paths: Sequence[PathCondition],
        type: str,
        said: Floats,
    ) -> TypeReading:
        entities = self._base.graph.of_type(type)
        rest = _without(query, mentions)
        texts = np.zeros((len(entities), len(TEXTS)))
        asked = ((self._documents, rest), (self._words, query), (self._vectors, query))
        for column, (retriever, text) in enumerate(asked):
            found = await retriever.retrieve(text, DEPTH, type)
            places = np.searchsorted(entities, [each.item for each in found])
            texts[places, column] = [each.score for each in found]
        texts[:, :2] /= np.maximum(texts[:, :2].max(0, initial=0), 1e-9)
        return TypeReading(type, entities, texts, await self._sheet(type), paths, said)

    async def _sheet(self, type: str) -> Sheet | None:
        if type not in self._sheets:
            numbers = await self._base.of_type(type)
            if len(numbers) > MOST_ROWS:
                self._sheets[type] = None
            else:
                entities = await self._base.entities(numbers)
                attributes = await asyncio.to_thread(self._base.attributes_of, numbers)
                self._sheets[type] = await asyncio.to_thread(attribute_sheet, type, entities, attributes)
        return self._sheets[type]

    async def _known_schema(self) -> TypeSchema:
        if self._schema is None:
            kinds = [(each.source, each.relation, each.target) for each in await self._base.schema()]
            self._schema = TypeSchema(self._base.graph, kinds)
        return self._schema

    async def _embed(self) -> None:
        if wanted := self._phrases.take():
            self._phrases.add(wanted, await self._embedder.embed(wanted))

    def _forget(self) -> None:
        """Drop all phrases where many are kept: those of paths return, those of queries need not."""
        if len(self._phrases) > MOST_PHRASES:
            self._phrases = Phrases()


def _without(query: str, mentions: Sequence[EntityMention]) -> str:
    """Return what is left of a query without the whole names that it says."""
    for each in sorted(mentions, key=lambda each: -each.start):
        if each.whole:
            query = f"{query[: each.start]} {query[each.end :]}"
    return query
