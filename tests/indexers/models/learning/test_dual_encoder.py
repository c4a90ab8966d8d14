"""An encoder learns to find documents, goes on after a kill as if nothing had been, and runs without PyTorch."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from agent.assembly.backends import build_embedder
from heliograph.config import Endpoint
from heliograph.errors import ModelMissing
from indexers.models.onnx import MODEL_NAME, OnnxEmbedder
from indexers.models.pytorch import loaded_torch
from indexers.models.sentences import SentenceEmbedder
from indexers.models.training.dual_encoder import DualEncoderStudent, EncoderExample, load_encoder
from indexers.models.training.schedule import Schedule

MOONS = ("io", "europa", "ganymede", "callisto")
NUMBERS = ("one", "two", "three", "four")
TEXTS = tuple(f"the moon {moon}" for moon in MOONS)
SCHEDULE = Schedule(epochs=2, batch=2, learning_rate=5e-3, warmup=2, at_once=2)
LONG = Schedule(epochs=60, batch=4, learning_rate=3e-3, warmup=2, at_once=4)
pytestmark = pytest.mark.models


class Moons:
    """A query asks for a moon by its number, which no text says: it has to be learned."""

    digest = "moons"

    def epoch(self, number: int, seed: int) -> Sequence[EncoderExample]:
        return [
            EncoderExample(f"diameter of {NUMBERS[at]}", at, ((at + 1 + number) % 4,) if number % 4 != 3 else (), {at})
            for at in range(4)
        ]


class Found:
    """The share of queries whose first document answers."""

    def __init__(self, value: float) -> None:
        self.value = value


def found_first(student: DualEncoderStudent, development: Sequence[EncoderExample], say) -> Found:
    scores = student.encoded_queries([each.query for each in development]) @ student.encoded_documents(range(4), say).T
    return Found(float(np.mean([row.argmax() in each.answers for row, each in zip(scores, development, strict=True)])))


@pytest.fixture(scope="session")
def start(extra: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of one layer that has learned nothing, in Hugging Face's form."""
    from tests.indexers.models.tiny import save_tiny_bert

    words = (*MOONS, *NUMBERS, "moon", "diameter", "the", "of")
    return save_tiny_bert(tmp_path_factory.mktemp("start"), words)


def student_from(start: Path) -> DualEncoderStudent:
    return DualEncoderStudent(load_encoder(str(start)), lambda numbers: [TEXTS[each] for each in numbers], found_first)


def trained(student: DualEncoderStudent, folder: Path, schedule: Schedule = SCHEDULE):
    from indexers.models.training.loop import Plan, train

    return train(Plan("test", "tiny", schedule), student, Moons(), Moons().epoch(3, 0), folder, lambda _: None)


def test_an_encoder_learns_to_find(start, tmp_path):
    found = trained(student_from(start), tmp_path, LONG)
    assert found.before < 1.0
    assert max(found.figures) == 1.0


def test_an_encoder_that_was_killed_goes_on_as_if_nothing_had_been(start, tmp_path):
    from indexers.models.training import loop
    from tests.indexers.models.tiny import Killed, dying

    whole = trained(student_from(start), tmp_path / "whole")
    clock = iter(range(0, 10**6, loop.SECONDS_A_CHECKPOINT + 1))
    with pytest.raises(Killed):
        loop.train(
            loop.Plan("test", "tiny", SCHEDULE),
            dying(student_from(start), 3),
            Moons(),
            Moons().epoch(3, 0),
            tmp_path / "cut",
            lambda _: None,
            lambda: next(clock),
        )
    again = trained(student_from(start), tmp_path / "cut")
    assert (again.before, again.figures) == (whole.before, whole.figures)
    weights = [(tmp_path / name / "model" / "model.safetensors").read_bytes() for name in ("whole", "cut")]
    assert weights[0] == weights[1]


