"""Names of an answer are found in a query, and nothing else is."""

import pytest

from eval.stark.people.name_leaks import leaked_name
from heliograph.types import Entity


@pytest.mark.parametrize(
    ("name", "query", "leaked"),
    [
        ("Titan", "Who found TITAN's lakes?", "Titan"),
        ("Titan", "Who found the Titans or titanium?", ""),
        ("Ada  Brandt", "towers by ada brandt", "Ada  Brandt"),
        ("Ada Brandt", "towers by Brandt, Ada", ""),
        ("Besançon", "a town like BESANCON", "Besançon"),
        ("Titan (moon)", "lakes of Titan", "Titan"),
        ("東京", "東京都の人口", "東京"),
        ("A", "a moon", ""),
        ("…", "what … is this", ""),
    ],
)
def test_a_name_in_a_row_of_words_leaks(name: str, query: str, leaked: str) -> None:
    assert leaked_name(Entity(0, "x", "moon", name), query) == leaked


def test_an_alias_leaks_too() -> None:
    assert leaked_name(Entity(0, "x", "moon", "Titan", ("Saturn VI",)), "Is Saturn  VI large?") == "Saturn VI"
