"""Tell what a reader of the page would not see."""

import re
from functools import lru_cache

from lxml import etree

_UNSEEN_TAGS_WORDS = (
    "audio button canvas datalist dialog embed head iframe link map meta nav footer noscript object "
    "optgroup option param script select style svg template textarea title rp"
)
UNSEEN_TAGS = tuple(_UNSEEN_TAGS_WORDS.split())
"""Elements that hold no text of the article."""

_APPARATUS_WORDS = (
    "reference mw-ref mw-editsection mw-editsection-like toc toccolours-toc navbox navbox-styles "
    "vertical-navbox sidebar metadata ambox mbox-small sistersitebox hatnote dablink rellink noprint "
    "sortkey reflist references mw-references-wrap mw-cite-backlink mw-jump-link catlinks printfooter "
    "mw-indicators mw-headline-number portalbox portal-bar authority-control mw-broken-media magnify "
    "geo-nondefault geo-multi-punct visually-hidden visuallyhidden sr-only screen-reader-only mw-empty-elt "
    "searchaux toctitle toctogglecheckbox mw-ext-cite-error Z3988 navigation-not-searchable"
)
APPARATUS = tuple(_APPARATUS_WORDS.split())
"""Classes of what surrounds an article's text: references, edit links, navigation, notices, hidden helpers."""

_UNSEEN_STYLE = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|content-visibility:hidden"
    r"|opacity:(?:\.?0[0.]*|0?\.0[0-9]*)(?:[%;!]|$)"
    r"|font-size:(?:\.?0[0.]*(?:[a-z%;!]|$)|1(?:\.[0-9]*)?p[xt])|(?:^|;)font:\.?0[0.]*[a-z%/]"
    r"|(?:^|;)(?:left|right|text-indent):-[0-9]{3,}|(?:^|;)(?:top|bottom|margin|margin-left|margin-top):-[0-9]{4,}"
    r"|(?:^|;)(?:left|top|text-indent|margin-left):[0-9]{5,}|translate[xy3d]*\(-[0-9]{4,}|scale[xy3d]*\(0[,)]"
    r"|clip:rect\((?:0|1px)|clip-path:inset\((?:50|100)%|clip-path:circle\(0"
)
_UNSEEN_BOX = re.compile(r"(?:^|;)(?:max-)?(?:height|width):(?:0(?:px|em|%)?|1px)(?:;|!|$)")
_COLOUR = re.compile(r"(?:^|;)color:([^;!]+)")
_GROUND = re.compile(r"(?:^|;)background(?:-color|-image)?:([^;!]+)")
_WHITE = frozenset(
    (
        "#fff",
        "#ffffff",
        "#ffff",
        "#ffffffff",
        "rgb(255,255,255)",
        "rgba(255,255,255,1)",
        "hsl(0,0%,100%)",
        "rgb(100%,100%,100%)",
    )
)
_CLEAR = re.compile(r"transparent|#[0-9a-f]{3}0|#[0-9a-f]{6}00|(?:rgb|hsl)a?\(.*[,/]0*\.?0*%?\)")
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?|\\(.)")


HIDING_ATTRIBUTES = frozenset(("hidden", "aria-hidden", "style"))
"""An element with none of these is as visible as what it stands in."""


def is_hidden(element: etree._Element) -> bool:
    """Tell whether an element's attributes hide it: `hidden`, `aria-hidden`, a style, or the colour of its ground."""
    if element.get("hidden", "until-found").casefold() != "until-found" or element.get("aria-hidden") == "true":
        return True
    style = _plain(element.get("style", ""))
    return _style_hides(style) or ("color:" in style and _blends_in(element, style))


def is_removed(element: etree._Element) -> bool:
    """Tell whether a table cell gives up its place in the row too."""
    style = element.get("style")
    return bool(style and "display:none" in _plain(style)) or element.get("hidden") is not None


@lru_cache(maxsize=2048)
def _plain(style: str) -> str:
    """Write a style in one way: no comments, escapes, capitals or white space."""
    style = re.sub(r"/\*.*?\*/", "", style.casefold())
    if "\\" in style:
        style = _ESCAPE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2], style)
    return "".join(style.split())


@lru_cache(maxsize=2048)
def _style_hides(style: str) -> bool:
    if _UNSEEN_STYLE.search(style):
        return True
    return bool("overflow:hidden" in style and _UNSEEN_BOX.search(style))


def _blends_in(element: etree._Element, style: str) -> bool:
    """Tell whether text has the colour of what it stands on, white unless somebody around it says otherwise."""
    found = _COLOUR.search(style)
    if not found:
        return False
    colour = _colour(found[1])
    return colour == "clear" or colour == _ground(element)


def _ground(element: etree._Element) -> str:
    while True:
        ground = _GROUND.search(_plain(element.get("style", "")))
        named = ground[1] if ground else element.get("bgcolor")
        if named and _colour(named) != "clear":
            return _colour(named)
        parent = element.getparent()
        if parent is None:
            return "white"
        element = parent


def _colour(name: str) -> str:
    name = "".join(name.casefold().split())
    if name in _WHITE:
        return "white"
    return "clear" if _CLEAR.fullmatch(name) else name
