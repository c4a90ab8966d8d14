"""How answers over small tables are judged."""

import pytest

from bench.own_tables import TableQuestion, judge, render


@pytest.mark.parametrize(
    ("kind", "accepted", "answer", "verdict"),
    [
        ("lookup", ("Fire brigade",), "fire brigade — Orders: 104; pretzel; 40. [1]", "right"),
        ("lookup", ("40",), "140 [1]", "wrong"),
        ("lookup", ("40",), "", "abstained"),
        ("lookup", ("9:00",), "Orders: 107; 19:00. [1]", "wrong"),
        ("list", ("Lantern + Rowing club",), "Lantern and the Rowing club. [1]", "right"),
        ("list", ("Lantern + Rowing club",), "Lantern. [1]", "wrong"),
        ("yes_no", ("yes",), "Yes (Books: 412). [1]", "right"),
        ("yes_no", ("yes",), "No, not yes. [1]", "wrong"),
        ("unanswerable", (), "", "right"),
        ("unanswerable", (), "Anything. [1]", "wrong"),
    ],
)
def test_an_answer_is_right_where_it_says_what_is_accepted(kind, accepted, answer, verdict):
    assert judge(TableQuestion("?", kind, "orders", accepted), answer) == verdict


def test_verdicts_are_told_by_kind_and_in_all():
    one, other = TableQuestion("?", "lookup", "a", ("x",)), TableQuestion("?", "list", "a", ("x",))
    told = render([(one, "right"), (one, "wrong"), (other, "abstained")]).splitlines()
    assert told[2:] == [
        "| lookup | 2 | 1 (50.0%) | 1 (50.0%) | 0 (0.0%) |",
        "| list | 1 | 0 (0.0%) | 0 (0.0%) | 1 (100.0%) |",
        "| all | 3 | 1 (33.3%) | 1 (33.3%) | 1 (33.3%) |",
    ]
