"""What a data set becomes: questions, gold and pages, written as three files of JSON lines."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from eval.omgqa.converting.gold import GoldFact, gold_titles
from eval.omgqa.converting.gold_lines import gold_line
from eval.omgqa.converting.resolving import Resolved, resolve
from eval.omgqa.dataset import question_line
from eval.omgqa.judged import UnitKind
from eval.omgqa.records import OmgQuestion
from heliograph.errors import HostilePage, PageUnavailable, UsageError
from heliograph.storage import storage_error
from heliograph.types import Document, Page, SourcePage
from indexers.parser import parse_page

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
    """Write the files that a conversion has, and return their paths.

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
            raise UsageError(f"{path} is there already; name another folder for --out")
    for path, lines in files.items():
        _write(path, lines)
    return tuple(files)


def _page_line(page: SourcePage) -> str:
    named = {"title": page.title, "html": page.html}
    return _line(**named, url=page.url) if page.url else _line(**named)


def _line(**fields: object) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _write(path: Path, lines: Iterable[str]) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf8") as file:
            file.writelines(lines)
        part.replace(path)
    except OSError as err:
        with suppress(OSError):
            part.unlink()
        raise storage_error(err, path) from err


def _parsed(pages: Iterable[SourcePage]) -> Iterator[Document]:
    for page in pages:
        try:
            yield parse_page(Page("pages", page.title, "0", page.url, page.html, ""))
        except (PageUnavailable, HostilePage):  # no run will read it either, so that nothing is found on it
            continue
