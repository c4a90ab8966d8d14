"""Pages become a graph: rows, leads, and the edges that links and names make; whatever the pages are like."""

import asyncio
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.errors import UsageError
from heliograph.types import Page
from indexers.edges.pages import PageGraph
from indexers.offline.build import Build
from indexers.offline.plan import Settings, Work
from indexers.offline.running import here
from indexers.offline.searching import Found, OfflineGraph
from indexers.parser import parse_page
from tests.indexers.offline.worlds import (
    SKY,
    MemoryShelf,
    WordEncoding,
    arrays,
    built,
    links,
    page,
    sums,
    table,
)

IO = "Io | Io has volcanoes."
TITAN = "Titan (moon) | Titan is a moon of Saturn."


def searched(graph: OfflineGraph, query: str, k: int) -> tuple[Found, ...]:
    return asyncio.run(graph.search(query, k))


def test_pages_become_rows_leads_and_edges(tmp_path: Path) -> None:
    report = built(SKY, tmp_path / "sky")
    graph = OfflineGraph(tmp_path / "sky")
    rows = (
        "Jupiter | Facts | Moon : Io ; Found : 1610",
        "Jupiter | Facts | Moon : none ; Found : x",
        "Saturn | Facts | Moon : Titan ; Note : like Io",
    )
    assert list(links(graph)) == [(rows[0], IO), (rows[1], ""), (rows[2], IO), (rows[2], TITAN)]
    assert list(graph.graph.segments.ids) == [
        "sky:Jupiter@1#s1/t1/r1",
        "sky:Jupiter@1#s1/t1/r2",
        "sky:Saturn@1#s1/t1/r1",
    ]
    assert list(graph.graph.segments.tables) == [0, 0, 1]
    assert list(graph.graph.passages.ids)[1] == "sky:Jupiter@1#s0/p1"
    counts = {"pages": 4, "tables": 2, "segments": 3, "passages": 4, "edges": 4, "given": 3, "found": 0, "left_out": 0}
    assert report.counts == counts
    assert report.summary.endswith("4 pages, 2 tables, 3 segments, 4 passages, 4 edges (3 given, 0 found)")
    assert report.memory > 1_000_000


def test_a_table_without_links_is_linked_by_names_unless_only_given_links_count(tmp_path: Path) -> None:
    moons = page("A list.", table(["Moon"], [["Titan"], ["Io"], ["dust"]]))
    shelf = MemoryShelf((*SKY.html, ("List of moons", moons)))
    built(shelf, tmp_path / "all")
    built(shelf, tmp_path / "given", links="given")
    listed = [pair for pair in links(OfflineGraph(tmp_path / "all")) if pair[0].startswith("List")]
    head = "List of moons | Facts | Moon :"
    assert listed == [(f"{head} Titan", TITAN), (f"{head} Io", IO), (f"{head} dust", "")]
    alone = [pair for pair in links(OfflineGraph(tmp_path / "given")) if pair[0].startswith("List")]
    assert alone == [(f"{head} {name}", "") for name in ("Titan", "Io", "dust")]


def test_names_are_read_anew_where_only_texts_have_changed(tmp_path: Path) -> None:
    moons = page("A list of moons of planets .", table(["Moon"], [["Io"], ["Europa"], ["Saturn VI"]]))
    others = tuple((name, page(f"{name} is a moon of Jupiter .")) for name in ("Io", "Europa"))
    leads = ("Titan is a moon of Saturn .", "Titan , also known as Saturn VI , is a moon of Saturn .")
    found = []
    for lead in leads:
        built(MemoryShelf((*others, ("List of moons", moons), ("Titan", page(lead)))), tmp_path / "sky")
        found += [passage for row, passage in links(OfflineGraph(tmp_path / "sky")) if row.endswith("Saturn VI")]
        shutil.rmtree(tmp_path / "sky")
    assert found == ["", f"Titan | {leads[1]}"]


def test_an_edge_leads_to_another_page(tmp_path: Path) -> None:
    shelf = MemoryShelf((*SKY.html, ("Mars", page("Mars is red.", table(["Planet"], [["Mars"], ["Jupiter"]])))))
    built(shelf, tmp_path / "sky")
    found = [lead for row, lead in links(OfflineGraph(tmp_path / "sky")) if row.startswith("Mars")]
    assert found == ["", "Jupiter | Jupiter is a giant planet."]


