"""From the link of a result to the title of an article: of the wiki's own host and main namespace, or nothing."""

import re
import unicodedata
from collections.abc import Collection
from urllib.parse import SplitResult, parse_qs, unquote, urljoin, urlsplit

DUCKDUCKGO = "https://html.duckduckgo.com/html/"
ARTICLES = "/wiki/"
MOST_BYTES = 255
"""MediaWiki's limit on a title, in UTF-8."""

_SUBJECTS = (
    "user wikipedia project wp file image mediawiki template help category portal book draft mos timedtext module "
    "education_program gadget gadget_definition topic event"
)
NAMESPACES = frozenset(
    {"media", "special", "talk", "wt", "tm"}
    | {name.replace("_", " ") + talk for name in _SUBJECTS.split() for talk in ("", " talk")}
)
"""What stands before the colon of a page that is no article: English Wikipedia's names, which every wiki knows too."""

_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f<>\[\]{}|#\ufffd\ud800-\udfff]|%[0-9A-Fa-f]{2}|&#?\w+;|~~~")
_INVISIBLE = re.compile(r"[\u200e\u200f\u202a-\u202e]")
_BLANKS = re.compile(r"[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def destination(href: str) -> SplitResult | None:
    """Return where a result leads, out of DuckDuckGo's own redirect; None for an advertisement or no web address."""
    try:
        target = urlsplit(urljoin(DUCKDUCKGO, href.strip()))
        if _is_duckduckgo(target) and target.path == "/l/":
            target = urlsplit(parse_qs(target.query).get("uddg", [""])[0])
        if target.scheme not in ("http", "https") or not target.hostname or _is_duckduckgo(target):
            return None
    except ValueError:
        return None
    return target


def article_title(target: SplitResult, hosts: Collection[str], namespaces: Collection[str] = NAMESPACES) -> str | None:
    """Return the title, with spaces, of an article at one of the hosts; None for any other page.

    `namespaces` are in lower case. An address that names a user or a foreign port is of no host of ours.
    """
    if _host(target) not in hosts or not target.path.startswith(ARTICLES):
        return None
    written = unquote(target.path.removeprefix(ARTICLES))
    title = _BLANKS.sub(" ", _INVISIBLE.sub("", unicodedata.normalize("NFC", written))).strip()
    return title if _is_title(title) and not _is_of_namespace(title, namespaces) else None


def hosts_of(wiki_host: str) -> frozenset[str]:
    """Return the host and its mobile twin: en.m.wikipedia.org holds the same pages as en.wikipedia.org."""
    host = wiki_host.lower()
    name, dot, rest = host.partition(".")
    return frozenset({host, f"{name}.m.{rest}"} if dot else {host})


def _host(target: SplitResult) -> str:
    return target.netloc.lower().removesuffix(":443" if target.scheme == "https" else ":80")


def _is_duckduckgo(target: SplitResult) -> bool:
    return f".{target.hostname or ''}".endswith(".duckduckgo.com")


def _is_title(title: str) -> bool:
    if not title or title.startswith(":") or _FORBIDDEN.search(title):
        return False
    return len(title.encode()) <= MOST_BYTES and not {".", ".."} & set(title.split("/"))


def _is_of_namespace(title: str, namespaces: Collection[str]) -> bool:
    before, colon, _ = title.partition(":")
    return bool(colon) and before.strip().casefold() in namespaces