def test_what_else_answers_counts_neither_for_nor_against_a_query(start):
    batch = [EncoderExample("one", 0, (3,), frozenset({0, 1})), EncoderExample("two", 1, (0,), frozenset({1}))]
    packed = student_from(start).packed(batch)  # documents 0, 3 and 1
    assert packed.positive.tolist() == [[True, False, False], [False, False, True]]
    assert packed.counted.tolist() == [[True, True, False], [True, True, True]]
    assert packed.documents["input_ids"].shape[0] == 3


def test_the_loss_is_the_mean_likelihood_of_the_documents_that_answer(start):
    student = student_from(start)
    student.module.eval()
    batch = [EncoderExample("moon one", 0, (2,), frozenset({0}))]
    with loaded_torch().no_grad():
        loss = float(student.loss(student.packed(batch)))
    (asked,), documents = student.encoded_queries(["moon one"]), student.encoded_documents([0, 2], lambda _: None)
    right, wrong = 20 * documents @ asked
    assert loss == pytest.approx(np.log(1 + np.exp(wrong - right)), abs=0.05)  # products may be in bfloat16
    assert np.allclose(np.linalg.norm(documents, axis=1), 1.0, atol=1e-5)


async def test_what_was_trained_is_embedded_with_and_nearly_so_as_int8_without_pytorch(start, tmp_path):
    from indexers.models.training.export import export
    from tests.indexers.models.tiny import imports_torch

    student = student_from(start)
    student.module.prompts = {"query": "the ", "document": ""}
    trained(student, tmp_path)
    export(str(tmp_path / "model"), tmp_path / "onnx")
    whole, small = (build_embedder(Endpoint(model=str(tmp_path / name)), OnnxEmbedder()) for name in ("model", "onnx"))
    assert (type(whole), type(small)) == (SentenceEmbedder, OnnxEmbedder)
    assert small.dimensions == whole.dimensions == 32
    alike = (await whole.embed(TEXTS) * await small.embed(TEXTS)).sum(axis=1)
    assert alike.min() > 0.97
    assert '"query": "the "' in (tmp_path / "onnx" / "config_sentence_transformers.json").read_text(encoding="utf8")
    assert not imports_torch(
        "import asyncio; from pathlib import Path; from indexers.models.onnx import OnnxEmbedder; "
        f"asyncio.run(OnnxEmbedder(Path({str(tmp_path / 'onnx')!r}), dimensions=None).embed(['moon']))"
    )


def test_an_encoder_that_takes_its_first_token_has_no_form_without_pytorch(start, tmp_path):
    from indexers.models.training.export import export

    load_encoder(str(start)).save(str(tmp_path / "model"), create_model_card=False)
    config = tmp_path / "model" / "1_Pooling" / "config.json"
    config.write_text(config.read_text(encoding="utf8").replace('"mean"', '"cls"'), encoding="utf8")
    with pytest.raises(ModelMissing, match="takes the mean of its tokens has a form that runs without PyTorch"):
        export(str(tmp_path / "model"), tmp_path / "onnx")


async def test_the_packaged_model_is_begun_from_as_it_is(extra):
    student = DualEncoderStudent(
        load_encoder(MODEL_NAME), lambda numbers: [TEXTS[each] for each in numbers], found_first
    )
    student.module.eval()
    alike = (student.encoded_queries(TEXTS) * await OnnxEmbedder().embed(TEXTS)).sum(axis=1)
    assert alike.min() > 0.999


def test_an_encoder_below_the_home_folder_is_found(start, monkeypatch):
    monkeypatch.setenv("HOME", str(start.parent))
    assert load_encoder(f"~/{start.name}").get_embedding_dimension() == 32


def test_an_encoder_that_is_nowhere_is_named(start, tmp_path):
    shutil.copytree(start, tmp_path / "tiny")
    (tmp_path / "tiny" / "model.safetensors").unlink()
    with pytest.raises(ModelMissing, match="tiny' cannot be loaded"):
        load_encoder(str(tmp_path / "tiny"))
