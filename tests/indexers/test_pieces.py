"""A page is introduced by its first paragraph, wherever lists stand."""

import pytest

from heliograph.types import Page
from indexers.parser import parse_page
from indexers.pieces import lead_of


@pytest.mark.parametrize(
    ("html", "lead"),
    [
        ("<p>Io is a moon.</p><ul><li>Jupiter I</li></ul>", "Io is a moon."),
        ("<ul><li>Jupiter I</li></ul><p>Io is a moon.</p><p>It is yellow.</p>", "Io is a moon."),
        ("<ul><li>Jupiter I</li></ul><h2>Orbit</h2><p>It is close.</p>", "Jupiter I"),
        ("<h2>Orbit</h2><p>It is close.</p>", None),
    ],
)
def test_a_lead_is_a_paragraph_before_the_first_heading_and_a_list_only_for_want_of_one(html, lead):
    found = lead_of(parse_page(Page("w", "Io", "7", "", html, "2026-01-01T00:00:00Z")))
    assert (found and found.text) == lead
