"""What a student minimises: the loss of equation 6, and the distance to a teacher (HELIOS, appendix B.1)."""

from dataclasses import dataclass
from typing import Any

from indexers.models.pytorch import loaded_torch

Tensor = Any
"""torch.Tensor; the library is imported on first use and carries no types here."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The scores of a batch: one row a query, one column a candidate of any of its lists.

    `positive` marks the candidates that answer the query of the row, `counted` those that it is compared with: its own
    list, and with in-batch negatives those of the others. `teacher` has the teacher's scores where `taught` is true.
    """

    scores: Tensor
    positive: Tensor
    counted: Tensor
    teacher: Tensor
    taught: Tensor


def ranking_loss(judged: Judged) -> Tensor:
    """Return the sum of both; the teacher's is nothing where nobody taught."""
    return contrastive(judged) + distillation(judged)


def contrastive(judged: Judged) -> Tensor:
    """Return the mean of equation 6 over the queries; of several positives the sum of their probabilities counts.

    With one positive this is the equation as it stands.
    """
    every = judged.scores.masked_fill(~judged.counted, float("-inf"))
    right = judged.scores.masked_fill(~judged.positive, float("-inf"))
    return (every.logsumexp(1) - right.logsumexp(1)).mean()


def distillation(judged: Judged) -> Tensor:
    """Return the mean KL divergence of the student's distribution over its own list from the teacher's."""
    torch = loaded_torch()
    told = judged.taught.any(1)
    if not bool(told.any()):
        return judged.scores.sum() * 0.0
    hidden = ~judged.taught[told]
    student = judged.scores[told].masked_fill(hidden, float("-inf")).log_softmax(1).masked_fill(hidden, 0.0)
    teacher = judged.teacher[told].masked_fill(hidden, float("-inf")).softmax(1)
    return torch.nn.functional.kl_div(student, teacher, reduction="none").sum(1).mean()
