"""Token vectors in clusters, and stores of them."""

from pathlib import Path

import numpy as np

from indexers.edges.token_store import TokenStore

WIDTH = 16


def unit(vectors: np.ndarray) -> np.ndarray:
    """Give each vector the length 1."""
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def cloud(count: int, clusters: int = 40, seed: int = 0) -> np.ndarray:
    """Return vectors around a few directions, which depend on no seed."""
    middles = unit(np.random.default_rng(99).normal(size=(clusters, WIDTH)))
    random = np.random.default_rng(seed)
    return unit(middles[random.integers(clusters, size=count)] + 0.15 * random.normal(size=(count, WIDTH)))


def texts(count: int, seed: int = 0) -> list[np.ndarray]:
    """Return vectors of texts of no to nine tokens."""
    lengths = np.random.default_rng(seed).integers(0, 10, size=count)
    return np.split(cloud(int(lengths.sum()), seed=seed), np.cumsum(lengths)[:-1])


def store_of(folder: Path, kept: list[np.ndarray]) -> TokenStore:
    """Return a store of texts, after those that are in the folder."""
    store = TokenStore(folder, "cloud", WIDTH)
    store.append([str(len(store) + number) for number in range(len(kept))], kept)
    return store
