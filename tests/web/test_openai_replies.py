"""Where citations lead: an address a marker, whatever the page's own address looks like."""

import pytest

from tests.web.researchers import PIECE, answer_to
from web.openai_replies import answer_annotations
from web.sessions import sha_of


@pytest.mark.parametrize(
    ("url", "leads"),
    [
        ("https://made.up/Orvo?oldid=7", "https://made.up/Orvo?oldid=7#"),
        ("https://made.up/Orvo?oldid=7#Names", "https://made.up/Orvo?oldid=7#Names"),
        ("zim://made.up/Orvo", f"http://here/evidence/{sha_of(PIECE)}#"),
    ],
)
def test_two_markers_of_one_page_have_two_addresses(url: str, leads: str) -> None:
    answer = answer_to("What is Orvo?", "Orvo is a moon.", "It is grey.", url=url)
    places = [found["url_citation"] for found in answer_annotations(answer, "http://here/")]
    assert places == [
        {"start_index": 16, "end_index": 19, "url": f"{leads}:~:marker=1", "title": "Orvo"},
        {"start_index": 32, "end_index": 35, "url": f"{leads}:~:marker=2", "title": "Orvo"},
    ]
