"""Tell folders, single pages and JSON lines apart, and read them in a stable order."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from heliograph.errors import UsageError
from tools.zim.content import Content
from tools.zim.folders import PAGE_FILES, folder_files, page_files, read_files
from tools.zim.lines import LINE_FILES, read_lines


def read_sources(sources: Sequence[Path]) -> Iterator[Content]:
    """Yield what the sources hold: files of all folders first, since they may link to one another, then JSON lines.

    Raises:
        UsageError: a source is missing or of no known kind, or something in it cannot be read.
    """
    kinds = {source: _kind(source) for source in sources}
    folders = [source for source, kind in kinds.items() if kind == "folder"]
    singles = [source.resolve() for source, kind in kinds.items() if kind == "page"]
    files = dict.fromkeys([*(file for folder in folders for file in folder_files(folder)), *singles])
    roots = dict.fromkeys(path.resolve().parent for path in (*folders, *singles))
    yield from read_files(tuple(files), tuple(roots))
    for source, kind in kinds.items():
        if kind == "lines":
            yield from read_lines(source)


def source_files(source: Path) -> tuple[Path, ...]:
    """Return the files that pages are read from: those of a folder, or the source itself.

    Raises:
        UsageError: as `read_sources`, but for what is in a file.
    """
    return page_files(source) if _kind(source) == "folder" else (source,)


def _kind(source: Path) -> str:
    try:
        is_folder, is_there = source.is_dir(), source.exists()
    except OSError as err:
        raise UsageError(f"{source} cannot be read: {err.strerror}; make it readable, or name another") from err
    if is_folder:
        return "folder"
    if not is_there:
        raise UsageError(f"no such folder or file: {source}")
    if source.name.lower().endswith(LINE_FILES):
        return "lines"
    if source.suffix.lower() in PAGE_FILES:
        return "page"
    raise UsageError(f"{source} is neither a folder nor one of {', '.join((*PAGE_FILES, *LINE_FILES))}")
