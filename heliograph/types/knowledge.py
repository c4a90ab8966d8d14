"""The nouns of a semi-structured knowledge base (STaRK, section 2.1): typed entities with documents, and relations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Attribute = str | float
"""What an entity has beside its document: a short text, or a number."""
Direction = Literal["out", "in", "both"]
"""Which way a relation is followed: from sources to targets, back, or either."""


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """An entity as a file states it; `id` is the file's own, and `text` its document."""

    id: str
    type: str
    name: str
    text: str = ""
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TripleRecord:
    """A relation between two entities as a file states it, by their ids; `text` is what the relation itself says.

    `evidence` names the piece that states it, such as a table row of an archive.
    """

    source: str
    relation: str
    target: str
    text: str = ""
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity of a built base; `number` is its place in it, from 0, and `id` the one of its source."""

    number: int
    id: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Triple:
    """A relation of a built base, by the numbers of its entities."""

    source: int
    relation: str
    target: int
    text: str = ""
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class TripleType:
    """A kind of relation between two types of entities, and how many triples there are of it."""

    source: str
    relation: str
    target: str
    triples: int


@dataclass(frozen=True, slots=True)
class EntityPath:
    """Entities that are joined one by one; each triple holds in the direction in which the base states it."""

    entities: tuple[int, ...]
    triples: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a metapath (STaRK, appendix A): a relation, which way it is followed, and the type it leads to.

    An empty relation or type stands for any.
    """

    relation: str = ""
    direction: Direction = "both"
    type: str = ""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A relational requirement (STaRK, section 2.1): what hops lead to from some entities; or, negated, all else."""

    start: tuple[int, ...]
    hops: tuple[Hop, ...]
    negated: bool = False
