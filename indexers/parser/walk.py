"""Say who reads which element, and walk a page."""

from heliograph.types import Document, Page
from indexers.parser.dom import nothing_to_read, read_html
from indexers.parser.drafts import finish
from indexers.parser.flow import Flow, Handler, skip
from indexers.parser.headings import HEADINGS, read_heading, read_summary
from indexers.parser.ids import page_key
from indexers.parser.images import read_caption, read_figure, read_image
from indexers.parser.inline import read_block, read_break, read_formula, read_link, read_preformatted, read_raised
from indexers.parser.limits import Budget, ParserLimits
from indexers.parser.lists import read_item, read_list
from indexers.parser.tables import read_caption_line, read_table
from indexers.parser.visibility import APPARATUS, UNSEEN_TAGS

_BLOCKS_WORDS = (
    "address article aside blockquote body caption center details dir div fieldset form header hgroup hr "
    "html legend main menu p section tbody td tfoot th thead tr"
)
_BLOCKS = tuple(_BLOCKS_WORDS.split())

TAGS: dict[str, Handler] = {
    **dict.fromkeys(_BLOCKS, read_block),
    **dict.fromkeys(HEADINGS, read_heading),
    **dict.fromkeys(("ul", "ol", "dl"), read_list),
    **dict.fromkeys(("li", "dt", "dd"), read_item),
    **dict.fromkeys(("img", "video"), read_image),
    **dict.fromkeys(UNSEEN_TAGS, skip),
    "a": read_link,
    "br": read_break,
    "figcaption": read_caption,
    "figure": read_figure,
    "math": read_formula,
    "p": read_caption_line,
    "pre": read_preformatted,
    "summary": read_summary,
    "sup": read_raised,
    "table": read_table,
}

CLASSES: dict[str, Handler] = {
    **dict.fromkeys(APPARATUS, skip),
    **dict.fromkeys(("thumb", "gallerybox", "tsingle", "tmulti"), read_figure),
    **dict.fromkeys(("thumbcaption", "gallerytext"), read_caption),
    "gallery": read_block,
    "gallerycaption": read_block,
    "mwe-math-element": read_formula,
}


def read_page(page: Page, limits: ParserLimits) -> Document:
    """Turn a page into its tree of sections and leaves.

    Raises:
        PageUnavailable: the page shows no words and no images.
        HostilePage: the page goes past a cap.
    """
    budget = Budget(page, limits)
    key = page_key(page.wiki, page.title, page.revision)
    flow = Flow(page, key, budget, TAGS, CLASSES)
    flow.element(read_html(page, budget))
    flow.boundary()
    if not flow.drafts:
        raise nothing_to_read(page)
    return finish(page, key, flow.outline.sections, flow.drafts)
