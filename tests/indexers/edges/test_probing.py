"""Lists name every node near a centroid once, and estimates are what the named centroids give."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from indexers.edges.inverted import InvertedLists
from indexers.edges.probing import estimated, most, probed
from tests.indexers.edges.clouds import cloud

CENTROIDS = 6
TOKENS = st.lists(st.tuples(st.integers(0, CENTROIDS - 1), st.integers(0, 9)), max_size=40)


def lists_of(tokens: list[tuple[int, int]]) -> InvertedLists:
    nearest, nodes = np.array(tokens, np.int32).reshape(-1, 2).T
    return InvertedLists.of(nearest, nodes, CENTROIDS)


def as_sets(lists: InvertedLists) -> list[list[int]]:
    return [lists.nodes[begin:end].tolist() for begin, end in pairwise(lists.offsets.tolist())]


@given(TOKENS)
def test_a_list_names_each_node_with_a_token_near_its_centroid_once(tokens: list[tuple[int, int]]) -> None:
    wanted = [sorted({node for near, node in tokens if near == centroid}) for centroid in range(CENTROIDS)]
    assert as_sets(lists_of(tokens)) == wanted


@given(TOKENS, st.lists(st.integers(0, 10), max_size=3))
def test_lists_of_parts_are_joined_to_those_of_the_whole(tokens: list[tuple[int, int]], cuts: list[int]) -> None:
    bounds = [0, *sorted(cuts), 11]
    parts = [lists_of([token for token in tokens if begin <= token[1] < end]) for begin, end in pairwise(bounds)]
    assert as_sets(InvertedLists.joined(parts)) == as_sets(lists_of(tokens))


@given(TOKENS, st.integers(1, CENTROIDS + 2), st.integers(0, 10), st.integers(0, 1000))
def test_an_estimate_is_what_the_closest_probed_centroids_exceed_the_last_by(
    tokens: list[tuple[int, int]], probes: int, cut: int, seed: int
) -> None:
    query, centroids = cloud(3, seed=seed), cloud(CENTROIDS, seed=seed + 1)
    parts = [[token for token in tokens if token[1] < cut], [token for token in tokens if token[1] >= cut]]
    near = probed(query, np.ascontiguousarray(centroids.T), probes)
    found = estimated(near, [lists_of(part) for part in parts], 10)
    similar = query @ centroids.T
    floor = np.sort(similar, axis=1)[:, -min(probes, CENTROIDS)]
    np.testing.assert_allclose(near.floor, floor, atol=1e-6)
    for node in range(10):
        its = [near for near, other in tokens if other == node]
        gains = np.maximum(similar[:, its] - floor[:, None], 0).max(axis=1, initial=0)
        np.testing.assert_allclose(found[node], gains.sum(), atol=1e-5)


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(0, 12))
def test_the_greatest_are_kept_and_ties_go_to_the_smaller_position(values: list[int], count: int) -> None:
    ranked = sorted((-value, place) for place, value in enumerate(values) if value > 0)
    assert most(np.array(values, np.float32), count).tolist() == sorted(place for _, place in ranked[:count])
