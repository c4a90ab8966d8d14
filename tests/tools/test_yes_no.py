"""A comparison that code can carry out is answered with yes or no, and no other question is."""

import pytest

from agent.citations.computations import check_computation
from tests.tools.made_up import FILMS, MOONS, PLANETS, TOWERS, doubtful, table
from tools.arithmetic import compute, recompute

ROUTES = table(
    "Walking in Fellmark",
    "Routes",
    "Route | Start | Distance (km) | Huts | Opened",
    "Badger Way | Nettle | 14 | 3 | 1972",
    "Crow Loop | Ashby | 8 | 0 | 1985",
    "Fox Ridge | Nettle | 21 | 3 | 1968",
)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Is Fox Ridge longer than Crow Loop?", "Yes (distance: Fox Ridge 21 km, Crow Loop 8 km)."),
        ("Is Crow Loop longer than Fox Ridge?", "No (distance: Crow Loop 8 km, Fox Ridge 21 km)."),
        ("Does Fox Ridge have more huts than Badger Way?", "No (huts: Fox Ridge 3, Badger Way 3)."),
        ("Was Badger Way opened before Crow Loop?", "Yes (opened: Badger Way 1972, Crow Loop 1985)."),
        ("Is the Fox Ridge route longer than 20 km?", "Yes (distance: Fox Ridge 21 km)."),
        ("Was Crow Loop opened before 1980?", "No (opened: Crow Loop 1985)."),
    ],
)  # fmt: skip
def test_a_comparison_is_decided_and_checked(question: str, sentence: str) -> None:
    computed = compute(question, [ROUTES])

    assert computed is not None
    assert computed.sentence == sentence
    assert computed.confidence > 0.6
    assert recompute(computed.computation, ROUTES) == computed.computation.value
    assert check_computation(sentence, computed.computation, ROUTES, question) == "computed"
    wrong = sentence.replace("Yes", "Maybe").replace("No ", "Maybe ")
    assert check_computation(wrong, computed.computation, ROUTES, question) == "unsupported"


def test_two_rows_of_one_table_are_compared_whatever_other_tables_are_at_hand() -> None:
    computed = compute("Is Fenn larger than Edda?", [FILMS, TOWERS, MOONS, PLANETS])

    assert computed is not None
    assert computed.sentence == "Yes (diameter: Fenn 5,150 km, Edda 1,527 km)."
    assert computed.computation.table == MOONS.id


@pytest.mark.parametrize(
    "question",
    [
        "Is Fox Ridge longer than Crow Loop in winter?",
        "Is Fox Ridge more beautiful than Crow Loop?",
        "Is Fox Ridge longer than Stoat Trail?",
        "Is Fox Ridge longer than any other route?",
        "Is Fox Ridge not longer than Crow Loop?",
        "Is Fox Ridge heavier than Crow Loop?",
        "Does Fox Ridge weigh more than 20 kg?",
        "Is Fox Ridge longer than Crow Loop and Badger Way?",
        "Is there a hut on Fox Ridge?",
    ],
)
def test_nothing_is_decided_where_the_table_does_not_compare(question: str) -> None:
    assert doubtful(question, [ROUTES])
