"""Records in lines or in one array, packed or not, and what is said of files that are neither."""

import gzip
import json
import lzma
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

from eval.omgqa.converting.entries import read_entries
from heliograph.errors import UsageError


class Shape(BaseModel):
    model_config = ConfigDict(strict=True)

    id: str = Field(alias="_id")
    pairs: list[tuple[str, int]]


ONE, TWO = {"_id": "a", "pairs": [["x", 1]]}, {"_id": "b", "pairs": []}
ARRAY, LINES = json.dumps([ONE, TWO]).encode(), f"{json.dumps(ONE)}\n{json.dumps(TWO)}\n".encode()


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.json", ARRAY, ": record 2"),
        ("a.json.gz", gzip.compress(ARRAY, mtime=0), ": record 2"),
        ("a.json.xz", lzma.compress(ARRAY), ": record 2"),
        ("a.jsonl", LINES, ":2"),
        ("a.jsonl.xz", lzma.compress(LINES), ":2"),
    ],
)
def test_an_array_reads_as_lines_do(tmp_path: Path, name: str, content: bytes, place: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    (_, one), (at, two) = read_entries(path, Shape)
    assert (one.id, one.pairs, two.id, at) == ("a", [("x", 1)], "b", f"{path}{place}")


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        (
            "a.json",
            b'[{"_id": "a", "pairs": [["x", "y"]]}]',
            r"a\.json: record 1: pairs\.0\.1: .*; a record is a JSON object",
        ),
        ("a.json", b'[{"_id": "\\ud800", "pairs": []}]', r"a\.json: record 1: "),
        ("a.jsonl", b'{"_id": "\\ud800", "pairs": []}', r"a\.jsonl:1: "),
        ("a.json", b"[3]", r"a\.json: record 1: the record: .* with _id, pairs"),
        ("a.json", b'{"_id": "a"}', r"a\.json is no JSON array of records"),
        ("a.json", b"[", r"a\.json is no JSON: "),
        ("a.json", b"[\xff]", r"a\.json is no JSON: "),
        ("a.json.gz", b"[]", r"a\.json\.gz cannot be unpacked: "),
        ("a.json.xz", b"[]", r"a\.json\.xz cannot be unpacked: "),
        ("a.jsonl", b"\n{}", r"a\.jsonl:2: _id: Field required"),
    ],
)
def test_a_file_of_something_else_is_named(tmp_path: Path, name: str, content: bytes, complaint: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=complaint):
        list(read_entries(tmp_path / name, Shape))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no file .*a\.json; "):
        list(read_entries(tmp_path / "a.json", Shape))
