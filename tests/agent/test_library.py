"""The library parses a page once and knows it by every title it was asked by."""

import pytest

from agent.library import Library
from heliograph.errors import HostilePage, PageUnavailable, UnknownName
from heliograph.types import EvidenceId, Hit
from tests.fakes import key_of, make_page, paragraph

ALPHA = make_page("Alpha", "Alpha is first.")


async def test_a_page_is_one_document_under_all_its_titles() -> None:
    library = Library()
    first = await library.add(ALPHA, Hit("First letter", 1, ALPHA.wiki))
    assert await library.add(ALPHA, Hit("Alpha", 1, ALPHA.wiki)) is first
    assert library.asked == {(ALPHA.wiki, "Alpha"), (ALPHA.wiki, "First letter")}
    assert library.documents([key_of("Alpha")]) == (first,)
    assert library.evidence(paragraph("Alpha")) == first.leaves[0]


async def test_a_piece_that_is_not_there_is_named() -> None:
    library = Library()
    await library.add(ALPHA, Hit("Alpha", 1))
    with pytest.raises(UnknownName, match="no evidence"):
        library.evidence(EvidenceId(f"{key_of('Alpha')}#s0/p9"))


@pytest.mark.parametrize(("html", "error"), [("<div>" * 999, HostilePage), ("<p> </p>", PageUnavailable)])
async def test_a_page_that_cannot_be_parsed_is_no_document_but_is_known_by_its_title(html: str, error: type) -> None:
    library = Library()
    with pytest.raises(error):
        await library.add(make_page("Bad", html=html), Hit("Bad", 1, ALPHA.wiki))
    assert (library.shelf, library.asked) == ({}, {(ALPHA.wiki, "Bad")})
