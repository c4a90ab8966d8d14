"""Centroids are where vectors are, and the closest one is found without comparing all."""

import numpy as np
import pytest

from indexers.edges.clusters import FEW, Nearest, kmeans
from tests.indexers.edges.clouds import WIDTH, cloud, unit


def test_centroids_move_to_the_middles_of_clusters() -> None:
    middles = np.eye(4, WIDTH, dtype=np.float32)
    random = np.random.default_rng(0)
    sample = unit(np.repeat(middles, 200, axis=0) + 0.05 * random.normal(size=(800, WIDTH)))
    centroids = kmeans(sample, 12, seed=1)
    assert (centroids @ middles.T).max(axis=0).min() > 0.98
    np.testing.assert_allclose(np.linalg.norm(centroids, axis=1), 1, atol=1e-5)


def test_the_same_seed_gives_the_same_centroids_and_another_one_others() -> None:
    sample = cloud(500)
    np.testing.assert_array_equal(kmeans(sample, 20, seed=3), kmeans(sample, 20, seed=3))
    assert (kmeans(sample, 20, seed=3) != kmeans(sample, 20, seed=4)).any()


def test_alike_vectors_leave_no_centroid_without_a_length() -> None:
    centroids = kmeans(np.repeat(cloud(1), 10, axis=0), 4, seed=0)
    np.testing.assert_allclose(centroids, np.repeat(cloud(1), 4, axis=0), atol=1e-6)


def test_among_few_centroids_the_closest_is_found() -> None:
    vectors, centroids = cloud(300), cloud(60, seed=1)
    np.testing.assert_array_equal(Nearest(centroids).of(vectors), (vectors @ centroids.T).argmax(axis=1))


@pytest.mark.parametrize("length", [1, 100])
def test_among_many_the_closest_is_found_nearly_always_and_a_close_one_else(length: int) -> None:
    vectors, centroids = cloud(3000), cloud(2 * FEW, seed=1)
    similar = vectors @ centroids.T
    found = Nearest(centroids).of(vectors * np.float32(length))
    assert (found == similar.argmax(axis=1)).mean() > 0.95
    assert (similar.max(axis=1) - similar[np.arange(3000), found]).max() < 0.2


def test_no_vectors_have_no_closest() -> None:
    assert Nearest(cloud(2 * FEW)).of(np.zeros((0, WIDTH), np.float32)).shape == (0,)
