"""Read what the API sends (formatversion 2) into Heliograph's nouns; a reply of another shape is no reply."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError

from heliograph.errors import PageUnavailable, SearchUnavailable
from heliograph.text.words import stem, stems
from heliograph.types import Hit, Query, SearchResult

_T = TypeVar("_T")
_Named = Annotated[Mapping[str, _T], BeforeValidator(lambda said: {} if said == [] else said)]
"""PHP writes an empty mapping as an empty list."""


def _whole(text: str) -> str:
    """Refuse halves of characters, which JSON can hold and neither an address nor a file can."""
    text.encode("utf-8")
    return text


_Text = Annotated[str, AfterValidator(_whole)]


class _Info(BaseModel):
    totalhits: int | None = None
    suggestion: _Text = ""


class _Found(BaseModel):
    title: _Text


class _SearchQuery(BaseModel):
    search: tuple[_Found, ...]
    searchinfo: _Info = _Info()


class _SearchReply(BaseModel):
    query: _SearchQuery


class _Redirect(BaseModel):
    origin: _Text = Field(alias="from")


class Parsed(BaseModel):
    """One page as `action=parse` gives it; `redirects` are the titles by which it was reached."""

    title: _Text
    revid: int = 0
    text: str
    redirects: tuple[_Redirect, ...] = ()
    properties: _Named[Any] = {}

    @property
    def disambiguation(self) -> bool:
        """Whether the page says of itself that it only lists what its title may mean."""
        return "disambiguation" in self.properties


class _ParseReply(BaseModel):
    parse: Parsed


class _General(BaseModel):
    sitename: _Text = ""


class _Rights(BaseModel):
    url: _Text = ""
    text: _Text = ""


class _Site(BaseModel):
    general: _General = _General()
    rightsinfo: _Rights = _Rights()


class _SiteReply(BaseModel):
    query: _Site


class _Said(BaseModel):
    value: Any = ""


class FileFacts(BaseModel):
    """One file as `prop=imageinfo` gives it: where its thumbnail and its page are, and what must be said beside it."""

    thumburl: _Text = ""
    descriptionurl: _Text = ""
    extmetadata: _Named[_Said] = {}

    @property
    def licence(self) -> str:
        """Its name, and where it can be read."""
        name = self._said("LicenseShortName") or self._said("UsageTerms")
        url = self._said("LicenseUrl")
        return f"{name} ({url})" if name and url else name or url

    @property
    def attribution(self) -> str:
        """Who made it, in the words that its maker asks for if there are any."""
        return self._said("Attribution") or self._said("Artist") or self._said("Credit")

    def _said(self, key: str) -> str:
        value = self.extmetadata[key].value if key in self.extmetadata else ""
        return plain_text(str(value)) if isinstance(value, str | int | float) else ""


class _FilePage(BaseModel):
    imageinfo: tuple[FileFacts, ...] = ()


class _FilePages(BaseModel):
    pages: tuple[_FilePage, ...] = ()


class _FileReply(BaseModel):
    query: _FilePages = _FilePages()


@dataclass(frozen=True, slots=True)
class Rights:
    """What holds for every page of a wiki."""

    licence: str
    attribution: str


def read_search(reply: object, query: Query, wiki: str) -> SearchResult:
    """Return the hits, each title once, and the engine's count of all matches, or ours where it says none.

    The engine's suggestion counts where it is one word for one that no title of the hits has: pages have slips, too.
    """
    with _expected(wiki, "a search"):
        found = _SearchReply.model_validate(reply).query
    titles = tuple(dict.fromkeys(hit.title for hit in found.search))
    hits = tuple(Hit(title, rank, wiki) for rank, title in enumerate(titles, start=1))
    known = any(stem(query.text) in stems(title) for title in titles)
    instead = "" if known or not query.text.isalpha() else found.searchinfo.suggestion.casefold()
    total = max(found.searchinfo.totalhits or 0, len(hits))
    return SearchResult(query, hits, total, instead if instead.isalpha() else "")


def read_parsed(reply: object, wiki: str) -> Parsed:
    """Return the page of a reply.

    Raises:
        PageUnavailable: it has no text or no revision, or is a redirect that leads nowhere.
    """
    with _expected(wiki, "a page"):
        page = _ParseReply.model_validate(reply).parse
    if not page.text.strip() or not page.revid:
        raise PageUnavailable(f'page "{page.title}" of {wiki} is empty; another --source may have it')
    if 'class="redirectMsg"' in page.text:
        raise PageUnavailable(f'page "{page.title}" of {wiki} is a redirect that leads to no page')
    return page


def read_rights(reply: object, wiki: str) -> Rights:
    """Return licence and makers of a wiki's texts."""
    with _expected(wiki, "its licence"):
        site = _SiteReply.model_validate(reply).query
    rights = site.rightsinfo
    return Rights(rights.text or rights.url, f"{site.general.sitename or wiki} contributors")


def read_file(reply: object, name: str, wiki: str) -> FileFacts:
    """Return what is known of a file.

    Raises:
        PageUnavailable: there is no such file, or nothing of it can be shown.
    """
    with _expected(wiki, "a file"):
        pages: Sequence[_FilePage] = _FileReply.model_validate(reply).query.pages
    facts = next((facts for page in pages for facts in page.imageinfo), None)
    if facts is None or not facts.thumburl:
        raise PageUnavailable(f'{wiki} has no picture "{name}"')
    return facts


def plain_text(markup: str) -> str:
    """Return the words of a piece of HTML on one line; markup that its author wrote as text goes too."""
    return _stripped(_stripped(markup))


def _stripped(markup: str) -> str:
    reader = _Words()
    reader.feed(markup)
    reader.close()
    return " ".join("".join(reader.words).split())


class _Words(HTMLParser):
    """Collects text, that of scripts and style sheets left out; tags of blocks count as spaces."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - html.parser's name
        """Note where something is left out."""
        self._silent += tag in ("script", "style")
        if tag in ("br", "p", "div", "li", "tr", "td", "th"):
            self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """Note where it ends."""
        self._silent -= bool(self._silent) and tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        if not self._silent:
            self.words.append(data)


@contextmanager
def _expected(wiki: str, what: str) -> Iterator[None]:
    try:
        yield
    except ValidationError as err:
        first = err.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise SearchUnavailable(f"{wiki} answers with what is not {what} ({place}: {first['msg']})") from err
