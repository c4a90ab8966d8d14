"""Settings of a recorded run with some changed: names and values are checked as those of a file are."""

from typing import Any

import pytest

from heliograph.changed_settings import KEPT, changed_settings, names
from heliograph.config import Settings, load_settings
from heliograph.errors import UnknownName, UsageError
from heliograph.kept_settings import BESIDE, snapshot

MACHINE = {"home", "otlp_endpoint", "chroma_url", "chroma_token"}


def recorded(**settings: Any) -> dict[str, Any]:
    return snapshot(load_settings(settings))


@pytest.mark.parametrize(
    ("name", "said", "value"),
    [
        ("rounds", "1", 1),
        ("max_seconds", "2.5", 2.5),
        ("max_seconds", "none", None),
        ("sources", "zim:a.zim", ["zim:a.zim"]),
        ("sources", '["demo","wikipedia"]', ["demo", "wikipedia"]),
        ("graph", "full", "full"),
        ("graph_model", "7", "7"),
        ("graph_model", "", ""),
    ],
)
def test_a_value_is_read_as_the_setting_has_it(name: str, said: str, value: object) -> None:
    before = recorded(max_seconds=9.0)
    assert changed_settings(before, {name: said}) == {**before, name: value}


def test_a_setting_within_a_section_is_named_with_a_dot_and_the_others_stay() -> None:
    before = recorded(llm={"base_url": "http://127.0.0.1:1/v1", "model": "old", "seconds": 5})
    after = changed_settings(before, {"llm.model": "new", "llm.vision": "true"})
    assert after == {**before, "llm": {**before["llm"], "model": "new", "vision": True}}


def test_a_manifest_of_an_older_version_keeps_what_that_version_did() -> None:
    before = {name: value for name, value in recorded().items() if name not in ("leaf_k", "evidence_reranker")}
    after = changed_settings(before, {"rounds": "2"})
    assert (after["leaf_k"], after["evidence_reranker"]) == (200, "embedding")


def test_every_setting_has_a_name_but_those_that_belong_to_the_machine() -> None:
    assert {name.partition(".")[0] for name in names()} == set(Settings.model_fields) - MACHINE
    assert not [name for name in names() if "api_key" in name]


@pytest.mark.parametrize("name", ["round", "llm", "llm.modell", "llm.model.x", "", "rounds.x"])
def test_an_unknown_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UnknownName, match=r"there are sources, rounds, graph, .*llm\.model, "):
        changed_settings(recorded(), {name: "1"})


@pytest.mark.parametrize(
    ("name", "said", "problem"),
    [
        ("rounds", "4", "less than or equal to 3, got '4'"),
        ("rounds", "many", "valid integer, unable to parse string as an integer, got 'many'"),
        ("graph", "some", "Input should be 'off', 'light' or 'full', got 'some'"),
        ("llm.api_key", "k", "a run keeps no keys"),
        ("home", "/x", "set HELIOGRAPH_HOME"),
        ("llm.model", "m", "llm.base_url is not set"),
    ],
)
def test_a_value_that_cannot_be_is_refused(name: str, said: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        changed_settings(recorded(), {name: said})


def test_what_changes_nothing_of_a_run_cannot_be_changed() -> None:
    assert set(KEPT) >= BESIDE
    assert set(recorded()) >= BESIDE
