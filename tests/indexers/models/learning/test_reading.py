"""A tiny reader learns where answers stand, goes on after a kill, and reads the same as int8 without PyTorch."""

import random
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from heliograph.errors import ModelMissing
from indexers.models.reader import Candidate, Reader, compared, passage_piece, row_piece
from indexers.models.training.reading import Mark, ReadingExample
from indexers.models.training.schedule import Schedule

MOONS, YEARS = ("io", "europa", "ganymede", "callisto"), ("1610", "1611", "1612", "1613")
WORDS = (*MOONS, *YEARS, "moons", "name", "found", "is", "when", "was", "which", ";", "|", ":", "in", "moon")
SHORT = Schedule(epochs=2, batch=4, learning_rate=2e-3, warmup=2, at_once=2)
LONG = Schedule(epochs=60, batch=4, learning_rate=2e-3, warmup=2, at_once=4)
pytestmark = pytest.mark.models


def edge(moon: str, year: str) -> Candidate:
    return Candidate(row_piece(("moons",), ("name",), (moon,)), passage_piece(moon, f"found in {year}"))


class Years:
    """When was a moon found? The passage says it; where only others are shown, nothing does."""

    digest = "years"

    def epoch(self, number: int, seed: int) -> Sequence[ReadingExample]:
        return tuple(self._example(random.Random(f"{number} {seed} {place}")) for place in range(16))

    def _example(self, draw: random.Random) -> ReadingExample:
        moon, other = draw.sample(MOONS, 2)
        right, wrong = edge(moon, draw.choice(YEARS)), edge(other, draw.choice(YEARS))
        assert right.second is not None
        at = right.second.text.index("16")
        return ReadingExample("when was it found", (right, wrong)[:1], (Mark(0, 1, at, at + 4),))


