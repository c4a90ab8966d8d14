"""Recognition of mentions in cells, by rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.linking.mentions import MOST_MENTIONS, Mention, mentions

KNOWN = {"varn herons", "green river", "ada brandt"}


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("Ada Brandt", [("Ada Brandt", "whole")]),
        ("Ada Brandt ( USA )", [("Ada Brandt ( USA )", "whole"), ("Ada Brandt", "part"), ("USA", "part")]),
        ("Ada Brandt , Kai Lund", [("Ada Brandt , Kai Lund", "whole"), ("Ada Brandt", "part"), ("Kai Lund", "part")]),
        ("Usher featuring will.i.am", [("Usher featuring will.i.am", "whole"), ("Usher", "part")]),
        ("Skerry †", [("Skerry", "whole")]),
        ("`` Black Box '' [ a ]", [("Black Box", "whole")]),
        (
            "The Varn Herons met Ada Brandt near the Green River",
            [
                ("The Varn Herons met Ada Brandt near the Green River", "whole"),
                ("Varn Herons", "span"),
                ("Ada Brandt", "span"),
                ("Green River", "span"),
            ],
        ),
        ("東京 , 大阪", [("東京 , 大阪", "whole"), ("東京", "part"), ("大阪", "part")]),
        ("2011 , 2013", [("2011 , 2013", "whole"), ("2011", "part"), ("2013", "part")]),
        ("–", []),
        ("", []),
    ],
)
def test_a_cell_is_read_as_a_whole_by_its_parts_and_by_known_names(cell, found):
    assert [(mention.text, mention.kind) for mention in mentions(cell, KNOWN)] == found


@pytest.mark.parametrize(
    ("text", "searchable"), [("12", False), ("2004", True), ("1986-87", True), ("4 – 2", False), ("A 4", True)]
)
def test_only_years_among_numbers_are_searched_for(text, searchable):
    assert next(mention.searchable() for mention in mentions(text, ())) is searchable


def test_another_recogniser_adds_to_the_rules():
    found = mentions("we saw Nils Bo there", (), lambda text: [text[7:14]])
    assert found[1:] == (Mention("Nils Bo", "nils bo", "span"),)


@given(st.text(max_size=300))
def test_any_cell_is_read_into_distinct_mentions_the_whole_first(cell):
    found = mentions(cell, KNOWN)
    assert len({mention.key for mention in found}) == len(found) <= MOST_MENTIONS
    assert [mention.kind for mention in found[:1]] in ([], ["whole"], ["part"], ["span"])
    assert all(mention.key for mention in found)


def test_a_cell_of_ten_thousand_characters_is_read_whole():
    found = mentions("Ada Brandt and ( the Varn Herons ) , " * 300, KNOWN)
    assert {mention.key for mention in found[1:]} >= {"ada brandt", "the varn herons"}
