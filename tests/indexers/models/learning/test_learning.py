"""Students learn, training goes on after a kill as if nothing had been, and what comes out runs without PyTorch."""

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from heliograph.errors import ModelMissing, StoreDamaged, StoreError, UsageError
from indexers.models.kinds import PROMPTS_FILE
from indexers.models.pytorch import loaded_torch
from indexers.models.training.card import Card, write_card
from indexers.models.training.examples import Example
from indexers.models.training.schedule import Schedule

MOONS = ("io", "europa", "ganymede", "callisto")
NUMBERS = ("one", "two", "three", "four")
SCHEDULE = Schedule(epochs=2, batch=2, learning_rate=5e-3, warmup=2, at_once=2)
LONG = Schedule(epochs=150, batch=4, learning_rate=3e-3, warmup=2, at_once=4)
pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("ignore:.*LeafSpec:FutureWarning")]  # torch.onnx's own


class Moons:
    """A question asks for a moon by its number, which no text says: it has to be learned."""

    digest = "moons"

    def epoch(self, number: int, seed: int) -> Sequence[Example]:
        return tuple(self._list(moon, random.Random(f"{number} {seed} {moon}")) for moon in MOONS)

    def _list(self, moon: str, draw: random.Random) -> Example:
        others = draw.sample([other for other in MOONS if other != moon], 3)
        return Example(
            f"diameter of {NUMBERS[MOONS.index(moon)]}",
            ((f"moon {moon}", f"the diameter of {moon}"),),
            (*((f"moon {other}", f"the diameter of {other}") for other in others), (f"moon {moon}",)),
        )


MOONS_BY_NUMBER = Moons()


class Topics(Moons):
    """Only passages that speak of a diameter answer: what a tiny cross-encoder can learn in a few steps."""

    def _list(self, moon: str, draw: random.Random) -> Example:
        others = draw.sample(MOONS, 3)
        return Example(
            f"diameter of {moon}",
            ((f"moon {moon}", f"the diameter of {moon}"),),
            tuple((f"moon {other}", f"the colour of {other}") for other in (moon, *others)),
        )


@pytest.fixture(scope="session")
def start(extra: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of one layer that has learned nothing, in Hugging Face's form."""
    from tests.indexers.models.tiny import save_tiny_bert

    return save_tiny_bert(
        tmp_path_factory.mktemp("start"), (*MOONS, *NUMBERS, "moon", "diameter", "the", "of", "colour", ",", ".")
    )


def late(start: Path):
    from indexers.models.multi_vector import load_multi_vector
    from indexers.models.training.students import LateInteractionStudent

    return LateInteractionStudent(load_multi_vector(str(start), ("moon io", "the diameter of europa , .")))


def cross(start: Path):
    from indexers.models.pairs import load_cross_encoder
    from indexers.models.training.students import CrossEncoderStudent

    loaded_torch().manual_seed(3)  # of the output that it begins with
    return CrossEncoderStudent(load_cross_encoder(str(start)))


def trained(
    student,
    folder: Path,
    said: list[str] | None = None,
    schedule: Schedule = SCHEDULE,
    examples: Moons = MOONS_BY_NUMBER,
):
    from indexers.models.training.loop import Plan, train

    say = (said if said is not None else []).append
    return train(Plan("test", "tiny", schedule), student, examples, examples.epoch(99, 0), folder, say)


@pytest.mark.parametrize(("kind", "examples"), [(late, MOONS_BY_NUMBER), (cross, Topics())])
def test_a_student_learns(kind, examples, start, tmp_path):
    found = trained(kind(start), tmp_path, schedule=LONG, examples=examples)
    assert max(found.figures) > found.before
    assert max(found.figures) > 0.9
    assert found.figures[found.best - 1] == max(found.figures) > max(found.figures[found.best :], default=0.0)


@pytest.mark.parametrize("kind", [late, cross])
def test_a_training_that_was_killed_goes_on_as_if_nothing_had_been(kind, start, tmp_path):
    from indexers.models.training import loop
    from tests.indexers.models.tiny import Killed, dying

    whole = trained(kind(start), tmp_path / "whole")

    clock = iter(range(0, 10**6, loop.SECONDS_A_CHECKPOINT + 1))
    examples = MOONS_BY_NUMBER
    with pytest.raises(Killed):
        loop.train(
            loop.Plan("test", "tiny", SCHEDULE),
            dying(kind(start), 3),
            examples,
            examples.epoch(99, 0),
            tmp_path / "cut",
            lambda _: None,
            lambda: next(clock),
        )
    again = trained(kind(start), tmp_path / "cut")
    assert (again.before, again.figures) == (whole.before, whole.figures)
    weights = [(tmp_path / name / "model" / "model.safetensors").read_bytes() for name in ("whole", "cut")]
    assert weights[0] == weights[1]


def test_a_training_that_has_ended_learns_nothing_more(start, tmp_path):
    first, said = trained(late(start), tmp_path), []
    again = trained(late(start), tmp_path, said)
    assert again.figures == first.figures
    assert said == []


def test_another_training_in_the_same_folder_is_refused(start, tmp_path):
    trained(late(start), tmp_path)
    with pytest.raises(UsageError, match="is of another training"):
        trained(late(start), tmp_path, schedule=Schedule(1, 4, 1e-3, 0))
    (tmp_path / "training.pt").write_bytes(b"no checkpoint")
    with pytest.raises(StoreDamaged, match="delete it to begin anew"):
        trained(late(start), tmp_path)


async def test_what_was_trained_ranks_the_same_when_loaded_and_nearly_so_as_int8(start, tmp_path):
    from indexers.edges.maxsim import maxima, similarity
    from indexers.models.onnx_tokens import OnnxTokenEncoder
    from indexers.models.tokens import MultiVectorTokenEncoder
    from indexers.models.training.export import agreement, export

    trained(late(start), tmp_path)
    export(str(tmp_path / "model"), tmp_path / "onnx")
    whole, small = MultiVectorTokenEncoder(str(tmp_path / "model")), OnnxTokenEncoder(tmp_path / "onnx")
    lines = ("moon io", "the diameter of europa , .", "moon")
    theirs, ours = await whole.encode_documents(lines), await small.encode_documents(lines)
    assert [len(each) for each in ours] == [len(each) for each in theirs] == [4, 6, 3]
    assert agreement(ours, theirs) > 0.98
    for vectors in ours:
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    (asked,) = await whole.encode_queries(["diameter of europa"])
    scores = [float(similarity(maxima(asked, each, np.array([0])))[0]) for each in theirs]
    assert scores.index(max(scores)) == 1


def test_a_model_that_int8_spoils_is_not_exported(start, tmp_path):
    """One number of its states dwarfs the others and says nothing: bytes scaled by it keep nothing of the others."""
    from indexers.models.training.export import export

    student = late(start)
    with loaded_torch().no_grad():
        student.module[0].model.encoder.layer[-1].output.LayerNorm.bias[0] = 1e5
        student.module[1].linear.weight[:, 0] = 0.0
    student.save(tmp_path / "model")
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").write_bytes(b"an earlier one")
    with pytest.raises(ModelMissing, match=r"0\.95 is needed; name .*model itself"):
        export(str(tmp_path / "model"), tmp_path / "onnx")
    assert {path.name: path.read_bytes() for path in (tmp_path / "onnx").iterdir()} == {"model.onnx": b"an earlier one"}


def test_an_exported_form_is_not_described_as_the_encoder_that_stood_there(start, tmp_path):
    from indexers.models.training.export import export

    late(start).save(tmp_path / "model")
    (tmp_path / "onnx").mkdir()
    for name, text in (("model.onnx", ""), (PROMPTS_FILE, '{"model_type": "SentenceTransformer"}'), ("own.txt", "")):
        (tmp_path / "onnx" / name).write_text(text, encoding="utf-8")
    export(str(tmp_path / "model"), tmp_path / "onnx")
    assert sorted(path.name for path in (tmp_path / "onnx").iterdir()) == ["model.onnx", "own.txt", "tokenizer.json"]


def test_a_folder_that_cannot_be_written_is_named(start, tmp_path):
    from indexers.models.training.export import export

    late(start).save(tmp_path / "model")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError, match=r"cannot write .*file/onnx: .*; check its permissions"):
        export(str(tmp_path / "model"), tmp_path / "file" / "onnx")


