"""Questions of two hops over the pages at hand: what meets their plan has a row for each answer, cited step by step."""

from collections.abc import Sequence

import pytest

from heliograph.errors import ModelMissing
from heliograph.types import FoundPaths, Slots, TableQuestion
from indexers.models.semantic_parser import question_parser
from indexers.parser import find_evidence
from tests.fakes_models import FakeEmbedder
from tests.tools.skb.league import document, league
from tools.skb.page_paths import PagePaths

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


async def test_what_goes_wrong_is_told_and_not_raised() -> None:
    missing = await PagePaths(FakeEmbedder(), _Missing()).paths(QUESTION, league())
    broken = await PagePaths(FakeEmbedder(), _Broken()).paths(QUESTION, league())
    assert missing.failure.startswith("no parser for ")
    assert broken.failure.startswith("ZeroDivisionError")
    assert not missing.rows
