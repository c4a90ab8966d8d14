"""The little that is read off a page's HTML before it is parsed: its encoding, its address, and where it redirects."""

import codecs
import re
from html import unescape

HEAD_BYTES = 65_536
"""How far into a page its head is looked for."""
FOOT_CHARACTERS = 8_192
"""How far from its end a page's foot is looked for."""

_REVISION = re.compile(r"""\bhref=["'](https?://[^\s"'<>]{1,2000}?[?&](?:amp;)?oldid=\d+)["']""", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_AS_BROWSERS_READ = {"iso8859-1": "cp1252", "ascii": "cp1252"}
_OF_PAGES = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp\d+|koi8-[rtu]|gb\w+|big5\w*|euc_\w+|shift_jis\w*|iso2022_\w+|mac-\w+|tis-620"
)
"""Python also knows encodings that are none of characters, and some that fail on what they cannot read."""
_PARAMETER = re.compile(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_LINK = re.compile(r"<link\b[^>]{1,4000}>", re.IGNORECASE)
_CANONICAL = re.compile(r"""\brel\s*=\s*["']?canonical\b""", re.IGNORECASE)
_HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_META = re.compile(r"<meta\b[^>]{1,4000}>", re.IGNORECASE)
_REFRESH = re.compile(r"""\bhttp-equiv\s*=\s*["']?refresh\b""", re.IGNORECASE)
_AT_ONCE = re.compile(r"""\bcontent\s*=\s*(["'])\s*0*\s*[;,]\s*url\s*=\s*(.*?)\s*\1""", re.IGNORECASE | re.DOTALL)
_OUTWARD = re.compile(r"[a-z][a-z0-9+.-]*://|//", re.IGNORECASE)


def decoded(content: bytes, mimetype: str) -> str:
    """Return the text of a page: its encoding is that of its byte order mark, its type, its head, else UTF-8."""
    marked = next((encoding for mark, encoding in _BOMS if content.startswith(mark)), "")
    if marked:
        return content.decode(marked, "replace")
    named = _PARAMETER.search(mimetype)
    in_head = _CHARSET.search(content[:1024])
    label = named[1] if named else in_head[1].decode("ascii", "replace") if in_head else "utf-8"
    return content.decode(_encoding(label), "replace")


def _encoding(label: str) -> str:
    """Return Python's name for an encoding that pages are written in; UTF-8 for any other, as browsers do."""
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return "utf-8"
    return _AS_BROWSERS_READ.get(name, name) if _OF_PAGES.fullmatch(name) else "utf-8"


def canonical_url(html: str) -> str:
    """Return the address that a page gives for itself on the web, or ""."""
    for link in _LINK.findall(html[:HEAD_BYTES]):
        if _CANONICAL.search(link) and (found := _HREF.search(link)):
            url = unescape(found[1] or found[2] or found[3] or "").strip()
            return url if url.startswith(("https://", "http://")) else ""
    return ""


def permalink(html: str, host: str) -> str:
    """Return the address of the revision of a page, which Kiwix's archives name below the text, or ""."""
    for link in reversed(_REVISION.findall(html[-FOOT_CHARACTERS:]) if host else ()):
        url = unescape(link)
        if url.lower().startswith((f"https://{host}/", f"http://{host}/")):
            return url
    return ""


def redirect_target(html: str) -> str | None:
    """Return the relative link of a page that sends its reader on at once, None for a page to be read."""
    for meta in _META.findall(html):
        if _REFRESH.search(meta) and (found := _AT_ONCE.search(unescape(meta))):
            target = found[2].strip("'\" ")
            return None if not target or _OUTWARD.match(target) else target
    return None
