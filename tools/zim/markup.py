"""The little that is read off a page's HTML before it is parsed: its encoding, its address, and where it redirects."""

import codecs
import re
from html import unescape

HEAD_BYTES = 65_536
"""How far into a page its head is looked for."""

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CHARSET = re.compile(rb"""<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_LINK = re.compile(r"<link\b[^>]{1,4000}>", re.IGNORECASE)
_CANONICAL = re.compile(r"""\brel\s*=\s*["']?canonical\b""", re.IGNORECASE)
_HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_META = re.compile(r"<meta\b[^>]{1,4000}>", re.IGNORECASE)
_REFRESH = re.compile(r"""\bhttp-equiv\s*=\s*["']?refresh\b""", re.IGNORECASE)
_AT_ONCE = re.compile(r"""\bcontent\s*=\s*(["'])\s*0*\s*[;,]\s*url\s*=\s*(.*?)\s*\1""", re.IGNORECASE | re.DOTALL)
_OUTWARD = re.compile(r"[a-z][a-z0-9+.-]*://|//", re.IGNORECASE)


def decoded(content: bytes, mimetype: str) -> str:
    """Return the text of a page: its encoding is that of its type, its byte order mark, its head, else UTF-8."""
    named = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", mimetype, re.IGNORECASE)
    in_head = _CHARSET.search(content[:1024])
    marked = next((encoding for bom, encoding in _BOMS if content.startswith(bom)), "")
    encoding = marked or (named[1] if named else in_head[1].decode("ascii", "replace") if in_head else "utf-8")
    if in_head and not marked and not named and encoding.lower().startswith("utf-16"):
        encoding = "utf-8"
    try:
        return content.decode(encoding, "replace")
    except LookupError:
        return content.decode("utf-8", "replace")


def canonical_url(html: str) -> str:
    """Return the address that a page gives for itself on the web, or ""."""
    for link in _LINK.findall(html[:HEAD_BYTES]):
        if _CANONICAL.search(link) and (found := _HREF.search(link)):
            url = unescape(found[1] or found[2] or found[3] or "").strip()
            return url if url.startswith(("https://", "http://")) else ""
    return ""


def redirect_target(html: str) -> str | None:
    """Return the relative link of a page that sends its reader on at once, None for a page to be read."""
    for meta in _META.findall(html):
        if _REFRESH.search(meta) and (found := _AT_ONCE.search(unescape(meta))):
            target = found[2].strip("'\" ")
            return None if not target or _OUTWARD.match(target) else target
    return None