async def test_a_cross_encoder_scores_what_it_was_trained_to(start, tmp_path):
    from indexers.models.pairs import CrossEncoderScorer

    trained(cross(start), tmp_path, schedule=LONG, examples=Topics())
    scorer = CrossEncoderScorer(str(tmp_path / "model"))
    scores = await scorer.score("diameter of io", ["moon io | the diameter of io", "moon io | the colour of io"])
    assert scores[0] > scores[1]
    assert await scorer.score("diameter of io", []) == ()


def test_the_card_says_what_was_learned_from_what(start, tmp_path):
    from indexers.models.training.loop import Plan

    found = trained(late(start), tmp_path)
    write_card(tmp_path / "model", Card(Plan("edge-retriever", "tiny", SCHEDULE), "abc", "8 questions", found))
    said = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert "Trained by `heliograph train edge-retriever` from tiny, seed 0." in said
    assert f"nDCG@50 of the development questions: {found.before:.3f} before" in said
    assert f"| 2 | {found.figures[1]:.3f} |" in said


@pytest.mark.parametrize("load", ["multi_vector.load_multi_vector", "pairs.load_cross_encoder"])
def test_a_model_that_is_nowhere_is_named(load, extra):
    from importlib import import_module

    module, name = load.split(".")
    given = ("/nowhere", ("a sample",)) if name == "load_multi_vector" else ("/nowhere",)
    with pytest.raises(ModelMissing, match="'/nowhere' cannot be loaded"):
        getattr(import_module(f"indexers.models.{module}"), name)(*given)


def test_an_encoder_without_projection_needs_a_sample(start):
    from indexers.models.multi_vector import load_multi_vector

    with pytest.raises(ModelMissing, match="is no late-interaction model; train one"):
        load_multi_vector(str(start))


def test_nothing_of_torch_is_imported_to_encode_with_onnx(start, tmp_path):
    from indexers.models.training.export import export
    from tests.indexers.models.tiny import imports_torch

    trained(late(start), tmp_path)
    export(str(tmp_path / "model"), tmp_path / "onnx")
    assert not imports_torch(
        "import asyncio; from pathlib import Path; from indexers.models.onnx_tokens import OnnxTokenEncoder; "
        f"asyncio.run(OnnxTokenEncoder(Path({str(tmp_path / 'onnx')!r})).encode_queries(['moon']))"
    )
