"""A tiny checker learns what evidence says of a claim, and says the same as int8 without PyTorch."""

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from indexers.models.checker import CHECKS, RELATIONS, Checker
from indexers.models.reader import Candidate, Floats, Piece
from indexers.models.training.checking import CheckingExample, checked, said
from indexers.models.training.schedule import Schedule

MOONS, YEARS = ("io", "europa", "ganymede"), ("1610", "1611")
WORDS = (*MOONS, *YEARS, "found", "in", "when", "who", "by", "simon")
LONG = Schedule(epochs=30, batch=8, learning_rate=1e-3, warmup=2, at_once=8)
pytestmark = pytest.mark.models


def evidence(year: str) -> Candidate:
    return Candidate(Piece(f"found in {year}"))


class Years:
    """The evidence says a year or nothing of one; "when" is answered by a year and by nothing else."""

    digest = "years"

    def epoch(self, number: int, seed: int) -> Sequence[CheckingExample]:
        draw = random.Random(f"{number} {seed}")
        return tuple(self._example(draw) for _ in range(32))

    def _example(self, draw: random.Random) -> CheckingExample:
        moon, year = draw.choice(MOONS), draw.choice(YEARS)
        if draw.random() < 0.5:
            when = draw.random() < 0.5
            return CheckingExample.of_question("when", f"{moon} {f'in {year}' if when else 'by simon'}", when)
        if draw.random() < 0.5:
            return CheckingExample("in 1610", evidence("1610"), ("supported",))
        return CheckingExample("in 1610", Candidate(Piece(f"{moon} by simon")), ("unrelated",))


@pytest.fixture(scope="module")
def learned(extra: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from indexers.models.training.checking import load_checker
    from indexers.models.training.loop import Plan, train
    from tests.indexers.models.tiny import save_tiny_bert

    folder = tmp_path_factory.mktemp("checker")
    start = save_tiny_bert(folder / "start", WORDS, longest=64, layers=4)  # the first two stay as they are
    student, development = load_checker(str(start), 1), Years().epoch(99, 0)
    found = train(Plan("checker", "tiny", LONG), student, Years(), development, folder, lambda _: None)
    assert max(found.figures) > 0.95
    return folder / "model"


def test_a_checker_learns_both_and_says_the_same_as_int8(learned: Path, tmp_path: Path) -> None:
    from indexers.models.training.checking import load_checker
    from indexers.models.training.export import export

    export(str(learned), tmp_path)
    small = Checker(tmp_path)
    assert small.name.startswith("checker-")
    pairs = [("in 1610", evidence("1610")), ("in 1610", Candidate(Piece("io by simon")))]
    assert [each.best for each in small.check(pairs)] == ["supported", "unrelated"]
    answers = small.answers([("when", "io in 1611"), ("when", "io by simon")])
    assert answers[0] > 0.5 > answers[1]
    assert (small.check([]), small.answers([])) == ((), ())
    lost = load_checker(str(learned)).int8_loss(tmp_path, Years().epoch(99, 0))
    assert "of 32; in int8: balanced accuracy" in lost
    assert "both say the same of 100 %" in lost


def test_checking_imports_nothing_of_torch(learned: Path, tmp_path: Path) -> None:
    from indexers.models.training.export import export
    from tests.indexers.models.tiny import imports_torch

    export(str(learned), tmp_path)
    assert not imports_torch(
        "from pathlib import Path; from indexers.models.checker import Checker; "
        f"Checker(Path({str(tmp_path)!r})).answers([('when', 'io')])"
    )


def test_of_several_relations_that_are_allowed_any_is_right(learned: Path) -> None:
    from indexers.models.training.checking import load_checker

    student = load_checker(str(learned))
    one, all_but_one, every = (
        float(student.loss([CheckingExample("in 1610", evidence("1610"), allowed)]).detach())
        for allowed in (("supported",), RELATIONS[1:], RELATIONS)
    )
    assert one < all_but_one
    assert every == pytest.approx(0.0, abs=1e-5)


def test_figures_are_mean_recalls_and_an_open_label_counts_for_support_alone() -> None:
    examples = (
        CheckingExample("a", evidence("1610"), ("supported",)),
        CheckingExample("b", evidence("1610"), ("contradicted",)),
        CheckingExample("c", evidence("1610"), RELATIONS[1:]),
        CheckingExample.of_question("when", "d", True),
        CheckingExample.of_question("when", "e", False),
    )

    always_first: list[Floats] = [np.asarray([[1, 0, 0, 0, 1, 0]], np.float32)] * len(examples)
    found = checked(said(always_first, examples), examples)
    assert CHECKS == 6
    assert (found.relations, found.support, found.answers, found.value) == (0.5, 0.5, 0.5, 0.5)
