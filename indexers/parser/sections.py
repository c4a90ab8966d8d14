"""Keep the outline of a page: which section is open, and what it stands in."""

from collections.abc import Iterable

from heliograph.types import PageKey, Place, Section


class Outline:
    """The sections met so far; the lead, `s0`, is open from the start."""

    __slots__ = ("_open", "_page", "_title", "place", "sections")

    def __init__(self, page: PageKey, title: str) -> None:
        lead = Section("s0", title, 1, None)
        self._page = page
        self._title = title
        self._open = [lead]
        self.sections = [lead]
        self.place = self._place()

    def open(self, level: int, title: str) -> None:
        """Begin a section inside the last one of a lower level, else inside the lead."""
        while len(self._open) > 1 and self._open[-1].level >= level:
            self._open.pop()
        section = Section(f"s{len(self.sections)}", title, level, self._open[-1].id)
        self._open.append(section)
        self.sections.append(section)
        self.place = self._place()

    def titles(self) -> Iterable[str]:
        """Name the open sections, the lead left out."""
        return (section.title for section in self._open[1:])

    def _place(self) -> Place:
        return Place(self._page, self._title, self._open[-1].id, tuple(self.titles()))
