"""A tiny CLIP, trained from nothing on drawings: the same seed gives the same model on one machine.

Every batch holds each scene once, so that no text is the right one for two of its pictures. Now and then a picture is
called just that, as on the web: the model learns what "a picture" is worth.
"""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from indexers.depiction import NEUTRAL
from indexers.models.pytorch import loaded_torch
from tests.indexers.models.drawings import SIDE, Scene, draw

CONFIGURATION = {
    "embed_dim": 64,
    "vision_cfg": {"image_size": SIDE, "layers": 3, "width": 96, "head_width": 32, "patch_size": 8},
    "text_cfg": {"context_length": 16, "vocab_size": 49408, "width": 64, "heads": 2, "layers": 2},
}
STEPS = 800
DRAWINGS = 256
"""Of each scene, drawn before the training."""
NEUTRAL_SHARE = 0.2
"""Of the batches, in which one picture is called just "a picture"."""
RATE = 2e-3
SEED = 7


def train(scenes: Sequence[Scene], folder: Path, steps: int = STEPS) -> tuple[Path, Path]:
    """Train on scenes and return the paths of the configuration and of the weights."""
    torch = loaded_torch()
    import open_clip
    from safetensors.torch import save_file

    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    config = folder / "drawings.json"
    config.write_text(json.dumps(CONFIGURATION), encoding="utf8")
    model = open_clip.model.CLIP(**CONFIGURATION)
    pictures = [torch.stack([_tensor(torch, draw(scene, rng)) for _ in range(DRAWINGS)]) for scene in scenes]
    tokenize = open_clip.get_tokenizer("ViT-B-32", context_length=16)
    _fit(torch, model, pictures, tokenize([scene.caption for scene in scenes]), tokenize(list(NEUTRAL)), rng, steps)
    weights = folder / "drawings.safetensors"
    save_file({name: value.contiguous() for name, value in model.state_dict().items()}, weights)
    return config, weights


def _fit(torch: Any, model: Any, pictures: Any, captions: Any, neutral: Any, rng: random.Random, steps: int) -> None:
    tower = [value for name, value in model.named_parameters() if name != "logit_scale"]
    groups = [{"params": tower, "weight_decay": 0.05}, {"params": [model.logit_scale], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, [RATE, 10 * RATE], total_steps=steps)
    right = torch.arange(len(pictures))
    for _ in range(steps):
        shown = torch.stack([drawings[rng.randrange(DRAWINGS)] for drawings in pictures])
        said = captions.clone()
        if rng.random() < NEUTRAL_SHARE:
            said[rng.randrange(len(pictures))] = neutral[rng.randrange(len(neutral))]
        images, texts, scale = model(shown, said)
        scores = scale * images @ texts.T
        loss = torch.nn.functional.cross_entropy(scores, right) + torch.nn.functional.cross_entropy(scores.T, right)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


def _tensor(torch: Any, image: Any) -> Any:
    """Prepare a drawing as open_clip does for a model whose configuration says nothing else."""
    from open_clip.constants import OPENAI_DATASET_MEAN, OPENAI_DATASET_STD

    mean, std = (torch.tensor(part).view(3, 1, 1) for part in (OPENAI_DATASET_MEAN, OPENAI_DATASET_STD))
    return (torch.from_numpy(np.array(image)).permute(2, 0, 1).float() / 255 - mean) / std
