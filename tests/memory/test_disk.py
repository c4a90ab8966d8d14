"""Whole files appear at once or not at all, growing ones end in whole lines, and what is no file is not waited for."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import StoreError, StoreFull
from heliograph.storage import plain_file
from memory.trace.disk import Journal, is_whole, write_lines
from tests.disks import largest_file


def test_lines_are_written_into_a_folder_that_is_made_and_over_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.jsonl"
    write_lines(path, ["old\n"], "")
    write_lines(path, (f"{text}\n" for text in ("é", "\ud800")), "")
    assert path.read_bytes() == b"\xc3\xa9\n\\ud800\n"
    assert list(path.parent.iterdir()) == [path]


def test_where_there_is_no_room_the_old_file_stays_alone_and_the_next_step_is_the_caller_s(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_lines(path, ["old\n"], "")
    with largest_file(100), pytest.raises(StoreFull) as full:
        write_lines(path, ("x" * 50 + "\n" for _ in range(10)), "name another file with --out")
    assert str(full.value) == f"no space left to write {path}; free some space or name another file with --out"
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.jsonl", "old\n")]


def test_lines_that_cannot_be_made_leave_the_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_lines(path, ["old\n"], "")
    with pytest.raises(KeyError):
        write_lines(path, (str({}[number]) for number in range(3)), "")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.jsonl", "old\n")]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot write .*file/a\.jsonl: .*; check its permissions or look elsewhere"):
        write_lines(tmp_path / "file" / "a.jsonl", ["x\n"], "look elsewhere")


@given(st.integers(0, 36))
def test_of_a_journal_s_last_line_all_is_kept_or_nothing(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("journal") / "a.jsonl"
    whole = b'{"a": {"b": 1}}\n{"a": {"b": "two"}}\n'
    path.write_bytes(whole[: len(whole) - cut] if cut else whole)
    Journal(path).close()
    assert path.read_bytes() == (whole if cut < 2 else whole[:16] if cut < 22 else b"")


@pytest.mark.parametrize(
    ("line", "whole"),
    [(b'{"a": 1}', True), (b'{"a": {"b": 1}', False), (b"12", False), (b"", False), (b"\xff}", False)],
)
def test_a_line_without_its_end_is_whole_where_it_is_an_object(line: bytes, whole: bool) -> None:
    assert is_whole(line) is whole


def test_what_never_ends_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(OSError, match="a pipe, a socket or a device, and not a file"):
            plain_file(path)
    with pytest.raises(FileNotFoundError):
        plain_file(tmp_path / "none")
    assert plain_file(Path(__file__)) == Path(__file__)
