"""What a snapshot is made of: folders and files of HTML or Markdown, and JSON lines of {title, url, html}."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heliograph.errors import UsageError
from tools.zim.folders import PAGE_FILES, FileSet
from tools.zim.lines import read_lines


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page to be written; `url` is where it stands on the web, if anywhere."""

    title: str
    html: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class SourceRedirect:
    """Another name of a page."""

    title: str
    target: str


@dataclass(frozen=True, slots=True)
class SourceImage:
    """A picture to be written, at the path by which pages name it."""

    path: str
    content: bytes
    mimetype: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that pages name and that is not in the archive, in words for the report."""

    what: str


Content = SourcePage | SourceRedirect | SourceImage | LeftOut
