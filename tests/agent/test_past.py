"""In which manner a question was asked: what is looked for and where, and nothing beside it."""

import pytest

from agent.assembly.past import manner_of
from heliograph.config import load_settings


@pytest.mark.parametrize(
    "beside",
    [
        {"otlp_endpoint": "http://127.0.0.1:4318"},
        {"chroma_url": "http://127.0.0.1:8001"},
        {"home": "elsewhere"},
        {"memory_days": 3.0},
    ],
)
def test_who_hears_of_a_run_and_where_it_is_kept_is_no_other_manner(beside: dict[str, object]) -> None:
    assert manner_of(load_settings(beside), ()) == manner_of(load_settings({}), ())


def test_another_number_of_rounds_is_another_manner() -> None:
    assert manner_of(load_settings({"rounds": 1}), ()) != manner_of(load_settings({}), ())
