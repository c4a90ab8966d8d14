"""Where the weights of an image model are: a file that is given, or one that the hub is asked for; safetensors only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heliograph.doctor import INSTALL_MODELS
from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from indexers.models.fingerprint import fingerprint
from indexers.models.pytorch import first_line, loaded_torch

SAFE = ".safetensors"
_PREPARATION = ("mean", "std", "interpolation", "resize_mode", "size")
"""What a tag of open_clip says about the pictures that its model was trained on."""
_CONFIGURATION = {"embed_dim", "vision_cfg", "text_cfg"}
_MADE_KNOWN: set[str] = set()
"""Architectures that open_clip knows from us: its registry is one for the process."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What makes one image model: an architecture that open_clip knows by now, weights, and how pictures are prepared.

    `quick_gelu` tells weights that were trained with OpenAI's activation.
    """

    name: str
    architecture: str
    weights: Path
    preprocess: Mapping[str, Any] = field(default_factory=dict)
    quick_gelu: bool = False


def checkpoint_of(model: str, pretrained: str) -> Checkpoint:
    """Find an image model; blocks, and may download.

    Raises:
        ModelMissing: no such architecture, tag or file, no hub, or no safetensors.
    """
    loaded_torch()
    try:
        import open_clip
    except ImportError as err:
        raise ModelMissing(f"open_clip is not installed; {INSTALL_MODELS}") from err
    architecture, files = _architecture(open_clip, model)
    if _is_path(pretrained):
        weights = _safe_file(expanded(pretrained))
        name = f"{architecture}/{weights.stem}-{fingerprint((*files, weights))}"
        return Checkpoint(name, architecture, weights)
    tag = open_clip.get_pretrained_cfg(architecture, pretrained)
    if not tag:
        known = ", ".join(open_clip.list_pretrained_tags_by_model(architecture)) or "none"
        raise ModelMissing(
            f"open_clip knows no weights {pretrained!r} for {architecture}; known are {known}, "
            f"or set clip.pretrained to a {SAFE} file"
        )
    preparation = {key: tag[key] for key in _PREPARATION if key in tag}
    weights = _downloaded(architecture, pretrained, str(tag.get("hf_hub", "")))
    return Checkpoint(f"{architecture}/{pretrained}", architecture, weights, preparation, bool(tag.get("quick_gelu")))


def _architecture(open_clip: Any, model: str) -> tuple[str, tuple[Path, ...]]:
    """Return the name by which open_clip knows an architecture, and the file that it was made known by."""
    if not _is_path(model):
        if open_clip.get_model_config(model) is None:
            raise ModelMissing(f"open_clip knows no architecture {model!r}; correct clip.model (ViT-B-32, for one)")
        return model, ()
    path = expanded(model)
    _check_configuration(path)
    if open_clip.get_model_config(path.stem) is not None and path.stem not in _MADE_KNOWN:
        raise ModelMissing(f"{path} has the name of an architecture that open_clip has itself; rename the file")
    _MADE_KNOWN.add(path.stem)
    open_clip.add_model_config(path)
    return path.stem, (path,)


def _check_configuration(path: Path) -> None:
    """Refuse what is no configuration before open_clip hears of it: it would read the file again for ever after."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as err:
        raise ModelMissing(f"{path} is no model configuration ({err}); correct clip.model") from err
    if path.suffix != ".json" or not isinstance(content, dict) or not content.keys() >= _CONFIGURATION:
        needed = ", ".join(sorted(_CONFIGURATION))
        raise ModelMissing(f"{path} is no model configuration: a .json file with {needed} is; correct clip.model")


def _safe_file(path: Path) -> Path:
    if path.suffix != SAFE:
        raise ModelMissing(
            f"{path} is not read: a pickle can run code. Convert it once, where you trust it: "
            f"safetensors.torch.save_file(torch.load(…, weights_only=True), '{path.stem}{SAFE}')"
        )
    if not path.is_file():
        raise ModelMissing(f"no file {path}; correct clip.pretrained")
    return path


def _downloaded(architecture: str, tag: str, place: str) -> Path:
    """Ask the hub for the safetensors of a tag and for nothing else; what it gave once is found without a network."""
    from huggingface_hub import hf_hub_download
    from open_clip.constants import HF_SAFE_WEIGHTS_NAME

    repository, _, file = place.rpartition("/")
    if not repository:
        raise ModelMissing(f"the weights {tag} of {architecture} are only to be had as a pickle; choose other weights")
    try:
        return Path(hf_hub_download(repository, Path(file).stem + SAFE if file else HF_SAFE_WEIGHTS_NAME))
    except (OSError, ValueError) as err:
        raise ModelMissing(
            f"the weights {tag} of {architecture} are not here and cannot be fetched as safetensors "
            f"({first_line(err)}); go online once, or set clip.pretrained to a {SAFE} file"
        ) from err


def _is_path(given: str) -> bool:
    """Tell a path from a name: names of open_clip have neither a slash nor one of these endings."""
    return "/" in given or "\\" in given or Path(given).suffix in {SAFE, ".json", ".pt", ".pth", ".bin", ".ckpt"}
