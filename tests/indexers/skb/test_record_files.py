"""Entities and relations are read from the files that people have, and a wrong record is named by its line."""

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


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("label,type,id", EntityRecord("c", "b", "a")),
        ("title,name,id", EntityRecord("c", "n", "b", attributes={"title": "a"})),
        ("name,title,id", EntityRecord("c", "n", "a", attributes={"title": "b"})),
        ("label,title,id", EntityRecord("c", "a", "b")),
        ("type,kind,id", EntityRecord("c", "a", "c", attributes={"kind": "b"})),
        ("label,x,id", EntityRecord("c", "n", "a", attributes={"x": "b"})),
        ("description,text,id", EntityRecord("c", "n", "c", "b", attributes={"description": "a"})),
        ("source,evidence,id", EntityRecord("c", "n", "c", attributes={"source": "a", "evidence": "b"})),
        ("from,relation,id", EntityRecord("c", "n", "c", attributes={"from": "a", "relation": "b"})),
        ("Name,name,id", EntityRecord("c", "n", "a", attributes={"name": "b"})),
        ("id,a:label,b:LABEL", EntityRecord("a", "b", "a", attributes={"b:LABEL": "c"})),
    ],
)
def test_of_several_columns_for_a_field_one_is_taken_and_the_others_are_attributes(
    tmp_path: Path, columns: str, expected: EntityRecord
) -> None:
    (one,) = open_record_file(written(tmp_path / "n.csv", f"{columns}\na,b,c\n")).entities()
    assert one == expected


def test_a_column_means_what_it_means_in_the_first_record(tmp_path: Path) -> None:
    records = ({"id": 1, "label": "light", "name": "Holm"}, {"id": 2, "label": "light"}, {"id": 3, "title": "Varn"})
    path = written(tmp_path / "n.jsonl", "".join(f"{json.dumps(each)}\n" for each in records))
    assert tuple(open_record_file(path).entities()) == (
        EntityRecord("1", "light", "Holm"),
        EntityRecord("2", "light", "2"),
        EntityRecord("3", "n", "Varn"),
    )


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ("id,from,to", "relations"),
        ("id,source,relation,target,text", "relations"),
        ("from,to,name,type", "relations"),
        ("id,name,from", "entities"),
        ("id,source,text", "entities"),
        ("id,relation,evidence", "entities"),
    ],
)
def test_columns_decide_what_a_file_holds(tmp_path: Path, columns: str, kind: str) -> None:
    assert open_record_file(written(tmp_path / "x.csv", f"{columns}\n1,2,3\n")).kind == kind


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ("id,name,from,to", "columns id, name) or relations (columns from, to"),
        ("key,from,to,doc", "columns key, doc) or relations (columns from, to"),
        ("id,source,relation,target,type", "columns id, type) or relations (columns source, target"),
    ],
)
def test_columns_of_both_are_refused_and_named(tmp_path: Path, columns: str, found: str) -> None:
    with pytest.raises(UsageError) as refused:
        open_record_file(written(tmp_path / "x.csv", f"{columns}\n1,2,3\n"))
    assert found in str(refused.value)
    assert "if it holds entities, take" in str(refused.value)


def test_what_is_no_number_of_64_bits_and_whole_surrogate_pairs_stay_text(tmp_path: Path) -> None:
    long, line = "9" * 400, '{{"id": 1, "name": "\\ud83d\\ude80", "a": {0}, "b": "1e999"}}'
    (one,) = open_record_file(written(tmp_path / "n.jsonl", line.format(long))).entities()
    assert one == EntityRecord("1", "n", "\U0001f680", attributes={"a": long, "b": "1e999"})


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
        ("n.csv", "id,name\n1,x\n,y\n", r"n\.csv, line 3: no id; give it one"),
        ("n.csv", "id\n1\n2,3\n", r"n\.csv, line 3: more cells than the header has"),
        ("n.csv", 'id\n1\n\n"2\n3', r"n\.csv, line 4: unexpected end of data"),
        ("n.csv", 'id,text\n1,"a\nb"\n,x\n', r"n\.csv, line 4: no id"),
        ("n.csv", "id,age,age\n1,2,3\n", "has the column age twice"),
        ("e.csv", "source,target\na,b\na,\n", r"e\.csv, line 3: no target"),
        ("e.csv", "source,target\na,b\n,b\n", r"e\.csv, line 3: no source"),
        ("n.jsonl", '{"id": 1}\n[]\n', r"n\.jsonl, line 2: no JSON object"),
        ("n.jsonl", '{"id": 1}\n\n{"id"', r"n\.jsonl, line 3: no JSON \(Expecting ':' delimiter, character 6\)"),
        ("n.jsonl", '{"id": 1}\n{"id": 2, "x": ["\\ud800"]}', r"n\.jsonl, line 2: \\ud800 is half a character"),
        ("n.jsonl", '{"id": 1}\n{"id": ' + "9" * 5000 + "}", r"n\.jsonl, line 2: a number of more than 4,300 digits"),
        ("n.jsonl", '{"id": 1}\n' + "[" * 100_000, r"n\.jsonl, line 2: nested too deep"),
        ("n.parquet", "no parquet", r"n\.parquet cannot be read at all"),
        ("n.jsonl.xz", "no xz", r"n\.jsonl\.xz cannot be read at all"),
        ("n.csv.gz", "no gz", "cannot be read"),
        ("n.txt", "id\n1\n", r"is none of \.csv, \.tsv"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(tmp_path: Path, name: str, content: str, said: str) -> None:
    path = written(tmp_path / name, content)
    with pytest.raises(UsageError, match=said):
        found = open_record_file(path)
        tuple(found.entities() if found.kind == "entities" else found.triples())


def test_bytes_that_are_no_text_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_bytes(b"id\n\xff\xfe\n")
    with pytest.raises(UsageError, match=r"n\.csv, line 2: not UTF-8 \(byte 0xff\); save the file as UTF-8"):
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
