"""What questions are to be made from: pairs of similar articles with tables of shared names, and articles."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.omgqa.generation.articles import Article, ArticleTable, article_of, keys_of
from eval.omgqa.generation.candidates import (
    Candidate,
    contents_candidates,
    fit_for,
    in_drawn_order,
    pair_candidates,
    read_candidates,
    write_candidates,
)
from eval.omgqa.generation.neighbours import Near, near_pairs
from heliograph.errors import UsageError
from heliograph.protocols import Vectors
from heliograph.types import EvidenceId
from tests.eval.omgqa.generation.lights import ARTICLES, parsed

TITLES = ("Lights of Varn", "Keepers of Varn")


@st.composite
def unit_vectors(draw: st.DrawFn) -> Vectors:
    count = draw(st.integers(0, 12))
    drawn = draw(arrays(np.float32, (count, 3), elements=st.integers(-3, 3).map(float)))
    drawn[:, 0] += 0.5
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


THREE_EQUAL = np.array([[1, 0, 2], [1, 0, 2], [1, 0, 2], [-5, 2, -2]], dtype=np.float32)


@given(unit_vectors(), st.integers(1, 4), st.integers(1, 5))
@example(THREE_EQUAL / np.linalg.norm(THREE_EQUAL, axis=1, keepdims=True), 1, 1)
def test_pairs_are_of_two_each_once_and_the_same_in_blocks_of_any_size(vectors: Vectors, k: int, block: int) -> None:
    pairs = [(near.first, near.second) for near in near_pairs(vectors, k, -2.0, block)]
    assert all(first < second for first, second in pairs)
    assert pairs == sorted(set(pairs))
    whole = [(near.first, near.second) for near in near_pairs(vectors, k, -2.0, 100)]
    assert set(pairs) == set(whole)


@given(unit_vectors(), st.integers(1, 4))
def test_pairs_do_not_depend_on_which_of_two_comes_first(vectors: Vectors, k: int) -> None:
    distinct = np.unique(vectors, axis=0)
    count = len(distinct)
    cosines = np.sort(np.round(distinct @ distinct.T, 5), axis=1)
    if any(len(set(row)) < count for row in cosines.tolist()):
        return  # of equal cosines the earlier is nearer, by definition
    forwards = {(near.first, near.second) for near in near_pairs(distinct, k, -2.0)}
    backwards = near_pairs(np.ascontiguousarray(distinct[::-1]), k, -2.0)
    assert {(count - 1 - near.second, count - 1 - near.first) for near in backwards} == forwards


def test_what_is_not_similar_is_no_pair() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [-1, 0]], dtype=np.float32)
    (near,) = near_pairs(vectors, 2, 0.3)
    assert (near.first, near.second, round(near.cosine, 5)) == (0, 1, 0.8)


def table(name: str, *names: str) -> ArticleTable:
    return ArticleTable(EvidenceId(f"w:A@1#s1/{name}"), frozenset(names))


def article(title: str, *tables: ArticleTable, words: int = 100) -> Article:
    return Article(title, title, words, tables, frozenset(("text", "table")))


def test_of_two_articles_the_tables_with_most_names_in_common_are_taken() -> None:
    one = article("A", table("t1", "x"), table("t2", "x", "y"), table("t3", "x", "y"))
    other, third = article("B", table("t4", "x", "y", "z")), article("C", table("t5", "q"))
    (found,) = pair_candidates([one, other, third], [Near(0, 1, 0.9), Near(0, 2, 0.8)])
    assert found == Candidate("pairs", ("A", "B"), (one.tables[1].id, other.tables[0].id), ("x", "y"))


def test_names_of_tables_are_what_they_link_to_and_what_their_rows_are_about() -> None:
    found = article_of(ARTICLES["Lights of Varn"])
    assert [table.names for table in found.tables] == [
        frozenset(("north light", "holm light", "ida nord", "per holm")),
    ]
    assert found.modalities == {"text", "table", "image"}
    assert found.introduction.startswith("Lights of Varn. The lights of Varn are lighthouses")
    assert keys_of(["Io_(moon)", "1871", "Total", ""]) == {"io moon"}


def test_a_page_without_text_or_with_one_modality_is_no_candidate() -> None:
    short = article_of(parsed("Short", "<h1>Short</h1><p>Three words only.</p>"))
    assert not fit_for("contents", short)
    assert contents_candidates([short]) == ()
    assert fit_for("contents", article("A"))
    assert not fit_for("pairs", article("A"))
    assert not fit_for("pairs", article("A", table("t1", "x"), words=10))


MANY = [Candidate("contents", (f"Title {number}",)) for number in range(9)]


@given(st.permutations(MANY), st.integers(0, 5))
def test_the_order_is_of_the_seed_alone(candidates: list[Candidate], seed: int) -> None:
    drawn = in_drawn_order(candidates, seed)
    assert drawn == in_drawn_order(MANY, seed)
    assert sorted(drawn, key=str) == sorted(MANY, key=str)


def test_another_seed_draws_another_order() -> None:
    assert in_drawn_order(MANY, 0) != in_drawn_order(MANY, 1)


def test_candidates_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "candidates.jsonl"
    some = (Candidate("pairs", ("Ä", "B"), (EvidenceId("w:A@1#s1/t1"),), ("x",)), *MANY[:2])
    write_candidates(path, some)
    assert read_candidates(path) == some
    path.write_text('{"pipeline": "other"}\n', encoding="utf8")
    with pytest.raises(UsageError, match=r"candidates.jsonl:1: pipeline"):
        read_candidates(path)
