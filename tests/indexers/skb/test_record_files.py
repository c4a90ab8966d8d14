"""Entities and relations are read from the files that people have, and a wrong record is named by its number."""

import csv
import gzip
import json
import lzma
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as some
from pyarrow import parquet

from heliograph.errors import UsageError
from heliograph.types import EntityRecord, TripleRecord
from indexers.skb.record_files import open_record_file, open_record_files


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf8")
    return path


def test_a_csv_file_of_entities_may_leave_out_all_but_the_id(tmp_path: Path) -> None:
    path = written(tmp_path / "island.csv", "id\nvarn\ngull\n")
    assert tuple(open_record_file(path).entities()) == (
        EntityRecord("varn", "island", "varn"),
        EntityRecord("gull", "island", "gull"),
    )


def test_columns_beside_the_fields_are_attributes(tmp_path: Path) -> None:
    lines = 'id,type,name,aliases,text,height_m,lit\nholm,light,Holm Light,Holm | The Holm,"A house, of wood",,1889\n'
    (one,) = open_record_file(written(tmp_path / "x.csv", lines)).entities()
    assert one == EntityRecord("holm", "light", "Holm Light", "A house, of wood", ("Holm", "The Holm"), {"lit": 1889.0})


def test_names_of_other_graph_stores_are_understood(tmp_path: Path) -> None:
    nodes = written(tmp_path / "n.csv", "place:ID,:LABEL,title,description\n1,light,Holm,A house\n")
    edges = written(tmp_path / "e.csv", ":START_ID,:END_ID,:TYPE\n1,2,lies on\n")
    assert tuple(open_record_file(nodes).entities()) == (EntityRecord("1", "light", "Holm", "A house"),)
    assert tuple(open_record_file(edges).triples()) == (TripleRecord("1", "lies on", "2"),)


def test_a_file_of_relations_without_a_column_of_them_is_their_name(tmp_path: Path) -> None:
    path = written(tmp_path / "lies on.tsv", "source\ttarget\ttext\nholm\tvarn\tIt stands there.\n")
    assert tuple(open_record_file(path).triples()) == (TripleRecord("holm", "lies on", "varn", "It stands there."),)


RECORDS = (
    {
        "id": 1,
        "type": "light",
        "name": "Holm",
        "aliases": ["H", "Ho"],
        "attributes": {"height": 9, "lit": True},
        "keeper": None,
    },
    {"id": 2, "type": "light", "name": "Skerry", "aliases": [], "attributes": {}, "keeper": "Ada"},
)
READ = (
    EntityRecord("1", "light", "Holm", "", ("H", "Ho"), {"height": 9.0, "lit": "true"}),
    EntityRecord("2", "light", "Skerry", "", (), {"keeper": "Ada"}),
)


@pytest.mark.parametrize("open_", [open, gzip.open, lzma.open], ids=["plain", "gz", "xz"])
def test_json_lines_may_be_compressed(tmp_path: Path, open_) -> None:
    path = tmp_path / {open: "n.jsonl", gzip.open: "n.jsonl.gz", lzma.open: "n.ndjson.xz"}[open_]
    with open_(path, "wt", encoding="utf8") as file:
        file.writelines(json.dumps(each) + "\n\n" for each in RECORDS)
    assert tuple(open_record_file(path).entities()) == READ


def test_parquet_is_read_as_json_lines_are(tmp_path: Path) -> None:
    rows = [{**each, "attributes": {"height": each["attributes"].get("height")}} for each in RECORDS]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "n.parquet")
    assert tuple(open_record_file(tmp_path / "n.parquet").entities()) == (
        EntityRecord("1", "light", "Holm", "", ("H", "Ho"), {"height": 9.0}),
        READ[1],
    )


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    written(tmp_path / "a.csv", "id\n1\n")
    written(tmp_path / "b.csv", "source,target\n1,1\n")
    written(tmp_path / "notes.txt", "nothing")
    found = open_record_files([tmp_path])
    assert [each.kind for each in found.files] == ["entities", "relations"]
    assert (len(tuple(found.entities())), len(tuple(found.triples()))) == (1, 1)
    before = found.fingerprint
    written(tmp_path / "b.csv", "source,target\n1,1\n1,1\n")
    assert found.fingerprint != before


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("n.csv", "", "has no records"),
        ("n.csv", "id\n", "has no records"),
        ("n.csv", "name,age\nx,1\n", "has the columns name, age; it needs id, or source and target"),
        ("n.csv", "id,name\n1,x\n,y\n", "record 2 has no id"),
        ("n.csv", "id\n1\n2,3\n", r"after record 1 \(it has more cells than the header\)"),
        ("n.csv", 'id\n1\n"2', "after record 1"),
        ("e.csv", "source,target\na,b\na,\n", "record 2 has no target"),
        ("e.csv", "source,target\na,b\n,b\n", "record 2 has no source"),
        ("n.jsonl", '{"id": 1}\n[]\n', "after record 1 .*no JSON object"),
        ("n.jsonl", '{"id": 1}\n{"id"', "after record 1"),
        ("n.jsonl", '{"id": 1}\n' + "[" * 100_000, "after record 1"),
        ("n.parquet", "no parquet", "after record 0"),
        ("n.jsonl.xz", "no xz", "after record 0"),
        ("n.csv.gz", "no gz", "cannot be read"),
        ("n.txt", "id\n1\n", r"is none of \.csv, \.tsv"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_record(tmp_path: Path, name: str, content: str, said: str) -> None:
    path = written(tmp_path / name, content)
    with pytest.raises(UsageError, match=said):
        found = open_record_file(path)
        tuple(found.entities() if found.kind == "entities" else found.triples())


def test_bytes_that_are_no_text_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_bytes(b"id\n\xff\xfe\n")
    with pytest.raises(UsageError, match=r"is not UTF-8 \(byte 0xff\); save it as UTF-8"):
        open_record_file(tmp_path / "n.csv")
    with pytest.raises(UsageError, match="there is no file"):
        open_record_file(tmp_path / "gone.csv")
    with pytest.raises(UsageError, match=r"has no files of \.csv"):
        (tmp_path / "empty").mkdir()
        open_record_files([tmp_path / "empty"])


TEXT = some.text(some.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=8).map(str.strip).filter(bool)


@given(some.lists(some.tuples(TEXT, TEXT, TEXT, TEXT), min_size=1, max_size=8))
def test_whatever_text_a_csv_file_holds_comes_back(rows: list[tuple[str, str, str, str]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "n.csv"
        with path.open("w", newline="", encoding="utf8") as file:
            csv.writer(file).writerows([("id", "type", "name", "text"), *rows])
        found = [(each.id, each.type, each.name, each.text) for each in open_record_file(path).entities()]
    assert found == rows
