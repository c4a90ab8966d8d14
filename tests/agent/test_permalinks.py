"""Citations lead to the revision that was read, and to the section of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.permalinks import anchored, permalink
from heliograph.types import Document, EvidenceId, PageKey, Place, TextEvidence


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("", "https://w/x?oldid=1"),
        ("Early life", "https://w/x?oldid=1#Early_life"),
        (" Early  life ", "https://w/x?oldid=1#Early_life"),
        ("100% & é", "https://w/x?oldid=1#100%25_%26_%C3%A9"),
    ],
)
def test_an_anchor_leads_to_a_section(section: str, expected: str) -> None:
    assert anchored("https://w/x?oldid=1", section) == expected
    assert anchored("https://w/x?oldid=1#Old", section) == expected


@given(st.text(st.characters(), max_size=80))
def test_no_title_breaks_an_anchor(title: str) -> None:
    assert anchored("https://w/x", title).startswith("https://w/x")


@pytest.mark.parametrize(
    ("url", "path", "expected"),
    [
        ("https://w/x?oldid=1", ("Life", "Early life"), "https://w/x?oldid=1#Early_life"),
        ("https://w/x?oldid=1", (), "https://w/x?oldid=1"),
        ("https://w/X", ("Life",), "https://w/X"),
        ("zim://w/X", ("Life",), "zim://w/X"),
    ],
)
def test_only_an_address_of_a_revision_gets_an_anchor(url: str, path: tuple[str, ...], expected: str) -> None:
    place = Place(PageKey("w:X@1"), "X", "s1", path)
    piece = TextEvidence(EvidenceId("w:X@1#s1/p1"), place, "paragraph", "words")
    assert permalink(piece, Document(place.page, "w", "X", "1", url, (), (piece,))) == expected
