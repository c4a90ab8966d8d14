"""Which entities an index of a base holds, and the state of the base that it was made of."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliograph.types import Scored
from indexers.skb.adjacency import Numbers
from indexers.skb.knowledge_base import BuiltKnowledgeBase

INDEXES, FINGERPRINT = "indexes", "fingerprint"
"""The folder beside a base that keeps its indexes, and the file of an index that tells what it was made of."""


@dataclass(frozen=True, slots=True, eq=False)
class EntityScores:
    """What entities score for a query: their numbers, ascending, each with a value; others score nothing."""

    numbers: Numbers
    values: npt.NDArray[np.floating]

    def among(self, places: Numbers) -> "EntityScores":
        """Return those at some places."""
        return EntityScores(self.numbers[places], self.values[places])

    def first(self, k: int) -> "EntityScores":
        """Return the k best, of equal ones those first by number; still by number."""
        return self if k >= len(self.values) else self.among(np.sort(self._order(k)))

    def best(self, k: int) -> tuple[Scored[int], ...]:
        """Return at most k entities, the best first and equal ones by number."""
        order = self._order(k) if k > 0 else ()
        return tuple(Scored(int(self.numbers[each]), float(self.values[each])) for each in order)

    def _order(self, k: int) -> Numbers:
        """Return the places of the k best, the best first."""
        kept = np.arange(len(self.values))
        if k < len(kept):
            kept = np.flatnonzero(self.values >= np.partition(self.values, -k)[-k])
        order: Numbers = kept[np.lexsort((kept, -self.values[kept]))][:k]
        return order


NO_SCORES = EntityScores(np.empty(0, dtype=np.int64), np.empty(0))


class Candidates:
    """The entities that may answer: those of the base's candidate types, which share an index, or those of one type.

    A type that is not among the candidate types has an index of its own, its scope.
    """

    def __init__(self, base: BuiltKnowledgeBase) -> None:
        types = base.description.candidate_types or tuple(base.entity_types)
        self._graph = base.graph
        self._types = tuple(each for each in types if each in base.entity_types)
        self._numbers = dict[str, Numbers]()

    @property
    def types(self) -> tuple[str, ...]:
        """Return the candidate types."""
        return self._types

    def scope(self, type: str) -> str:
        """Return the type whose own index answers; empty where that of all candidates does.

        Raises:
            UnknownName: the base has no such type.
        """
        if type:
            self._graph.type(type)
        return type if type not in self._types else ""

    def numbers(self, scope: str) -> Numbers:
        """Return the entities of an index, ascending: those of one type, or all candidates."""
        if scope not in self._numbers:
            types = (scope,) if scope else self._types
            wanted = [self._graph.type(each) for each in types]
            self._numbers[scope] = np.flatnonzero(np.isin(self._graph.types, wanted))
        return self._numbers[scope]

    def of_type(self, numbers: Numbers, type: str) -> Numbers:
        """Return the places among some entities at which those of a type stand; of all where none is named."""
        if not type:
            return np.arange(len(numbers))
        return np.flatnonzero(self._graph.types[numbers] == self._graph.type(type))

    def index_name(self, name: str, scope: str) -> str:
        """Return what the index of a scope is called."""
        return f"{name}-type-{self._graph.type(scope)}" if scope else name


def base_state(base: BuiltKnowledgeBase) -> str:
    """Return what tells an open base from others: what it holds, and which types may answer.

    Raises:
        StoreDamaged: another base stands in its place, whose indexes are not to be touched.
    """
    base.require_current()
    return f"{base.description.digest} {base.description.candidate_types}"
