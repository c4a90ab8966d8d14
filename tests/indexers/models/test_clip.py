"""An image model of open_clip from local files: it sees what it was taught, and refuses what it must not read."""

import json
import random
import shutil
from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image

from heliograph.errors import ModelMissing, PageUnavailable
from heliograph.protocols import Vectors
from indexers.models.clip import ClipEmbedder
from tests.indexers.models.conftest import Trained
from tests.indexers.models.drawings import Scene, draw, png

pytestmark = pytest.mark.models
DRAWINGS = 5
"""New drawings of each scene, none of which the training saw."""


@pytest.fixture(scope="session")
def clip(trained: Trained) -> ClipEmbedder:
    return ClipEmbedder(str(trained.config), str(trained.weights))


async def hits(clip: ClipEmbedder, trained: Trained, asked: Sequence[Scene]) -> float:
    """Return how often the nearest of 60 new drawings, one a scene, shows what a caption says."""
    scenes, rng = (*trained.held_out, *trained.scenes), random.Random(12345)
    captions = await clip.embed_texts([scene.caption for scene in asked])
    right = []
    for _ in range(DRAWINGS):
        pictures = await clip.embed_images([png(draw(scene, rng)) for scene in scenes])
        nearest = (captions @ pictures.T).argmax(axis=1)
        right += [scenes[place] == scene for place, scene in zip(nearest, asked, strict=True)]
    return sum(right) / len(right)


async def test_new_drawings_of_known_scenes_are_found_by_their_captions(clip, trained, record_property):
    rate = await hits(clip, trained, trained.scenes)
    record_property("hit@1, held-out drawings", rate)
    print(f"hit@1 of {len(trained.scenes) * DRAWINGS} held-out drawings of known scenes: {rate:.3f}")
    assert rate >= 0.9


async def test_scenes_that_no_training_saw_are_found_more_often_than_not(clip, trained, record_property):
    rate = await hits(clip, trained, trained.held_out)
    record_property("hit@1, held-out combinations", rate)
    print(f"hit@1 of {len(trained.held_out) * DRAWINGS} drawings of held-out combinations: {rate:.3f}")
    assert rate > 0.5


async def test_vectors_have_length_one_and_do_not_depend_on_what_else_is_embedded(clip, trained):
    rng = random.Random(3)
    pictures = [png(draw(scene, rng)) for scene in trained.scenes[:6]]
    texts = [scene.caption for scene in trained.scenes[:6]]
    for embed, given in ((clip.embed_images, pictures), (clip.embed_texts, texts)):
        together: Vectors = await embed(given)
        assert (together.shape, together.dtype) == ((6, clip.dimensions), np.float32)
        assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-6)
        assert [(await embed([one]))[0].tobytes() for one in given] == [row.tobytes() for row in together]
        assert (await embed([])).shape == (0, clip.dimensions)


async def test_what_is_transparent_is_seen_on_white(clip, trained):
    drawn = Image.new("RGBA", (64, 64), (0, 0, 0, 0))
    drawn.paste((208, 40, 40, 255), (10, 10, 40, 40))
    paper = Image.new("RGB", (64, 64), "white")
    paper.paste((208, 40, 40), (10, 10, 40, 40))
    clear, white = await clip.embed_images([png(drawn), png(paper)])
    assert clear.tobytes() == white.tobytes()


async def test_any_text_can_be_embedded(clip):
    assert np.isfinite(await clip.embed_texts(["", "word " * 500, "Čeština 🪐 \ud800"])).all()


async def test_what_is_no_picture_is_named_as_such(clip, trained):
    whole = png(draw(trained.scenes[0], random.Random(1)))
    for damaged in (b"", b"GIF89a", whole[: len(whole) // 2]):
        with pytest.raises(PageUnavailable, match="cannot be decoded"):
            await clip.embed_images([damaged])


def test_the_name_changes_with_the_weights(clip, trained, tmp_path):
    other = tmp_path / trained.weights.name
    other.write_bytes(trained.weights.read_bytes()[:-4] + b"\0\0\0\1")
    assert clip.name.startswith("drawings/drawings-")
    assert ClipEmbedder(str(trained.config), str(other)).name != clip.name
    assert ClipEmbedder(str(trained.config), str(trained.weights)).name == clip.name


def test_the_learned_temperature_is_told(clip):
    assert 1.0 < clip.logit_scale <= 100.0


@pytest.mark.parametrize(
    ("model", "pretrained", "said"),
    [
        ("ViT-B-32", "laion2b_s34b_b79k", "go online once, or set clip.pretrained"),
        ("ViT-B-32", "nowhere", "known are openai.*or set clip.pretrained"),
        ("ViT-Z-99", "openai", "no architecture 'ViT-Z-99'; correct clip.model"),
        ("ViT-B-32", "weights.pt", "a pickle can run code. Convert it once"),
        ("ViT-B-32", "/tmp/open_clip_pytorch_model.bin", "a pickle can run code"),
        ("ViT-B-32", "/nowhere/open_clip_model.safetensors", "no file .*; correct clip.pretrained"),
        ("/nowhere/tiny.json", "openai", "no model configuration .*correct clip.model"),
        ("RN50", "yfcc15m_no_such", "knows no weights"),
    ],
)
async def test_a_model_that_cannot_be_had_is_named_with_the_next_step(model, pretrained, said):
    with pytest.raises(ModelMissing, match=said):
        await ClipEmbedder(model, pretrained).embed_texts(["a red circle"])


@pytest.mark.parametrize("content", ["{", "[]", '{"embed_dim": 64}'])
async def test_a_bad_configuration_is_refused_and_does_no_harm_to_others(clip, trained, tmp_path, content):
    bad = tmp_path / "bad.json"
    bad.write_text(content, encoding="utf8")
    with pytest.raises(ModelMissing, match="is no model configuration"):
        await ClipEmbedder(str(bad), str(trained.weights)).embed_texts(["a"])
    shutil.copy(trained.config, tmp_path / "good.json")
    again = ClipEmbedder(str(tmp_path / "good.json"), str(trained.weights))
    assert (await again.embed_texts(["a"])).tobytes() == (await clip.embed_texts(["a"])).tobytes()


async def test_a_configuration_may_not_take_the_name_of_a_known_architecture(trained, tmp_path):
    shutil.copy(trained.config, tmp_path / "ViT-B-32.json")
    with pytest.raises(ModelMissing, match="rename the file"):
        await ClipEmbedder(str(tmp_path / "ViT-B-32.json"), str(trained.weights)).embed_texts(["a"])


async def test_weights_of_another_architecture_or_none_at_all_are_refused(trained, tmp_path):
    other = json.loads(trained.config.read_text(encoding="utf8"))
    other["vision_cfg"]["width"] = 128
    config = tmp_path / "wider.json"
    config.write_text(json.dumps(other), encoding="utf8")
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(trained.weights.read_bytes()[:1000])
    for model, weights in ((config, trained.weights), (trained.config, cut)):
        with pytest.raises(ModelMissing, match=r"cannot be loaded .*clip\.model and clip\.pretrained must belong"):
            await ClipEmbedder(str(model), str(weights)).embed_texts(["a"])
