"""Settings: flag over environment over file over default, closed against what is unknown, unbuilt or unsafe."""

from pathlib import Path
from typing import Literal

import pytest

from heliograph.config import PRESETS, SMALL_CONTEXT, Endpoint, Settings, load_settings
from heliograph.errors import UnknownName, UnsafeSettings, UsageError
from heliograph.kept_settings import resumed, secrets, snapshot


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder of its own, in which a heliograph.toml is found."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_defaults_hold_where_nothing_is_set(home: Path) -> None:
    settings = load_settings({})
    assert (settings.home, settings.rounds, settings.sources, settings.graph) == (home, 3, (), "off")
    assert (settings.citations, settings.indexing, settings.text_retriever) == ("repair", "modality-specific", "hybrid")


def test_a_flag_beats_the_environment_which_beats_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "heliograph.toml").write_text("rounds = 1\npages_per_round = 1\nevidence_k = 1\n")
    monkeypatch.setenv("HELIOGRAPH_ROUNDS", "2")
    monkeypatch.setenv("HELIOGRAPH_PAGES_PER_ROUND", "2")
    settings = load_settings({"rounds": 3, "citations": None})
    assert (settings.rounds, settings.pages_per_round, settings.evidence_k) == (3, 2, 1)
    assert settings.citations == "repair"


def test_a_flag_beats_its_preset() -> None:
    assert load_settings({}, "fast").rounds == 1
    assert load_settings({"rounds": 2}, "fast").rounds == 2
    assert load_settings({}, "demo").sources == ("demo",)


def test_every_preset_is_made_of_settings() -> None:
    for name, flags in PRESETS.items():
        assert snapshot(load_settings({}, name)) == snapshot(load_settings(flags))


def test_an_unknown_preset_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match=r"^unknown preset 'slow'; known are demo, fast, full, live$"):
        load_settings({}, "slow")


def test_a_nested_setting_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELIOGRAPH_LLM__MODEL", "big")
    with pytest.raises(UsageError, match=r"^llm.base_url is not set"):
        load_settings({})


def test_an_unknown_flag_variable_or_line_of_a_file_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"^unknown setting 'colour' in a flag or HELIOGRAPH_…"):
        load_settings({"colour": "red"})
    (folder / "mine.toml").write_text("colour = 'red'")
    with pytest.raises(UsageError, match=r"^unknown setting 'colour' in a flag, HELIOGRAPH_… or mine.toml"):
        load_settings({}, config=Path("mine.toml"))
    monkeypatch.setenv("HELIOGRAPH_COLOUR", "red")
    with pytest.raises(UsageError, match=r"^unknown setting HELIOGRAPH_COLOUR in the environment"):
        load_settings({})


def test_a_named_file_that_is_a_folder_or_missing_is_said(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"^cannot read .*: Is a directory; name a readable file with --config$"):
        load_settings({}, config=folder)
    with pytest.raises(UsageError, match=r"^cannot read gone.toml: No such file or directory; name a readable file"):
        load_settings({}, config=Path("gone.toml"))


def test_a_found_file_may_not_name_a_server_or_a_key_but_a_named_one_may(folder: Path) -> None:
    (folder / "heliograph.toml").write_text("[judge]\napi_key = 'k'\n")
    with pytest.raises(UnsafeSettings, match=r"sets \[judge\] and could send your key to another server; if you trust"):
        load_settings({})
    assert load_settings({}, config=Path("heliograph.toml")).judge.api_key.get_secret_value() == "k"


def test_a_found_file_of_harmless_settings_is_read(folder: Path) -> None:
    (folder / "heliograph.toml").write_text("rounds = 2\n")
    assert load_settings({}).rounds == 2


