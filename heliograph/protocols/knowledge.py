"""The seam of semi-structured knowledge bases (STaRK, section 2.1)."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from heliograph.types import (
    Attribute,
    Direction,
    Document,
    Entity,
    EntityPath,
    FoundPaths,
    Scored,
    Triple,
    TripleType,
)


class KnowledgeBase(Protocol):
    """Typed entities with documents, and typed relations between them; entities are known by their numbers."""

    @property
    def name(self) -> str: ...

    @property
    def entity_types(self) -> Mapping[str, int]:
        """Return how many entities each type has."""

    @property
    def relations(self) -> Mapping[str, int]:
        """Return how many triples each relation has."""

    async def schema(self) -> tuple[TripleType, ...]:
        """Return the kinds of triples, the most frequent first."""

    async def entities(self, numbers: Sequence[int]) -> tuple[Entity, ...]:
        """Return entities in the order asked for.

        Raises:
            UnknownEntity: the base has no such number.
        """

    async def entity(self, id: str) -> Entity:
        """Return the entity that its source calls `id`.

        Raises:
            UnknownEntity: there is none.
        """

    async def named(self, name: str, type: str = "") -> tuple[Entity, ...]:
        """Return the entities that have this name or alias, whatever its case and spacing."""

    async def search(
        self, query: str, k: int, type: str = "", within: Sequence[int] | None = None
    ) -> tuple[Scored[int], ...]:
        """Return the k entities whose name, aliases and document have words of a query, by BM25.

        Of a type if one is named, and among the entities `within` if there are any.
        """

    async def document(self, number: int) -> str:
        """Return the text of an entity, without its relations."""

    async def attributes(self, number: int) -> Mapping[str, Attribute]: ...

    async def of_type(self, type: str) -> tuple[int, ...]:
        """Return all entities of a type, in ascending order."""

    async def neighbours(
        self, numbers: Sequence[int], relation: str = "", direction: Direction = "both", type: str = ""
    ) -> tuple[int, ...]:
        """Return the entities that a relation, or any, joins to one of several: each once, in ascending order."""

    async def triples(
        self, number: int, relation: str = "", direction: Direction = "both", limit: int = 100
    ) -> tuple[Triple, ...]:
        """Return triples of an entity with what they say, at most `limit` per relation and direction."""

    async def between(self, first: int, second: int) -> tuple[Triple, ...]:
        """Return the triples that join two entities, either way, with what they say."""

    async def paths(self, source: int, target: int, hops: int, limit: int = 10) -> tuple[EntityPath, ...]:
        """Return shortest paths between two entities, of at most `hops` triples in either direction."""


class EntityRetriever(Protocol):
    """Rank entities of one knowledge base for a query (STaRK, section 3.1)."""

    async def retrieve(self, query: str, k: int, type: str = "") -> tuple[Scored[int], ...]:
        """Return at most k entities, the best first and equal ones by number; of a type if one is named.

        Without a type all of the base's candidate types may answer.

        Raises:
            UnknownName: the base has no such type.
        """


class PathSearch(Protocol):
    """Plan a question over a knowledge base that is made of pages (STaRK, section 2.1)."""

    async def paths(self, question: str, documents: Sequence[Document]) -> FoundPaths:
        """Return what meets the plan of a question; a store or model that fails is told in the result."""

    async def aclose(self) -> None:
        """Let go of the base that is kept for the next question."""
