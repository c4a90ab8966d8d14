"""Pages of a live wiki, with their pictures, as a snapshot is made of them."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from urllib.parse import urljoin

from heliograph.errors import HostilePage, PageUnavailable, SearchUnavailable
from heliograph.types import ImageEvidence, Page, SourcePage, SourceRedirect
from indexers.parser import parse_page
from indexers.parser.links import LinkReader
from tools.wikipedia import LivePage, Wikipedia
from tools.zim import (
    Content,
    Credit,
    LeftOut,
    SourceImage,
    entry_link,
    entry_path,
    rewritten,
)

_OUTSIDE = re.compile(r"[^\w.-]+")


@dataclass(slots=True)
class Fetched:
    """Pages of a live wiki, with the pictures that each shows, and the titles or pictures that could not be had."""

    pages: dict[str, Page] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    images: dict[str, dict[str, SourceImage]] = field(default_factory=dict)
    lacking: list[str] = field(default_factory=list)

    @property
    def labels(self) -> Mapping[str, str]:
        """Licence, makers and wiki, under the keys of ZIM archives."""
        page = next(iter(self.pages.values()))
        told = {"License": page.licence, "Creator": page.attribution, "Source": page.wiki}
        scraper = {"Scraper": "heliograph snapshot fetch"}
        return scraper | {key: value for key, value in told.items() if value}

    def contents(self) -> list[Content]:
        """Return what the archive is made of, links between its pages and to its pictures rewritten."""
        images = [image for shown in self.images.values() for image in shown.values()]
        pages = [SourcePage(title, _document(title, self._html(page)), page.url) for title, page in self.pages.items()]
        redirects = [SourceRedirect(asked, title) for asked, title in self.redirects.items()]
        return [*images, *pages, *redirects, *map(LeftOut, self.lacking)]

    def _html(self, page: Page) -> str:
        """Point links to pages and pictures of the archive into it, all others to the wiki."""
        reader, images, path = LinkReader("", page.url), self.images[page.title], entry_path(page.title)

        def target(link: str, kind: str) -> str | None:
            if link.startswith("#"):
                return None
            if kind == "image":
                return entry_link(path, images[link].path) if link in images else _joined(page.url, link)
            title = reader.target(link)
            title = self.redirects.get(title, title)
            if title not in self.pages:
                return _joined(page.url, link)
            _, mark, fragment = link.partition("#")
            return f"{entry_link(path, entry_path(title))}{mark}{fragment}"

        return rewritten(page.html, target)


async def fetch_pages(
    wiki: Wikipedia, titles: Sequence[str], pictures: bool, progress: Callable[[str], None]
) -> Fetched:
    """Fetch pages and their pictures one after the other; what cannot be had is noted and the rest goes on.

    Raises:
        SearchUnavailable: no page at all can be had; the last reason is given.
    """
    fetched, known = Fetched(), dict[str, SourceImage]()
    reason = SearchUnavailable(f"no title was given for {wiki.wiki}")
    for number, title in enumerate(titles, start=1):
        try:
            live = await wiki.read(title)
        except SearchUnavailable as err:
            reason = err
            fetched.lacking.append(f"page {title[:80]!r}: {err}")
            progress(f"{number}/{len(titles)} {title}: {err}")
            continue
        _note(fetched, title, live)
        page = live.page
        if page.title not in fetched.images:
            fetched.images[page.title] = await _pictures(wiki, page, fetched, known) if pictures else {}
        kind = ", tells meanings apart" if live.disambiguation else ""
        progress(f"{number}/{len(titles)} {page.title}: {len(fetched.images[page.title])} pictures{kind}")
    if not fetched.pages:
        raise reason
    return fetched


def _note(fetched: Fetched, asked: str, live: LivePage) -> None:
    title = live.page.title
    fetched.pages.setdefault(title, live.page)
    for other in (asked.partition("#")[0].replace("_", " ").strip(), *live.redirects):
        if other and other != title:
            fetched.redirects[other] = title


async def _pictures(
    wiki: Wikipedia, page: Page, fetched: Fetched, known: dict[str, SourceImage]
) -> dict[str, SourceImage]:
    """Return the pictures of a page by the address that it names; each file is fetched once."""
    shown: dict[str, SourceImage] = {}
    for image in _images(page):
        try:
            if image.source not in known:
                known[image.source] = await _picture(wiki, image)
            shown[image.source] = known[image.source]
        except SearchUnavailable as err:
            fetched.lacking.append(f"picture {image.source[:80]!r} of {page.title!r}: {err}")
    return shown


async def _picture(wiki: Wikipedia, image: ImageEvidence) -> SourceImage:

    picture = await wiki.picture(image)
    name = _OUTSIDE.sub("_", picture.url.rpartition(":")[2])[-60:] or "picture"
    suffix = picture.media_type.partition("/")[2].replace("jpeg", "jpg")
    path = f"_images/{name.rpartition('.')[0] or name}-{hashlib.sha256(picture.data).hexdigest()[:8]}.{suffix}"
    return SourceImage(
        path, picture.data, picture.media_type, Credit(picture.url, picture.licence, picture.attribution)
    )


def _images(page: Page) -> tuple[ImageEvidence, ...]:

    try:
        leaves = parse_page(page).leaves
    except (PageUnavailable, HostilePage):
        return ()
    return tuple({leaf.source: leaf for leaf in leaves if isinstance(leaf, ImageEvidence)}.values())


def _joined(url: str, link: str) -> str | None:
    try:
        return urljoin(url, link)
    except ValueError:
        return None


def _document(title: str, html: str) -> str:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>\n{html}\n</body></html>\n"
