"""Which entities an index of a base holds, and the state of the base that it was made of."""

import numpy as np

from indexers.skb.adjacency import Numbers
from indexers.skb.knowledge_base import BuiltKnowledgeBase

INDEXES, FINGERPRINT = "indexes", "fingerprint"
"""The folder beside a base that keeps its indexes, and the file of an index that tells what it was made of."""


class Candidates:
    """The entities that may answer: those of the base's candidate types, which share an index, or those of one type.

    A type that is not among the candidate types has an index of its own, its scope.
    """

    def __init__(self, base: BuiltKnowledgeBase) -> None:
        types = base.description.candidate_types or tuple(base.entity_types)
        self._graph = base.graph
        self._types = tuple(each for each in types if each in base.entity_types)

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
        types = (scope,) if scope else self._types
        return np.flatnonzero(np.isin(self._graph.types, [self._graph.type(each) for each in types]))

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
