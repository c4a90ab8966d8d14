"""What a data set becomes: questions, gold and pages, written as three files of JSON lines."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from eval.omgqa.converting.gold import GoldFact, gold_titles
from eval.omgqa.converting.gold_lines import gold_line
from eval.omgqa.converting.resolving import Resolved, resolve
from eval.omgqa.dataset import question_line
from eval.omgqa.elsewhere import ANOTHER
from eval.omgqa.judged import UnitKind
from eval.omgqa.records import OmgQuestion
from heliograph.errors import HostilePage, PageUnavailable, UsageError
from heliograph.types import Document, Page, SourcePage
from indexers.parser import parse_page
from memory.trace.disk import write_lines

QUESTIONS, PAGES, GOLD = "questions.jsonl", "pages.jsonl", "gold.jsonl"


@dataclass(frozen=True, slots=True)
class Conversion:
    """A data set in OMG-QA's terms.

    `unit` is what its gold names; `pages` are none where the corpus comes with its own; `left_out` has the ids of
    questions that are not asked, by why.
    """

    questions: tuple[OmgQuestion, ...]
    gold: tuple[GoldFact, ...]
    pages: tuple[SourcePage, ...]
    unit: UnitKind
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def checked(self) -> Resolved:
        """Look for the gold on the pages, parsed as a run will parse them."""
        wanted = frozenset(gold_titles(self.gold))
        return resolve(self.gold, _parsed(page for page in self.pages if page.title in wanted), self.unit)


def write_conversion(conversion: Conversion, folder: Path) -> tuple[Path, ...]:
    """Write the files that a conversion has, all or none, and return their paths.

    Raises:
        UsageError: there are no questions, or one of the files is there already.
        StoreError: the disk does not take them.
    """
    if not conversion.questions:
        raise UsageError("no question is left to be asked; name another file of questions")
    files: dict[Path, Iterator[str]] = {
        folder / QUESTIONS: map(question_line, conversion.questions),
        folder / GOLD: map(gold_line, conversion.gold),
    }
    if conversion.pages:
        files[folder / PAGES] = map(_page_line, conversion.pages)
    for path in files:
        if path.exists():
            raise UsageError(f"{path} is there already; {ANOTHER}")
    with ExitStack() as failing:
        for path, lines in files.items():
            write_lines(path, lines, ANOTHER)
            failing.callback(path.unlink)
        failing.pop_all()
    return tuple(files)


def _page_line(page: SourcePage) -> str:
    named = {"title": page.title, "html": page.html}
    return _line(**named, url=page.url) if page.url else _line(**named)


def _line(**fields: object) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _parsed(pages: Iterable[SourcePage]) -> Iterator[Document]:
    for page in pages:
        try:
            yield parse_page(Page("pages", page.title, "0", page.url, page.html, ""))
        except (PageUnavailable, HostilePage):  # no run will read it either, so that nothing is found on it
            continue
