"""The corpus as the bipartite graph of the indexes."""

from hypothesis import given
from hypothesis import strategies as st

from eval.ott.corpus import OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.sides import Made, bipartite
from indexers.edges.linearize import linearize


@given(st.lists(st.integers(), max_size=9), st.slices(9))
def test_made_items_are_those_of_a_list(items: list[int], part: slice) -> None:
    made = Made(items.__getitem__, len(items))
    assert (list(made), made[part], len(made)) == (items, items[part], len(items))


def test_both_sides_have_the_ids_and_lines_of_the_data_graph(corpus: OttCorpus) -> None:
    data = OttGraph(corpus)
    graph = bipartite(corpus, data, corpus.edges)
    assert list(graph.segments.tables) == [0, 0, 0, 1]
    segments = [data.segment(id) for id in graph.segments.ids]
    passages = [data.passage(id) for id in graph.passages.ids]
    assert list(graph.segments.lines) == [linearize(segment) for segment in segments]
    assert list(graph.passages.lines) == [linearize(passage) for passage in passages]
    edges = [data.edge(row, passage) for row, passage in corpus.edges.tolist()]
    assert [graph.edge(pair) for pair in corpus.edges.tolist()] == edges
    assert graph.pairs(edges).tolist() == corpus.edges.tolist()
