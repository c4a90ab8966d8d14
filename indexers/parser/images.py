"""Read images by what is written about them."""

from lxml import etree

from indexers.parser.drafts import ImageDraft
from indexers.parser.flow import Flow

ICON_PIXELS = 50
"""An image no larger than this either way is an ornament: a flag, a bullet, a pencil."""

LONGEST_SOURCE = 2_048
"""A longer address is an image written into the page itself, which no source can be asked for."""


def read_image(flow: Flow, element: etree._Element) -> None:
    """Note an image, or a film by its poster; it follows the leaf in which it stands."""
    source = element.get("poster" if element.tag == "video" else "src", "") or element.get("data-src", "")
    if not source or len(source) > LONGEST_SOURCE or _is_icon(element):
        return
    caption = " ".join(element.get("title", "").split())
    image = ImageDraft(flow.outline.place, source, caption, " ".join(element.get("alt", "").split()))
    flow.waiting.append(image)
    flow.seen_images.append(image)
    if flow.figure is not None:
        flow.figure.append(image)


def read_figure(flow: Flow, element: etree._Element) -> None:
    """Read a figure: its caption goes to the images or tables in it, or stands alone when there are none.

    Figures nest (a gallery box around a thumbnail): what found no caption inside takes the outer one.
    """
    flow.boundary()
    outer, outer_caption = flow.figure, flow.caption
    flow.figure, flow.caption = [], ""
    flow.content(element)
    members, caption = flow.figure, flow.caption
    flow.figure, flow.caption = outer, outer_caption
    for member in members:
        member.caption = caption or member.caption
    if outer is not None:
        outer += [member for member in members if not caption]
    if caption and not members:
        flow.words.add(caption)
    flow.boundary()


def read_caption(flow: Flow, element: etree._Element) -> None:
    """Read the caption of the open figure; outside figures it is a block of text."""
    if flow.figure is None:
        flow.block(element)
    else:
        flow.caption = flow.capture(element).text().replace("\n", " ") or flow.caption


def _is_icon(element: etree._Element) -> bool:
    sides = [element.get("width", ""), element.get("height", "")]
    pixels = [int(side[:6]) for side in sides if side.isdecimal()]
    return bool(pixels) and max(pixels) <= ICON_PIXELS