def test_a_snapshot_holds_every_setting_and_no_secret_and_can_be_read_again(folder: Path) -> None:
    (folder / "mine.toml").write_text("[llm]\napi_key = 'hunter2'\n")
    settings = load_settings({"sources": ("zim:a.zim",), "max_seconds": 3.5}, config=Path("mine.toml"))
    kept = snapshot(settings)
    assert set(kept) == set(Settings.model_fields) - {"serve_key", "chroma_token"}
    assert "hunter2" not in repr(kept)
    assert "hunter2" not in repr(settings)
    again = Settings.model_validate(kept)
    assert (again.sources, again.max_seconds, again.home) == (("zim:a.zim",), 3.5, settings.home)


def test_a_resumed_run_gets_the_keys_of_now_for_the_servers_it_had_and_for_no_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELIOGRAPH_LLM__BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("HELIOGRAPH_LLM__MODEL", "small")
    monkeypatch.setenv("HELIOGRAPH_LLM__API_KEY", "a key of now")
    present = load_settings({})
    recorded = snapshot(present)
    assert resumed(recorded, present).llm.api_key.get_secret_value() == "a key of now"
    elsewhere = {**recorded, "llm": {**recorded["llm"], "base_url": "http://127.0.0.1:2/v1"}}
    then = resumed(elsewhere, present).llm
    assert (then.base_url, then.api_key.get_secret_value()) == ("http://127.0.0.1:2/v1", "")


def test_a_resumed_run_keeps_its_vectors_where_they_are_kept_now(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = {**snapshot(load_settings({})), "chroma_url": "http://127.0.0.1:1"}
    assert resumed(recorded, load_settings({})).chroma_url == ""
    monkeypatch.setenv("HELIOGRAPH_CHROMA_URL", "http://127.0.0.1:2")
    monkeypatch.setenv("HELIOGRAPH_CHROMA_TOKEN", "a token of now")
    then = resumed(recorded, load_settings({}))
    assert (then.chroma_url, then.chroma_token.get_secret_value()) == ("http://127.0.0.1:2", "a token of now")
    assert secrets(then) == ("a token of now",)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("chroma:8000", r"^a chroma_url is no address of a server; write it as http://127\.0\.0\.1:8001$"),
        ("ftp://127.0.0.1", r"^a chroma_url is no address of a server"),
        ("http://me:word@127.0.0.1:8001", r"^chroma_url of http://127.0.0.1 holds .* a key belongs into chroma_token$"),
        ("http://127.0.0.1:8001/?tenant=x", r"^chroma_url of http://127.0.0.1/ holds a password or a query"),
    ],
)
def test_a_chroma_url_that_is_no_address_is_refused(monkeypatch: pytest.MonkeyPatch, value: str, said: str) -> None:
    monkeypatch.setenv("HELIOGRAPH_CHROMA_URL", value)
    with pytest.raises(UsageError, match=said):
        load_settings({})


def test_a_found_file_may_not_send_vectors_to_a_server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "heliograph.toml").write_text("chroma_url = 'http://127.0.0.1:1'\n")
    with pytest.raises(UnsafeSettings, match=r"sets chroma_url and would send your questions and pages to http://127"):
        load_settings({})
    assert load_settings({}, config=Path("heliograph.toml")).chroma_url == "http://127.0.0.1:1"


@pytest.mark.parametrize("token", ["schlüssel", "sesame\n"])
def test_a_token_with_signs_that_no_header_takes_is_refused(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv("HELIOGRAPH_CHROMA_TOKEN", token)
    with pytest.raises(UsageError, match=r"^chroma_token holds signs that no token has"):
        load_settings({})


@pytest.mark.parametrize("key", ["schlüssel", "sesame\n", "se\x00same", " sesame", "sesame "])
def test_a_key_of_the_server_that_nobody_could_show_is_refused(key: str) -> None:
    with pytest.raises(UsageError, match=r"^serve_key holds signs that no header takes"):
        load_settings({"serve_key": key})


@pytest.mark.parametrize("role", ["LLM", "JUDGE", "EMBED"])
@pytest.mark.parametrize("key", ["schlüssel", "sk-sesame\n", "sk\tsesame", "sk\x7f"])
def test_a_key_of_a_model_that_no_header_takes_is_refused_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, role: str, key: str
) -> None:
    monkeypatch.setenv(f"HELIOGRAPH_{role}__API_KEY", key)
    with pytest.raises(UsageError, match=rf"^{role.lower()}\.api_key holds signs that no key has; copy it anew$"):
        load_settings({})


