"""Computing in bfloat16 where the processor multiplies matrices in it: about four times as fast on such a CPU."""

from contextlib import AbstractContextManager
from typing import Any

from indexers.models.pytorch import best_device, loaded_torch


def quickened(module: Any) -> None:
    """Turn the weights to bfloat16 on a GPU, and on a CPU with matrix tiles (AMX); leave them elsewhere."""
    torch = loaded_torch()
    if best_device() == "cuda" or torch.cpu._is_amx_tile_supported():
        module.to(torch.bfloat16)


def products_in_bfloat16() -> AbstractContextManager[Any]:
    """Multiply in bfloat16 what has float32 weights, where the processor has an instruction for it.

    Measured on a processor with AVX-512 BF16: about three times as many tokens in a second.
    """
    torch = loaded_torch()
    device = best_device()
    fast = device == "cuda" or torch.cpu._is_avx512_bf16_supported()
    context: AbstractContextManager[Any] = torch.autocast(device, dtype=torch.bfloat16, enabled=fast)
    return context
