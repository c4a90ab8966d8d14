"""A model by its name: a folder that is here, or a model of the hub, which is asked once and before anything slow."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Literal

from heliograph.doctor import INSTALL_MODELS
from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from indexers.models.pytorch import best_device, first_line, loaded_torch

HUB_SECONDS = 10.0
Library = Literal["SentenceTransformer", "CrossEncoder", "MultiVectorEncoder"]
"""The classes of sentence-transformers that load a model."""


@contextmanager
def loader(kind: Library, called: str, remedy: str, **weights: str) -> Iterator[Callable[..., Any]]:
    """Give what loads a model of sentence-transformers by folder or name; blocks, and may download.

    Weights are read as safetensors only, as float32, and no code that comes with a model is ever run.

    Args:
        kind: the class that loads it.
        called: the model, as an error names it.
        remedy: what to do where it cannot be loaded.
        weights: more of what the library is told about weights.

    Raises:
        ModelMissing: the library is not installed, or what is done with the loader fails.
    """
    loaded_torch()
    try:
        from safetensors import SafetensorError
        from sentence_transformers import CrossEncoder, MultiVectorEncoder, SentenceTransformer
    except ImportError as err:
        raise ModelMissing(f"sentence-transformers is not installed; {INSTALL_MODELS}") from err
    kinds = {each.__name__: each for each in (CrossEncoder, MultiVectorEncoder, SentenceTransformer)}
    told = {"use_safetensors": True, "dtype": "float32", **weights}

    def load(model: str, **given: Any) -> Any:
        return kinds[kind](placed(model), device=best_device(), trust_remote_code=False, model_kwargs=told, **given)

    try:
        yield load
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as err:
        raise ModelMissing(f"{called} cannot be loaded ({first_line(err)}); {remedy}") from err


def placed(name: str) -> str:
    """Return the path of the folder that a name means, or the name, where it means none."""
    folder = expanded(name)
    return str(folder) if folder.is_dir() else name


def refuse_missing(name: str, setting: str) -> None:
    """Tell a folder that is not there from a name on the hub, which is OWNER/MODEL or one word.

    Raises:
        ModelMissing: it is neither; the message names what it was set with, `setting`.
    """
    if expanded(name).is_dir():
        return
    if name.startswith(("/", ".", "~")) or name.count("/") > 1:
        raise ModelMissing(f"no folder {name}; correct {setting}")
    if not _extra_is_here():
        raise ModelMissing(
            f"{_no_folder(name, setting)}; if it is the name of a model on the hub, that needs sentence-transformers, "
            f"which is not installed; {INSTALL_MODELS}"
        )
    refuse_unknown_to_hub(name, setting)


def refuse_unknown_to_hub(name: str, setting: str) -> None:
    """Ask the hub for a model, unless it was fetched before; loading one asks again for minutes where nobody answers.

    Raises:
        ModelMissing: the hub does not have it, or cannot be asked.
    """
    from httpx2 import HTTPError
    from huggingface_hub import HfApi, try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError

    try:
        if not isinstance(try_to_load_from_cache(name, "config.json"), str):
            HfApi().model_info(name, timeout=HUB_SECONDS)
    except (HFValidationError, RepositoryNotFoundError) as err:
        raise ModelMissing(
            f"{_no_folder(name, setting)}, and no model of that name on the hub that you may read; correct {setting}"
        ) from err
    except (HTTPError, OSError) as err:
        raise ModelMissing(
            f"{_no_folder(name, setting)}, and the hub, which may have a model of that name, cannot be asked "
            f"({first_line(err)}); correct {setting}, or go online"
        ) from err


def refuse_missing_extra(setting: str) -> None:
    """Stop before anything slow where a model needs the extra `models`.

    Raises:
        ModelMissing: it is not installed.
    """
    if not _extra_is_here():
        raise ModelMissing(f"{setting} needs sentence-transformers, which is not installed; {INSTALL_MODELS}")


def _extra_is_here() -> bool:
    return find_spec("sentence_transformers") is not None


def _no_folder(name: str, setting: str) -> str:
    return f"{setting} names {name!r}, and there is no such folder here"
