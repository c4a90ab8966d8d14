"""Read headings of every skin: bare, in `mw-heading`, in `summary`, with `mw-headline`."""

from lxml import etree

from indexers.parser.flow import Flow

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def read_heading(flow: Flow, element: etree._Element) -> None:
    """Open a section; a heading inside a cell or item is a line of it, and the page's own title is none."""
    if flow.captured:
        flow.block(element)
        return
    flow.boundary()
    title = flow.capture(element).text().replace("\n", " ")
    flow.release()
    level = int(element.tag[1])
    if title and not (level == 1 and _is_page_title(flow, element, title)):
        flow.outline.open(level, title)


def read_summary(flow: Flow, element: etree._Element) -> None:
    """Read the head of a fold; Kiwix folds sections, with or without a heading inside."""
    fold = element.getparent()
    level = fold.get("data-level", "") if fold is not None else ""
    if flow.captured or level not in tuple("123456") or next(element.iter(*HEADINGS), None) is not None:
        flow.block(element)
        return
    flow.boundary()
    title = flow.capture(element).text().replace("\n", " ")
    if title:
        flow.outline.open(int(level), title)


def _is_page_title(flow: Flow, element: etree._Element, title: str) -> bool:
    lead = flow.outline.sections[0].title
    if title.casefold() == lead.casefold() or element.get("id") == "firstHeading":
        return True
    made_by_wiki = element.get("id") is None and len(element) == 0
    return made_by_wiki and not flow.drafts and len(flow.outline.sections) == 1
