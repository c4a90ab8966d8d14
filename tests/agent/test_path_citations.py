"""In a terminal and in files the path of a row of a base stands below its citation."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from docx import Document
from markdown_it import MarkdownIt
from pypdf import PdfReader

from agent.answer_files import ENDINGS
from agent.markdown_answer import markdown_answer
from agent.path_citations import kept_rows, path_lines
from agent.rendering import render_answer
from agent.terminal import Output, show_answer
from heliograph import Heliograph
from heliograph.types import Answer, EntityRecord, Page, PageKey
from heliograph.unsaid import unsaid
from indexers.parser.ids import leaf_of, row_id
from indexers.skb.base_building import build_base
from memory.pages import FilePageStore
from memory.trace.folder import Manifest, write_manifest
from tests.reports import REPORT
from tests.tools.skb.sky import Records
from tests.web.moons import MOONS, built, cited_rows, citing


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("skb"))


def answered(base: Path, home: Path, source: str) -> Answer:
    """Return an answer of a run with a source; it cites a row of answers and a triple."""
    return citing(MOONS, cited_rows(base, home), manifested(home, (source.removeprefix("skb:"),)))


def manifested(home: Path, bases: Sequence[Path | str], run: str = "20260101T000000000-abcdef") -> str:
    """Keep the manifest of a run over some bases, and return its name."""
    folder = home / "runs" / run
    folder.mkdir(parents=True)
    write_manifest(folder, Manifest(run, MOONS, "0", 0.0, {"sources": [f"skb:{each}" for each in bases]}))
    return run


def test_the_path_stands_below_its_citation_as_the_base_has_it(base: Path, tmp_path: Path) -> None:
    shown = show_answer(answered(base, tmp_path, f"skb:{base}"), Output(), tmp_path).splitlines()
    (at,) = (number for number, line in enumerate(shown) if line.startswith("[1] "))
    assert shown[at + 2] == "    Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn"
    (at,) = (number for number, line in enumerate(shown) if line.startswith("[2] "))
    assert shown[at + 2] == "    Titan —orbits→ Saturn"


def test_what_is_computed_has_the_paths_of_the_rows_that_entered(base: Path, tmp_path: Path) -> None:
    answer = answered(base, tmp_path, f"skb:{base}")
    row = answer.citations[0].evidence
    computed = citing(MOONS, (leaf_of(row),), answer.run, computed_of=(row,))
    assert path_lines(computed, tmp_path) == {1: ("Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn",)}


def test_of_a_base_that_is_gone_or_a_run_that_is_not_kept_the_row_alone_speaks(base: Path, tmp_path: Path) -> None:
    answer = answered(base, tmp_path, f"skb:{tmp_path / 'gone.skb'}")
    row = ("Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn",)
    assert path_lines(answer, tmp_path)[1] == row
    assert path_lines(replace(answer, run="other"), tmp_path)[1] == row


def test_of_two_bases_of_one_name_the_row_is_looked_up_in_its_own(base: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "demo.skb"
    other.parent.mkdir()
    build_base(Records([EntityRecord("x", "moon", "Tethys")], name="demo"), other, unsaid)
    rows = cited_rows(base, tmp_path, beside=(other,))
    expected = ("Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn",)
    for sources in ((other, base), (base, other)):
        run = manifested(tmp_path, sources, f"20260101T000000000-abcde{len(list(tmp_path.glob('runs/*')))}")
        assert path_lines(citing(MOONS, rows, run), tmp_path)[1] == expected
    run = manifested(tmp_path, (other,), "20260101T000000000-abcdef")
    assert path_lines(citing(MOONS, rows, run), tmp_path)[1] == expected


async def test_files_have_the_paths_below_their_references(base: Path, tmp_path: Path) -> None:
    answer = answered(base, tmp_path, f"skb:{base}")
    files = {ending: tmp_path / f"answer{ending}" for ending in ENDINGS}
    async with Heliograph(home=tmp_path) as heliograph:
        for path in files.values():
            await heliograph.export(answer, path)
    cassini, titan = "Tethys ←discovered— Giovanni Domenico Cassini —studied→ Saturn", "Titan —orbits→ Saturn"
    below = [line for line in files[".md"].read_text("utf8").splitlines() if line.startswith("   - ")]
    assert below == [f"   - {cassini}", f"   - {titan}"]
    references = BeautifulSoup(files[".html"].read_text("utf8"), "html.parser").select(".references > ol > li")
    assert [[line.text for line in each.select("ul.paths > li")] for each in references] == [[cassini], [titan]]
    *_, first, second = [
        each.text.splitlines() for each in Document(str(files[".docx"])).paragraphs if "\n" in each.text
    ]
    assert (first[2], second[2]) == (cassini, titan)
    printed = "".join(page.extract_text() for page in PdfReader(files[".pdf"]).pages)
    assert titan in " ".join(printed.split())


def test_a_path_below_a_reference_of_two_digits_is_a_part_of_it_in_markdown_and_stays_text() -> None:
    told = markdown_answer(REPORT, {14: ("<b> —*is*→ [x](y)",)})
    last = BeautifulSoup(MarkdownIt().render(told), "html.parser").select("ol > li")[-1]
    assert [each.text for each in last.select("ul > li")] == ["<b> —*is*→ [x](y)"]


class CountedPages:
    """A store of pages that counts how often each is read."""

    def __init__(self, home: Path) -> None:
        self._pages, self.read = FilePageStore(home / "pages"), Counter[PageKey]()
        self.find, self.put = self._pages.find, self._pages.put

    def get(self, key: PageKey) -> Page:
        self.read[key] += 1
        return self._pages.get(key)


def test_a_page_is_read_once_for_all_its_rows_and_a_row_that_is_not_there_costs_no_other(
    base: Path, tmp_path: Path
) -> None:
    (row, other), pages = cited_rows(base, tmp_path), CountedPages(tmp_path)
    table = leaf_of(row)
    several = [row_id(table, 999), *(row_id(table, number) for number in (1, 2, 3)), other, row_id(table, 1)]
    assert list(kept_rows(several, pages)) == [*several[1:4], other]
    assert set(pages.read.values()) == {1} and len(pages.read) == 2


def test_an_answer_whose_pages_are_not_kept_is_shown_without_paths(base: Path, tmp_path: Path) -> None:
    answer = answered(base, tmp_path / "other", f"skb:{base}")
    assert not any(path_lines(answer, tmp_path).values())
    assert render_answer(answer) == render_answer(answer, {})