def test_a_link_to_a_page_that_is_not_there_makes_no_edge(tmp_path: Path) -> None:
    shelf = MemoryShelf((("Mars", page("Mars is red.", table(["Moon"], [["[[Phobos]]"]]))),))
    built(shelf, tmp_path / "sky")
    assert list(links(OfflineGraph(tmp_path / "sky"))) == [("Mars | Facts | Moon : Phobos", "")]


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<table></table>", []),
        (table(["Moon", "Found"], []), [("Odd | Facts | Moon ; Found", "")]),
        (table(["Moon"], [["[[Io]]"]]), [("Odd | Facts | Moon : Io", IO)]),
        (table(["Moon", "Found"], [["", ""], ["", "1610"]]), [("Odd | Facts | Found : 1610", "")]),
        (table(["Moon"], [["[[Io]]"], ["[[Io]]"]]), [("Odd | Facts | Moon : Io", IO)] * 2),
        (table(["Note"], [["word " * 2000]]), [("Odd | Facts | Note : " + ("word " * 60)[:300], "")]),
        (table(["Note"], [["x" * 10_240]]), [("Odd | Facts | Note : " + "x" * 300, "")]),
        (table(["Note"], [["[[Io|" + "y" * 10_240 + "]]"]]), [("Odd | Facts | Note : " + "y" * 300, IO)]),
    ],
    ids=["no cells", "only a header", "one row", "an empty row", "equal rows", "long words", "long word", "long link"],
)
def test_odd_tables_are_the_rows_that_they_show(tmp_path: Path, html: str, rows: list[tuple[str, str]]) -> None:
    shelf = MemoryShelf((*SKY.html, ("Odd", page("An odd page.", html))))
    built(shelf, tmp_path / "sky")
    graph = OfflineGraph(tmp_path / "sky")
    assert [pair for pair in links(graph) if pair[0].startswith("Odd")] == rows
    assert "Odd | An odd page." in graph.graph.passages.lines[:]


def test_every_row_of_ten_thousand_is_found_and_linked(tmp_path: Path) -> None:
    rows = [[f"Rock{number}", "[[Io]]" if number == 9_876 else "dust"] for number in range(10_000)]
    built(MemoryShelf((*SKY.html, ("Rocks", page("All rocks.", table(["Rock", "Like"], rows))))), tmp_path / "sky")
    graph = OfflineGraph(tmp_path / "sky")
    assert len(graph.graph.segments) == 10_003
    (first,) = searched(graph, "rock9876", 1)
    assert (first.segment, first.passage) == ("Rocks | Facts | Rock : Rock9876 ; Like : Io", IO)
    (last,) = searched(graph, "rock9999", 1)
    assert (last.edge.segment, last.passage) == ("sky:Rocks@1#s1/t1/r10000", "")


def test_a_passage_of_one_word_is_found(tmp_path: Path) -> None:
    shelf = MemoryShelf((*SKY.html, ("Ice", page("Frost.")), ("List", page("A list.", table(["x"], [["[[Ice]]"]])))))
    built(shelf, tmp_path / "sky")
    (found,) = searched(OfflineGraph(tmp_path / "sky"), "frost", 5)
    assert (found.segment, found.passage) == ("List | Facts | x : Ice", "Ice | Frost.")


def test_a_page_without_a_lead_is_no_passage(tmp_path: Path) -> None:
    shelf = MemoryShelf((*SKY.html, ("Bare", table(["Moon"], [["[[Io]]"]])), ("Late", "<h2>Facts</h2><p>Late.</p>")))
    report = built(shelf, tmp_path / "sky")
    assert (report.counts["pages"], report.counts["passages"]) == (6, 4)
    assert ("Bare | Moon : Io", IO) in links(OfflineGraph(tmp_path / "sky"))


def test_a_title_that_is_listed_twice_is_read_once(tmp_path: Path) -> None:
    built(SKY, tmp_path / "once")
    twice = MemoryShelf(SKY.html, SKY.redirects, listed=("Io", "Saturn"))
    assert built(twice, tmp_path / "twice").counts["pages"] == 4
    assert sums(tmp_path / "once") == sums(tmp_path / "twice")


def test_a_page_that_only_redirects_is_not_the_other_page_again(tmp_path: Path) -> None:
    moved = MemoryShelf(SKY.html, SKY.redirects, moved=(("Old Io", "Io"), ("Zeus", "Jupiter")))
    report = built(moved, tmp_path / "moved")
    assert (report.counts["passages"], report.counts["segments"], report.left_out) == (4, 3, ())
    built(SKY, tmp_path / "sky")
    assert arrays(OfflineGraph(tmp_path / "moved")) == arrays(OfflineGraph(tmp_path / "sky"))


