"""Retrieval by plans: a query becomes requirements that are followed in the graph, and the rest of it ranks by text.

Without a language model: entity linking, metapaths that the schema allows, a parser trained on tables, and a small
learned model of plans, which relaxes what leads nowhere (STaRK, section 2.1; the parts of a query after appendix A).
Imports bm25s (0.4 s): import this module on first use only.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Protocol

import numpy as np

from heliograph.protocols import Embedder
from heliograph.text.numbers import plain
from heliograph.types import Scored, Slots, TableQuestion
from indexers.skb.adjacency import Numbers
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.arithmetic.sheet import Sheet
from tools.skb.candidates import Candidates, EntityScores
from tools.skb.planning.ablations import AS_SHIPPED, PlanOptions, unlearned_model
from tools.skb.planning.answer_types import TypeEvidence, asked_phrases, joined_phrases, type_features
from tools.skb.planning.conditions import MOST_ROWS, TypeSchema, attribute_sheet, path_conditions
from tools.skb.planning.linking import EntityMention, link_entities
from tools.skb.planning.model import TEXTS, Floats, PlanModel, features, read_plan_model
from tools.skb.planning.plans import Phrases, Plan, PlanSearch, TypeReading
from tools.skb.planning.proposals import proposals
from tools.skb.planning.unions import united

MOST_TYPES, SURE = 4, 0.95
"""Types of answers that are tried where none is named, and the share of probability from which no more are."""
NAMED = 0.5
"""Share of probability from which words that are joined to others name a type."""
MOST_WITH_ROLES = 200
"""Types of a base up to which each is known by its relations, too: a base made of tables has many more."""
DESCRIBED = 6
"""Entities most like a query, each of which it may describe without a name."""
DEPTH = 5_000
"""Entities of a type that have a score by text; others have none."""


MOST_CHARACTERS = 2_000
"""Of a query that are read, the first ones."""
MOST_PHRASES = 20_000
"""Phrases whose vectors are kept for the next query, about 30 MB."""
LINKED = 16
"""Queries whose mentions are kept: one is asked about more than once, and several may be asked at once."""


class TableParser(Protocol):
    """What `SemanticParser` does, and tests do without a model."""

    async def parse(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]: ...


class EntityScorer(Protocol):
    """What scores all entities of an index at once (`Candidates.scope`)."""

    async def scores(self, query: str, scope: str = "") -> EntityScores: ...


class TripleScorer(Protocol):
    """What scores some entities by their triples, given what documents score for the query."""

    async def scores(
        self, query: str, documents: EntityScores, entities: Numbers
    ) -> tuple[EntityScores, EntityScores]: ...


class VectorScorer(EntityScorer, Protocol):
    """What scores some entities alone, too."""

    async def scores_among(self, query: str, numbers: Numbers) -> EntityScores: ...


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """A query with the plans that were tried, the most probable first, how probable each is, and what became of it."""

    query: str
    plans: tuple[Plan, ...]
    probabilities: tuple[float, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WordScorers:
    """What scores entities by words.

    Attributes:
        words: documents with neighbours' names, for all of a query.
        documents: documents for what is left of the query without its mentions.
        triples: what triples say, and the documents at their other ends.
    """

    words: EntityScorer
    documents: EntityScorer
    triples: TripleScorer


class PlanRetriever:
    """Rank entities by the plans of a query (`EntityRetriever`).

    Args:
        base: whose candidates are ranked.
        lexical: ranks entities by words.
        vectors: ranks entities by the cosine of vectors.
        embedder: compares the query with paths and attributes.
        parser: fills the slots of questions over tables.
        model: weighs plans; None is the one that ships.
        options: what is left out, and which entities have vectors.
    """

    def __init__(
        self,
        base: BuiltKnowledgeBase,
        lexical: WordScorers,
        *,
        vectors: VectorScorer,
        embedder: Embedder,
        parser: TableParser,
        model: PlanModel | None = None,
        options: PlanOptions = AS_SHIPPED,
    ) -> None:
        self._base, self._words, self._documents, self._triples = (
            base,
            lexical.words,
            lexical.documents,
            lexical.triples,
        )
        self._vectors = vectors
        self._embedder, self._parser, self._options = embedder, parser, options
        self._model = unlearned_model() if options.without == "reranker" else model or read_plan_model()
        self._candidates, self._phrases = Candidates(base), Phrases()
        self._schema: TypeSchema | None = None
        self._sheets = dict[str, Sheet | None]()
        self._mentions = dict[str, tuple[EntityMention, ...]]()
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
        shares = np.array(planned.probabilities)
        ranked = await asyncio.to_thread(self._model.rank, scored, k, shares) if scored and k > 0 else []
        return tuple(Scored(number, score) for number, score in ranked)

    async def plan(self, query: str, type: str = "") -> PlannedQuery:
        """Return the plans of a query; of a type of answers if one is named, else of the most probable ones.

        Raises:
            UnknownName: the base has no such type.
        """
        self._candidates.scope(type)
        type = "" if self._options.without == "type" else type
        question = plain(query[:MOST_CHARACTERS])
        async with self._turn:
            self._forget()
            found = await self._plans(question, type) if question.strip() else []
        if not found:
            return PlannedQuery(question, (), ())
        shares = self._model.probabilities([each.scored for each in found]).tolist()
        order = sorted(range(len(found)), key=lambda place: -shares[place])
        return PlannedQuery(question, tuple(found[each] for each in order), tuple(shares[each] for each in order))

    async def mentions(self, query: str) -> tuple[EntityMention, ...]:
        """Return the entities that a query mentions, in its order; the last LINKED queries are not linked again."""
        if (known := self._mentions.get(query)) is not None:
            return known
        found = await asyncio.to_thread(link_entities, self._base, query)
        while len(self._mentions) >= LINKED:
            del self._mentions[next(iter(self._mentions))]
        self._mentions[query] = found
        return found

    async def texts(self, query: str, type: str) -> Floats:
        """Return what entities of a type score by text for all of a query, ascending, shape (entities, TEXTS)."""
        named = await self.mentions(query)
        lexical = await self._lexical(query, type, query)
        scores = [*lexical, await self._cosines(query, type, lexical, named)]
        return await asyncio.to_thread(self._texts, scores, self._base.graph.of_type(type), type)

    async def _plans(self, query: str, type: str) -> list[Plan]:
        named = await self.mentions(query)
        scope = self._candidates.scope(type)
        lexical = await self._lexical(query, type, _without(query, named))
        scores = [*lexical, await self._cosines(query, type, lexical, named)]
        near = await self._cosines(query, "", [await self._words.scores(query)], named) if scope else scores[-1]
        mentions = (*named, *await self._described(near, named))
        numbers = sorted({number for each in mentions for number in each.entities})
        names = {each.number: each.name for each in await self._base.entities(numbers)}
        schema = await self._known_schema()
        evidence = TypeEvidence(asked_phrases(query), joined_phrases(query), named, lexical[1], scores[-1])
        types, joined = ([(type, features())], ()) if type else await self._types(schema, evidence)
        readings = []
        for each, said in types:
            walked = mentions if self._options.without != "graph" else ()
            paths = await asyncio.to_thread(path_conditions, schema, names, query, walked, each)
            entities = self._base.graph.of_type(each)
            texts = await asyncio.to_thread(self._texts, scores, entities, each)
            readings.append(TypeReading(each, entities, texts, await self.sheet(each), paths, said))
        searches = [
            await asyncio.to_thread(PlanSearch, self._base.graph, schema, query, each, self._phrases)
            for each in readings
        ]
        await self._embed()
        questions = await asyncio.to_thread(lambda: [each.question for each in searches])
        filled = await self._parser.parse(questions)
        pairs = zip(searches, filled, strict=True)
        planned = partial(PlanSearch.plans, weights=self._model.plans, relaxed=self._options.without != "ladder")
        found = [plan for search, slots in pairs for plan in await asyncio.to_thread(planned, search, slots)]
        return await asyncio.to_thread(united, found, joined, self._model.plans) if joined else found

    async def _lexical(self, query: str, type: str, rest: str) -> list[EntityScores]:
        """Return the scores by words of the entities of an index: all TEXTS but vectors, in their order."""
        scope = self._candidates.scope(type)
        entities = self._base.graph.of_type(type) if type else self._candidates.numbers(scope)
        documents = await self._documents.scores(query)
        joined = await self._triples.scores(query, documents, entities)
        return [await self._documents.scores(rest, scope), await self._words.scores(query, scope), *joined]

    async def _cosines(
        self, query: str, type: str, lexical: Sequence[EntityScores], named: Sequence[EntityMention]
    ) -> EntityScores:
        """Return the cosines of an index: of all its entities, or of a large one of those that are proposed."""
        scope = self._candidates.scope(type)
        if not self._embeds_few(type):
            return await self._vectors.scores(query, scope)
        graph = self._base.graph
        candidates = graph.of_type(type) if type else await asyncio.to_thread(self._candidates.numbers, scope)
        own = [each.among(self._candidates.of_type(each.numbers, type)) for each in lexical]
        proposed = await asyncio.to_thread(proposals, graph, candidates, own, named)
        return await self._vectors.scores_among(query, proposed)

    def _embeds_few(self, type: str) -> bool:
        return len(self._candidates.numbers(self._candidates.scope(type))) > self._options.embedded_whole

    async def _described(self, scores: EntityScores, named: Sequence[EntityMention]) -> list[EntityMention]:
        """Return the entities that a query is most like, those that it names left out: it may describe one of them."""
        known = {number for each in named for number in each.entities}
        near = [each for each in scores.best(DESCRIBED) if each.item not in known]
        entities = await self._base.entities([each.item for each in near])
        pairs = zip(near, entities, strict=True)
        return [
            EntityMention(0, 0, entity.name, (each.item,), whole=False, cosine=each.score) for each, entity in pairs
        ]

    async def _types(
        self, schema: TypeSchema, evidence: TypeEvidence
    ) -> tuple[list[tuple[str, Floats]], tuple[str, ...]]:
        """Return the most probable types of answers, with their features, and those that are asked for together.

        There are none more where those before are sure.
        """
        types = self._candidates.types
        if not types:
            return [], ()
        if self._options.without == "type":
            kinds = [self._base.graph.types[each.item] for each in evidence.words.best(DEPTH)]
            tried = dict.fromkeys((*(self._base.graph.entity_types[each] for each in kinds), *types))
            return [(each, features()) for each in islice(tried, MOST_TYPES)], ()
        roles = {each: (len(types) <= MOST_WITH_ROLES and schema.roles(each)) or (each,) for each in types}
        for text in (*evidence.phrases, *chain(*evidence.joined), *types, *chain.from_iterable(roles.values())):
            self._phrases.want(text)
        await self._embed()
        known = await asyncio.to_thread(self._type_features, roles, evidence)
        scores = np.array([float(each @ self._model.plans) for each in known])
        order = np.argsort(-scores, kind="stable")
        shares = np.exp(scores[order] - scores.max())
        sure = int(np.searchsorted(np.cumsum(shares) / shares.sum(), SURE)) + 1
        joined = await asyncio.to_thread(self._joined_types, roles, evidence.joined)
        tried = dict.fromkeys((*(types[each] for each in order[: min(MOST_TYPES, sure)].tolist()), *joined))
        return [(each, known[types.index(each)]) for each in tried], joined

    def _joined_types(self, roles: Mapping[str, Sequence[str]], joined: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the types that a query joins; none where one of its phrases is not more likely one than all others."""
        found = dict[str, None]()
        for phrases in joined:
            alike, said = self._likenesses(phrases, roles)
            known = [features(type_phrase=alike[each], type_role=said[each]) for each in roles]
            scores = np.array([float(each @ self._model.plans) for each in known])
            shares = np.exp(scores - scores.max())
            if shares.max() / shares.sum() <= NAMED:
                return ()
            found[tuple(roles)[int(scores.argmax())]] = None
        return tuple(found) if len(found) > 1 else ()

    def _type_features(self, roles: Mapping[str, Sequence[str]], evidence: TypeEvidence) -> list[Floats]:
        alike, said = self._likenesses(evidence.phrases, roles)
        return type_features(tuple(roles), self._base.graph, evidence, alike, said)

    def _likenesses(
        self, phrases: Sequence[str], roles: Mapping[str, Sequence[str]]
    ) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """Return how like each type, and what entities of it do or are, is to what is asked for."""
        likeness = self._phrases.likeness
        alike = {type: likeness(phrases[min(1, len(phrases) - 1)], type) for type in roles}
        said = {
            type: sum(max(likeness(phrase, role) for role in several) for phrase in phrases) / len(phrases)
            for type, several in roles.items()
        }
        return alike, said

    def _texts(self, scores: Sequence[EntityScores], entities: Numbers, type: str) -> Floats:
        """Return what entities of a type score by text, shape (entities, TEXTS), those beyond DEPTH nothing.

        Where only proposed ones have vectors, others are as near as the farthest of these.
        """
        texts = np.zeros((len(entities), len(TEXTS)))
        if self._options.without == "text":
            return texts
        for column, every in enumerate(scores):
            own = every.among(self._candidates.of_type(every.numbers, type)).first(DEPTH)
            if every is scores[-1] and self._embeds_few(type) and len(own.values):
                texts[:, column] = own.values.min()
            texts[np.searchsorted(entities, own.numbers), column] = own.values
        texts[:, :-1] /= np.maximum(texts[:, :-1].max(0, initial=0), 1e-9)
        return texts

    async def sheet(self, type: str) -> Sheet | None:
        """Return the attributes of a type as a table; None where it has none, or too many entities."""
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
