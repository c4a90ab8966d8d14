"""Rewrite the links and pictures of a page without touching the rest of its HTML."""

import re
from collections.abc import Callable
from html import escape, unescape
from typing import Literal
from urllib.parse import quote, unquote

LinkKind = Literal["page", "image"]

_TAG = re.compile(r"""<(a|area|img|source)(?=[\s/])(?:[^<>"']++|"[^"]*"|'[^']*')*+>""", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<!\s)(\s++)([^\s=>"'/]++)(?:(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_OUTWARD = re.compile(r"[a-z][a-z0-9+.-]*:|/|\\", re.IGNORECASE)
_KINDS: dict[str, tuple[str, LinkKind]] = {
    "a": ("href", "page"),
    "area": ("href", "page"),
    "img": ("src", "image"),
    "source": ("src", "image"),
}


def relinked(html: str, entry: Callable[[str, LinkKind], str | None], path: str) -> str:
    """Point the relative links of the page at `path` to entries of the archive.

    Args:
        html: the page.
        entry: says which entry a relative, decoded path means; None leaves a link as it is.
        path: of the page in the archive: a link climbs out of its folders.
    """

    return rewritten(html, lambda link, kind: _target(link, kind, entry, path))


def rewritten(html: str, target: Callable[[str, LinkKind], str | None]) -> str:
    """Replace the links and pictures of a page by what `target` says of each; None leaves one as it is."""

    def tag(match: re.Match[str]) -> str:
        wanted, kind = _KINDS[match[1].lower()]

        def attribute(found: re.Match[str]) -> str:
            space, name, equals, value = found.groups()
            if kind == "image" and name.lower() == "srcset":
                return ""
            other = value and name.lower() == wanted and target(_bare(value), kind)
            return f'{space}{name}{equals}"{escape(other)}"' if other else found[0]

        opening = len(match[1]) + 1
        return match[0][:opening] + _ATTRIBUTE.sub(attribute, match[0][opening:])

    return _TAG.sub(tag, html)


def entry_link(path: str, target: str) -> str:
    """Return the relative link from the page at `path` to the entry at `target`, encoded."""
    return ("../" * path.count("/") or "./") + quote(target, safe="/:@!$&'()*+,;=~")


def _target(link: str, kind: LinkKind, entry: Callable[[str, LinkKind], str | None], path: str) -> str | None:
    file, mark, fragment = link.partition("#")
    file = unquote(file.partition("?")[0])
    if not file or _OUTWARD.match(file):
        return None
    target = entry(file, kind)
    return None if target is None else f"{entry_link(path, target)}{mark}{fragment}"


def _bare(value: str) -> str:
    return unescape(value[1:-1] if value[:1] in ('"', "'") else value).strip()
