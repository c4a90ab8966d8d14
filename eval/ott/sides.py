"""The corpus as the bipartite graph that indexes search; ids and lines are made when they are asked for."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Generic, TypeVar, overload

import numpy as np

from eval.ott.corpus import Numbers, OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.nodes import line_of_passage, segment_line
from indexers.edges.graph import BipartiteGraph, Side

T = TypeVar("T")


class Made(Sequence[T], Generic[T]):
    """A sequence whose items are made by their position: hundreds of thousands that nobody keeps."""

    def __init__(self, make: Callable[[int], T], length: int) -> None:
        self._make, self._length = make, length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, position: int) -> T: ...

    @overload
    def __getitem__(self, position: slice) -> list[T]: ...

    def __getitem__(self, position: int | slice) -> T | list[T]:
        if isinstance(position, slice):
            return [self._make(each) for each in range(*position.indices(self._length))]
        if not 0 <= position < self._length:
            raise IndexError(position)
        return self._make(position)

    def __iter__(self) -> Iterator[T]:
        return map(self._make, range(self._length))


def bipartite(corpus: OttCorpus, data: OttGraph, edges: Numbers) -> BipartiteGraph:
    """Return the graph of a corpus with some edges, whose ids are those of `data`."""
    rows, passages = corpus.rows, len(corpus.passages.ids)
    tables = np.repeat(np.arange(len(corpus.tables)), np.diff(corpus.starts)).tolist()
    return BipartiteGraph(
        Side(Made(data.segment_id, rows), Made(partial(segment_line, corpus), rows), tables),
        Side(Made(data.passage_id, passages), Made(partial(line_of_passage, corpus), passages)),
        edges,
    )
