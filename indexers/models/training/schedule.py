"""How fast and how long a model learns."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """Epochs, lists a step and the learning rate, which climbs for `warmup` steps and falls as a cosine to zero.

    A `warmup` below 1 is a share of all steps. `at_once` lists go through the model together; they are the batch of the
    in-batch negatives, and the gradients of a step are summed over several such.
    """

    epochs: int
    batch: int
    learning_rate: float
    warmup: float
    at_once: int = 8

    def steps(self, examples: int) -> int:
        """Return how many steps a training on that many lists an epoch takes."""
        return self.epochs * math.ceil(examples / self.batch)

    def rate(self, step: int, steps: int) -> float:
        """Return the learning rate of a step, counted from 0."""
        warmup = self.warmup if self.warmup >= 1 else self.warmup * steps
        climbing = min(1.0, (step + 1) / warmup) if warmup else 1.0
        return self.learning_rate * climbing * 0.5 * (1 + math.cos(math.pi * step / max(1, steps)))


RETRIEVER = Schedule(epochs=1, batch=512, learning_rate=1e-5, warmup=40)
"""Edge retriever and expanded query retrievers (HELIOS, appendices B.1 and B.3)."""
RERANKER = Schedule(epochs=1, batch=96, learning_rate=2e-4, warmup=0.1)
"""Edge reranker and node reranker (HELIOS, appendices B.1 and B.2)."""
