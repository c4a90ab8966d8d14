"""Which nodes say a word, and how often: the inverted index of one side of the graph, as arrays."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from indexers.edges.words import stemming

Counts = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Word w stands in `nodes[starts[w]:starts[w + 1]]`, `counts` times each; `lengths` are the words of each node."""

    numbers: Mapping[str, int]
    starts: NDArray[np.int64]
    nodes: NDArray[np.int32]
    counts: NDArray[np.uint16]
    lengths: NDArray[np.int32]

    @classmethod
    def build(cls, texts: Iterable[str]) -> Self:
        """Count the words of texts in the order given; memory grows with the number of different words of each."""
        words, numbers, lengths = stemming(), dict[str, int](), array("i")
        said, where, often = array("i"), array("i"), array("H")
        for node, text in enumerate(texts):
            found = Counter(words(text))
            lengths.append(found.total())
            for word, count in found.items():
                said.append(numbers.setdefault(word, len(numbers)))
                where.append(node)
                often.append(min(count, np.iinfo(np.uint16).max))
        by_word = np.frombuffer(said, np.int32) if said else np.zeros(0, np.int32)
        order = np.argsort(by_word, kind="stable")
        ends = np.bincount(by_word, minlength=len(numbers)).cumsum()
        return cls(
            numbers,
            np.concatenate([np.zeros(1, np.int64), ends.astype(np.int64)]),
            np.asarray(where, np.int32)[order],
            np.asarray(often, np.uint16)[order],
            np.asarray(lengths, np.int32),
        )

    def __len__(self) -> int:
        return len(self.lengths)

    def counted(self, word: str) -> Counts:
        """Return how often each node says a word, shape (nodes,)."""
        found = np.zeros(len(self.lengths), np.float32)
        number = self.numbers.get(word)
        if number is not None:
            part = slice(self.starts[number], self.starts[number + 1])
            found[self.nodes[part]] = self.counts[part]
        return found
