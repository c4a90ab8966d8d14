"""What a knowledge base may be built from: files of records, an archive, STaRK's processed folders, a graph server."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from heliograph.errors import UsageError
from indexers.lock import WriterLock
from indexers.skb.base_building import Progress, RecordSource
from indexers.skb.record_files import open_record_files
from indexers.skb.stark_folder import is_stark_folder, open_stark_folder

if TYPE_CHECKING:
    from indexers.skb.graph_records import GraphAddress

ARCHIVE = ".zim"


@contextmanager
def opened_sources(
    sources: "Sequence[Path | GraphAddress]", scratch: Path, say: Progress, candidate_types: tuple[str, ...] = ()
) -> Iterator[RecordSource]:
    """Open one source: a processed STaRK folder, an archive, a graph, or files of records and folders of them.

    What an archive's pages or a graph hold is put down at `scratch` first, and removed when the base is built: a build
    that is stopped finds it again. Nobody else writes there meanwhile.

    Raises:
        UsageError: a path is none of these, a STaRK folder, an archive or a graph stands beside others, or a graph
            cannot be used as `graph_records` says.
        StoreUnreachable: the server of a graph is down, slow, or refuses us.
        ArchiveUnreadable: an archive is missing, cut or damaged.
        StoreLocked: another process puts down what an archive or a graph holds.
    """
    graphs = [each for each in sources if not isinstance(each, Path)]
    paths = [each for each in sources if isinstance(each, Path)]
    alone = [path for path in paths if path.suffix == ARCHIVE or is_stark_folder(path)]
    if (alone or graphs) and len(sources) > 1:
        raise UsageError(f"{graphs[0].url if graphs else alone[0]} is a base by itself; build it alone")
    if graphs:
        from indexers.skb.graph_records import graph_records

        with WriterLock(scratch, "name another place"):
            copied = asyncio.run(graph_records(graphs[0], scratch, say))
            yield replace(copied, candidate_types=candidate_types)
            rmtree(scratch, ignore_errors=True)
    elif not alone:
        found = open_record_files(paths, candidate_types)
        for each in found.files:
            beside = f"; not kept: {', '.join(each.left_out)}" if each.left_out else ""
            say(f"{each.path} holds {each.kind}{beside}")
        yield found
    elif alone[0].suffix == ARCHIVE:
        from tools.skb.page_records import page_records

        with WriterLock(scratch, "name another place"):
            yield replace(page_records(alone[0], scratch, say), candidate_types=candidate_types)
            rmtree(scratch, ignore_errors=True)
    else:
        folder = open_stark_folder(alone[0])
        yield replace(folder, candidate_types=candidate_types) if candidate_types else folder
