"""Addresses of one wiki: its API, its permalinks, and the hosts that keep its files."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import quote, unquote, urljoin, urlsplit

from heliograph.errors import UsageError

URL_SAFE = "/:@!$'()*,;~"
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?|\[[0-9a-f:]+\](:\d{1,5})?")
_WIKIMEDIA = re.compile(
    r"(?:.+\.)?(?:wikipedia|wikimedia|wiktionary|wikibooks|wikiquote|wikisource|wikinews|wikiversity|wikivoyage"
    r"|wikidata|wikifunctions|mediawiki)\.org"
)
_WIKIMEDIA_FILES = ("upload.wikimedia.org", "thumb.wikimedia.org")
"""Originals, and since 2026 thumbnails."""
_SIZE = re.compile(r"^(?:[a-z]+\d*-)*\d+px-")


@dataclass(frozen=True, slots=True)
class WikiAddress:
    """Where one wiki stands: `host` may end with a port, `path` is the script path with a slash at both ends."""

    scheme: str
    host: str
    path: str

    @property
    def of_wikimedia(self) -> bool:
        """Whether the rules of the Wikimedia Foundation hold."""
        return _WIKIMEDIA.fullmatch(self.host.partition(":")[0]) is not None

    @property
    def base(self) -> str:
        """The address of the script path."""
        return f"{self.scheme}://{self.host}{self.path}"

    def permalink(self, title: str, revision: str) -> str:
        """Return the address of one revision of a page."""
        return f"{self.base}index.php?title={quote(title.replace(' ', '_'), safe=URL_SAFE)}&oldid={quote(revision)}"

    def joined(self, url: str, location: str) -> str:
        """Return where a redirect leads; an address that cannot be read leads nowhere."""
        try:
            return urljoin(url, location)
        except ValueError:
            return ""

    def file_url(self, link: str) -> str | None:
        """Return the absolute address of a file that the wiki itself keeps; None where it lies elsewhere.

        Other machines than our own are asked by https only.
        """
        try:
            parts = urlsplit(urljoin(self.base, link))
            host = parts.netloc.lower()
        except ValueError:
            return None
        known = (self.host, *_WIKIMEDIA_FILES) if self.of_wikimedia else (self.host,)
        if host not in known or parts.scheme not in ("https", "http"):
            return None
        if not link:
            return None
        return parts.geturl() if parts.scheme == "https" or _loopback(host) else None


def wiki_address(wiki: str) -> WikiAddress:
    """Read a setting: a host, or the address of a script path or of an api.php.

    Raises:
        UsageError: it is neither.
    """
    address = wiki.strip() if "://" in wiki else f"https://{wiki.strip()}"
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("https", "http") and _HOST.fullmatch(parts.netloc.lower()) and _port_fits(parts.port)
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment:
        raise UsageError(f"wiki {wiki!r} is no host such as en.wikipedia.org, and no address such as http://host/w/")
    host = parts.netloc.lower()
    path = parts.path.removesuffix("api.php").rstrip("/") + "/"
    found = WikiAddress(parts.scheme, host, path if parts.path else "/w/")
    if found.of_wikimedia and found.scheme != "https":
        raise UsageError(f"wiki {wiki!r}: {host} is asked by https only; write {host}")
    return found


def file_name(source: str) -> str | None:
    """Return the name of the file that an image's address shows, a thumbnail's too; None where it names none."""
    try:
        path = urlsplit(source).path
    except ValueError:
        return None
    parts = [unquote(part) for part in path.split("/")]
    thumbnail = "thumb" in parts[:-2] or ("thumb.wikimedia.org" in source and _SIZE.match(parts[-1]))
    name = (parts[-2] if thumbnail and len(parts) > 1 else parts[-1]).replace("_", " ").strip()
    return name if "." in name.strip(".") and not re.search(r"[|#<>\[\]{}\x00-\x1f]", name) else None


def _port_fits(port: int | None) -> bool:
    return port is None or port > 0


def _loopback(host: str) -> bool:
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
