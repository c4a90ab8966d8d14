"""Make and read the identifiers of pages and evidence: `wiki:Title@revision#s3/t1/r7`.

Wiki, title and revision are percent-encoded down to letters, digits and `-._~`, so `:`, `@`, `#` and `/` only
ever separate.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from heliograph.errors import UnknownName
from heliograph.types import EvidenceId, PageKey

_KEY = re.compile(r"([\w.~%-]+):([\w.~%-]*)@([\w.~%-]*)", re.ASCII)
_ID = re.compile(r"([^#]+)#(s[0-9]+)(?:/([plti][0-9]+)(?:/r([0-9]+))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class PageName:
    """What a page key says."""

    wiki: str
    title: str
    revision: str


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """What an evidence id says: `leaf` is the id without the row, `row` counts from 1 and is None outside tables."""

    page: PageKey
    section: str
    leaf: EvidenceId
    row: int | None = None


def page_key(wiki: str, title: str, revision: str) -> PageKey:
    """Name one page in one state."""
    return PageKey(f"{_encode(wiki)}:{_encode(title)}@{_encode(revision)}")


def page_name(key: PageKey) -> PageName:
    """Read a page key back.

    Raises:
        UnknownName: the key has another form.
    """
    found = _KEY.fullmatch(key)
    if not found:
        raise UnknownName(f'"{key}" is no page key; its form is wiki:Title@revision, percent-encoded')
    return PageName(*(unquote(part, errors="surrogatepass") for part in found.groups()))


def leaf_id(page: PageKey, section: str, letter: str, number: int) -> EvidenceId:
    """Name a leaf by its section (`s3`), its letter (p, l, t or i) and its number there, from 1."""
    return EvidenceId(f"{page}#{section}/{letter}{number}")


def row_id(table: EvidenceId, number: int) -> EvidenceId:
    """Name a body row of a table, from 1."""
    return EvidenceId(f"{table}/r{number}")


def parse_id(evidence: EvidenceId) -> EvidencePlace:
    """Read an evidence id back.

    Raises:
        UnknownName: the id has another form.
    """
    found = _ID.fullmatch(evidence)
    if not found or found[3] is None or (found[4] and not found[3].startswith("t")):
        raise UnknownName(
            f'"{evidence}" is no evidence id; its form is wiki:Title@revision#s3/p2, or #s3/t1/r7 for a row'
        )
    row = int(found[4]) if found[4] else None
    return EvidencePlace(PageKey(found[1]), found[2], EvidenceId(f"{found[1]}#{found[2]}/{found[3]}"), row)


def leaf_of(evidence: EvidenceId) -> EvidenceId:
    """Return the leaf that a piece is or, for a row, its table."""
    return EvidenceId(evidence.rpartition("/r")[0] or evidence)


def page_of(evidence: EvidenceId) -> PageKey:
    """Name the page that a piece of evidence stands on."""
    return parse_id(evidence).page


def _encode(part: str) -> str:
    return quote(part, safe="", errors="surrogatepass")
