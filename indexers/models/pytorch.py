"""PyTorch, on first use: the only file that imports it, and torchvision before anything else does (4 s together).

torchvision's usual build is for CUDA. Beside a PyTorch for the CPU its compiled library does not load, and the import
dies of an operator that nobody declared, with timm, open_clip, transformers and sentence-transformers after it. None of
them calls that operator here, so a declaration without a body is enough.
"""

import sys
from functools import cache
from importlib import import_module
from typing import Any

from heliograph.doctor import INSTALL_MODELS
from heliograph.errors import ModelMissing

_OPERATORS = ("nms", "qnms")
_SCHEMA = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"


@cache
def loaded_torch() -> Any:
    """Return the module torch, ready for the libraries that stand on it; blocks, so call it in a thread.

    Raises:
        ModelMissing: PyTorch is not installed.
    """
    try:
        import torch
    except ImportError as err:
        raise ModelMissing(f"PyTorch is not installed; {INSTALL_MODELS}") from err
    try:
        import_module("torchvision")
    except ImportError:
        return torch
    except RuntimeError:
        _declare_operators(torch)
    return torch


def first_line(err: BaseException) -> str:
    """Return what an error of a library says first; the rest is advice on its own calls."""
    return str(err).strip().partition("\n")[0][:200]


def best_device() -> str:
    """Name the accelerator that PyTorch sees, or the CPU."""
    torch = loaded_torch()
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _declare_operators(torch: Any) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
        del sys.modules[name]
    for operator in _OPERATORS:
        torch.library.define(f"torchvision::{operator}", _SCHEMA)
