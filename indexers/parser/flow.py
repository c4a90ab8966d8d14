"""Walk the elements of a page once, gathering words until a leaf is full."""

from collections.abc import Callable, Mapping

from lxml import etree

from heliograph.types import Page, PageKey
from indexers.parser.drafts import Draft, ImageDraft, TableDraft, TextDraft
from indexers.parser.limits import Budget
from indexers.parser.links import LinkReader
from indexers.parser.sections import Outline
from indexers.parser.text import Words, readable
from indexers.parser.visibility import HIDING_ATTRIBUTES, is_hidden

_LOOK_EVERY = 512
"""Elements read between two looks at the clock."""

Handler = Callable[["Flow", etree._Element], None]


class Flow:
    """The state of one walk.

    Blocks end paragraphs in the open flow; inside a captured part (a cell, an item, a caption) they only end lines.

    Attributes:
        words: what the open paragraph, cell, item or caption holds so far.
        captured: whether a captured part is open.
        items: the items of the open list with their depth; None outside lists.
        figure: the images and tables of the open figure; None outside figures.
        caption: of the open figure, once it is read.
        next_caption: of the table that follows, read before it.
        drafts: the leaves so far.
        waiting: images that follow the leaf in which they stand.
        seen_images: every image so far, in document order.
    """

    def __init__(
        self, page: Page, key: PageKey, budget: Budget, tags: Mapping[str, Handler], classes: Mapping[str, Handler]
    ) -> None:
        self.budget = budget
        self.links = LinkReader(page.title, page.url)
        self.outline = Outline(key, page.title)
        self.words = Words()
        self.captured = False
        self.items: list[tuple[int, Words]] | None = None
        self.item_depth = 0
        self.figure: list[ImageDraft | TableDraft] | None = None
        self.caption = ""
        self.drafts: list[Draft] = []
        self.next_caption = ""
        self.waiting: list[ImageDraft] = []
        self.seen_images: list[ImageDraft] = []
        self._depth = 0
        self._unclocked = 0
        self._tags = tags
        self._by_class = _ByClass(classes)

    def element(self, element: etree._Element) -> None:
        """Read one element: skip what is hidden, hand it to its handler, or read through it."""
        handler = self.handler(element)
        if handler is None:
            self.content(element)
        else:
            handler(self, element)

    def content(self, element: etree._Element) -> None:
        """Read what stands in an element."""
        words, children = element.text, len(element)
        if words:
            self.words.parts.append(words)
        if not children:
            return
        self._enter(children)
        for child in element:
            handler = self.handler(child) if child.keys() else self._tags.get(child.tag)
            if handler is None:
                self.content(child)
            else:
                handler(self, child)
            words = child.tail
            if words:
                self.words.parts.append(words)
        self._depth -= 1

    def handler(self, element: etree._Element) -> Handler | None:
        """Find who reads an element: `skip` when it is hidden, else by its class, else by its tag."""
        attributes = element.keys()
        by_class = self._by_class[element.get("class", "")] if "class" in attributes else None
        if by_class is not skip and not HIDING_ATTRIBUTES.isdisjoint(attributes) and is_hidden(element):
            return skip
        return by_class or self._tags.get(element.tag)

    def block(self, element: etree._Element) -> None:
        """Read an element that stands on lines of its own."""
        self.boundary()
        self.content(element)
        self.boundary()

    def capture(self, element: etree._Element) -> Words:
        """Read an element into words of its own."""
        kept = self.words, self.captured, self.items, self.figure
        self.words, self.captured, self.items, self.figure = Words(), True, None, None
        self.content(element)
        words = self.words
        self.words, self.captured, self.items, self.figure = kept
        return words

    def boundary(self) -> None:
        """End the paragraph, or the line inside a captured part."""
        if self.captured:
            self.words.end_line()
            return
        words = self.words
        if words.parts:
            self.words = Words()
            text = words.text()
            if readable(text):
                self.emit(TextDraft(self.outline.place, "paragraph", text, words.distinct_links()))
        if self.waiting:
            self.release()

    def emit(self, draft: Draft) -> None:
        """Append a leaf."""
        self.drafts.append(draft)
        self.budget.check_leaves(len(self.drafts))

    def release(self) -> None:
        """Append the images that waited for the leaf around them."""
        waiting, self.waiting = self.waiting, []
        for image in waiting:
            self.emit(image)

    def _enter(self, children: int) -> None:
        """Count an element's depth and children, and look at the clock now and then."""
        self._depth += 1
        self.budget.check_depth(self._depth)
        self._unclocked += children
        if self._unclocked > _LOOK_EVERY:
            self._unclocked = 0
            self.budget.check_time()


class _ByClass(dict[str, Handler | None]):
    """The handler that a class attribute calls for; a page has few different ones, so each is looked up once."""

    def __init__(self, classes: Mapping[str, Handler]) -> None:
        super().__init__()
        self._classes = classes

    def __missing__(self, attribute: str) -> Handler | None:
        handlers = [self._classes[name] for name in attribute.split() if name in self._classes]
        self[attribute] = skip if skip in handlers else next(iter(handlers), None)
        return self[attribute]


def skip(flow: Flow, element: etree._Element) -> None:
    """Leave an element out, with all that it holds."""
