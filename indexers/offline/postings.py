"""Which nodes say a word, on disk: written for a shard, joined for the whole without holding it in memory."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from indexers.edges.postings import Postings
from indexers.edges.spans import spread
from indexers.offline.texts import MappedTexts, mapped_array, writable_array, write_texts

ARRAYS = ("starts", "nodes", "counts", "lengths")
WORDS = "words"


def write_postings(folder: Path, postings: Postings) -> None:
    """Write postings to a folder of their own."""
    folder.mkdir()
    write_texts(folder, WORDS, postings.numbers)
    for name in ARRAYS:
        np.save(folder / f"{name}.npy", getattr(postings, name))


def map_postings(folder: Path) -> Postings:
    """Map postings; only their words are read.

    Raises:
        StoreDamaged: a file cannot be read.
    """
    words = MappedTexts(folder, WORDS)
    numbers = {word: number for number, word in enumerate(words[:])}
    starts, nodes, counts, lengths = (mapped_array(folder / f"{name}.npy") for name in ARRAYS)
    return Postings(numbers, starts, nodes, counts, lengths)  # type: ignore[arg-type]  # each has its own width


def join_postings(folder: Path, parts: Sequence[Path]) -> None:
    """Write what `Postings.build` makes of the texts of all parts, one part after the other.

    Memory grows with the different words and with the parts' largest, not with the texts.
    """
    numbers: dict[str, int] = {}
    totals = np.zeros(0, np.int64)
    for part in parts:
        known = _known(part, numbers)
        totals = np.concatenate([totals, np.zeros(len(numbers) - len(totals), np.int64)])
        totals[known] += np.diff(mapped_array(part / "starts.npy"))
    folder.mkdir()
    write_texts(folder, WORDS, numbers)
    starts = np.concatenate([np.zeros(1, np.int64), totals.cumsum()])
    np.save(folder / "starts.npy", starts)
    np.save(folder / "lengths.npy", _joined([part / "lengths.npy" for part in parts]))
    _scatter(folder, parts, numbers, starts)


def _scatter(folder: Path, parts: Sequence[Path], numbers: dict[str, int], starts: NDArray[np.int64]) -> None:
    """Put the entries of each part behind those of the parts before it, word by word."""
    total = int(starts[-1])
    nodes = writable_array(folder / "nodes.npy", np.int32, (total,))
    counts = writable_array(folder / "counts.npy", np.uint16, (total,))
    free, before = starts[:-1].copy(), 0
    for part in parts:
        known, spans = _known(part, numbers), np.diff(mapped_array(part / "starts.npy"))
        places, _ = spread(free[known], spans)
        nodes[places] = mapped_array(part / "nodes.npy") + before
        counts[places] = mapped_array(part / "counts.npy")
        free[known] += spans
        before += len(mapped_array(part / "lengths.npy"))


def _known(part: Path, numbers: dict[str, int]) -> NDArray[np.int64]:
    """Return the numbers of a part's words; new words are numbered as they come."""
    words = MappedTexts(part, WORDS)[:]
    return np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64)


def _joined(paths: Sequence[Path]) -> NDArray[np.int32]:
    return np.concatenate([np.zeros(0, np.int32), *(mapped_array(path) for path in paths)]).astype(np.int32)
