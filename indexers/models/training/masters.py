"""AdamW on float32 masters of a model that computes in bfloat16, where the processor is fast at that.

A bfloat16 weight has 8 bits of precision: steps of the size that fine-tuning takes would be rounded away.
"""

from collections.abc import Callable, Mapping
from typing import Any

from indexers.models.pytorch import loaded_torch

WEIGHT_DECAY = 0.01
LONGEST_GRADIENT = 1.0
"""Gradients longer than this are scaled down to it."""


class Masters:
    """The weights that are learned, and the optimiser; the model gets a copy after every step.

    Args:
        model: the module.
        rate_of: how many times the rate of a step a weight learns at, by its name.
    """

    def __init__(self, model: Any, rate_of: Callable[[str], float] = lambda _: 1.0) -> None:
        torch = loaded_torch()
        named = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
        self._copies = [weight for _, weight in named]
        self._masters = [weight.detach().to(torch.float32).clone() for weight in self._copies]
        self._rates = [rate_of(name) for name, _ in named]
        groups = [
            {"params": [master for master, own in zip(self._masters, self._rates, strict=True) if own == rate]}
            for rate in sorted(set(self._rates))
        ]
        self._optimiser = torch.optim.AdamW(groups, lr=0.0, weight_decay=WEIGHT_DECAY)

    def step(self, rate: float) -> None:
        """Learn from the gradients of the model, and clear them."""
        torch = loaded_torch()
        for master, copy in zip(self._masters, self._copies, strict=True):
            master.grad = None if copy.grad is None else copy.grad.to(torch.float32)
            copy.grad = None
        torch.nn.utils.clip_grad_norm_(self._masters, LONGEST_GRADIENT)
        for group, times in zip(self._optimiser.param_groups, sorted(set(self._rates)), strict=True):
            group["lr"] = rate * times
        self._optimiser.step()
        self._hand_over()

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs, as plain tensors and numbers."""
        return {"masters": self._masters, "optimiser": self._optimiser.state_dict()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where a training was interrupted."""
        torch = loaded_torch()
        with torch.no_grad():
            for master, kept in zip(self._masters, state["masters"], strict=True):
                master.copy_(kept)
        self._optimiser.load_state_dict(state["optimiser"])
        self._hand_over()

    def _hand_over(self) -> None:
        torch = loaded_torch()
        with torch.no_grad():
            for master, copy in zip(self._masters, self._copies, strict=True):
                copy.copy_(master)
