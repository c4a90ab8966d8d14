"""What a snapshot is made of, one piece at a time."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from heliograph.types import SourcePage, SourceRedirect

MOST_NAMED = 50
"""Files named among those that were skipped."""


@dataclass(frozen=True, slots=True)
class Credit:
    """What must be said beside a picture: the page that describes it, its licence and its maker."""

    url: str = ""
    licence: str = ""
    attribution: str = ""


@dataclass(frozen=True, slots=True)
class SourceImage:
    """A picture to be written, at the path by which pages name it; its credit stands beside it (`credit_path`)."""

    path: str
    content: bytes
    mimetype: str
    credit: Credit = Credit()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that sources name and that the archive will lack, in words."""

    what: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file of a source of which nothing is read, and why."""

    file: str
    why: str


Content = SourcePage | SourceRedirect | SourceImage | LeftOut | Skipped


def entry_path(title: str) -> str:
    """Return where a page stands in the archive, as in Kiwix's archives of Wikipedia."""
    return title.replace(" ", "_")


def credit_path(image: str) -> str:
    """Return where the credit of the picture at a path stands."""
    return f"{image}.json"


def credit_bytes(credit: Credit) -> bytes:
    """Return a credit as it is written."""
    said = {"url": credit.url, "licence": credit.licence, "attribution": credit.attribution}
    return json.dumps(said, ensure_ascii=False).encode("utf-8", "replace")


def read_credit(content: bytes) -> Credit:
    """Read a credit; what is none says nothing."""
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return Credit()
    match said:
        case {"url": str(url), "licence": str(licence), "attribution": str(attribution)}:
            return Credit(url, licence, attribution)
    return Credit()


def skipped_line(files: Sequence[Skipped]) -> str:
    """Name the files that were skipped, and why; of very many the first."""
    named = ", ".join(f"{each.file} ({each.why})" for each in files[:MOST_NAMED])
    more = f" and {len(files) - MOST_NAMED:,} more" if len(files) > MOST_NAMED else ""
    return f"{len(files):,} file{'' if len(files) == 1 else 's'} skipped: {named}{more}"
