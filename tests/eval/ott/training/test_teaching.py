"""A teacher of the edge retriever: what it scores, how it is measured, and when it has nothing to teach."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from eval.ott.corpus import OttCorpus
from eval.ott.graph import OttGraph
from eval.ott.judging import gold_of
from eval.ott.postings import OttPostings
from eval.ott.training.edge_lists import Retrieved
from eval.ott.training.teaching import EdgeTeacher, Teaching, open_teacher, refuse_no_teacher, refuse_weaker
from heliograph.errors import ModelMissing, UsageError
from heliograph.types import Edge
from indexers.models.training.development import Figures
from indexers.models.training.examples import Candidate
from tests.eval.ott.lights import BY_WHOM

QUESTION = "By whom in Lights List -- Sound ?"


class ByPlace:
    """Score edges by their place, from the front or from the back, and remember what it was asked."""

    def __init__(self, sign: int = 1) -> None:
        self.sign = sign
        self.asked: list[tuple[str, int, int]] = []

    async def score(self, question: str, edges: Sequence[Edge], among: Sequence[Edge] = ()) -> tuple[float, ...]:
        self.asked.append((question, len(edges), len(among)))
        return tuple(float(self.sign * place) for place in range(len(edges)))


class Mode:
    def eval(self) -> None:
        """Nothing is learned here."""


class Pupil:
    """Scores everything alike, so gold comes last."""

    module = Mode()

    def judge(self, batch):
        raise NotImplementedError

    def rank(self, query: str, candidates: Sequence[Candidate]) -> list[float]:
        return [0.0] * len(candidates)

    def save(self, folder: Path) -> None:
        raise NotImplementedError


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def asked(corpus: OttCorpus) -> Retrieved:
    """A question whose gold edge stands second of five."""
    return Retrieved(BY_WHOM, gold_of(BY_WHOM, corpus), corpus.edges)


def test_a_list_is_scored_among_the_other_edges_that_were_retrieved(
    corpus: OttCorpus, asked: Retrieved, runner: asyncio.Runner
) -> None:
    scorer = ByPlace()
    teacher = EdgeTeacher("by-place", scorer, OttGraph(corpus), runner)
    assert teacher.scores("Who?", [(1, 2), (3, 1)], asked.edges) == (0.0, 1.0)
    assert scorer.asked == [("Who?", 2, 3)]


def test_a_teacher_is_measured_on_the_lists_of_a_student(
    corpus: OttCorpus, asked: Retrieved, runner: asyncio.Runner
) -> None:
    scorer = ByPlace(sign=-1)
    found = EdgeTeacher("by-place", scorer, OttGraph(corpus), runner).figures([asked], corpus, lambda _: None)
    assert found == Figures(1.0, 1.0, pytest.approx(1 / 1.5849625))
    assert scorer.asked == [(QUESTION, 5, 0)]


def test_only_a_teacher_that_is_better_than_the_student_teaches(
    corpus: OttCorpus, asked: Retrieved, runner: asyncio.Runner
) -> None:
    said: list[str] = []
    better = EdgeTeacher("better", ByPlace(sign=-1), OttGraph(corpus), runner)
    refuse_weaker(better, Pupil(), [asked], corpus, said.append)
    assert said[-1].startswith("student: positive in 2: 0.000, in 10: 1.000, nDCG@50: 0.387; teacher: positive in 2: 1")

    class Best(Pupil):
        def rank(self, query: str, candidates: Sequence[Candidate]) -> list[float]:
            return [-float(place) for place in range(len(candidates))]

    with pytest.raises(UsageError, match=r"no better than the student begins \(nDCG@50 0.631 and 1.000\)"):
        refuse_weaker(better, Best(), [asked], corpus, said.append)


def test_a_retriever_is_only_named_for_weights_that_are_there(corpus: OttCorpus, tmp_path: Path) -> None:
    bm25 = OttPostings.of(corpus, lambda _: None).over(corpus)
    with pytest.raises(UsageError, match=r"there is no .*fusion\.json; leave it away"):
        refuse_no_teacher(Teaching(str(tmp_path), "some/retriever"))
    (tmp_path / "fusion.json").write_text("{}")
    with ExitStack() as stack, pytest.raises(ModelMissing):
        open_teacher(Teaching(str(tmp_path), str(tmp_path / "nowhere")), corpus, bm25, tmp_path, stack)
