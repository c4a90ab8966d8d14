"""Questions of two hops over the pages at hand: what meets their plan has a row for each answer, cited step by step."""

import re
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import pytest

from heliograph.errors import ModelMissing
from heliograph.types import FoundPaths, Slots, TableQuestion
from indexers.models.semantic_parser import question_parser
from indexers.parser import find_evidence
from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import open_base
from tests.fakes_models import FakeEmbedder
from tests.tools.skb.league import document, league
from tools.skb.page_facts import PageFacts
from tools.skb.page_paths import PagePaths
from tools.skb.planning.answers import left_over, plan_title

QUESTION = "Which clubs of the league play in grounds opened before 1930?"


@pytest.fixture(scope="module")
def planned() -> PagePaths:
    return PagePaths(FakeEmbedder(), question_parser(""))


def said(found: FoundPaths) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in row) for row in found.rows]


async def test_what_is_asked_of_the_page_behind_a_cell_is_found_with_both_pieces(planned: PagePaths) -> None:
    documents = league()
    found = await planned.paths(QUESTION, documents)
    assert found.header == ("club", "ground", "ground opened")
    assert said(found) == [("Leeford", "Mill Lane", "1912"), ("Harrow Bridge", "The Dell", "August 1926")]
    assert found.joins
    shelf = {each.key: each for each in documents}
    for row in found.rows:
        table, paragraph = (cell.quote for cell in row[1:])
        assert table is not None
        assert paragraph is not None
        assert table.evidence.partition("#")[0] == documents[0].key
        for quote in (table, paragraph):
            find_evidence(shelf[quote.evidence.partition("#")[0]], quote.evidence)  # type: ignore[index]


async def test_the_first_of_them_is_found_too(planned: PagePaths) -> None:
    found = await planned.paths("Which club plays in the ground that was opened first?", league())
    assert said(found)[:1] in ([], [("Leeford", "Mill Lane", "1912")])


@pytest.mark.parametrize(
    "question",
    [
        "Which clubs of the league have won a cup in grounds opened before 1930 by the queen?",
        "Which clubs play in grounds?",
        "Who owns Kiln Road?",
        "",
    ],
)
async def test_a_plan_that_leaves_much_unsaid_or_requires_nothing_has_no_rows(
    planned: PagePaths, question: str
) -> None:
    assert not (await planned.paths(question, league())).joins


async def test_pages_without_relations_have_no_paths(planned: PagePaths) -> None:
    assert await planned.paths(QUESTION, [document("Leeford", "<p>Leeford is a club.</p>")]) == FoundPaths()
    assert await planned.paths(QUESTION, []) == FoundPaths()


class _Missing:
    async def parse(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]:
        raise ModelMissing(f"no parser for {len(given)} questions")


class _Broken:
    async def parse(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]:
        raise ZeroDivisionError(len(given))


async def test_a_missing_model_is_told_and_a_fault_of_the_code_is_raised() -> None:
    missing = await PagePaths(FakeEmbedder(), _Missing()).paths(QUESTION, league())
    assert missing.failure.startswith("no parser for ")
    assert not missing.rows
    with pytest.raises(ZeroDivisionError):
        await PagePaths(FakeEmbedder(), _Broken()).paths(QUESTION, league())


async def test_a_place_that_takes_no_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    found = await PagePaths(FakeEmbedder(), question_parser("")).paths(QUESTION, league())
    assert re.fullmatch(r"cannot write .+: No such file or directory; .+ set TMPDIR to another place", found.failure)


def open_handles(folder: Path) -> int:
    """Return how many files of a folder this process has mapped into memory, those that were removed included."""
    return Path("/proc/self/maps").read_text(encoding="utf8").count(f"{folder}/")


@pytest.mark.skipif(sys.platform != "linux", reason="mapped files are counted in /proc")
async def test_the_base_of_earlier_pages_is_closed_and_so_is_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    search, pages = PagePaths(FakeEmbedder(), question_parser("")), league()
    handles = []
    for some in (pages, pages, pages[:3], pages):
        await search.paths(QUESTION, some)
        handles.append((open_handles(tmp_path), len(list(tmp_path.iterdir()))))
    assert len(set(handles)) == 1 and handles[0][0] > 0 and handles[0][1] == 1
    await search.aclose()
    assert (open_handles(tmp_path), list(tmp_path.iterdir())) == (0, [])
    assert (await search.paths(QUESTION, pages)).joins
    await search.aclose()
    await search.aclose()


async def test_bases_are_made_and_plans_weighed_in_threads() -> None:
    heavy = {each.__code__: each.__name__ for each in (build_base, open_base, left_over, plan_title, PageFacts.around)}
    here, elsewhere = set[str](), set[str]()
    loop = threading.get_ident()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in heavy:
            (here if threading.get_ident() == loop else elsewhere).add(heavy[frame.f_code])

    search = PagePaths(FakeEmbedder(), question_parser(""))
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        assert (await search.paths(QUESTION, league())).joins
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        await search.aclose()
    assert (here, elsewhere) == (set(), set(heavy.values()))
