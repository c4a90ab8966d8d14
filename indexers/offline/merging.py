"""What is put together of all shards, in their order: two sides of nodes, the edges, and the token vectors."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np

from indexers.offline.filesets import FileSet, needed, writing
from indexers.offline.linking import EDGES, PASSAGES, links_folder
from indexers.offline.parsing import SIDES, shard_folder
from indexers.offline.plan import Plan, Work
from indexers.offline.postings import join_postings
from indexers.offline.shelf import Encoding
from indexers.offline.texts import MappedTexts, join_texts, mapped_array, writable_array
from indexers.offline.tokens import TOKENS, join_tokens

SEGMENTS = "segments"


def merge_passages(work: Work, plan: Plan) -> None:
    """Write the side of passages: ids, titles, lines, words, and where those of each shard begin."""
    shards = _shards(work, plan)
    with writing(work.out / PASSAGES, plan.identity) as draft:
        _join_side(draft.path, "passages", shards)
        join_texts(draft.path, "titles", ((shard.folder, "passages.titles") for shard in shards))
        firsts = [0, *accumulate(shard.count("passages") for shard in shards)]
        np.save(draft.path / "firsts.npy", np.array(firsts, np.int64))
        draft.counts |= {"passages": firsts[-1]}


def merge_segments(work: Work, plan: Plan) -> None:
    """Write the side of table segments, and the edges between both sides, sorted by segment."""
    shards = _shards(work, plan)
    links = [needed(links_folder(work.out, number)) for number in range(len(shards))]
    rows, tables = _total(shards, "segments"), _total(shards, "tables")
    with writing(work.out / SEGMENTS, plan.identity) as draft:
        _join_side(draft.path, "segments", shards)
        edges = writable_array(draft.path / EDGES, np.int32, (_total(links, "edges"), 2))
        table_of = writable_array(draft.path / "tables.npy", np.int32, (rows,))
        row = table = edge = 0
        for shard, linked in zip(shards, links, strict=True):
            own = mapped_array(linked.path(EDGES), 2)
            edges[edge : edge + len(own)] = own + np.array([row, 0])
            count = shard.count("segments")
            table_of[row : row + count] = mapped_array(shard.path("segment_tables.npy")) + table
            row, table, edge = row + count, table + shard.count("tables"), edge + len(own)
        draft.counts |= {"tables": tables, "segments": rows, "edges": edge}
        draft.counts |= {name: _total(links, name) for name in ("given", "found")}
        draft.counts |= {name: _total(shards, name) for name in ("pages", "left_out")}


def merge_tokens(work: Work, plan: Plan, encoding: Encoding) -> None:
    """Write the token vectors of all nodes."""
    with writing(work.out / TOKENS, plan.identity) as draft:
        parts = ((shard.path("tokens"), _lines(shard)) for shard in _shards(work, plan))
        draft.counts["tokens"] = join_tokens(draft.path / "store", encoding, parts)


def left_out(work: Work, plan: Plan) -> Iterator[str]:
    """Yield what the shards lack, in words."""
    for number in range(len(plan.shards)):
        yield from MappedTexts(shard_folder(work.out, number), "left_out")


def _join_side(folder: Path, side: str, shards: Sequence[FileSet]) -> None:
    for name in ("ids", "lines"):
        join_texts(folder, name, ((shard.folder, f"{side}.{name}") for shard in shards))
    join_postings(folder / "words", [shard.path(f"{side}.words") for shard in shards])


def _lines(shard: FileSet) -> list[MappedTexts]:
    return [MappedTexts(shard.folder, f"{side}.lines") for side in SIDES]


def _shards(work: Work, plan: Plan) -> list[FileSet]:
    return [needed(shard_folder(work.out, number)) for number in range(len(plan.shards))]


def _total(sets: Sequence[FileSet], name: str) -> int:
    return sum(each.count(name) for each in sets)
