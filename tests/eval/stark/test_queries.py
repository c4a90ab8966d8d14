"""Queries are read from every form that there is, and what is wrong is named by file and line."""

import gzip
import json
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.stark.queries import StarkQuery, convert_queries, of_split, read_queries
from heliograph.errors import StoreError, UsageError

TITAN = {"id": "7", "query": "Which moon has lakes?", "answer_ids": [3, "rhea", 3], "split": "test"}
FULL = StarkQuery("7", "Which moon has lakes?", ("3", "rhea", "3"), "test", "moon of", "moon")
TABLE = """id,query,answer_ids
7,"Which moon, of all, has lakes?","[3, 4]"
2,Which moon is nearest?,[1]
5,Which moon is farthest?,[]
"""


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """A folder as STaRK publishes it, with queries that nobody has published."""
    for name, text in {
        "stark_qa/stark_qa.csv": TABLE,
        "stark_qa/stark_qa_human_generated_eval.csv": "id,query,answer_ids,source\n7,moon with lakes?,[3],[3]\n",
        "split/train.index": "2\n",
        "split/val.index": "\n",
        "split/test.index": "7\n5\n",
        "split/test-0.1.index": "5\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def lines(path: Path, *records: object) -> Path:
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records))
    return path


def test_a_line_has_a_query_and_the_ids_of_its_answers_as_text(tmp_path: Path) -> None:
    path = lines(tmp_path / "q.jsonl", {**TITAN, "kind": "moon of", "answer_type": "moon", "more": None})
    assert read_queries(path) == (FULL,)


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("xz", lzma.compress)])
def test_a_packed_file_is_unpacked(tmp_path: Path, suffix: str, pack) -> None:
    (tmp_path / f"q.jsonl.{suffix}").write_bytes(pack(json.dumps(TITAN).encode()))
    assert [each.id for each in read_queries(tmp_path / f"q.jsonl.{suffix}")] == ["7"]


def test_a_line_may_say_question_and_answers_and_is_known_by_its_number_without_an_id(tmp_path: Path) -> None:
    path = lines(tmp_path / "q.jsonl", {"question": "Which?", "answers": ["a"]}, {"query": "When?", "answer_ids": []})
    assert read_queries(path) == (StarkQuery("1", "Which?", ("a",), ""), StarkQuery("2", "When?", (), ""))


def test_the_human_split_has_a_short_name(tmp_path: Path) -> None:
    path = lines(tmp_path / "q.jsonl", {**TITAN, "split": "human_generated_eval"})
    assert [each.split for each in read_queries(path)] == ["human"]


def test_a_folder_of_starks_form_has_its_splits_and_its_human_set(upstream: Path) -> None:
    assert read_queries(upstream) == (
        StarkQuery("7", "Which moon, of all, has lakes?", ("3", "4"), "test"),
        StarkQuery("2", "Which moon is nearest?", ("1",), "train"),
        StarkQuery("5", "Which moon is farthest?", (), "test-0.1"),
        StarkQuery("human-7", "moon with lakes?", ("3",), "human"),
    )


def test_a_table_alone_is_read_without_splits(upstream: Path) -> None:
    assert {each.split for each in read_queries(upstream / "stark_qa" / "stark_qa.csv")} == {""}
    (human,) = read_queries(upstream / "stark_qa" / "stark_qa_human_generated_eval.csv")
    assert (human.id, human.split) == ("7", "human")


def test_a_part_of_a_split_belongs_to_it(upstream: Path) -> None:
    queries = read_queries(upstream)
    assert [each.id for each in of_split(queries, "test")] == ["7", "5"]
    assert [each.id for each in of_split(queries, "test-0.1")] == ["5"]
    assert of_split(queries, "all") == queries
    with pytest.raises(UsageError, match=r'of the split "dev"; the splits are test, train, test-0\.1, human; all '):
        of_split(queries, "dev")


