"""Paths as people give them."""

from pathlib import Path

import pytest

from heliograph.paths import expanded


def test_a_path_with_the_home_folder_is_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert expanded("~/wiki.zim") == Path("/home/ada/wiki.zim")
    assert expanded(Path("a/~/b")) == Path("a/~/b")


def test_the_home_folder_of_nobody_is_no_error_yet() -> None:
    assert expanded("~no-such-user/wiki.zim") == Path("~no-such-user/wiki.zim")
