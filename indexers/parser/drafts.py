"""Leaves before they are numbered, and the document made of them."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heliograph.types import (
    Cell,
    Document,
    ImageEvidence,
    Leaf,
    Link,
    Page,
    PageKey,
    Place,
    Section,
    TableEvidence,
    TextEvidence,
)
from indexers.parser.ids import leaf_id

LEAF_CHARACTERS = 20_000
"""A longer paragraph, or item of a list, becomes several leaves; those of Wikipedia's articles stay far below."""
LINK_REACH = 5 * LEAF_CHARACTERS
"""How far behind the link before it a link is looked for; one that stands nowhere stays with that leaf."""
NEARBY_CHARACTERS = 600
"""How much of the text around an image is kept with it."""


@dataclass(slots=True)
class TextDraft:
    """A paragraph or a list."""

    place: Place
    kind: Literal["paragraph", "list"]
    text: str
    links: tuple[Link, ...] = ()


@dataclass(slots=True)
class TableDraft:
    """A table whose caption a figure around it may still give."""

    place: Place
    kind: Literal["table", "infobox"]
    caption: str
    header: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()


@dataclass(slots=True)
class ImageDraft:
    """An image whose caption and surroundings may still come."""

    place: Place
    source: str
    caption: str
    alt: str
    nearby: str = field(default="")


Draft = TextDraft | TableDraft | ImageDraft


def finish(page: Page, key: PageKey, sections: Sequence[Section], drafts: Sequence[Draft]) -> Document:
    """Number the leaves and give each image the text around it; overlong texts are cut."""
    drafts = [part for draft in drafts for part in _parts(draft)]
    nearby = _surroundings(drafts)
    counters: Counter[tuple[str, str]] = Counter()
    leaves: list[Leaf] = []
    for at, draft in enumerate(drafts):
        letter = _letter(draft)
        counters[draft.place.section, letter] += 1
        number = counters[draft.place.section, letter]
        leaves.append(_leaf(key, draft, letter, number, nearby[at]))
    return Document(
        key=key,
        wiki=page.wiki,
        title=page.title,
        revision=page.revision,
        url=page.url,
        sections=tuple(sections),
        leaves=tuple(leaves),
        licence=page.licence,
        attribution=page.attribution,
    )


def _parts(draft: Draft) -> Iterator[Draft]:
    """Cut an overlong text into leaves at sentences or words, each with the links that stand in it."""
    if not isinstance(draft, TextDraft) or len(draft.text) <= LEAF_CHARACTERS:
        yield draft
        return
    links, start, place = deque(draft.links), 0, 0
    while start < len(draft.text):
        end = _border(draft.text, start)
        within: list[Link] = []
        while links and (found := draft.text.find(links[0].text, place, place + LINK_REACH)) < end:
            within.append(links.popleft())
            place = max(place, found)
        yield TextDraft(draft.place, draft.kind, draft.text[start:end].strip(), tuple(within))
        start = end
        place = max(place, end)


def _border(text: str, start: int) -> int:
    """Return where a leaf that begins at `start` ends: behind its last sentence, or word, that is not too long."""
    end = start + LEAF_CHARACTERS
    if end >= len(text):
        return len(text)
    sentence = max(text.rfind(stop, start + LEAF_CHARACTERS // 2, end) for stop in (". ", "! ", "? ", ".\n"))
    word = max(text.rfind(blank, start, end) for blank in " \n")
    return sentence + 2 if sentence >= 0 else word + 1 if word >= 0 else end


def _letter(draft: Draft) -> str:
    match draft:
        case TextDraft(kind="paragraph"):
            return "p"
        case TextDraft():
            return "l"
        case TableDraft():
            return "t"
        case ImageDraft():
            return "i"


def _leaf(key: PageKey, draft: Draft, letter: str, number: int, nearby: str) -> Leaf:
    name = leaf_id(key, draft.place.section, letter, number)
    match draft:
        case TextDraft():
            return TextEvidence(name, draft.place, draft.kind, draft.text, draft.links)
        case TableDraft():
            return TableEvidence(name, draft.place, draft.kind, draft.caption, draft.header, draft.rows)
        case ImageDraft():
            around = _cut(draft.nearby or nearby)
            return ImageEvidence(name, draft.place, draft.source, draft.caption, draft.alt, around)


def _surroundings(drafts: Sequence[Draft]) -> list[str]:
    """Find for each draft the text before it in its section, else the text after it there."""
    nearby = [""] * len(drafts)
    for order in (range(len(drafts)), range(len(drafts) - 1, -1, -1)):
        section, text = "", ""
        for at in order:
            draft = drafts[at]
            if draft.place.section != section:
                section, text = draft.place.section, ""
            if isinstance(draft, TextDraft):
                text = draft.text
            nearby[at] = nearby[at] or text
    return nearby


def _cut(text: str) -> str:
    if len(text) <= NEARBY_CHARACTERS:
        return text
    return text[: NEARBY_CHARACTERS + 1].rpartition(" ")[0] or text[:NEARBY_CHARACTERS]