def test_a_page_that_cannot_be_read_is_left_out_and_said(tmp_path: Path) -> None:
    deep = "<div>" * 200 + "x" + "</div>" * 200
    shelf = MemoryShelf((*SKY.html, ("Blank", "<p> </p>"), ("Hostile", page("Hm.", deep))), listed=("Gone",))
    report = built(shelf, tmp_path / "sky")
    assert [what.split(":")[0] for what in report.left_out] == ["page 'Blank'", "page 'Gone'", "page 'Hostile'"]
    assert report.counts["left_out"] == 3
    assert "left out: page 'Gone': no page" in report.summary
    assert report.counts["segments"] == 3


def test_no_pages_are_no_graph(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sky has no pages; name another SOURCE"):
        built(MemoryShelf(()), tmp_path / "sky")


@pytest.mark.parametrize(
    ("shelf", "chosen", "named"),
    [
        (MemoryShelf(SKY.html[:2]), {}, "edition"),
        (SKY, {"pages_a_shard": 3}, "pages a shard"),
        (SKY, {"links": "given"}, "links"),
        (SKY, {"encoding": WordEncoding()}, "encoder"),
    ],
)
def test_a_folder_holds_one_build(tmp_path: Path, shelf: MemoryShelf, chosen: dict[str, object], named: str) -> None:
    built(SKY, tmp_path / "sky")
    before = sums(tmp_path / "sky")
    with pytest.raises(
        UsageError, match=rf"holds a build of another {named} \(.+ there, .+ asked for\); name another --out"
    ):
        built(shelf, tmp_path / "sky", **chosen)
    assert sums(tmp_path / "sky") == before


def test_the_same_again_changes_nothing_and_reads_no_page(tmp_path: Path) -> None:
    first = built(SKY, tmp_path / "sky", pages_a_shard=1)
    before = sums(tmp_path / "sky")

    def refuse(*_: object) -> None:
        raise AssertionError("a shard was made again")

    again = Build(Work(SKY, tmp_path / "sky", Settings(pages_a_shard=1)), lambda _: None, refuse).run()  # type: ignore[arg-type]
    assert again.counts == first.counts
    assert sums(tmp_path / "sky") == before


def test_shards_may_be_made_in_any_order(tmp_path: Path) -> None:
    from contextlib import nullcontext

    def backwards(function, work, shards):
        yield from here(function, work, shards[::-1])

    built(SKY, tmp_path / "forwards", pages_a_shard=1)
    work = Work(SKY, tmp_path / "backwards", Settings(pages_a_shard=1))
    Build(work, lambda _: None, lambda: nullcontext(backwards)).run()
    assert sums(tmp_path / "forwards") == sums(tmp_path / "backwards")


NAMES = ("Io", "Titan", "Europa", "Great Io", "X-1")
cells = st.sampled_from([*NAMES, *(f"[[{name}]]" for name in NAMES), "dust", "7"])
tables = st.lists(st.lists(cells, min_size=2, max_size=2), max_size=3).map(lambda rows: table(["Moon", "Of"], rows))
worlds = st.dictionaries(
    st.sampled_from(NAMES), st.builds(lambda lead, some: page(lead, *some), cells, st.lists(tables, max_size=2))
)


@settings(max_examples=25)
@given(worlds.filter(bool), st.integers(1, 6))
def test_however_pages_are_cut_the_graph_is_that_of_the_agent_over_all_of_them(
    tmp_path_factory: pytest.TempPathFactory, pages: dict[str, str], size: int
) -> None:
    out, shelf = tmp_path_factory.mktemp("graph"), MemoryShelf(tuple(pages.items()))
    built(shelf, out / "cut", pages_a_shard=size)
    assert set(links(OfflineGraph(out / "cut"))) == linked_at_once(shelf)
    built(shelf, out / "whole")
    assert arrays(OfflineGraph(out / "cut")) == arrays(OfflineGraph(out / "whole"))


def linked_at_once(shelf: MemoryShelf) -> set[tuple[str, str]]:
    """Return the lines of the edges of the graph that the agent makes of the same pages."""
    documents = [parse_page(Page(shelf.wiki, title, "1", "", html, "")) for title, html in shelf.html]
    graph = PageGraph.of(documents).graph
    ends = ((graph.segments.lines[row], graph.passages.lines[lead] if lead >= 0 else "") for row, lead in graph.edges)
    return set(ends)
