"""Names and kinds in the first sentence of a lead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexers.linking.leads import LONGEST_NAME, Introduction, introduction


@pytest.mark.parametrize(
    ("lead", "names", "kind"),
    [
        (
            "The Northern Sound League ( NSL ) , also known as the Herring League , is a handball league .",
            ("Northern Sound League", "NSL", "Herring League"),
            "handball league",
        ),
        (
            "Sir Ada Maria Brandt ( born 5 May 1838 ) was an engineer who built towers .",
            ("Ada Maria Brandt",),
            "engineer",
        ),
        (
            "Torvik Football Club is a club , commonly called the Gulls .",
            ("Torvik Football Club", "Gulls", "Torvik"),
            "club , commonly called the Gulls",
        ),
        ("Varn ( Danish : Varnø ; formerly Storø ) is an island .", ("Varn", "Varnø", "Storø"), "island"),
        ("Nothing stands here", (), "Nothing stands here"),
        ("", (), ""),
    ],
)
def test_the_first_sentence_tells_names_and_kind(lead, names, kind):
    assert introduction(lead) == Introduction(names, kind)


@given(st.text(max_size=2000))
def test_any_text_is_read_into_distinct_names_of_some_length(lead):
    names = introduction(lead).names
    assert len(set(names)) == len(names)
    assert all(1 < len(name) <= LONGEST_NAME for name in names)
