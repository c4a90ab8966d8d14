"""What a reader read for some questions, kept as plain arrays: weights of a choice are then tried in seconds."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import UsageError
from indexers.models.reader import CandidateAnswer, Reading

Arrays = Mapping[str, NDArray[Any]]
COLUMNS = tuple(field.name for field in fields(CandidateAnswer))
"""Of an answer, each an array; a cell that is none is -1."""


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a question: over the first edges of its ranking, and over the best ranked gold edge.

    `holds` says which of the edges are gold; `scores` are the retriever's, where they are known.
    """

    answer: str
    readings: tuple[Reading, ...]
    gold: tuple[Reading, ...]
    holds: tuple[bool, ...] = ()
    scores: tuple[float, ...] = ()


def kept_under(asked: str, files: Sequence[Path]) -> str:
    """Return what tells readings from those of another reader, or of other files."""
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return hashlib.sha256(f"{asked} {digests}".encode()).hexdigest()


def keep(path: Path, under: str, read: Sequence[Read]) -> None:
    """Write readings."""
    readings = [reading for each in read for reading in (*each.readings, *each.gold)]
    answers = [answer for reading in readings for answer in reading.answers]
    scores = [score for each in read for score in each.scores]
    arrays: dict[str, Any] = {
        "under": under,
        "right": [each.answer for each in read],
        "edges": [len(each.readings) for each in read],
        "golds": [len(each.gold) for each in read],
        "holds": np.array([hold for each in read for hold in each.holds], dtype=np.bool_),
        "scored": [len(each.scores) for each in read],
        "scores": np.array(scores, dtype=np.float64),
        "answers": [len(reading.answers) for reading in readings],
        "none": [reading.none for reading in readings],
        "share": [reading.share for reading in readings],
    }
    arrays |= {name: [_plain(getattr(answer, name)) for answer in answers] for name in COLUMNS}
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **{name: np.asarray(values) for name, values in arrays.items()})


def kept(path: Path, under: str) -> list[Read] | None:
    """Return readings that were written; None where there is no such file.

    Raises:
        UsageError: the file has those of another reader, or of other questions or rankings.
    """
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    if str(arrays["under"]) != under:
        raise UsageError(f"{path} has readings of another model or of other files; name another file, or delete it")
    return list(_read(arrays))


def _read(arrays: Arrays) -> Iterator[Read]:
    readings = iter(list(_readings(arrays)))
    holds, scores = (iter(arrays[name].tolist()) for name in ("holds", "scores"))
    counts = zip(*(arrays[name].tolist() for name in ("right", "edges", "golds", "scored")), strict=True)
    for right, edges, golds, scored in counts:
        first, gold = (tuple(next(readings) for _ in range(count)) for count in (edges, golds))
        held = tuple(next(holds) for _ in range(edges))
        yield Read(right, first, gold, held, tuple(next(scores) for _ in range(scored)))


def _readings(arrays: Arrays) -> Iterator[Reading]:
    columns = [arrays[name].tolist() for name in COLUMNS]
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in zip(*columns, strict=True))
    every = (CandidateAnswer(**(row | {"cell": None if row["cell"] < 0 else row["cell"]})) for row in rows)
    for count, none, share in zip(*(arrays[name].tolist() for name in ("answers", "none", "share")), strict=True):
        yield Reading(tuple(next(every) for _ in range(count)), none, share)


def _plain(value: Any) -> Any:
    return -1 if value is None else value
