"""Reading a corpus: what a scope holds, how it is numbered, and what is said of a folder that is damaged."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.ott.corpus import OttCorpus, OttTable
from eval.ott.reading import page_title, read_corpus
from heliograph.errors import UnknownName, UsageError
from tests.eval.ott.lights import BOATS, LIGHTS, PASSAGES, TABLES, TOWERS, write_folder


def test_a_scope_has_its_tables_in_the_order_of_the_file_and_what_they_link_to_by_id(corpus: OttCorpus) -> None:
    lights = OttTable(
        "Lights_0",
        "wiki/Lights",
        "Lights",
        "List -- Sound",
        ("Name", "Lit"),
        (("Holm Light", "1889"), ("Skerry Head", "1871"), ("Gull Rock", "none")),
    )
    assert corpus.tables == (lights, OttTable("Towers_0", "wiki/Towers", "Towers", "", ("Tower",), (("Holm Light",),)))
    assert corpus.passages.ids == ("/wiki/1871", "/wiki/Holm_Light", "/wiki/Skerry_Head", "/wiki/Tower")
    assert corpus.passages.titles == ("1871", "Holm Light", "Skerry Head", "Tower")
    assert list(corpus.passages.texts) == [
        "A year .",
        "A house lit in 1889 .",
        "A tower by Ada Brandt .",
        "Tall .",
    ]


def test_edges_join_a_row_and_each_passage_once_and_a_row_without_links_stands_alone(corpus: OttCorpus) -> None:
    assert corpus.edges.dtype == np.int32
    assert corpus.edges.tolist() == [[0, 1], [1, 2], [1, 0], [2, -1], [3, 1]]
    assert corpus.links.tolist() == [[0, 0, 1], [1, 0, 2], [1, 1, 0], [3, 0, 1], [3, 0, 1]]
    assert corpus.edges_of(range(1, 3)) == [(1, 2), (1, 0), (2, -1)]
    assert corpus.links_of(1) == [(0, 2), (1, 0)]


def test_rows_are_counted_over_all_tables(corpus: OttCorpus) -> None:
    assert corpus.rows == 4
    assert [corpus.table_of(row).id for row in range(4)] == ["Lights_0", "Lights_0", "Lights_0", "Towers_0"]
    assert [corpus.cells(row)[0] for row in range(4)] == ["Holm Light", "Skerry Head", "Gull Rock", "Holm Light"]
    ranges = [corpus.rows_of(table) for table in ("Lights_0", "Towers_0", "Boats_0")]
    assert ranges == [range(3), range(3, 4), range(0)]


def test_rows_and_passages_read_as_the_baselines_search_them(corpus: OttCorpus) -> None:
    assert corpus.row_text(1) == "Lights List -- Sound Name is Skerry Head ; Lit is 1871"
    assert corpus.row_text(3) == "Towers  Tower is Holm Light"
    assert corpus.passage_text(2) == "Skerry Head A tower by Ada Brandt ."


def test_the_full_scope_has_every_table(tmp_path: Path) -> None:
    corpus = read_corpus(write_folder(tmp_path), "full")
    assert [table.id for table in corpus.tables] == ["Lights_0", "Boats_0", "Towers_0"]
    assert corpus.passage_text(1) == "Færry Ада Брандт sailed it ."
    assert corpus.edges.tolist() == [[0, 2], [1, 3], [1, 0], [2, -1], [3, 1], [4, 2]]


def test_a_table_without_rows_has_none(tmp_path: Path) -> None:
    empty = {**LIGHTS, "table_id": "Empty_0", "rows": [], "links": []}
    corpus = read_corpus(write_folder(tmp_path, tables=(empty, LIGHTS, empty | {"table_id": "Empty_1"})), "full")
    assert [corpus.table_of(row).id for row in range(3)] == ["Lights_0"] * 3
    assert [corpus.rows_of(name) for name in ("Empty_0", "Lights_0", "Empty_1")] == [range(0), range(3), range(3, 3)]


def test_a_passage_has_a_number_where_the_corpus_has_it(corpus: OttCorpus) -> None:
    assert [corpus.passages.position(each) for each in ("/wiki/1871", "/wiki/Tower", "/wiki/A", "/wiki/Z")] == [
        0,
        3,
        None,
        None,
    ]


def test_a_page_title_is_the_id_decoded() -> None:
    assert page_title("/wiki/F%C3%A6rry_%28boat%29") == "Færry (boat)"


def test_a_scope_that_does_not_exist_is_named_with_those_that_do(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r'no scope "huge"; try mini, small, full'):
        read_corpus(tmp_path, "huge")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rows": [["a", "b"], ["c"], ["d", "e"]]}, r"tables\.jsonl\.xz:1: .*a row is not 2 cells wide"),
        ({"links": [[]]}, r"tables\.jsonl\.xz:1: .*1 lists of links for 3 rows"),
        ({"links": [[[2, "/wiki/Tower"]], [], []]}, r"tables\.jsonl\.xz:1: .*a link starts outside the 2 columns"),
        ({"header_links": [[-1, "/wiki/Tower"]]}, r"tables\.jsonl\.xz:1: .*a link starts outside the 2 columns"),
        ({"header": "Name"}, r"tables\.jsonl\.xz:1: header: "),
        ({"links": [[[0, "/wiki/Gone"]], [], []]}, r"passages\.jsonl\.xz lacks 1 linked passages, such as /wiki/Gone"),
    ],
)
def test_a_table_that_is_none_is_named_with_what_is_wrong(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_corpus(write_folder(tmp_path, tables=({**LIGHTS, **change}, TOWERS)), "mini")


@pytest.mark.parametrize(
    ("tables", "passages", "said"),
    [
        ((LIGHTS, LIGHTS, TOWERS), PASSAGES, r"tables\.jsonl\.xz has a table_id twice"),
        ((LIGHTS, BOATS), PASSAGES, r"tables\.jsonl\.xz lacks 1 tables of the scope, such as Towers_0"),
        ([{**each, "rows": [], "links": []} for each in TABLES], PASSAGES, "has no row in a table of the scope mini"),
        (TABLES, (*PASSAGES, PASSAGES[0]), r"passages\.jsonl\.xz has a passage_id twice"),
        (TABLES, ({"passage_id": "/wiki/1871"},), r"passages\.jsonl\.xz:1: text: Field required"),
    ],
)
def test_a_damaged_corpus_is_named(tmp_path: Path, tables: Any, passages: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_corpus(write_folder(tmp_path, tables, passages), "mini")


def test_the_list_of_a_scope_may_be_missing_or_damaged(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    subsets = folder / "questions" / "corpus_subsets.json"
    with pytest.raises(UsageError, match=r'corpus_subsets\.json has no list of table ids for "small"'):
        read_corpus(folder, "small")
    subsets.write_text("{")
    with pytest.raises(UsageError, match=r"corpus_subsets\.json has no list"):
        read_corpus(folder, "mini")
    subsets.unlink()
    subsets.mkdir()
    with pytest.raises(UsageError, match=r"cannot be read \(Is a directory\); --scope full does without it"):
        read_corpus(folder, "mini")
    subsets.rmdir()
    with pytest.raises(UsageError, match=r"no file .*corpus_subsets\.json; name the folder"):
        read_corpus(folder, "mini")
