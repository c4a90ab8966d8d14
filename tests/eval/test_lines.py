"""Files of JSON lines: plain, packed, missing, torn."""

import bz2
import gzip
import lzma
from codecs import BOM_UTF8
from pathlib import Path

import pytest
from pydantic import BaseModel

from eval.lines import read_lines
from heliograph.errors import UsageError


class Named(BaseModel):
    name: str


LINES = b'{"name": "Holm"}\n\n{"name": "\xe2\x80\xa8Varn"}\n'


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", LINES),
        ("a.jsonl.xz", lzma.compress(LINES)),
        ("a.jsonl.gz", gzip.compress(LINES, mtime=0)),
        ("a.jsonl.bz2", bz2.compress(LINES)),
    ],
)
def test_a_file_is_read_however_it_is_packed(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert list(read_lines(tmp_path / name, Named)) == [Named(name="Holm"), Named(name="\u2028Varn")]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no file .*a\.jsonl; name the file"):
        list(read_lines(tmp_path / "a.jsonl", Named))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl.xz", lzma.compress(LINES)[:-9]),
        ("a.jsonl.xz", LINES),
        ("a.jsonl.gz", gzip.compress(LINES, mtime=0)[:-9]),
        ("a.jsonl.gz", LINES),
        ("a.jsonl.gz", gzip.compress(LINES, mtime=0)[:12] + b"\xff" * 20),
    ],
)
def test_a_torn_file_is_named(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UsageError, match=r"a\.jsonl\..z cannot be unpacked after line \d+: .*; fetch or pack it again"):
        list(read_lines(tmp_path / name, Named))


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(LINES + b'{"name": "\xff"}')
    with pytest.raises(UsageError, match=r"a\.jsonl:4: "):
        list(read_lines(tmp_path / "a.jsonl", Named))


def test_a_byte_order_mark_is_no_part_of_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(BOM_UTF8 + LINES.replace(b"\n", b"\r\n"))
    assert list(read_lines(tmp_path / "a.jsonl", Named)) == [Named(name="Holm"), Named(name="\u2028Varn")]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.xz", "a.jsonl.gz"])
def test_a_folder_in_place_of_a_file_is_not_to_be_fetched_again(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(UsageError, match=r"cannot be read \(Is a directory\); name a file of JSON lines"):
        list(read_lines(tmp_path / name, Named))
