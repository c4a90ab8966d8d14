"""Which entities of a large base are compared with a query by vectors: those that words and the graph propose.

A vector of every entity costs some 20 ms each on one core: minutes for ten thousand, a night for a million. Above
EMBEDDED_WHOLE only what stands among the first by words, is linked, or is a neighbour of that gets one.
"""

from collections.abc import Sequence

import numpy as np

from indexers.skb.adjacency import Adjacency, Numbers
from tools.skb.candidates import EntityScores
from tools.skb.planning.linking import EntityMention

EMBEDDED_WHOLE = 10_000
"""Entities of an index up to which each has a vector."""
PROPOSED = 10
"""Entities that each score by words proposes, and the neighbours that each linked entity does."""
MOST_LINKED = 5
"""Linked entities that propose neighbours: the best by words, of others those whose name the fewest share."""


def proposals(
    graph: Adjacency, candidates: Numbers, scores: Sequence[EntityScores], mentions: Sequence[EntityMention]
) -> Numbers:
    """Return the entities to embed, each once and ascending: of neighbours those first that words score best.

    Args:
        candidates: the entities of the index, ascending; no others are proposed.
        scores: by words, the last of them those that choose neighbours.
        mentions: what the query links.
    """
    linked = _linked(scores[-1], mentions)
    near = [_among(scores[-1], graph.neighbours(np.array([each]))).first(PROPOSED).numbers for each in linked]
    first = [each.first(PROPOSED).numbers for each in scores]
    found = np.unique(np.concatenate([np.array(linked, dtype=np.int64), *near, *first]))
    return found[_places(candidates, found) >= 0]


def _linked(scores: EntityScores, mentions: Sequence[EntityMention]) -> list[int]:
    """Return the linked entities that propose neighbours; scores may be of one type, and nought of all others."""
    whole = sorted((each for each in mentions if each.whole), key=lambda each: len(each.entities))
    every = np.array(list(dict.fromkeys(number for each in whole for number in each.entities)), dtype=np.int64)
    values = _among(scores, every).values
    best: list[int] = every[np.argsort(-values, kind="stable")[:MOST_LINKED]].tolist()
    return best


def _among(scores: EntityScores, numbers: Numbers) -> EntityScores:
    """Return the scores of some entities; those without any have nought."""
    places = _places(scores.numbers, numbers)
    values = np.zeros(len(numbers))
    values[places >= 0] = scores.values[places[places >= 0]]
    return EntityScores(numbers, values)


def _places(ascending: Numbers, wanted: Numbers) -> Numbers:
    """Return where entities stand among others, -1 where they do not."""
    places = np.searchsorted(ascending, wanted)
    there = places < len(ascending)
    there[there] = ascending[places[there]] == wanted[there]
    found: Numbers = np.where(there, places, -1)
    return found
