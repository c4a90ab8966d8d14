"""Embeddings by sentence-transformers, on a model that is made here: random weights, a dozen words."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from heliograph.errors import ModelMissing
from indexers.evidence import EvidenceIndexes
from indexers.models.cache import CachedEmbedder
from indexers.models.sentences import GTE, SentenceEmbedder
from tests.indexers.models.tiny import WIDTH, save_tiny_bert

pytestmark = pytest.mark.models
WORDS = ("jupiter", "is", "a", "giant", "planet", "moon", "of", "the", "red", "storm", "diameter", "large")
TEXTS = ("a giant planet", "the moon", "", "the red storm of jupiter " * 20, "Čeština \ud800")


@pytest.fixture(scope="session")
def folder(extra: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers model on disk."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    made = tmp_path_factory.mktemp("sentences")
    save_tiny_bert(made / "bert", WORDS)
    model = SentenceTransformer(modules=[Transformer(str(made / "bert")), Pooling(WIDTH)], device="cpu")
    model.save(str(made / "tiny"))
    return made / "tiny"


async def test_vectors_have_length_one_and_stand_in_the_order_asked(folder):
    embedder = SentenceEmbedder(str(folder), batch=2)
    vectors = await embedder.embed(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), WIDTH), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    for text, row in zip(TEXTS, vectors, strict=True):
        assert np.allclose((await embedder.embed([text]))[0], row, atol=1e-5)
    assert (await embedder.embed([])).shape == (0, WIDTH)


async def test_the_cache_and_the_indexes_take_it(folder, tmp_path, document):
    embedder = CachedEmbedder(SentenceEmbedder(str(folder)), tmp_path / "e.sqlite")
    indexes = EvidenceIndexes(tmp_path / "home", embedder)
    try:
        assert (await indexes.add([document()])).embedded == 6
        assert len(await indexes.retrieve("giant planet", "table", 9, ["demo:Jupiter@1"])) == 4
        assert (await embedder.embed_counted(["giant planet"])).computed == 0
    finally:
        indexes.close()


def test_the_name_is_the_one_on_the_hub_or_changes_with_the_folder(folder, tmp_path):
    assert SentenceEmbedder().name == GTE == "Alibaba-NLP/gte-modernbert-base"
    shutil.copytree(folder, tmp_path / "tiny")
    assert SentenceEmbedder(str(tmp_path / "tiny")).name == SentenceEmbedder(str(folder)).name
    (tmp_path / "tiny" / "model.safetensors").write_bytes(b"other")
    assert SentenceEmbedder(str(tmp_path / "tiny")).name != SentenceEmbedder(str(folder)).name


async def test_a_model_that_is_neither_here_nor_to_be_fetched_is_named_with_the_next_step():
    for name, said in ((GTE, r"gte-modernbert-base' cannot be loaded .*name a folder"), ("/nowhere", "no folder")):
        with pytest.raises(ModelMissing, match=said):
            await SentenceEmbedder(name).embed(["a"])


def remove_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def cut_weights(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])


def pickle_weights(folder: Path) -> None:
    """Put a pickle in the place of the safetensors: it would run code."""
    remove_weights(folder)
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'touch /tmp/run'\ntR.")


def break_config(folder: Path) -> None:
    (folder / "config.json").write_text("{", encoding="utf8")


def break_modules(folder: Path) -> None:
    (folder / "modules.json").write_text("{", encoding="utf8")


@pytest.mark.parametrize("damage", [remove_weights, cut_weights, pickle_weights, break_config, break_modules])
async def test_a_damaged_folder_is_named(folder, tmp_path, damage: Callable[[Path], None]):
    shutil.copytree(folder, tmp_path / "tiny")
    damage(tmp_path / "tiny")
    with pytest.raises(ModelMissing, match=r"cannot be loaded .*embed\.model"):
        await SentenceEmbedder(str(tmp_path / "tiny")).embed(["a"])


def test_nothing_is_imported_before_it_is_needed_and_torchvision_loads_beside_any_pytorch(folder):
    code = (
        "import sys; from indexers.models.sentences import SentenceEmbedder\n"
        "from indexers.models.clip import ClipEmbedder\n"
        f"SentenceEmbedder({str(folder)!r}).name; ClipEmbedder('ViT-B-32', 'openai')\n"
        "assert not {'torch', 'open_clip', 'transformers'} & sys.modules.keys()\n"
        "from indexers.models.pytorch import loaded_torch; loaded_torch()\n"
        "import torchvision, timm, open_clip, transformers; assert 'torch' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])


def test_a_run_replays_when_the_folder_of_its_model_is_gone(
    folder: Path, cli: Callable[..., Result], archive: Path, home: Path, tmp_path: Path
) -> None:
    model = shutil.copytree(folder, tmp_path / "tiny")
    asked = cli(
        "ask", "--source", f"zim:{archive}", "Who designed Skerry Head Light?", HELIOGRAPH_EMBED__MODEL=str(model)
    )
    assert asked.exit_code in (0, 3)
    shutil.rmtree(model)
    assert cli("replay", "last").stdout.endswith("trace events are byte-identical\n")