def test_a_list_of_answers_is_never_evaluated(tmp_path: Path) -> None:
    done = tmp_path / "done"
    (tmp_path / "q.csv").write_text(f'id,query,answer_ids\n1,Which?,"[open({str(done)!r}, ""w"")]"\n')
    with pytest.raises(UsageError, match=r"q\.csv:2: answer_ids: .* is no list of ids such as \[12, 345\]"):
        read_queries(tmp_path / "q.csv")
    assert not done.exists()


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({**TITAN, "answer_ids": "3"}, r"q\.jsonl:2: answer_ids: Input should be a valid array"),
        ({**TITAN, "answer_ids": [True]}, r"q\.jsonl:2: answer_ids\.0"),
        ({**TITAN, "answer_ids": [1.5]}, r"q\.jsonl:2: answer_ids\.0"),
        ({**TITAN, "query": ""}, r"q\.jsonl:2: query: "),
        ({"id": "8", "answer_ids": []}, r"q\.jsonl:2: query: Field required; a line is a JSON object with id, query, "),
        ({**TITAN, "id": 1}, r"q\.jsonl:2: .*q\.jsonl:1 has the id '1' too; give each query one of its own"),
    ],
)
def test_a_line_that_is_no_query_is_named(tmp_path: Path, record: object, said: str) -> None:
    path = lines(tmp_path / "q.jsonl", {**TITAN, "id": "1"}, record)
    with pytest.raises(UsageError, match=said):
        read_queries(path)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("id,query\n1,Which?\n", r"q\.csv:1: no column answer_ids; the columns are id,query,answer_ids"),
        ("", r"q\.csv:1: no column id"),
        (TABLE + "9,,[1]\n", r"q\.csv:5: no query"),
        (TABLE + ",Which?,[1]\n", r"q\.csv:5: no id"),
        (TABLE + "9,Which?\n", r"q\.csv:5: answer_ids: '' is no list"),
        (TABLE + "9,Which?,[1.5]\n", r"q\.csv:5: answer_ids: "),
        (TABLE + "9,Which?," + "[" * 100_000 + "\n", r"q\.csv:5: answer_ids: "),
        (TABLE + "2,Which?,[1]\n", r"q\.csv:5: .*q\.csv:3 has the id '2' too"),
        (TABLE + '9,"Which?,[1]\n', r"q\.csv cannot be read after line 4: "),
    ],
)
def test_what_is_wrong_in_a_table_is_named(tmp_path: Path, table: str, said: str) -> None:
    (tmp_path / "q.csv").write_text(table)
    with pytest.raises(UsageError, match=said):
        read_queries(tmp_path / "q.csv")


def test_a_table_of_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_bytes(TABLE.encode() + b"9,\xff,[1]\n")
    with pytest.raises(UsageError, match=r"q\.csv cannot be read after line "):
        read_queries(tmp_path / "q.csv")


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ("7\n\n99\n", r"val\.index:3: there is no query 99"),
        ("2\n", r"val\.index:1: the query 2 is in train\.index too"),
    ],
)
def test_a_split_names_queries_that_there_are_each_once(upstream: Path, index: str, said: str) -> None:
    (upstream / "split" / "val.index").write_text(index)
    (upstream / "split" / "test.index").write_text("5\n")
    with pytest.raises(UsageError, match=said):
        read_queries(upstream)


def test_a_place_without_queries_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no stark_qa/stark_qa\.csv; name a folder of STaRK's queries, or a file"):
        read_queries(tmp_path)
    for name in ("none.csv", "none.jsonl"):
        with pytest.raises(UsageError, match=rf"no file .*{name}"):
            read_queries(tmp_path / name)


QUERIES = st.lists(
    st.builds(
        StarkQuery,
        st.text(st.characters(codec="utf-8"), min_size=1),
        st.text(st.characters(codec="utf-8"), min_size=1),
        st.lists(st.text(st.characters(codec="utf-8"))).map(tuple),
        st.sampled_from(["", "train", "test", "test-0.1", "human"]),
        st.sampled_from(["", "two hops"]),
        st.sampled_from(["", "moon"]),
    ),
    max_size=3,
    unique_by=lambda each: each.id,
)


@given(QUERIES)
def test_converted_queries_are_the_same_queries(
    tmp_path_factory: pytest.TempPathFactory, queries: list[StarkQuery]
) -> None:
    folder = tmp_path_factory.mktemp("queries")
    records = (
        {
            "id": each.id,
            "query": each.text,
            "answer_ids": each.answers,
            "split": each.split,
            "kind": each.kind,
            "answer_type": each.answer_type,
        }
        for each in queries
    )
    path = lines(folder / "q.jsonl", *records)
    assert convert_queries(path, folder / "out.jsonl") == len(queries)
    assert read_queries(folder / "out.jsonl") == tuple(queries)


def test_a_converted_folder_is_one_file_of_lines(upstream: Path) -> None:
    assert convert_queries(upstream, upstream / "new" / "out.jsonl") == 4
    assert read_queries(upstream / "new" / "out.jsonl") == read_queries(upstream)
    (first, *_) = (upstream / "new" / "out.jsonl").read_text().splitlines()
    assert first == (
        '{"id": "7", "query": "Which moon, of all, has lakes?", "answer_ids": ["3", "4"], "split": "test"}'
    )


def test_a_place_that_cannot_be_written_is_named(upstream: Path) -> None:
    (upstream / "file").touch()
    with pytest.raises(StoreError, match=r"cannot write .*name another file"):
        convert_queries(upstream, upstream / "file" / "out.jsonl")
    assert not list(upstream.rglob("*.partial"))
