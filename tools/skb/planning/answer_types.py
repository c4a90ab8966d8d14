"""The type of the answers where a query does not tell it: what it asks for in words, and what speaks for each type."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile

import numpy as np

from heliograph.text.words import QUESTION_WORDS
from indexers.skb.adjacency import Adjacency
from tools.skb.candidates import EntityScores
from tools.skb.planning.linking import EntityMention
from tools.skb.planning.model import Floats, features

FOUND = 20
"""First entities by words whose types speak for a type."""
LONGEST_PHRASE = 3
"""Words of what is asked for: "cameras", "inborn gifts", "rejected governance model"."""
STANDS_FOR = {"who": "person", "whom": "person", "whose": "person", "where": "place", "when": "date"}
"""What is asked for by a question word alone."""
JOINING, MOST_JOINED = ("or", "and"), 8
"""What joins two things that are asked for, and how many are looked at."""
_ASKING = {*STANDS_FOR, "which", "what", "how"}
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CLAUSE = re.compile(r"[.,:;?!–—()]+|\s-\s")


@dataclass(frozen=True, slots=True)
class TypeEvidence:
    """What is known of a query before any type is looked at.

    Attributes:
        phrases: what it asks for, its first word first, then more of its words.
        joined: of several things that it asks for the same of each.
        words: BM25 of all candidates, with neighbours' names.
        vectors: cosines of all candidates.
    """

    phrases: tuple[str, ...]
    joined: tuple[tuple[str, ...], ...]
    mentions: Sequence[EntityMention]
    words: EntityScores
    vectors: EntityScores


def asked_phrases(query: str) -> tuple[str, ...]:
    """Return what a query asks for, in one word, then in up to LONGEST_PHRASE; all of it where it says nothing.

    It stands behind the question word that begins a clause, or at the beginning: "Which cameras flew on …", "druid
    spells that …". A question word behind other words of meaning is a relative one: "people who …".
    """
    asked = _asked_words(query)
    return (asked,) if isinstance(asked, str) else _grown(list(_first_run(asked))) or (query,)


def joined_phrases(query: str) -> tuple[tuple[str, ...], ...]:
    """Return what a query joins to ask for, each as `asked_phrases` has it; none where it asks for one thing.

    "Which planets or dwarf planets …": runs of words of meaning with nothing but a word of JOINING between them.
    """
    asked = _asked_words(query)
    found, rest = list[tuple[str, ...]](), [] if isinstance(asked, str) else list(dropwhile(_says_nothing, asked))
    while len(found) < MOST_JOINED and (run := list(takewhile(lambda word: not _says_nothing(word), rest))):
        found.append(_grown(run[:LONGEST_PHRASE]))
        joint, *rest = rest[len(run) :] or [""]
        if joint.casefold() not in JOINING:
            break
    return tuple(found) if len(found) > 1 else ()


def _grown(run: Sequence[str]) -> tuple[str, ...]:
    """Return the first word of a run, then ever more of it."""
    return tuple(" ".join(run[:end]) for end in range(1, len(run) + 1))


def _asked_words(query: str) -> str | Sequence[str]:
    """Return the words of a clause from what it asks for on; one word where a question word stands for it."""
    clauses = [_WORD.findall(part) for part in _CLAUSE.split(query)]
    for clause in filter(None, clauses):
        folded = [word.casefold() for word in clause]
        place = next((at for at, word in enumerate(folded) if word in _ASKING), None)
        if place is None or not all(map(_says_nothing, folded[:place])):
            continue
        if stands := STANDS_FOR.get(folded[place]):
            return stands
        if any(_first_run(clause[place + 1 :])):
            return clause[place + 1 :]
    return next((clause for clause in clauses if any(_first_run(clause))), [])


def type_features(
    types: Sequence[str],
    graph: Adjacency,
    evidence: TypeEvidence,
    alike: Mapping[str, float],
    roles: Mapping[str, float],
) -> list[Floats]:
    """Return what speaks for each type that answers may have.

    Args:
        alike: cosines of the phrase with each type.
        roles: the same with what entities of it do or are, the most alike.
    """
    places = [graph.type(each) for each in types]
    first = [graph.types[each.item] for each in evidence.words.best(FOUND)]
    nearest, words = (_best_of_types(each, graph, places) for each in (evidence.vectors, evidence.words))
    mentioned = {graph.types[each.entities[0]] for each in evidence.mentions if each.whole}
    return [
        features(
            type_found=sum(kind == place for kind in first) / FOUND,
            type_phrase=alike[name],
            type_role=roles[name],
            type_nearest=near,
            type_words=best / max(1e-9, *words),
            type_mentioned=place in mentioned,
        )
        for name, place, near, best in zip(types, places, nearest, words, strict=True)
    ]


def _best_of_types(scores: EntityScores, graph: Adjacency, places: Sequence[int]) -> list[float]:
    best = np.zeros(len(graph.entity_types))
    np.maximum.at(best, graph.types[scores.numbers], scores.values)
    found: list[float] = best[list(places)].tolist()
    return found


def _first_run(words: Sequence[str]) -> Iterator[str]:
    """Yield the first words of meaning that stand together, at most LONGEST_PHRASE."""
    said = 0
    for word in words:
        if _says_nothing(word):
            if said:
                return
        elif said < LONGEST_PHRASE:
            said += 1
            yield word


def _says_nothing(said: str) -> bool:
    word = said.casefold()
    return word in QUESTION_WORDS or re.split("['’]", word)[0] in QUESTION_WORDS
