"""A pool is the union of what systems found, each piece once, the best of all first."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.judged import units
from eval.omgqa.pooling import Pooled, pool, relevancy_case
from eval.omgqa.runs import CitedClaim, OmgRun, omg_run
from eval.omgqa.shelf import Shelf, read_shown, write_shown
from heliograph.errors import UnknownName, UsageError
from heliograph.types import EvidenceId, Page
from memory.pages import FilePageStore
from tests.eval.omgqa.answering import a_question, an_answer

HTML = """<p>Io is a moon.</p><table><caption>Plumes</caption><tr><th>Plume</th><th>Height</th></tr>
<tr><td>Pele</td><td>300</td></tr><tr><td>Loki</td><td>400</td></tr></table>
<h2>Views</h2><figure><img src="io.png" alt="A disc"/><figcaption>Io in 1979</figcaption></figure>"""
PIECES = st.lists(st.sampled_from([EvidenceId(f"w:A@1#s0/t{t}{r}") for t in "123" for r in ("", "/r1", "/r2")]))


def found(system: str, question: str, *retrieved: EvidenceId, cited: tuple[EvidenceId, ...] = ()) -> OmgRun:
    run = omg_run(an_answer("?"), system, question, 0)
    return replace(run, retrieved=retrieved, claims=(CitedClaim("A claim.", cited, "supported"),))


RUNS = st.lists(
    st.builds(found, st.sampled_from("xyz"), st.sampled_from("ab")).flatmap(
        lambda run: st.builds(
            lambda retrieved, cited: replace(
                run, retrieved=tuple(retrieved), claims=(CitedClaim("", tuple(cited), "supported"),)
            ),
            PIECES,
            PIECES,
        )
    ),
    max_size=6,
)


def test_what_several_rank_high_comes_first() -> None:
    a, b, c, d = (EvidenceId(f"w:A@1#s0/p{number}") for number in range(1, 5))
    runs = [found("x", "q", a, b), found("y", "q", c, b, cited=(d,)), found("x", "other", d)]
    assert pool(runs, "leaf") == (
        Pooled("q", a, ("x",)),
        Pooled("q", c, ("y",)),
        Pooled("q", b, ("x", "y")),
        Pooled("q", d, ("y",)),
        Pooled("other", d, ("x",)),
    )
    assert [each.unit for each in pool(runs, "leaf", depth=1)] == [a, c, d, d]


def test_rows_of_a_table_are_one_leaf() -> None:
    run = found("x", "q", EvidenceId("w:A@1#s0/t1/r2"), EvidenceId("w:A@1#s0/t1/r1"))
    assert [each.unit for each in pool([run], "leaf")] == ["w:A@1#s0/t1"]
    assert [each.unit for each in pool([run], "row")] == ["w:A@1#s0/t1/r2", "w:A@1#s0/t1/r1"]


@given(RUNS, st.sampled_from(["leaf", "row"]))
def test_a_pool_is_the_union_each_pair_once(runs: list[OmgRun], kind: str) -> None:
    pooled = pool(runs, kind)
    pairs = [(each.question, each.unit) for each in pooled]
    assert len(set(pairs)) == len(pairs)
    assert set(pairs) == {(run.question, unit) for run in runs for unit in units((*run.retrieved, *run.cited), kind)}
    assert set(pairs) == {(each.question, each.unit) for each in pool(list(reversed(runs)), kind)}


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    store = FilePageStore(tmp_path / "pages")
    store.put(Page("w", "Io", "7", "", HTML, "2026-01-01T00:00:00Z"), "1", "Io")
    return Shelf(store)


def test_a_judge_is_shown_all_of_a_piece_and_where_it_stands(shelf: Shelf, tmp_path: Path) -> None:
    table, image = (shelf.shown(EvidenceId(f"w:Io@7#{node}")) for node in ("s0/t1", "s1/i1"))
    assert (table.modality, table.place) == ("table", ("Io",))
    assert all(word in table.text for word in ("Plumes", "Height", "Pele", "300", "Loki", "400"))
    assert (image.modality, image.place) == ("image", ("Io", "Views"))
    assert all(word in image.text for word in ("Io in 1979", "A disc"))
    write_shown(tmp_path / "evidence.jsonl", (table, image))
    assert read_shown(tmp_path / "evidence.jsonl") == {table.id: table, image.id: image}
    case = relevancy_case(a_question("x"), table.id, shelf.shown)
    assert (case.question, case.evidence, case.accepted) == ("What is x?", (table,), ("Pele",))


def test_a_page_that_is_gone_is_said(shelf: Shelf) -> None:
    with pytest.raises(UnknownName):
        shelf.shown(EvidenceId("w:Europa@7#s0/p1"))


def test_a_line_that_is_no_piece_is_named(tmp_path: Path) -> None:
    (tmp_path / "evidence.jsonl").write_text('{"id": 3}', encoding="utf8")
    with pytest.raises(UsageError, match=r"evidence\.jsonl:1: id"):
        read_shown(tmp_path / "evidence.jsonl")
