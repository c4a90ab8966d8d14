"""Tell the pages that only list what a title may mean: their links are leads, their text is no evidence."""

import re

MARK = '<meta property="mw:PageProp/disambiguation">'
"""As Parsoid writes it, so that pages of MediaWiki's API, of Parsoid and of Kiwix's archives can be told alike."""

_SIGN = re.compile(
    r"""<meta\b[^>]{0,200}\bproperty=["']mw:PageProp/disambiguation["']"""
    r"""|<[a-z]+\b[^>]{0,500}\bid=["'](?:disambigbox|disambig)["']"""
    r"""|<[a-z]+\b[^>]{0,500}\bclass=["'][^"'>]{0,500}\b(?:dmbox-disambig|disambigbox)\b""",
    re.IGNORECASE,
)


def is_disambiguation(html: str) -> bool:
    """Tell by the HTML of a page whether it is a disambiguation page."""
    return _SIGN.search(html) is not None


def marked(html: str) -> str:
    """Return the HTML of a disambiguation page with a mark that `is_disambiguation` knows."""
    return html if is_disambiguation(html) else MARK + html
