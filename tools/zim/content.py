"""What a snapshot is made of, one piece at a time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page to be written; `url` is where it stands on the web, if anywhere."""

    title: str
    html: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class SourceRedirect:
    """Another title of a page."""

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
    """Something that sources name and that the archive will lack, in words."""

    what: str


Content = SourcePage | SourceRedirect | SourceImage | LeftOut


def entry_path(title: str) -> str:
    """Return where a page stands in the archive, as in Kiwix's archives of Wikipedia."""
    return title.replace(" ", "_")