def test_a_run_from_before_late_interaction_goes_on_without_it() -> None:
    present = load_settings({})
    assert resumed(snapshot(present), present).evidence_reranker == "late-interaction"
    older = {name: value for name, value in snapshot(present).items() if name != "evidence_reranker"}
    assert resumed(older, present).evidence_reranker == "embedding"


def test_a_run_from_before_slips_were_read_past_goes_on_with_every_word_as_it_stands() -> None:
    present = load_settings({})
    assert resumed(snapshot(present), present).spelling
    assert not resumed(
        {name: value for name, value in snapshot(present).items() if name != "spelling"}, present
    ).spelling


def test_a_run_from_before_leaves_were_counted_goes_on_without_counting_them() -> None:
    present = load_settings({"evidence_k": 200})
    assert resumed(snapshot(present), present).leaf_k == present.leaf_k < present.evidence_k
    older = {name: value for name, value in snapshot(present).items() if name != "leaf_k"}
    assert resumed(older, present).leaf_k == present.evidence_k


@pytest.mark.parametrize(
    ("instructions", "context", "small"),
    [("auto", SMALL_CONTEXT, True), ("auto", SMALL_CONTEXT + 1, False), ("long", 4096, False), ("short", 32768, True)],
)
def test_a_model_is_small_by_its_context_unless_its_instructions_are_set(
    instructions: Literal["auto", "short", "long"], context: int, small: bool
) -> None:
    assert Endpoint(instructions=instructions, context_tokens=context).is_small is small


def test_a_context_that_nobody_set_makes_no_model_small() -> None:
    endpoint = Endpoint(base_url="http://127.0.0.1:1/v1")
    assert (endpoint.instructions, endpoint.is_small) == ("long", False)
    assert "instructions" not in endpoint.model_dump(exclude_unset=True)
    kept = Endpoint(**Endpoint(context_tokens=4096).model_dump())
    assert kept.is_small and not Endpoint(**endpoint.model_dump()).is_small  # as a manifest holds them


def test_a_run_from_before_short_instructions_goes_on_with_long_ones() -> None:
    server = {"base_url": "http://127.0.0.1:1/v1", "model": "any", "context_tokens": 4096}
    present = load_settings({"llm": server})
    assert resumed(snapshot(present), present).llm.instructions == "short"
    recorded = snapshot(present)
    older = recorded | {"llm": {name: value for name, value in recorded["llm"].items() if name != "instructions"}}
    assert resumed(older, present).llm.instructions == "long"


def test_a_word_that_a_local_server_is_given_for_a_key_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELIOGRAPH_JUDGE__API_KEY", "local")
    monkeypatch.setenv("HELIOGRAPH_EMBED__API_KEY", "0123456789abcdef")
    assert secrets(load_settings({})) == ("0123456789abcdef",)


def test_a_run_from_before_there_was_a_memory_goes_on_without_one() -> None:
    present = load_settings({"memory": "user"})
    assert resumed(snapshot(present), present).memory == "user"
    older = {name: value for name, value in snapshot(present).items() if name not in ("memory", "memory_days")}
    assert resumed(older, present).memory == "off"


@pytest.mark.parametrize(("flags", "named"), [({"memory": "on"}, "memory"), ({"memory_days": 0}, "memory_days")])
def test_a_memory_that_there_is_not_is_refused(flags: dict[str, object], named: str) -> None:
    with pytest.raises(UsageError, match=f"setting '{named}'"):
        load_settings(flags)
