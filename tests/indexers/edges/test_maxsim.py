"""MaxSim of an edge is composed of its nodes' maxima (HELIOS, equation 4)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from indexers.edges.maxsim import ABSENT, maxima, similarity

numbers = st.floats(-1, 1, width=32)
tokens = st.integers(0, 4).flatmap(lambda count: arrays(np.float32, (count, 3), elements=numbers))
queries = st.integers(1, 4).flatmap(lambda count: arrays(np.float32, (count, 3), elements=numbers))


def concatenated(nodes: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *map(len, nodes)])[: len(nodes)].astype(np.int64)
    return np.concatenate([*nodes, np.zeros((0, 3), np.float32)]), starts


@given(queries, st.lists(tokens, min_size=1, max_size=5))
def test_a_node_has_the_closest_of_its_tokens_to_each_of_the_query(query: np.ndarray, nodes: list[np.ndarray]) -> None:
    found = maxima(query, *concatenated(nodes))
    for node, row in zip(nodes, found, strict=True):
        wanted = (query @ node.T).max(axis=1) if len(node) else np.full(len(query), ABSENT)
        np.testing.assert_allclose(row, wanted, atol=1e-6)


@given(queries, tokens.filter(len), tokens.filter(len))
def test_an_edge_is_as_similar_as_the_joined_tokens_of_its_nodes(
    query: np.ndarray, segment: np.ndarray, passage: np.ndarray
) -> None:
    both = similarity(maxima(query, *concatenated([np.concatenate([segment, passage])])))
    one, other = maxima(query, *concatenated([segment])), maxima(query, *concatenated([passage]))
    np.testing.assert_allclose(similarity(np.maximum(one, other)), both, atol=1e-5)


def test_similarity_by_hand() -> None:
    query = np.array([[1, 0], [0, 1]], np.float32)
    node = np.array([[0.6, 0.8], [1.0, 0.0]], np.float32)
    np.testing.assert_allclose(similarity(maxima(query, node, np.array([0]))), [1.8])