@pytest.fixture(scope="session")
def start(extra: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.indexers.models.tiny import save_tiny_bert

    return save_tiny_bert(tmp_path_factory.mktemp("reader"), WORDS, longest=64)


def trained(start: Path, folder: Path, schedule: Schedule = SHORT, student=None):
    from indexers.models.training.loop import Plan, train
    from indexers.models.training.reading import load_reader

    made = student or load_reader(str(start), 1)
    return train(Plan("reader", "tiny", schedule), made, Years(), Years().epoch(99, 0), folder, lambda _: None)


@pytest.fixture(scope="module")
def learned(start: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learned")
    found = trained(start, folder, LONG)
    assert found.before < max(found.figures)
    assert max(found.figures) > 0.9
    return folder / "model"


def test_a_reader_learns_and_reads_the_same_as_int8(learned: Path, tmp_path: Path) -> None:
    from indexers.models.training.export import export
    from indexers.models.training.reading import load_reader

    export(str(learned), tmp_path)
    candidates = (edge("io", "1612"), edge("europa", "1613"))
    small = Reader(tmp_path).read("when was it found", candidates)
    whole = compared(load_reader(str(learned)).logits("when was it found", candidates))
    assert [reading.answers[0].text for reading in small] == ["1612", "1613"]
    for one, other in zip(small, whole, strict=True):
        assert one.answers[0].text == other.answers[0].text
        assert one.answers[0].within == pytest.approx(other.answers[0].within, abs=0.5)


def test_a_training_begins_from_the_form_without_pytorch(learned: Path, tmp_path: Path) -> None:
    from indexers.models.training.export import export
    from indexers.models.training.reading import load_reader

    export(str(learned), tmp_path)
    read = load_reader(str(tmp_path)).module["encoder"].state_dict()
    for name, weight in load_reader(str(learned)).module["encoder"].state_dict().items():
        assert (read[name] - weight).abs().max() <= weight.abs().max() / 100
    of_start, head = (load_reader(str(each)).module["head"].state_dict() for each in (tmp_path, learned))
    assert all(of_start[name].equal(weight) for name, weight in head.items())


def test_a_head_of_other_columns_is_drawn_anew(learned: Path, tmp_path: Path) -> None:
    from indexers.models.training.checking import load_checker
    from indexers.models.training.export import export

    export(str(learned), tmp_path)
    one, other = (load_checker(str(tmp_path), seed).module["head"].state_dict() for seed in (0, 1))
    assert not one["0.weight"].equal(other["0.weight"])


def test_reading_imports_nothing_of_torch(learned: Path, tmp_path: Path) -> None:
    from indexers.models.training.export import export
    from tests.indexers.models.tiny import imports_torch

    export(str(learned), tmp_path)
    assert not imports_torch(
        "from pathlib import Path; from indexers.models.reader import Candidate, Piece, Reader; "
        f"Reader(Path({str(tmp_path)!r})).read('when', [Candidate(Piece('io'))])"
    )


def test_a_reader_that_was_killed_goes_on_as_if_nothing_had_been(start: Path, tmp_path: Path, monkeypatch) -> None:
    from indexers.models.training import loop
    from indexers.models.training.reading import load_reader
    from tests.indexers.models.tiny import Killed, dying

    monkeypatch.setattr(loop, "SECONDS_A_CHECKPOINT", -1)
    whole = trained(start, tmp_path / "whole")
    with pytest.raises(Killed):
        trained(start, tmp_path / "cut", student=dying(load_reader(str(start), 1), 5))
    again = trained(start, tmp_path / "cut")
    assert (again.before, again.figures) == (whole.before, whole.figures)
    files = [(tmp_path / name / "model" / "model.safetensors").read_bytes() for name in ("whole", "cut")]
    assert files[0] == files[1]


def test_the_head_learns_faster_and_the_words_not_at_all(start: Path) -> None:
    from indexers.models.training.reading import load_reader

    student = load_reader(str(start))
    assert (student.rate_of("head.0.weight"), student.rate_of("encoder.pooler")) == (10.0, 1.0)
    named = dict(student.module.named_parameters())
    assert not named["encoder.embeddings.word_embeddings.weight"].requires_grad
    assert named["head.0.weight"].requires_grad


def test_none_is_learned_where_no_candidate_answers(start: Path) -> None:
    from indexers.models.pytorch import loaded_torch
    from indexers.models.training.masters import Masters
    from indexers.models.training.reading import load_reader

    torch = loaded_torch()
    torch.manual_seed(0)
    student = load_reader(str(start), 1)
    example = ReadingExample("when was it found", (edge("io", "1610"),), (), "none", (0,))
    masters = Masters(student.module, student.rate_of)
    for _ in range(30):
        student.loss(student.packed([example])).backward()
        masters.step(1e-3)
    (reading,) = compared(student.logits(example.need, example.candidates))
    assert reading.none > reading.answers[0].within


MIXED = (
    Years().epoch(0, 0)[0],
    ReadingExample("when", (edge("io", "1610"), edge("io", "1612"), edge("europa", "1612")), (Mark(1, 1, 12, 16),)),
    ReadingExample("was io found", (edge("io", "1610"), edge("europa", "1611")), (), "yes", (0,)),
    ReadingExample("when", (edge("callisto", "1610"),), (), "none", (0,)),
    ReadingExample("when", (edge("callisto", "1610"), edge("io", "1612")), (Mark(0, 1, 0, 400),)),
)
"""A span, one among three candidates, a choice, none, and an answer that no window has."""


def test_the_loss_of_a_batch_is_the_mean_of_those_of_its_examples(start: Path) -> None:
    from indexers.models.pytorch import loaded_torch
    from indexers.models.reader import CHOICES
    from indexers.models.training.reading import ALONE, load_reader

    student = load_reader(str(start), 1)
    student.module.eval()

    def probabilities(example: ReadingExample) -> tuple[list[float], list[float], list[float]]:
        """By candidate: the sum of all starts times that of all ends, of what is right, and of none."""
        every, right, none = [], [], []
        for number, scored in enumerate(student.logits(example.need, example.candidates)):
            choices = np.exp(scored.logits[0, 2:].reshape(-1, 2).astype(float))
            spans = np.exp(scored.logits[:, :2].astype(float))
            every.append(float(np.prod(spans[scored.window.places].sum(0) + choices.sum(0))))
            none.append(float(choices[-1].prod()))
            said = [choices[CHOICES.index(example.choice)].prod()] if number in example.chosen else []
            for mark in example.marks:
                place = scored.window.place(mark.piece, mark.start, mark.end) if mark.candidate == number else None
                said += [spans[place[0], 0] * spans[place[1], 1]] if place else []
            right.append(float(sum(said)))
        return every, right, none

    def loss(example: ReadingExample) -> float:
        every, right, none = probabilities(example)
        alone = -np.mean([np.log((said or no) / all_) for all_, said, no in zip(every, right, none, strict=True)])
        sides = student.logits(example.need, example.candidates)
        shared = sum(np.logaddexp.reduce([each.mass[side] for each in sides]) for side in (0, 1))
        return float(ALONE * alone + (shared - np.log(sum(right)) if any(right) else 0.0))

    with loaded_torch().no_grad():
        found = float(student.loss(student.packed(MIXED)))
    assert found == pytest.approx(np.mean([loss(example) for example in MIXED]), rel=1e-4)


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_a_student_comes_closer_to_its_teacher(kind: str, start: Path, learned: Path, tmp_path: Path) -> None:
    from indexers.models.pytorch import loaded_torch
    from indexers.models.training.masters import Masters
    from indexers.models.training.reading import TAUGHT, load_reader
    from tests.indexers.models.tiny import save_tiny_mpnet

    torch = loaded_torch()
    if kind == "mpnet":
        trained(save_tiny_mpnet(tmp_path / "start", WORDS), tmp_path / "taught", LONG)
    teacher = str(learned if kind == "bert" else tmp_path / "taught" / "model")
    student = load_reader(str(start), 1, teacher=teacher)
    assert student.teacher is not None and (student.taught_pieces is None) is (kind == "bert")
    masters, batch = Masters(student.module, student.rate_of), student.packed(MIXED)
    if student.taught_pieces is not None:
        own, theirs = student.tokenizer.get_vocab(), student.teacher.tokenizer.get_vocab()
        assert [student.taught_pieces[own[word]] for word in WORDS] == [theirs[word] for word in WORDS]
        assert student.taught_pieces[own["[CLS]"]] == theirs["<s>"]

    def apart() -> float:
        """How far the student is from its teacher: its loss without what is marked."""
        with torch.no_grad():
            taught, teaching = float(student.loss(batch)), student.teacher
            student.teacher = None
            marked = float(student.loss(batch))
            student.teacher = teaching
        return (taught - (1 - TAUGHT) * marked) / TAUGHT

    before, losses = apart(), []
    for _ in range(40):
        loss = student.loss(batch)
        loss.backward()
        masters.step(2e-3)
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 2
    assert before > 0.1
    assert 0 <= apart() < before / 2
    with torch.no_grad():
        assert float(load_reader(teacher, teacher=teacher).loss(batch)) < float(student.teacher.loss(batch)) + 1e-5


def test_a_teacher_that_lacks_pieces_is_refused(start: Path, tmp_path: Path) -> None:
    from indexers.models.training.reading import load_reader
    from tests.indexers.models.tiny import save_tiny_mpnet

    load_reader(str(save_tiny_mpnet(tmp_path, WORDS[:-1]))).save(tmp_path / "model")
    with pytest.raises(ModelMissing, match="the teacher has no piece 'moon'"):
        load_reader(str(start), teacher=str(tmp_path / "model"))


def test_what_has_learned_nothing_teaches_nothing(start: Path) -> None:
    from indexers.models.training.reading import load_reader

    with pytest.raises(ModelMissing, match="is no reader that can teach"):
        load_reader(str(start), teacher=str(start))


def test_what_is_no_bert_has_no_form_without_pytorch(tmp_path: Path) -> None:
    from indexers.models.training.export import export
    from indexers.models.training.reading import load_reader
    from tests.indexers.models.tiny import save_tiny_mpnet

    load_reader(str(save_tiny_mpnet(tmp_path, WORDS)), 1).save(tmp_path / "model")
    with pytest.raises(ModelMissing, match="is not of bert's kind"):
        export(str(tmp_path / "model"), tmp_path / "onnx")


@pytest.mark.parametrize(("module", "kind"), [("reading", "reader"), ("checking", "checker")])
def test_what_no_student_can_begin_from_is_named(module: str, kind: str, extra: None) -> None:
    load = getattr(import_module(f"indexers.models.training.{module}"), f"load_{kind}")
    with pytest.raises(ModelMissing, match=f"no {kind} can begin from '/nowhere'"):
        load("/nowhere")


def test_a_reader_that_int8_spoils_is_not_exported(start: Path, tmp_path: Path) -> None:
    """One number within a layer dwarfs the others and says nothing: bytes scaled by it keep nothing of the others."""
    from indexers.models.pytorch import loaded_torch
    from indexers.models.training.export import export, is_windowed
    from indexers.models.training.reading import load_reader

    student = load_reader(str(start), 1)
    layer, head = student.module["encoder"].encoder.layer[-1], student.module["head"]
    with loaded_torch().no_grad():
        layer.intermediate.dense.bias[0] = 1e5
        layer.output.dense.weight.normal_()[:, 0] = 0.0
        for place in (0, 2):
            head[place].weight.normal_()
    student.save(tmp_path / "model")
    assert (is_windowed(str(tmp_path / "model")), is_windowed(str(start))) == (True, False)
    with pytest.raises(ModelMissing, match=r"the int8 form of .*model reads otherwise than the model \(by "):
        export(str(tmp_path / "model"), tmp_path / "onnx")
    assert not any((tmp_path / "onnx").iterdir())
