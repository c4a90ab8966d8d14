"""A small base of planets, moons and a mission."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heliograph.types import EntityRecord, TripleRecord
from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base

ENTITIES = (
    EntityRecord("saturn", "planet", "Saturn", "A giant of gas with bright rings."),
    EntityRecord("titan", "moon", "Titan", "Lakes of liquid methane."),
    EntityRecord("rhea", "moon", "Rhea", "Old ice and many craters."),
    EntityRecord("dione", "moon", "Dione", "Old ice and many craters."),
    EntityRecord("cassini", "mission", "Cassini", "A probe that fell into the giant.", ("Grand Finale",)),
)
RELATIONS = (
    TripleRecord("titan", "orbits", "saturn"),
    TripleRecord("rhea", "orbits", "saturn"),
    TripleRecord("dione", "orbits", "saturn"),
    TripleRecord("cassini", "flew_by", "titan"),
)


@dataclass
class Records:
    """A source that is a list."""

    records: Sequence[EntityRecord]
    relations: Sequence[TripleRecord] = ()
    candidate_types: tuple[str, ...] = ()
    name: str = "sky"
    fingerprint: str = "1"

    def entities(self) -> Iterator[EntityRecord]:
        yield from self.records

    def triples(self) -> Iterator[TripleRecord]:
        yield from self.relations


def silent(_said: str) -> None:
    """Take progress and say nothing."""


def built(source: Records, out: Path) -> BuiltKnowledgeBase:
    """Return the base of some records."""
    build_base(source, out, silent)
    return open_base(out)
