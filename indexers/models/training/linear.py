"""Weights of features by which a list is ranked: equation 6 again, for a model of one weight a feature."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from indexers.models.pytorch import loaded_torch

STEPS = 100
"""Of L-BFGS, each with its line search: the loss of a few dozen weights is flat long before."""

Features = NDArray[np.float32]
Marks = NDArray[np.bool_]


def fitted(lists: Sequence[Features], positives: Sequence[Marks], decay: float) -> NDArray[np.float64]:
    """Return the weights that minimise the contrastive loss of lists, plus `decay` times their squares.

    Args:
        lists: standardised features of the candidates of each query, shape (candidates, features).
        positives: which candidates are right; a list with none teaches nothing.
        decay: how dear a large weight is.
    """
    torch = loaded_torch()
    told = [(table, right) for table, right in zip(lists, positives, strict=True) if right.any()]
    tables = [torch.tensor(table, dtype=torch.float64) for table, _ in told]
    rights = [torch.tensor(right) for _, right in told]
    weights = torch.zeros(lists[0].shape[1], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> object:
        optimiser.zero_grad()
        scores = [table @ weights for table in tables]
        each = [every.logsumexp(0) - every[right].logsumexp(0) for every, right in zip(scores, rights, strict=True)]
        total = torch.stack(each).mean() + decay * (weights**2).sum()
        total.backward()
        return total

    optimiser.step(loss)
    found: NDArray[np.float64] = weights.detach().numpy()
    return found
