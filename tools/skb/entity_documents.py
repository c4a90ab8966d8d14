"""Entities as texts: the name and the document, alone or with a line per relation that names the neighbours."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter

from heliograph.text.words import stems
from heliograph.types import Entity
from indexers.skb.adjacency import WAYS, Adjacency
from indexers.skb.knowledge_base import BuiltKnowledgeBase

MOST_NEIGHBOURS = 50
"""Names that an entity takes over per relation and direction, the first by number: a hub of a million stays a text."""

_WORD = re.compile(r"[^\W_]+")


async def bare_documents(base: BuiltKnowledgeBase, numbers: Sequence[int]) -> tuple[str, ...]:
    """Return entities as names and documents, in the order asked for.

    Raises:
        UnknownEntity: the base has no such number.
    """
    entities = await base.entities(numbers)
    texts = await asyncio.gather(*map(base.document, numbers))
    return tuple(map(named_document, entities, texts))


async def related_documents(base: BuiltKnowledgeBase, numbers: Sequence[int]) -> tuple[str, ...]:
    """Return entities as names, documents, aliases and a line per relation and direction, in the order asked for.

    Raises:
        UnknownEntity: the base has no such number.
    """
    entities = await base.entities(numbers)
    texts = await asyncio.gather(*map(base.document, numbers))
    joined = [[*first_neighbours(base.graph, number)] for number in numbers]
    others = sorted({other for rows in joined for _, _, several in rows for other in several})
    names = dict(zip(others, (each.name for each in await base.entities(others)), strict=True))
    relations = [spelled_out(each) for each in base.relations]
    return tuple(
        related_document(entity, text, ((relations[place], map(names.__getitem__, there)) for place, _, there in rows))
        for entity, text, rows in zip(entities, texts, joined, strict=True)
    )


def related_document(entity: Entity, text: str, relations: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Return one entity as a text; of each relation the words, and the names of the neighbours."""
    lines = (f"{relation}: {', '.join(names)}" for relation, names in relations)
    return "\n".join((named_document(entity, text), *entity.aliases, *lines))


def named_document(entity: Entity, text: str) -> str:
    """Return a name and a text; documents of STaRK's own bases have the name in their first line already."""
    return text if text.partition("\n")[0].endswith(f": {entity.name}") else f"{entity.name}\n{text}"


def first_neighbours(graph: Adjacency, number: int) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the place of a relation, 0 for out or 1 for in, and at most MOST_NEIGHBOURS entities at its other end."""
    for place, way in enumerate(WAYS):
        rows = graph.rows[way]
        span = slice(*rows.span(number))
        pairs = zip(rows.relations[span].tolist(), rows.neighbours[span].tolist(), strict=True)
        for relation, several in groupby(pairs, itemgetter(0)):
            yield relation, place, [other for _, other in islice(several, MOST_NEIGHBOURS)]


def spelled_out(relation: str) -> str:
    """Return the words of a relation: "author writes paper" for author___writes___paper."""
    return " ".join(_WORD.findall(relation))


@dataclass(frozen=True, slots=True)
class SpelledTriple:
    """A kind of relations in words.

    Attributes:
        source, target: the types that it joins.
        relation: its name without these.
        of_source: its name without the source alone, as a column about that has it.
    """

    source: str
    relation: str
    target: str
    of_source: str

    @property
    def ends(self) -> tuple[str, str]:
        """Return its types, each empty where the relation says it."""
        said = set(stems(self.relation))
        first, last = set(stems(spelled_out(self.source))), set(stems(spelled_out(self.target)))
        says_last = bool(last) and last <= said
        says_first = bool(first) and first <= (said - last if says_last else said)
        return "" if says_first else self.source, "" if says_last else self.target

    @property
    def typed(self) -> str:
        """Return it in words between its types, as it is compared with queries."""
        return f"{self.source} {self.relation} {self.target}"

    @property
    def phrase(self) -> str:
        """Return it in words, none of them said again: "author writes paper", "spell classes"."""
        source, target = self.ends
        return " ".join(filter(None, (source, self.relation, target)))


@lru_cache(maxsize=50_000)
def spelled_triple(source: str, relation: str, target: str) -> SpelledTriple:
    """Return a kind of relations in words: "author", "writes", "paper" for author___writes___paper.

    The relation loses a type that it begins or ends with, if it has words besides its types.
    """
    words = spelled_out(relation).split()
    own, first, last = (each.casefold().split() for each in (" ".join(words), spelled_out(source), spelled_out(target)))
    begin = len(first) if own[: len(first)] == first else 0
    end = len(own) - (len(last) if own[len(own) - len(last) :] == last else 0)
    if begin >= end:
        begin, end = 0, len(own)
    return SpelledTriple(source, " ".join(words[begin:end]), target, " ".join(words[begin:]))
