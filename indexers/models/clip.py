"""Pictures and texts in one space by open_clip: CLIP and its kin, by architecture and weights.

Weights are safetensors and nothing else: a pickle can run code when it is read. Pictures and texts go through the model
one by one, so that a vector depends on its picture or text and on nothing else, and scores stay absolute.
"""

import asyncio
from collections.abc import Sequence
from functools import cached_property
from io import BytesIO
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import ModelMissing, PageUnavailable
from heliograph.protocols import Vectors
from indexers.models.checkpoints import Checkpoint, checkpoint_of
from indexers.models.first_use import on_first_use
from indexers.models.pytorch import best_device, first_line, loaded_torch

PAPER = "#ffffff"
"""What lies under the transparent parts of a picture: drawings on Wikipedia are made for a white page."""


class ClipEmbedder:
    """Embed pictures and texts with a model of open_clip: unit vectors in float32.

    Nothing is imported and nothing read before the first picture or text, or before one of the attributes is asked for.
    `name` is architecture and tag, or the names of the files with a digest of their content. `logit_scale` is the
    inverse of the temperature that the model has learned: how much a difference of cosines says.

    Args:
        model: an architecture that open_clip knows ("ViT-B-32"), or the path of a model configuration (JSON).
        pretrained: a tag that open_clip knows for it ("laion2b_s34b_b79k"), downloaded once and found again without a
            network; or the path of a safetensors file.

    Raises:
        ModelMissing: at first use: the model is unknown, cannot be loaded, or is only to be had as a pickle.
    """

    name: str = on_first_use(lambda self: self._checkpoint.name)
    dimensions: int = on_first_use(lambda self: self._loaded.dimensions)
    logit_scale: float = on_first_use(lambda self: self._loaded.logit_scale)

    def __init__(self, model: str, pretrained: str) -> None:
        self._model = model
        self._pretrained = pretrained
        self._turn = Lock()

    async def embed_images(self, images: Sequence[bytes]) -> Vectors:
        """Return one unit vector a picture, in the order given.

        Raises:
            PageUnavailable: one of them is no picture.
        """
        return await asyncio.to_thread(self._images, images)

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, in the order given; words past the model's context are not seen."""
        return await asyncio.to_thread(self._texts, texts)

    def _images(self, images: Sequence[bytes]) -> Vectors:
        with self._turn:
            return self._loaded.images(images)

    def _texts(self, texts: Sequence[str]) -> Vectors:
        with self._turn:
            return self._loaded.texts(texts)

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return checkpoint_of(self._model, self._pretrained)

    @cached_property
    def _loaded(self) -> "LoadedClip":
        return LoadedClip(self._checkpoint)


class LoadedClip:
    """The model in memory; it blocks, and serves one thread at a time."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._torch = loaded_torch()
        self._device = best_device()
        self._model = _loaded(checkpoint, self._device)
        from open_clip import get_tokenizer
        from open_clip.transform import PreprocessCfg, image_transform_v2

        self._prepare = image_transform_v2(PreprocessCfg(**self._model.visual.preprocess_cfg), is_train=False)
        self._tokenize = get_tokenizer(checkpoint.architecture)
        self.logit_scale = float(self._model.logit_scale.detach().exp())
        self.dimensions = len(self.texts(["a"])[0])

    def images(self, images: Sequence[bytes]) -> Vectors:
        """Embed pictures."""
        return self._each([self._prepare(_opened(image)) for image in images], self._model.encode_image)

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Embed texts."""
        plain = (text.encode("utf-8", "replace").decode("utf-8") for text in texts)
        return self._each([self._tokenize([text])[0] for text in plain], self._model.encode_text)

    def _each(self, given: Sequence[Any], encode: Any) -> Vectors:
        with self._torch.inference_mode():
            rows = [encode(one.unsqueeze(0).to(self._device))[0].float().cpu().numpy() for one in given]
        return np.stack([_unit(row) for row in rows]) if rows else np.zeros((0, self.dimensions), dtype=np.float32)


def _loaded(checkpoint: Checkpoint, device: str) -> Any:
    import open_clip
    from safetensors import SafetensorError

    try:
        model = open_clip.create_model(
            checkpoint.architecture,
            pretrained=str(checkpoint.weights),
            device=device,
            force_quick_gelu=checkpoint.quick_gelu,
            force_preprocess_cfg=dict(checkpoint.preprocess),
        )
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as err:
        raise ModelMissing(
            f"the image model {checkpoint.name} cannot be loaded ({first_line(err)}); "
            "clip.model and clip.pretrained must belong together"
        ) from err
    return model.eval()


def _opened(image: bytes) -> Any:
    """Decode a picture to RGB on white."""
    from PIL import Image

    try:
        with Image.open(BytesIO(image)) as opened:
            picture = opened.convert("RGBA") if opened.has_transparency_data else opened.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as err:
        raise PageUnavailable(f"a picture cannot be decoded: {err}") from err
    if picture.mode == "RGB":
        return picture
    paper = Image.new("RGBA", picture.size, PAPER)
    return Image.alpha_composite(paper, picture).convert("RGB")


def _unit(row: NDArray[np.float32]) -> NDArray[np.float32]:
    length = np.sqrt((row.astype(np.float64) ** 2).sum())
    unit: NDArray[np.float32] = (row / max(float(length), 1e-12)).astype(np.float32)
    return unit
