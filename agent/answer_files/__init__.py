"""An answer as a file, by the ending of its name: Markdown, HTML, Word or PDF, written whole or not at all."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from agent.markdown_answer import markdown_answer
from agent.rendering import NO_PATHS, Paths
from heliograph.errors import UsageError
from heliograph.types import Answer, EvidenceId, Picture
from memory.trace.disk import write_whole

__all__ = ["ENDINGS", "check_file", "write_answer_file"]

Pictures = Mapping[EvidenceId, Picture]
Writer = Callable[[Answer, Pictures, Paths], bytes]
INSTALL = "pip install 'heliograph[export]'"
PANGO = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
ELSEWHERE = "write it elsewhere with heliograph resume last --out FILE"


def check_file(path: Path) -> None:
    """Refuse a file that cannot be written, so that no question is asked for it.

    Raises:
        UsageError: its ending names no kind of file, what makes that kind is not installed, or it has no place.
    """
    _writer(path)
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name a file in it, such as {path / 'report.md'}")
        if not path.parent.is_dir():
            raise UsageError(f"there is no folder {path.parent} for {path.name}; make it, or name another file")
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is neither a file nor a folder; name another file")
    except OSError as err:  # too long a name, or a folder that may not be looked into
        raise UsageError(f"cannot write {path}: {err.strerror}; name another file") from err


def write_answer_file(answer: Answer, path: Path, pictures: Pictures, paths: Paths = NO_PATHS) -> None:
    """Write an answer as its file's ending says; a file that is there is replaced. `paths` stand below references.

    Raises:
        UsageError: as `check_file`.
        StoreFull | StoreError: the file cannot be written; what was there stays.
    """
    check_file(path)
    write_whole(path, _writer(path)(answer, pictures, paths), ELSEWHERE)


def _markdown(answer: Answer, _pictures: Pictures, paths: Paths) -> bytes:
    return markdown_answer(answer, paths).encode("utf8")


def _html(answer: Answer, pictures: Pictures, paths: Paths) -> bytes:
    from agent.answer_files.html_page import html_page

    return html_page(answer, pictures, paths).encode("utf8")


def _word(answer: Answer, pictures: Pictures, paths: Paths) -> bytes:
    from agent.answer_files.word_file import word_file

    return word_file(answer, pictures, paths)


def _pdf(answer: Answer, pictures: Pictures, paths: Paths) -> bytes:
    from agent.answer_files.pdf_file import pdf_file

    return pdf_file(answer, pictures, paths)


WRITERS: Mapping[str, Writer] = {
    ".md": _markdown,
    ".html": _html,
    ".docx": _word,
    ".pdf": _pdf,
}
ENDINGS = tuple(WRITERS)
NEEDS = {".docx": "docx", ".pdf": "weasyprint"}
"""The library of each kind of file that the extra `export` brings, by the name under which it is imported."""


def _writer(path: Path) -> Writer:
    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise UsageError(f"cannot tell what kind of file {path.name!r} is to be; end its name in {', '.join(ENDINGS)}")
    try:
        import_module(NEEDS.get(ending, "html"))
    except ModuleNotFoundError as err:
        raise UsageError(f"a {ending} file needs the extra `export`: {INSTALL}") from err
    except OSError as err:
        raise UsageError(
            f"a .pdf file needs Pango, a library of the system: apt install {PANGO} fonts-dejavu-core, or brew install "
            "pango; .html and .docx do without it"
        ) from err
    return WRITERS[ending]
