"""What a knowledge base may be built from: files of records, an archive of pages, and STaRK's processed folders."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import rmtree

from heliograph.errors import UsageError
from indexers.lock import WriterLock
from indexers.skb.base_building import Progress, RecordSource
from indexers.skb.record_files import open_record_files
from indexers.skb.stark_folder import is_stark_folder, open_stark_folder

ARCHIVE = ".zim"


@contextmanager
def opened_sources(
    paths: Sequence[Path], scratch: Path, say: Progress, candidate_types: tuple[str, ...] = ()
) -> Iterator[RecordSource]:
    """Open some paths as one source: a processed STaRK folder, an archive, or files of records and folders of them.

    What an archive's pages hold is put down at `scratch` first, and removed when the base is built: a build that is
    stopped finds it again. Nobody else writes there meanwhile.

    Raises:
        UsageError: a path is none of these, or a STaRK folder or an archive stands beside others.
        ArchiveUnreadable: an archive is missing, cut or damaged.
        StoreLocked: another process puts down what an archive holds.
    """
    alone = [path for path in paths if path.suffix == ARCHIVE or is_stark_folder(path)]
    if alone and len(paths) > 1:
        raise UsageError(f"{alone[0]} is a base by itself; build it alone")
    if not alone:
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
