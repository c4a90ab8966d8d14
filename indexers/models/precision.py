"""Computing in bfloat16 where the processor multiplies matrices in it: about four times as fast on such a CPU."""

from typing import Any

from indexers.models.pytorch import best_device, loaded_torch


def quickened(module: Any) -> None:
    """Turn the weights to bfloat16 on a GPU, and on a CPU with matrix tiles (AMX); leave them elsewhere."""
    torch = loaded_torch()
    if best_device() == "cuda" or torch.cpu._is_amx_tile_supported():
        module.to(torch.bfloat16)
